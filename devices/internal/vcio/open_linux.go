package vcio

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// CallFirmware sends a question to the firmware of this computer and stores the answer in m. It is a Mailbox.
func CallFirmware(m *Message) error {
	f, err := os.OpenFile("/dev/vcio", os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("vcio: %w", err)
	}
	defer f.Close()
	const request = 3<<30 | unsafe.Sizeof(uintptr(0))<<16 | 100<<8 // _IOWR(100, 0, char *)
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(unsafe.Pointer(m)))
	runtime.KeepAlive(m)
	if errno != 0 {
		return fmt.Errorf("vcio: %w", errno)
	}
	return nil
}

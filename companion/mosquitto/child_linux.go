package mosquitto

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// apart has a child end with us, and not by Ctrl-C, which is for us.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// confine bounds the memory of a child, and has the kernel end it rather than us where the machine has none left.
func confine(pid int) error {
	limit := &unix.Rlimit{Cur: maxMemory, Max: maxMemory}
	return errors.Join(unix.Prlimit(pid, unix.RLIMIT_DATA, limit, nil),
		os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("500"), 0o600))
}

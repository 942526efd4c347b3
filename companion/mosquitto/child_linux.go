package mosquitto

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// childAttributes returns attributes that make the kernel kill a child when this process ends. SIGTERM would not do: a Mosquitto that has
// just logged that it runs ignores it (Close). Its own process group keeps Ctrl-C, which is for this process, away from it.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// limitMemory limits the memory of a child, and makes the kernel kill it rather than this process when the machine runs out of memory.
func limitMemory(pid int) error {
	limit := &unix.Rlimit{Cur: maxMemory, Max: maxMemory}
	return errors.Join(unix.Prlimit(pid, unix.RLIMIT_DATA, limit, nil),
		os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("500"), 0o600))
}

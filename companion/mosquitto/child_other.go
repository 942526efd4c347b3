//go:build !linux

package mosquitto

import "syscall"

// childAttributes give a child its own process group, which keeps Ctrl-C away from it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// limitMemory does nothing on this system.
func confine(int) error { return nil }

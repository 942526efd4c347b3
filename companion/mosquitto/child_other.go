//go:build !linux

package mosquitto

import "syscall"

// childAttributes returns attributes that give a child its own process group, which keeps Ctrl-C away from it.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// limitMemory does nothing on this system.
func limitMemory(int) error { return nil }

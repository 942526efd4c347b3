package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// startThrottle delays the starts of a daemon that systemd restarts again and again. systemd never gives
// up, and a start that always fails must not keep the machine busy.
//
// systemd itself can do that since version 254 (RestartSteps, RestartMaxDelaySec). Debian 12
// and Raspberry Pi OS bookworm have 252, which warns about both and ignores them. So the
// daemon counts its own starts, in a file of the folder that the unit keeps over restarts
// (RuntimeDirectoryPreserve=restart) and that a stop or a reboot removes. Without
// such a folder no unit restarts the daemon, and there is nothing to wait for.
type startThrottle struct {
	folder string // "": never delay
	uptime func() (time.Duration, error)
	sleep  func(context.Context, time.Duration)
}

// Starts that follow each other within quickStart count. The first freeStarts of them are not delayed.
const (
	quickStart = 2 * time.Minute
	freeStarts = 2
	maxDelay   = 30 * time.Second // less than the unit's TimeoutStartSec
)

func newStartThrottle() startThrottle {
	return startThrottle{folder: os.Getenv("RUNTIME_DIRECTORY"), uptime: timeSinceBoot, sleep: sleepWithStatus}
}

// quickStartDelay returns the delay of the n-th quick start in a row: 0, 0, 1, 2, 4, 8, 16, 30, 30 s ...
func quickStartDelay(n int) time.Duration {
	if n <= freeStarts {
		return 0
	}
	return min(time.Second<<min(n-freeStarts-1, 10), maxDelay)
}

// waitBeforeStart waits as long as this start has to. Without a readable uptime or folder it does not wait.
func (a startThrottle) waitBeforeStart(ctx context.Context) {
	now, err := a.uptime()
	if a.folder == "" || err != nil {
		return
	}
	file := filepath.Join(a.folder, "starts")
	var last float64 // seconds from boot to the end of the last start's delay
	var n int        // quick starts in a row
	if text, err := os.ReadFile(file); err == nil {
		_, _ = fmt.Sscanf(string(text), "%f %d", &last, &n)
	}
	if since := now - time.Duration(last*float64(time.Second)); last == 0 || n < 0 || since < 0 || since > quickStart {
		n = 0
	}
	n++
	d := quickStartDelay(n)
	_ = os.WriteFile(file, fmt.Appendf(nil, "%.3f %d\n", (now+d).Seconds(), n), 0o600)
	if d > 0 {
		a.sleep(ctx, d)
	}
}

// timeSinceBoot returns the uptime. Unlike the time of day it does not jump when the clock is set, as on a Pi without a clock chip.
func timeSinceBoot() (time.Duration, error) {
	text, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return 0, fmt.Errorf("time since boot: %w", err)
	}
	var s float64
	if _, err := fmt.Sscanf(string(text), "%f", &s); err != nil {
		return 0, fmt.Errorf("time since boot: %w", err)
	}
	return time.Duration(s * float64(time.Second)), nil
}

// sleepWithStatus sleeps and shows the reason in systemctl status.
func sleepWithStatus(ctx context.Context, d time.Duration) {
	_, _ = daemon.SdNotify(false, fmt.Sprintf("STATUS=several starts in a row have ended: waiting %d s before the next · "+
		"plusieurs démarrages de suite ont échoué : attente de %[1]d s", int(d.Seconds())))
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	_, _ = daemon.SdNotify(false, "STATUS=")
}

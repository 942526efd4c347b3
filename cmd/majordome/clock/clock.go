// Package clock sets the clock of a computer without a clock chip, once, to the time of the host's
// device.
//
//	WriteRequest    writes the request to a file, for the daemon, which has no rights to set the clock
//	SetFromRequest  executes it, for root (systemd/majordome-clock.service), if the clock was not set since the start
//
// What may leak: nothing of a game. Limits: a request has at most 16 bytes; its time is from Earliest
// to Latest.
package clock

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"majordome/cmd/majordome/durable"
)

// MarkFile is created by SetFromRequest. It says that the clock was set since the start of the computer.
const MarkFile = "/run/majordome-clock/set"

// Earliest and Latest limit the times of requests: this program is newer than Earliest.
var (
	Earliest = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	Latest   = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Errors of ParseMillis and SetFromRequest.
var (
	ErrNoTime     = errors.New("no time from 2026 to 2099")
	ErrAlreadySet = errors.New("the clock was set already")
)

const maxRequest = 16

// ParseMillis parses milliseconds since 1970 in UTC, as browsers count them. The error is ErrNoTime outside the
// limits.
func ParseMillis(text string) (time.Time, error) {
	ms, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	t := time.UnixMilli(ms)
	if err != nil || t.Before(Earliest) || !t.Before(Latest) {
		return time.Time{}, ErrNoTime
	}
	return t, nil
}

// WriteRequest writes the request for a time to a file.
func WriteRequest(file string, t time.Time) error {
	return durable.WriteFile(file, strconv.AppendInt(nil, t.UnixMilli(), 10), 0o600)
}

// SetClockFromRequest removes the request file and sets the clock with setTime. It returns ErrAlreadySet if markFile exists,
// and creates markFile afterwards. The folder belongs to another account, so the request is not trusted: anything
// but a valid time is an error.
func SetClockFromRequest(file, markFile string, setTime func(*syscall.Timeval) error) error {
	text, err := durable.TakeRequest(file, maxRequest)
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	t, err := ParseMillis(string(text))
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	if _, err := os.Lstat(markFile); err == nil {
		return ErrAlreadySet
	}
	now := syscall.NsecToTimeval(t.UnixNano())
	if err := setTime(&now); err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(markFile), 0o755); err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	return os.WriteFile(markFile, nil, 0o644)
}

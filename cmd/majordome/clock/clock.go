// Package clock sets the time of day of a computer without a clock chip, once, to that of the host's device.
//
//	Ask      leaves the wish, for the daemon, which has no rights for it
//	Set      fulfils it, for root (systemd/majordome-clock.service), where nobody has set the clock since the start
//
// What may leak: nothing of a game. Limits: a wish is at most 16 bytes; it names a time from Earliest to Latest.
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

// Mark is the file that Set makes: somebody has set the clock since the start of the computer.
const Mark = "/run/majordome-clock/set"

// Earliest and Latest bound the times that a wish may name: this program is newer than the one, and the other is far.
var (
	Earliest = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	Latest   = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Errors of Ask and Set.
var (
	ErrNoTime = errors.New("no time from 2026 to 2099")
	ErrSet    = errors.New("the clock was set already")
)

const maxWish = 16

// Parse reads milliseconds since 1970 in UTC, such as a browser counts; ErrNoTime beyond the bounds.
func Parse(text string) (time.Time, error) {
	ms, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	t := time.UnixMilli(ms)
	if err != nil || t.Before(Earliest) || !t.Before(Latest) {
		return time.Time{}, ErrNoTime
	}
	return t, nil
}

// Ask leaves the wish for a time in a file.
func Ask(file string, t time.Time) error {
	return durable.WriteFile(file, strconv.AppendInt(nil, t.UnixMilli(), 10), 0o600)
}

// Set takes the wish away and sets the clock by set. It refuses with ErrSet where mark is there, and makes mark when it is done.
// The folder of the wish is another account's: what lies there is a time, or nothing.
func Set(file, mark string, set func(*syscall.Timeval) error) error {
	text, err := durable.TakeWish(file, maxWish)
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	t, err := Parse(string(text))
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	if _, err := os.Lstat(mark); err == nil {
		return ErrSet
	}
	now := syscall.NsecToTimeval(t.UnixNano())
	if err := set(&now); err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(mark), 0o755); err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	return os.WriteFile(mark, nil, 0o644)
}

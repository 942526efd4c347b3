// Package logs filters the log of a table by the configuration, also when that changes: it passes
// records from the level of the key log on, and all records of the one part that the key debug names.
//
// What may leak: nothing at any level; the canary test reads everything. Limits: maxLines per
// linePeriod; further lines are counted and reported.
package logs

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"majordome/cmd/majordome/config"
)

// Logs makes loggers whose records it filters. It is safe for concurrent use. A nil one ignores SetConfig.
type Logs struct {
	level     slog.LevelVar
	debugPart atomic.Pointer[string]
	handler   slog.Handler
	now       func() time.Time

	mu          sync.Mutex
	periodStart time.Time
	lines       int
	dropped     int
}

const (
	maxLines   = 300 // a start with all devices missing has some forty
	linePeriod = 30 * time.Second
)

// New returns Logs that write to w, filtered by a configuration.
func New(w io.Writer, c config.Config) *Logs {
	l := &Logs{handler: slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}), now: time.Now}
	l.SetConfig(c)
	return l
}

// SetConfig changes the filter to that of another configuration.
func (l *Logs) SetConfig(c config.Config) {
	if l == nil {
		return
	}
	level := slog.LevelInfo
	_ = level.UnmarshalText([]byte(c.Log)) // an invalid level was refused earlier
	l.level.Set(level)
	part := c.Debug
	l.debugPart.Store(&part)
}

// Logger returns the logger for the parts of the program.
func (l *Logs) Logger() *slog.Logger { return slog.New(filterHandler{l, l.handler, ""}) }

// DevicesLogger returns the logger for devices.
func (l *Logs) DevicesLogger() *slog.Logger { return l.Logger().With("part", config.PartDevices) }

// filterHandler passes the records that Logs allow.
type filterHandler struct {
	*Logs
	handler slog.Handler
	part    string
}

func (s filterHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= s.level.Level() || s.part != "" && s.part == *s.Logs.debugPart.Load()
}

func (s filterHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	for _, a := range attrs {
		if a.Key == "part" {
			s.part = a.Value.String()
		}
	}
	s.handler = s.handler.WithAttrs(attrs)
	return s
}

func (s filterHandler) WithGroup(name string) slog.Handler {
	s.handler = s.handler.WithGroup(name)
	return s
}

func (s filterHandler) Handle(ctx context.Context, r slog.Record) error {
	lost, full := s.countAndLimitLine()
	if full {
		return nil
	}
	if lost > 0 {
		left := slog.NewRecord(r.Time, slog.LevelWarn, "the log was too long; lines were left out", 0)
		left.Add("lines", lost, "quoi", "le journal était trop long ; des lignes ont été omises")
		if err := s.Logs.handler.Handle(ctx, left); err != nil {
			return err
		}
	}
	return s.handler.Handle(ctx, r)
}

// countAndLimitLine counts a line. mustDrop reports whether it must be dropped; if not, droppedBefore is the number of
// dropped lines that this call makes the caller report.
func (l *Logs) countAndLimitLine() (droppedBefore int, mustDrop bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.now(); now.Sub(l.periodStart) >= linePeriod {
		l.periodStart, l.lines = now, 0
	}
	if l.lines++; l.lines > maxLines {
		l.dropped++
		return 0, true
	}
	droppedBefore, l.dropped = l.dropped, 0
	return droppedBefore, false
}

// Package logs decides how much the log of a table says, which changes with the configuration while it runs: from the level of the key log on,
// and everything of the one part that the key debug names.
//
// What may leak: nothing at any level; the canary test reads all of it. Limits: maxLines in linesFor; what is beyond is counted and told.
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

// Logs are safe for concurrent use. Nil ones stay as they are.
type Logs struct {
	level slog.LevelVar
	part  atomic.Pointer[string]
	to    slog.Handler
	now   func() time.Time

	mu    sync.Mutex
	since time.Time
	lines int
	lost  int
}

const (
	maxLines = 300 // a start with everything missing has some forty
	linesFor = 30 * time.Second
)

// New writes to w, by a configuration.
func New(w io.Writer, c config.Config) *Logs {
	l := &Logs{to: slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}), now: time.Now}
	l.Set(c)
	return l
}

// Set lets another configuration hold.
func (l *Logs) Set(c config.Config) {
	if l == nil {
		return
	}
	level := slog.LevelInfo
	_ = level.UnmarshalText([]byte(c.Log)) // one that is none is refused before
	l.level.Set(level)
	part := c.Debug
	l.part.Store(&part)
}

// Logger is what the parts write to.
func (l *Logs) Logger() *slog.Logger { return slog.New(sieve{l, l.to, ""}) }

// DevicesLog is the logger of what is attached.
func (l *Logs) DevicesLog() *slog.Logger { return l.Logger().With("part", config.PartDevices) }

// sieve lets through what Logs say.
type sieve struct {
	*Logs
	to   slog.Handler
	part string
}

func (s sieve) Enabled(_ context.Context, level slog.Level) bool {
	return level >= s.level.Level() || s.part != "" && s.part == *s.Logs.part.Load()
}

func (s sieve) WithAttrs(attrs []slog.Attr) slog.Handler {
	for _, a := range attrs {
		if a.Key == "part" {
			s.part = a.Value.String()
		}
	}
	s.to = s.to.WithAttrs(attrs)
	return s
}

func (s sieve) WithGroup(name string) slog.Handler {
	s.to = s.to.WithGroup(name)
	return s
}

func (s sieve) Handle(ctx context.Context, r slog.Record) error {
	lost, full := s.count()
	if full {
		return nil
	}
	if lost > 0 {
		left := slog.NewRecord(r.Time, slog.LevelWarn, "the log was too long; lines were left out", 0)
		left.Add("lines", lost, "quoi", "le journal était trop long ; des lignes ont été omises")
		if err := s.Logs.to.Handle(ctx, left); err != nil {
			return err
		}
	}
	return s.to.Handle(ctx, r)
}

// count counts a line: full, it is one too many; lost is how many were, and have not been told.
func (l *Logs) count() (lost int, full bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.now(); now.Sub(l.since) >= linesFor {
		l.since, l.lines = now, 0
	}
	if l.lines++; l.lines > maxLines {
		l.lost++
		return 0, true
	}
	lost, l.lost = l.lost, 0
	return lost, false
}

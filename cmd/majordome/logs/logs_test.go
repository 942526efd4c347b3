package logs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/devices/logtest"
)

// TestHowMuchTheLogSays checks that the log has all lines from a level on, and every line of one part; both can
// change while the table runs.
func TestHowMuchTheLogSays(t *testing.T) {
	var out logtest.Buffer
	l := New(&out, config.Config{Log: "info"})
	log, relay, door := l.Logger(), l.Logger().With("part", config.PartRelay), l.Logger().With("part", config.PartDoor)
	said := func() string {
		before := len(out.String())
		log.Debug("a")
		log.Info("b")
		log.Warn("c")
		relay.Debug("d")
		relay.Info("e", "n", 1)
		door.Debug("f")
		var all []string
		for line := range strings.Lines(out.String()[before:]) {
			_, msg, _ := strings.Cut(line, "msg=")
			all = append(all, msg[:1])
		}
		return strings.Join(all, "")
	}
	for _, c := range []struct {
		cfg  config.Config
		want string
	}{{config.Config{Log: "info"}, "bce"}, {config.Config{Log: "warn"}, "c"}, {config.Config{Log: "warn", Debug: "relay"}, "cde"},
		{config.Config{Log: "error"}, ""}, {config.Config{Log: "debug"}, "abcdef"}} {
		l.SetConfig(c.cfg)
		if got := said(); got != c.want {
			t.Errorf("%+v: said %q, want %q", c.cfg, got, c.want)
		}
	}
	if !strings.Contains(out.String(), "part=relay n=1") {
		t.Errorf("the part is not named: %s", out.String())
	}
}

// TestLogIsBounded checks that a part that logs without end does not fill the card; the number of dropped lines is
// logged when there is room again.
func TestLogIsBounded(t *testing.T) {
	var out logtest.Buffer
	l := New(&out, config.Defaults())
	now := time.Now()
	l.now = func() time.Time { return now }
	log := l.Logger()
	for i := range 10 * maxLines {
		log.Warn("again", "i", i)
	}
	if n := strings.Count(out.String(), "\n"); n != maxLines {
		t.Errorf("%d lines, want %d", n, maxLines)
	}
	now = now.Add(linePeriod)
	log.Info("later")
	want := fmt.Sprintf("lines=%d ", 9*maxLines)
	if strings.Count(out.String(), want) != 1 || !strings.Contains(out.String(), "msg=later") {
		t.Errorf("no %q in the end: %s", want, out.String()[max(0, len(out.String())-400):])
	}
}

// TestEndOfTheLogIsStoredInWholeLines checks that the log's end is stored, in whole lines and within its bounds.
func TestEndOfTheLogIsStoredInWholeLines(t *testing.T) {
	var tail, none *Tail = &Tail{}, nil
	line := strings.Repeat("x", 99) + "\n"
	for range 3 * maxTail / len(line) {
		_, _ = tail.Write([]byte(line))
	}
	_, _ = tail.Write([]byte("the last\n"))
	got := tail.String()
	if len(got) > maxTail || len(got) < maxTail-2*len(line) || !strings.HasPrefix(got, line) || !strings.HasSuffix(got, "x\nthe last\n") {
		t.Errorf("%d bytes, from %q to %q", len(got), got[:10], got[len(got)-10:])
	}
	if cap(tail.text) > 3*maxTail || none.String() != "" {
		t.Error("a tail has no bounds")
	}
}

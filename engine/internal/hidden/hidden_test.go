package hidden

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"majordome/engine"
)

func TestAudience(t *testing.T) {
	for _, c := range []struct {
		name string
		aud  Audience
		who  engine.Viewer
		want bool
	}{
		{"nobody, public", Nobody, engine.Public, false},
		{"nobody, host", Nobody, engine.Host, false},
		{"nobody, seat", Nobody, engine.SeatViewer(1), false},
		{"one seat, itself", OnlySeats(3), engine.SeatViewer(3), true},
		{"one seat, another", OnlySeats(3), engine.SeatViewer(4), false},
		{"one seat, public", OnlySeats(3), engine.Public, false},
		{"one seat, host", OnlySeats(3), engine.Host, false},
		{"two seats", OnlySeats(3, 10), engine.SeatViewer(10), true},
		{"joined", OnlySeats(3).Union(OnlySeats(5)), engine.SeatViewer(5), true},
		{"all, public", Everyone, engine.Public, true},
		{"all, host", Everyone, engine.Host, true},
		{"all, seat", Everyone, engine.SeatViewer(7), true},
		{"nobody, overseer", Nobody, engine.Overseer, true},
		{"one seat, overseer", OnlySeats(10), engine.Overseer, true},
		{"all, overseer", Everyone, engine.Overseer, true},
		{"zero viewer is the public", OnlySeats(1, 2, 3, 4), engine.Viewer{}, false},
	} {
		if got := c.aud.Contains(c.who); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		small := NewSmall(byte(corde), c.aud)
		if v, ok := small.ValueFor(c.who); ok != c.want || ok != (v == corde) {
			t.Errorf("%s: See of a small one gives %d, %v", c.name, v, ok)
		}
		b := New("weapon-corde", c.aud)
		if v, ok := b.ValueFor(c.who); ok != c.want || ok && v != "weapon-corde" || !ok && v != "" {
			t.Errorf("%s: See gives %q, %v", c.name, v, ok)
		}
		if v, ok := b.RefFor(c.who); ok != c.want || ok != (v != nil) || ok && *v != "weapon-corde" {
			t.Errorf("%s: Show gives %v, %v", c.name, v, ok)
		}
	}
}

func TestValueForOpensForItsAudienceAlone(t *testing.T) {
	if v, ok := (Value[int]{}).WithAudience(Everyone).RefFor(engine.Public); ok || v != nil {
		t.Error("an empty box shows something")
	}
	b := New(7, OnlySeats(2))
	if v, ok := b.Open(); !ok || v != 7 {
		t.Errorf("Open: %d, %v", v, ok)
	}
	wider := b.WithAudience(Everyone)
	if _, ok := b.ValueFor(engine.Public); ok {
		t.Error("For changed the box that it was called on")
	}
	if v, ok := wider.ValueFor(engine.Public); !ok || v != 7 || wider.Audience() != Everyone {
		t.Errorf("For: %d, %v", v, ok)
	}
	small := NewSmall(byte(0), OnlySeats(2)) // zero is a value like others
	if v, ok := small.Open(); !ok || v != 0 || small.Audience() != OnlySeats(2) {
		t.Errorf("Open of a small one: %d, %v", v, ok)
	}
	if _, ok := small.WithAudience(Everyone).ValueFor(engine.Public); !ok {
		t.Error("For of a small one")
	}
	var none SmallValue[byte]
	if _, ok := none.WithAudience(Everyone).ValueFor(engine.Public); ok {
		t.Error("an empty small box holds something")
	}
	if _, ok := none.Open(); ok {
		t.Error("an empty small box opens")
	}
	var empty Value[int]
	if _, ok := empty.WithAudience(Everyone).ValueFor(engine.Public); ok {
		t.Error("an empty box holds something")
	}
	if _, ok := empty.Open(); ok {
		t.Error("an empty box opens")
	}
}

// TestMask: no way of printing, logging or marshalling shows the value.
func TestMask(t *testing.T) {
	b, small := New("weapon-corde", Everyone), NewSmall(byte(corde), Everyone)
	mustMask(t, b, struct{ B Value[string] }{b})
	mustMask(t, small, struct{ B SmallValue[byte] }{small})
}

// corde is a number that appears in no other number or text of this test.
const corde = 119

func mustMask[B any](t *testing.T, b B, inside any) {
	t.Helper()
	var texts []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T %v"} {
		if strings.Contains(verb, "T") {
			texts = append(texts, fmt.Sprintf(verb, b, b))
			continue
		}
		texts = append(texts, fmt.Sprintf(verb, b), fmt.Sprintf(verb, &b))
	}
	for _, v := range []any{b, &b, []any{b}, map[string]any{"b": b}, inside} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data), fmt.Sprint(v))
	}
	out := new(strings.Builder)
	slog.New(slog.NewTextHandler(out, nil)).Info("m", "b", b)
	slog.New(slog.NewJSONHandler(out, nil)).Info("m", "b", b)
	texts = append(texts, out.String())
	for _, s := range texts {
		if strings.Contains(s, "corde") || strings.Contains(s, "77656170") || strings.Contains(s, "119") || strings.Contains(s, "0x77") {
			t.Errorf("shown: %s", s)
		}
		if !strings.Contains(s, Mask) && !strings.Contains(s, "\\u25ae") && !strings.HasPrefix(s, "&{") {
			t.Errorf("no mask: %s", s)
		}
	}
}

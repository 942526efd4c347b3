package lineread

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func statsOf(stream string) LineStats {
	var l lineSplitter
	readAll(&l, []byte(stream), max(1, len(stream)))
	return l.LineStats()
}

// statsLater is statsOf at the time when the line that is arriving should have ended.
func statsLater(stream string) LineStats {
	var l lineSplitter
	readAll(&l, []byte(stream), max(1, len(stream)))
	l.at += lineWait
	return l.LineStats()
}

// checkHeard checks the invariants of LineStats, and that cutting the stream into chunks changes nothing.
func checkHeard(t *testing.T, one, many LineStats, stream []byte) {
	t.Helper()
	if one != many {
		t.Fatalf("%+v at once, %+v in pieces", one, many)
	}
	if one.Bytes != uint64(len(stream)) || one.NoText > one.Bytes || one.recentNoText > one.recentBytes {
		t.Fatalf("%+v of %d bytes", one, len(stream))
	}
	for _, text := range []string{one.Last, one.LastTag, one.WithNumbersMasked().Last, one.WithNumbersMasked().LastTag} {
		if utf8.RuneCountInString(text) > 12*maxShown || !utf8.ValidString(text) ||
			strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
			t.Fatalf("%q is shown", text)
		}
	}
	if m := one.WithNumbersMasked(); strings.ContainsAny(m.Last+m.LastTag, "0123456789") {
		t.Fatalf("%q and %q are masked as %q and %q", one.Last, one.LastTag, m.Last, m.LastTag)
	}
	if a, ok := one.Advice(); ok && (a.EN == "" || a.FR == "" || a.FR == a.EN) {
		t.Fatalf("%+v", a)
	}
}

func TestLinesThatAreNotUnderstoodAreReported(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		fr, en       string // parts of the advice; "": there is none
	}{
		{"nothing yet", "", "", ""},
		{"as it should be", "\nREMOVE\nSCAN\tuid=04A1B2C3\nREMOVE\n", "", ""},
		{"a banner first", "reader 1.2 ready\nSCAN\tuid=04A1B2C3\n", "", ""},
		{"a banner, and nothing lies there", "reader 1.2 ready\n\nREMOVE\n", "", ""},
		{"boot garbage first", "\xff\xfe\x80\x81\x82\x83\x84\x85\x86\n\nREMOVE\n", "", ""},
		{"a library's example", "Card UID: DE AD BE EF\r\nCard SAK: 08\r\nPICC type: MIFARE 1KB\r\n", "", ""},
		{"words alone", "carte détectée\nune autre\n", "ce lecteur écrit : « une autre » ; il doit écrire : SCAN→uid=",
			"this reader prints: “une autre”; it must print: SCAN→uid="},
		{"decimal bytes", "222\r\n173\r\n190\r\n239\r\n", "« 239 »", "“239”"},
		{"another frequency", "\x020A0082F3B5CE\x03\n", "« STX 0A0082F3B5CE ETX »", "8, 14 or 20 hexadecimal digits"},
		{"with check byte, and it says REMOVE", "REMOVE\nSCAN\tuid=DEADBEEF22\nREMOVE\n", "« SCAN→uid=DEADBEEF22 »", "without check bytes"},
		{"remarks behind it", "SCAN\tuid=DEADBEEF22\nready\n", "« SCAN→uid=DEADBEEF22 », puis « ready »",
			"“SCAN→uid=DEADBEEF22”, then “ready”"},
		{"another sketch since", "Card detected! UID = 04 A1 B2 C3\n" + strings.Repeat("Hello this is a reader\n", 63),
			"« Hello this is a reader »", "then “Hello this is a reader”"},
		{"JSON", `{"uid":"04A1B2C3D4E5F6"}` + "\n", `« {"uid":"04A1B2C3D4E5F6"} »`, "it must print"},
		{"repaired", "SCAN\tuid=DEADBEEF22\nSCAN\tuid=DEADBEEF\n", "", ""},
		{"another speed, no end of line", strings.Repeat("\xf8\x00\x80\xe0\xfe\x1e\xff\x86\x9cA", 30),
			"9 octets sur 10 ne sont pas du texte : une autre vitesse ?", "9 of 10 bytes are no text: another speed?"},
		{"another speed with ends", strings.Repeat("\xf8\x00\x80\n", 30), "8 octets sur 10", "8 of 10 bytes"},
		{"a glitch of the plug", "\x00\x00\xff", "", ""},
		{"bounded", strings.Repeat("y", 200) + "\n", "« " + strings.Repeat("y", maxShown) + "… »", strings.Repeat("y", maxShown) + "…”"},
	} {
		a, ok := statsOf(c.stream).Advice()
		if ok != (c.en != "") || !strings.Contains(a.EN, c.en) || !strings.Contains(a.FR, c.fr) {
			t.Errorf("%s: %v %q %q", c.name, ok, a.FR, a.EN)
		}
	}
}

func TestHeardCounts(t *testing.T) {
	got := statsOf("reader 1.2\r\n\r\nSCAN\tuid=04A1B2C3\nSCAN\tuid=04\nREMOVE\n\xff\x1b\n")
	if got.Understood != 2 || got.NotUnderstood != 3 || got.Tags != 1 || got.NoText != 2 || got.Bytes != 54 {
		t.Errorf("%+v", got)
	}
}

// TestMasked: no digit of a card, and no text that is written on it, leaves the table.
func TestMasked(t *testing.T) {
	for line, want := range map[string]string{
		"SCAN\tuid=DEADBEEF22":               "SCAN→uid=##########",
		"found DE AD BE EF":                  "found ## ## ## ##",
		`{"uid":"04A1B2C3D4E5F6","ok":true}`: `{"uid":"##############","ok":true}`,
		"\x020A0082F3B5CE\x03":               "STX ############ ETX",
		"\x02 0A0082F3B5CE\r\n\x03":          "STX ############ CR LF ETX",
		"0004A1B2C3":                         "##########",
		"1234567890":                         "##########",
		"#12 \x1b[31m04A1":                   "·## ·[#######",
		"SCAN\ttext=Corde":                   "SCAN→text=…",
		`{"text":"Corde"}`:                   `{"text":…`,
		"222":                                "###",
		"nfc 0x04,0xA1":                      "nfc ####,####",
		"prêt":                               "prêt",
	} {
		h := LineStats{Last: printableText(line)}
		if got := h.WithNumbersMasked().Last; got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestMaskedLookTheSame: two masked numbers of the same length look the same, and do not even show which digits are letters.
func TestMaskedLookTheSame(t *testing.T) {
	for _, format := range []string{"SCAN\tuid=%s22\n", "%s22\n", "UID is %s now\n", "\x02%s22\x03", "%s22"} {
		one, other := statsLater(strings.ReplaceAll(format, "%s", "04A1B2C3")), statsLater(strings.ReplaceAll(format, "%s", "98765432"))
		a, ok := one.WithNumbersMasked().Advice()
		if b, _ := other.WithNumbersMasked().Advice(); !ok || a.EN != b.EN || a.FR != b.FR || !strings.Contains(a.EN,
			" digits, hidden)") || !strings.Contains(a.FR, " chiffres, cachés)") {
			t.Errorf("%q: %v %q, %q", format, ok, a.EN, b.EN)
		}
		if one.WithNumbersMasked().Last != other.WithNumbersMasked().Last {
			t.Errorf("%q: %q, %q", format, one.WithNumbersMasked().Last, other.WithNumbersMasked().Last)
		}
	}
}

// TestALineThatDoesNotEnd: bytes without a line end are counted and reported, at once if they exceed the buffer, fewer after lineWait.
func TestALineThatDoesNotEnd(t *testing.T) {
	const noEnd = "no line end comes"
	for _, c := range []struct {
		name, stream string
		young, old   bool   // reported at once, and after lineWait
		last         string // how the last line begins, if it is reported
		mayWork      bool
	}{
		{"text", strings.Repeat("Waiting for a card. ", 200_000), true, true, "Waiting for a card. Waiting", false},
		{"hexadecimal", strings.Repeat("04A1B2C3", 100), true, true, "04A1B2C304A1B2C3", false},
		{"a part that nobody needs", "SCAN\ttext=" + strings.Repeat("x", 5000), false, true, "SCAN→…", false},
		{"one number", "04A1B2C3", false, true, "04A1B2C3", false},
		{"several numbers", "04A1B2C3 04A1B2C4 ", false, true, "04A1B2C3 04A1B2C4", false},
		{"a frame without ETX", "\x0204A1B2C3", false, true, "STX 04A1B2C3", false},
		{"a REMOVE", "REMOVE", false, true, "REMOVE", false},
		{"a prompt", "Approach your card: ", false, true, "Approach", true},
		{"a prompt of a reader that works", "SCAN\tuid=04A1B2C3\nApproach your card: ", false, false, "", false},
		{"numbers of a reader that did work", "SCAN\tuid=04A1B2C3\n04A1B2C3", false, true, "04A1B2C3", false},
		{"a glitch of the plug", "\x00\x00\xff", false, false, "", false},
		{"what follows a frame", "\x0204A1B2C3\r\n", false, false, "", false},
		{"blanks", "   ", false, false, "", false},
	} {
		for told, h := range map[*bool]LineStats{&c.young: statsOf(c.stream), &c.old: statsLater(c.stream)} {
			a, ok := h.Advice()
			if ok != *told || ok != strings.Contains(a.EN, noEnd) || ok != strings.Contains(a.FR, "aucune fin de ligne ne vient") {
				t.Errorf("%s, after lineWait: %v: %v %q", c.name, told == &c.old, ok, a.EN)
			}
			if ok && (h.NotUnderstood != 1 || !strings.HasPrefix(h.Last, c.last) || h.HasOnlyRemarks() != c.mayWork) {
				t.Errorf("%s: %+v", c.name, h)
			}
		}
	}
	if h := statsLater("SCAN\tuid=04A1B2C3\nApproach your card: "); h.NotUnderstood != 1 || h.Last != "Approach your card: " {
		t.Errorf("a prompt is not counted: %+v", h)
	}
	if h := statsLater("SCAN\tuid=04A1B2C3" + strings.Repeat("\tx=y", 900) + "\n"); h.NotUnderstood != 0 || h.Understood != 1 {
		t.Errorf("a line that has ended: %+v", h)
	}
}

// TestFramesAreShown: numbers between STX and ETX that are no tag's are quoted in the advice, in whichever way the frame is written.
func TestFramesAreShown(t *testing.T) {
	for stream, want := range map[string]string{
		strings.Repeat("\x02 04A1B2C3D400 \x03", 250_000):  "“STX 04A1B2C3D400 ETX”",
		"\x020A0082F3B5CE\r\n\x03":                         "“STX 0A0082F3B5CE CR LF ETX”",
		"\x020A0082F3B5CE\r\n\x03\x020A0082F3B5CE\r\n\x03": "“STX 0A0082F3B5CE CR LF ETX”",
		"\x02hello\x03": "“STX hello ETX”",
	} {
		h := statsOf(stream)
		a, ok := h.Advice()
		if !ok || !strings.Contains(a.EN, "prints: "+want+"; it must print") || h.Understood != 0 || h.NotUnderstood == 0 {
			t.Errorf("%.30q: %+v", stream, h)
		}
	}
}

// TestHeardWithoutLine: during a game the advice quotes no text of a line, and says why.
func TestHeardWithoutLine(t *testing.T) {
	for _, stream := range []string{"ready\n", "SCAN\tuid=DEADBEEF22\nready\n", "DEADBEEF22", strings.Repeat("ready", 100)} {
		h := statsLater(stream).WithoutLineText()
		for _, h := range []LineStats{h, h.WithNumbersMasked()} {
			a, ok := h.Advice()
			if !ok || strings.Contains(a.EN, "ready") || strings.Contains(a.EN, "DEAD") || strings.Contains(a.EN, "#") ||
				!strings.Contains(a.EN, "hidden while a game is on") || !strings.Contains(a.FR, "caché pendant une partie") {
				t.Errorf("%.30q: %q", stream, a.EN)
			}
			if h.Last != noText {
				t.Errorf("%.30q: %q", stream, h.Last)
			}
		}
	}
}

// TestDevKnowsTheTime: a reader at a port reports a line whose end does not come, until its end has come.
func TestDevKnowsTheTime(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	d := b.reader()
	if err := d.Probe(); err != nil {
		t.Fatal(err)
	}
	b.SendText(far, "04A1B2C3")
	b.WaitUntil("the line should have ended", func() bool { _, _ = d.Scan(t.Context()); return d.LineStats().Last == "04A1B2C3" })
	b.SendText(far, "\n")
	b.WaitUntil("it has ended", func() bool { _, _ = d.Scan(t.Context()); return d.LineStats().Understood == 1 })
	if h := d.LineStats(); h.NotUnderstood != 0 || h.Last != "" {
		t.Errorf("%+v", h)
	}
}

// The counts begin again with each plug: another reader may be at the end of the line.
func TestHeardOfAPlug(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	d := b.reader()
	if err := d.Probe(); err != nil {
		t.Fatal(err)
	}
	b.SendText(far, "222\n")
	b.WaitUntil("heard", func() bool { _, _ = d.Scan(t.Context()); return d.LineStats().Last == "222" })
	b.Unplug(far)
	b.WaitUntil("the plug is out", func() bool { _, err := d.Scan(t.Context()); return err != nil })
	if h := d.LineStats(); h != (LineStats{}) {
		t.Errorf("of a reader that is gone: %+v", h)
	}
}

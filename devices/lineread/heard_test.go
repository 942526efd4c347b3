package lineread

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func heard(stream string) Heard {
	var l lines
	readAll(&l, []byte(stream), max(1, len(stream)))
	return l.heard
}

// checkHeard holds the invariants of Heard, and that cuts change nothing.
func checkHeard(t *testing.T, one, many Heard, stream []byte) {
	t.Helper()
	if one != many {
		t.Fatalf("%+v at once, %+v in pieces", one, many)
	}
	if one.Bytes != uint64(len(stream)) || one.NoText > one.Bytes || one.latelyNoText > one.lately {
		t.Fatalf("%+v of %d bytes", one, len(stream))
	}
	for _, text := range []string{one.Last, one.Masked().Last} {
		if utf8.RuneCountInString(text) > 12*maxShown || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
			t.Fatalf("%q is shown", text)
		}
	}
	if strings.ContainsAny(one.Masked().Last, "0123456789") {
		t.Fatalf("%q is masked as %q", one.Last, one.Masked().Last)
	}
	if a, ok := one.Advice(); ok && (a.EN == "" || a.FR == "" || a.FR == a.EN) {
		t.Fatalf("%+v", a)
	}
}

func TestWhatIsPrintedAndNotUnderstoodIsTold(t *testing.T) {
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
		{"words alone", "carte détectée\nune autre\n", "ce lecteur écrit : « une autre » ; il doit écrire : SCAN→uid=", "this reader prints: “une autre”; it must print: SCAN→uid="},
		{"decimal bytes", "222\r\n173\r\n190\r\n239\r\n", "« 239 »", "“239”"},
		{"another frequency", "\x020A0082F3B5CE\x03\n", `« \x020A0082F3B5CE\x03 »`, "8, 14 or 20 hexadecimal digits"},
		{"with check byte, and it says REMOVE", "REMOVE\nSCAN\tuid=DEADBEEF22\nREMOVE\n", "« SCAN→uid=DEADBEEF22 »", "without check bytes"},
		{"remarks behind it", "SCAN\tuid=DEADBEEF22\nready\n", "« SCAN→uid=DEADBEEF22 »", "“SCAN→uid=DEADBEEF22”"},
		{"JSON", `{"uid":"04A1B2C3D4E5F6"}` + "\n", `« {"uid":"04A1B2C3D4E5F6"} »`, "it must print"},
		{"mended", "SCAN\tuid=DEADBEEF22\nSCAN\tuid=DEADBEEF\n", "", ""},
		{"another speed, no end of line", strings.Repeat("\xf8\x00\x80\xe0\xfe\x1e\xff\x86\x9cA", 30), "9 octets sur 10 ne sont pas du texte : une autre vitesse ?", "9 of 10 bytes are no text: another speed?"},
		{"another speed with ends", strings.Repeat("\xf8\x00\x80\n", 30), "8 octets sur 10", "8 of 10 bytes"},
		{"a glitch of the plug", "\x00\x00\xff", "", ""},
		{"bounded", strings.Repeat("y", 200) + "\n", "« " + strings.Repeat("y", maxShown) + "… »", strings.Repeat("y", maxShown) + "…”"},
	} {
		a, ok := heard(c.stream).Advice()
		if ok != (c.en != "") || !strings.Contains(a.EN, c.en) || !strings.Contains(a.FR, c.fr) {
			t.Errorf("%s: %v %q %q", c.name, ok, a.FR, a.EN)
		}
	}
}

func TestHeardCounts(t *testing.T) {
	got := heard("reader 1.2\r\n\r\nSCAN\tuid=04A1B2C3\nSCAN\tuid=04\nREMOVE\n\xff\x1b\n")
	if got.Understood != 2 || got.NotUnderstood != 3 || got.Tags != 1 || got.NoText != 2 || got.Bytes != 54 {
		t.Errorf("%+v", got)
	}
}

// TestMasked: no digit of a card, and not what is written on it, leaves the table.
func TestMasked(t *testing.T) {
	for line, want := range map[string]string{
		"SCAN\tuid=DEADBEEF22":               "SCAN→uid=…",
		"found DE AD BE EF":                  "found … … … …",
		`{"uid":"04A1B2C3D4E5F6","ok":true}`: `{"uid":"…","ok":true}`,
		"\x020A0082F3B5CE\x03":               "·…·",
		"SCAN\ttext=Corde":                   "SCAN→text=…",
		`{"text":"Corde"}`:                   `{"text":…`,
		"222":                                "…",
		"nfc 0x04,0xA1":                      "nfc …,…",
		"prêt":                               "prêt",
	} {
		h := Heard{Last: printable(line)}
		if got := h.Masked().Last; got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// The counts begin anew with each plug: another reader may be at the end of the line.
func TestHeardOfAPlug(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	d := b.reader()
	if err := d.Probe(); err != nil {
		t.Fatal(err)
	}
	b.Say(far, "222\n")
	b.Until("heard", func() bool { _, _ = d.Scan(t.Context()); return d.Heard().Last == "222" })
	b.Unplug(far)
	b.Until("the plug is out", func() bool { _, err := d.Scan(t.Context()); return err != nil })
	if h := d.Heard(); h != (Heard{}) {
		t.Errorf("of a reader that is gone: %+v", h)
	}
}

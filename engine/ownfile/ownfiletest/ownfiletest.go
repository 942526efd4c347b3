// Package ownfiletest checks that the faults of an owner's file have the required form.
package ownfiletest

import (
	"errors"
	"testing"
	"unicode"
	"unicode/utf8"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// CheckFaults checks an error about a file. It must be Faults: at most ownfile.MaxFaults and the
// one that counts the rest, in the order of each file, in both languages, within the limits, of
// visible characters. Or it must be one such Fault. Nil passes.
func CheckFaults(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var all ownfile.Faults
	if f := (*ownfile.Fault)(nil); errors.As(err, &f) && !errors.As(err, &all) {
		all = ownfile.Faults{f}
	} else if !errors.As(err, &all) {
		t.Fatalf("%T is no list of faults: %v", err, err)
	}
	if len(all) == 0 || len(all) > ownfile.MaxFaults+1 {
		t.Errorf("%d faults", len(all))
	}
	for i, f := range all {
		if i > 0 && i < ownfile.MaxFaults && f.File == all[i-1].File && f.Line < all[i-1].Line {
			t.Errorf("line %d after line %d", f.Line, all[i-1].Line)
		}
		if f.What.FR == "" || f.What.EN == "" || f.Hint.FR == "" || f.Hint.EN == "" {
			t.Errorf("half a fault: %+v", f)
		}
		CheckSentence(t, f.Text())
	}
}

// CheckSentence checks the length and the characters of one message.
func CheckSentence(t *testing.T, text engine.Text) {
	t.Helper()
	for _, s := range []string{text.FR, text.EN} {
		if n := utf8.RuneCountInString(s); n == 0 || n > ownfile.MaxMessage {
			t.Errorf("%d characters: %q", n, s)
		}
		for _, r := range s {
			if !unicode.IsPrint(r) && r != '\u00a0' && r != '\u202f' {
				t.Errorf("%q holds %q", s, r)
			}
		}
	}
}

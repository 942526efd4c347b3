// Package configtest has what tests of package config share with tests of other packages. It does not import config, so that the tests of
// config can use it.
package configtest

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
)

// WriteFile writes a file that only its owner may read.
func WriteFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// WriteTempFile writes a temporary file and returns its name.
func WriteTempFile(t testing.TB, text string) string {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	return f.Name()
}

// RewriteFile changes a file as an owner's editor does; the new text has another time of change if its length differs.
func RewriteFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1_700_000_000+int64(len(text)), 0)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// ReadFile returns the text of a file.
func ReadFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ReadPageFile returns the text of the page's file without its head.
func ReadPageFile(t testing.TB, path string) string {
	t.Helper()
	text := ReadFile(t, path)
	head, rest, ok := strings.Cut(text, "yours.\n")
	if !ok || strings.Count(head, "\n") != 1 {
		t.Fatalf("the head of the page's file: %q", text)
	}
	return rest
}

// SetKey changes a key of the draft of a config.Editor.
func SetKey(t testing.TB, s interface {
	SetKey(path, value string) error
}, path, value string) {
	t.Helper()
	if err := s.SetKey(path, value); err != nil {
		t.Fatalf("%s = %q: %v", path, value, err)
	}
}

// SettingValue returns a value of the settings; "" if they have none.
func SettingValue(s *wire.Settings, path string) string {
	if i := slices.IndexFunc(s.Values, func(v wire.Setting) bool { return v.Path == path }); i >= 0 {
		return s.Values[i].Value
	}
	return ""
}

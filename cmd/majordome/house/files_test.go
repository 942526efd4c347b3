package house

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
)

// newConfigFile returns a configuration file in a folder of its own.
func newConfigFile(t *testing.T, text string) (path string, s *config.Editor) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "majordome.yaml")
	if text != "" {
		rewriteFile(t, path, text)
	}
	return path, config.NewEditor(path, config.EditorOpts{})
}

// rewriteFile changes a file as an owner's editor does; the new text has another time of change if its length differs.
func rewriteFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1_700_000_000+int64(len(text)), 0)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// editDraft changes a key of the draft.
func editDraft(t *testing.T, s *config.Editor, path, value string) {
	t.Helper()
	if err := s.Set(path, value); err != nil {
		t.Fatalf("%s = %q: %v", path, value, err)
	}
}

func settingValue(s *wire.Settings, path string) string {
	if i := slices.IndexFunc(s.Values, func(v wire.Setting) bool { return v.Path == path }); i >= 0 {
		return s.Values[i].Value
	}
	return ""
}

// pageFileText returns the text of the page's file without its head.
func pageFileText(t *testing.T, path string) string {
	t.Helper()
	text := content(t, config.PageFile(path))
	head, rest, ok := strings.Cut(text, "yours.\n")
	if !ok || strings.Count(head, "\n") != 1 {
		t.Fatalf("the head of the page's file: %q", text)
	}
	return rest
}

package image_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const kiosk = "kiosk/usr/lib/majordome/kiosk"

// TestKioskSpeaks checks that the display is in French, or in the language that an owner writes on the boot
// partition, with any editor.
func TestKioskSpeaks(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "fr",
		"\ufeffLanguage = EN\r\n": "en",
		"# ours\nlanguage=fr\n":   "fr",
		"language=$(reboot)":      "fr",
	} {
		boot, run, tools := t.TempDir(), t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(tools, "cage"), []byte("#!/bin/sh\necho \"$@\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(filepath.Join(boot, "display.txt"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := exec.Command("sh", "root/usr/lib/majordome/card", boot, run).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		c := exec.Command("sh", kiosk, run)
		c.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"), "XDG_RUNTIME_DIR=/run/user/1")
		out, err := c.CombinedOutput()
		if got := string(out); err != nil || !strings.HasSuffix(got, " http://localhost/display?lang="+want+"\n") {
			t.Errorf("%q: %v\n%s", text, err, got)
		}
	}
}

// TestKioskGoesNowhereElse checks that the browser blocks all addresses but the table's. It would ignore a filter
// line that it cannot read.
func TestKioskGoesNowhereElse(t *testing.T) {
	var filter []struct {
		Trigger map[string]string
		Action  map[string]string
	}
	if err := json.Unmarshal([]byte(read(t, "kiosk/usr/lib/majordome/kiosk.json")), &filter); err != nil {
		t.Fatal(err)
	}
	loads := func(address string) bool {
		blocked := false
		for _, rule := range filter {
			if regexp.MustCompile(rule.Trigger["url-filter"]).MatchString(address) {
				blocked = rule.Action["type"] == "block"
			}
		}
		return !blocked
	}
	page := regexp.MustCompile(`http://[^?]+`).FindString(read(t, kiosk))
	if !loads(page) || !loads("ws://localhost/mqtt") || loads("https://example.org/") || loads("http://localhost.example.org/") ||
		loads("wss://example.org/") {
		t.Errorf("%s, %+v", page, filter)
	}
}

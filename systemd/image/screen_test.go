package image_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const kiosk = "kiosk/usr/lib/majordome/kiosk"

// The display is in French, or in the language that an owner writes, with whichever editor, on the boot partition.
func TestKioskSpeaks(t *testing.T) {
	for text, want := range map[string]string{"": "fr", "\ufeffLanguage = EN\r\n": "en", "# ours\nlanguage=fr\n": "fr", "language=$(reboot)": "fr"} {
		boot, tools := t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(tools, "cage"), []byte("#!/bin/sh\necho \"$@\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(filepath.Join(boot, "display.txt"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c := exec.Command("sh", kiosk, boot)
		c.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"), "XDG_RUNTIME_DIR=/run/user/1")
		out, err := c.CombinedOutput()
		if got := string(out); err != nil || !strings.Contains(got, " --accept-lang="+want+" ") || !strings.HasSuffix(got, " http://localhost/display\n") {
			t.Errorf("%q: %v\n%s", text, err, got)
		}
	}
}

// A browser takes no line of a policy that it cannot read.
func TestKioskGoesNowhereElse(t *testing.T) {
	var policy struct {
		Never []string `json:"URLBlocklist"`
		But   []string `json:"URLAllowlist"`
	}
	if err := json.Unmarshal([]byte(read(t, "kiosk/etc/chromium/policies/managed/majordome.json")), &policy); err != nil {
		t.Fatal(err)
	}
	if strings.Join(policy.Never, " ") != "*" || len(policy.But) != 1 || !strings.Contains(read(t, kiosk), policy.But[0]+"/") {
		t.Errorf("%+v", policy)
	}
}

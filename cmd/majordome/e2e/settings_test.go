package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/creack/pty"

	"majordome/companion/porttest"
	"majordome/companion/wire"
	"majordome/engine/words"
)

// fill types into the field of a setting, and leaves it.
func (p *tab) fill(path, value string) {
	p.t.Helper()
	field := fmt.Sprintf(`[...document.querySelectorAll(".setting")]
		.find((e) => e.querySelector("code").textContent === %q)?.querySelector("input, select")`, path)
	p.waitUntil(path, field+" && !"+field+".disabled")
	evaluate[bool](p, fmt.Sprintf(`((e) => {
		e.value = %q; e.dispatchEvent(new Event("input", { bubbles: true }));
		e.dispatchEvent(new Event("change", { bubbles: true })); return true;
	})(%s)`, value, field))
}

// TestSettings goes from an empty configuration file to a live reader, only with the host's page. A later edit of the
// file appears on the page, a setting that the page has overridden can be given back, and neither needs a restart.
func TestSettings(t *testing.T) {
	dir, addr := t.TempDir(), porttest.FreeAddress(t)
	t.Setenv("MAJORDOME_LISTEN", addr)
	t.Setenv("MAJORDOME_MQTT", "off")
	t.Setenv("MAJORDOME_DATA", dir)
	far, near, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close(); _ = near.Close() })
	config := filepath.Join(dir, "majordome.yaml")
	if err := os.WriteFile(config, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link, _ := serveOnce(t, config)
	l := speak(t, words.FR)
	host := startUnpainted(t).open("settings", link, phoneSize)
	table := watch(t, "http://"+addr)
	epoch := table.waitFor("its first view", func(wire.Update) bool { return true }).Epoch

	host.tap("button", l.phrase("host.act.settings"))
	host.waitForText(l.phrase("host.set.env", "name", "MAJORDOME_LISTEN"))
	if strings.Contains(host.text(), "hotspot") {
		t.Error("a Wi-Fi of its own is offered, which this machine does not make")
	}
	host.takeShot("settings-empty")
	evaluate[bool](host, `((e) => {
		e.value = "serial"; e.dispatchEvent(new Event("change", { bubbles: true })); return true;
	})([...document.querySelectorAll(".add select")][0])`)
	host.tap("button", l.phrase("host.set.add"))
	host.waitForText(l.phrase("host.set.mend"))
	host.fill("port", "ttyACM0")
	host.waitForText("ttyACM0")
	host.takeShot("settings-fault")
	if _, err := os.Stat(filepath.Join(dir, "majordome.page.yaml")); err == nil {
		t.Error("a file is written before it was kept")
	}
	host.fill("port", near.Name())
	host.waitForText(l.phrase("host.set.changes.one"))
	asked := time.Now()
	host.tap("button", l.phrase("host.act.settings-keep"))
	u := table.waitFor("the table that has opened again", func(u wire.Update) bool {
		return u.Epoch > epoch && u.Table.Readers["urn"] == "ok"
	})
	t.Logf("%v from the tap to the first view of the table with the reader", time.Since(asked).Round(time.Millisecond))
	page := filepath.Join(dir, "majordome.page.yaml")
	text, err := os.ReadFile(page)
	if err != nil ||
		!strings.HasSuffix(string(text), fmt.Sprintf(".\nreaders:\n  - role: urn\n    chip: serial\n    port: %s\n", near.Name())) {
		t.Errorf("%v\n%s", err, text)
	}

	// The live check: a tag.
	host.waitForText(l.phrase("host.set.kept"))
	host.tap("button", l.phrase("host.try.start"))
	host.pollUntil("the tag", func() bool {
		_, _ = far.WriteString("SCAN\tuid=04A1B2C3D4E5F6\n")
		return strings.Contains(host.text(), "04A1B2C3D4E5F6")
	})
	host.takeShot("settings-tag")
	host.tap("button", l.phrase("host.try.stop"))

	// The owner edits the file.
	byHand := "# mine\ncalm: true # quiet\n"
	if err := os.WriteFile(config, []byte(byHand), 0o644); err != nil {
		t.Fatal(err)
	}
	host.waitForText("changé à la main")
	host.fill("calm", "false")
	host.waitForText(l.phrase("host.set.changes.one"))
	host.waitForText(l.phrase("host.set.over", "value", "true"))
	host.tap("button", l.phrase("host.act.settings-keep"))
	host.pollUntil("the file", func() bool {
		kept, _ := os.ReadFile(page)
		return string(kept) == string(text)+"calm: false\n"
	})
	if own, err := os.ReadFile(config); err != nil || string(own) != byHand {
		t.Errorf("%v, the hand's file is written: %s", err, own)
	}
	host.tap("button", l.phrase("host.act.settings-give-back")+" : calm")
	host.tap("button", l.phrase("host.act.settings-keep"))
	host.pollUntil("the file without it", func() bool {
		kept, _ := os.ReadFile(page)
		return string(kept) == string(text)
	})
	if now := table.latest(); now.Epoch != u.Epoch {
		t.Error("the setting calm makes the table open again")
	}
	host.tap("button", l.phrase("host.act.settings-search"))
	host.pollUntil("the end of the search", func() bool { return !strings.Contains(host.text(), l.phrase("host.set.searching")) })
	for size, at := range map[string][2]int64{"phone": {360, 640}, "desk": {1280, 800}} {
		for _, lang := range []string{"fr", "en"} {
			host.runActions("another screen", chromedp.EmulateViewport(at[0], at[1]))
			evaluate[bool](host, fmt.Sprintf(`(document.querySelector(".langs button[lang=%s]").click(), true)`, lang))
			for part, where := range []string{`h2`, `.add`, `[aria-labelledby$="-table"]`} {
				evaluate[bool](host,
					fmt.Sprintf(`(document.querySelector('.settings %s').scrollIntoView({ block: "start" }), true)`, where))
				if wide := evaluate[int](host, "document.querySelector('.page').scrollWidth"); int64(wide) > at[0] {
					t.Errorf("%s, %s: the page is %d wide", size, lang, wide)
				}
				host.takeShot(fmt.Sprintf("settings-%s-%s-%d", size, lang, part))
			}
		}
	}
}

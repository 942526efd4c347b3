package web

import (
	"bytes"
	"encoding/json"
	"image/png"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var installLinkPattern = regexp.MustCompile(`rel="(manifest|apple-touch-icon)" href="([^"]+)"`)

// TestPagesCanBeInstalledOnAHomeScreen checks that the pages of phones and of the host can be installed on a home screen: the manifest
// is in the language of the page, its icons exist in the sizes that it gives, and its start address has no query and no
// fragment.
func TestPagesCanBeInstalledOnAHomeScreen(t *testing.T) {
	files, ok := Files()
	if !ok {
		t.Skip("the web app is not built: run make web")
	}
	h := newTestHandler(t, files)
	picture := func(path string) (size int) {
		r := get(h, path)
		text := readBody(t, r)
		c, err := png.DecodeConfig(strings.NewReader(text))
		if r.Header.Get("Content-Type") != "image/png" || err != nil || c.Width != c.Height || len(text) > 30_000 {
			t.Errorf("%s: %s, %d bytes, %v", path, r.Header.Get("Content-Type"), len(text), err)
		}
		return c.Width
	}
	for path, start := range map[string]string{"/": "/", "/host": "/host", "/display": "", "/bench": ""} {
		for _, lang := range []string{"fr", "en"} {
			links := map[string]string{}
			for _, link := range installLinkPattern.FindAllStringSubmatch(readBody(t, get(h, path, "Accept-Language", lang)), -1) {
				links[link[1]] = link[2]
			}
			if start == "" {
				if len(links) > 0 {
					t.Errorf("%s can be installed: %v", path, links)
				}
				continue
			}
			r := get(h, links["manifest"])
			var m struct {
				Name, Lang, Display, Scope, ID string
				Start                          string `json:"start_url"`
				Icons                          []struct{ Src, Sizes, Purpose string }
			}
			text := readBody(t, r)
			if err := json.NewDecoder(bytes.NewBufferString(text)).Decode(&m); err != nil ||
				r.Header.Get("Content-Type") != "application/manifest+json" || r.Header.Get("Cache-Control") != "no-cache" {
				t.Fatalf("%s %s: %v, %v", path, lang, err, r.Header)
			}
			if m.Lang != lang || m.Name == "" || m.Start != start || m.ID != start || m.Scope != "/" || m.Display != "minimal-ui" ||
				strings.Contains(text, "#j=") {
				t.Errorf("%s %s: %s", path, lang, text)
			}
			if u, err := url.Parse(m.Start); err != nil || u.IsAbs() || u.RawQuery != "" || u.Fragment != "" {
				t.Errorf("%s: the icon opens %q", path, m.Start)
			}
			masked := 0
			for _, icon := range m.Icons {
				if side := picture(icon.Src); icon.Sizes != map[int]string{192: "192x192", 512: "512x512"}[side] {
					t.Errorf("%s is %d wide and said to be %s", icon.Src, side, icon.Sizes)
				}
				if icon.Purpose == "maskable" {
					masked++
				}
			}
			if len(m.Icons) != 3 || masked != 1 || picture(links["apple-touch-icon"]) != 180 {
				t.Errorf("%s: %+v, %v", path, m.Icons, links)
			}
		}
	}
}

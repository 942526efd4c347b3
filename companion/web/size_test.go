package web

import (
	"regexp"
	"strings"
	"testing"
)

// The parts that the HTML of a page names, and the fonts that its styles name.
var (
	assetPattern = regexp.MustCompile(`(?:href|src)="(/assets/[^"]+)"`)
	woff2Pattern = regexp.MustCompile(`url\((/assets/[^)]+\.woff2)\)`)
)

// TestTheBytesBeforeTheHand checks the number of bytes that a phone fetches before it can show its player's hand, so that slow
// phones on bad Wi-Fi can play, too. The budget is 150 KB of files, 5 KB of which are headers; the view (26 KB) and the names
// (11 KB) come in addition. It includes what the browser requests automatically and the largest font, because one font comes
// before the hand; the other fonts load meanwhile, and no text waits for them.
func TestTheBytesBeforeTheHand(t *testing.T) {
	files, ok := Files()
	if !ok {
		t.Skip("the web app is not built: run make web")
	}
	h := newTestHandler(t, files)
	const budget, budgetOfFonts, mostParts = 145_000, 55_000, 10
	for _, lang := range []string{"fr", "en"} {
		sent := func(path string) (int, string) {
			packed := get(h, path, "Accept-Encoding", "gzip", "Accept-Language", lang)
			if packed.StatusCode != 200 {
				t.Fatalf("GET %s: %s", path, packed.Status)
			}
			return len(readBody(t, packed)), readBody(t, get(h, path, "Accept-Language", lang))
		}
		total, html := sent("/")
		parts := assetPattern.FindAllStringSubmatch(html, -1)
		for _, asked := range []string{"/phone." + lang + ".webmanifest", "/icon.svg", "/icon-192.png"} {
			n, _ := sent(asked)
			total += n
		}
		letters, largest := 0, 0
		for _, part := range parts {
			n, text := sent(part[1])
			total += n
			for _, font := range woff2Pattern.FindAllStringSubmatch(text, -1) {
				n, _ := sent(font[1])
				letters += n
				largest = max(largest, n)
			}
		}
		total += largest
		t.Logf("%s: %d parts, %d bytes, and %d bytes of fonts", lang, len(parts), total, letters)
		if total > budget || letters > budgetOfFonts || len(parts) > mostParts {
			t.Errorf("%s: %d parts of %d bytes, and %d bytes of fonts; at most %d, %d, %d", lang, len(parts), total, letters, mostParts,
				budget, budgetOfFonts)
		}
		if strings.Count(html, "modulepreload") < 3 {
			t.Errorf("%s: the page does not name its parts: %s", lang, html)
		}
	}
}

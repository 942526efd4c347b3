package e2e_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/engine/words"
)

// findCodes brings the code with a number on to the screen, as far as the page has to be scrolled for it, and returns how
// many codes the page shows.
const findCodes = `((n) => {
	const all = [...document.querySelectorAll("svg[shape-rendering=crispEdges]")].filter((e) => e.checkVisibility());
	all[n]?.scrollIntoView({ block: "center", behavior: "instant" });
	return all.length;
})(%d)`

// TestCodesCanBeScanned photographs every code that a sample of the display or the host's page shows, on all common
// screens, and reads it back from the picture: no code may be covered, cut or too small.
func TestCodesCanBeScanned(t *testing.T) {
	t.Parallel()
	url := startSamples(t)
	b := startBrowser(t)
	for name, screens := range map[string][][2]int64{
		"table": {tabletSize, tableSize, {800, 1280}, {960, 540}, {800, 480}},
		"host":  {tabletSize, {1024, 768}, phoneSize, smallSize},
	} {
		t.Run(name, func(t *testing.T) {
			p := b.open(name, url+"?page="+name, screens[0])
			defer p.close()
			p.waitUntil("its samples", "window.samples?.length > 0")
			samples, read := evaluate[[]string](p, "window.samples"), 0
			for i, sample := range samples {
				lang := words.Langs[i%len(words.Langs)]
				for _, size := range screens {
					p.runActions("show "+sample, chromedp.EmulateViewport(size[0], size[1]),
						chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`stand(%q, %q)`, sample, lang), chromedp.EvalAwaitPromise))
					codes := evaluate[int](p, fmt.Sprintf(findCodes, -1))
					for n := range codes {
						var picture []byte
						isRead := false
						for try := 0; try < 20 && !isRead; try++ { // late parts of a page move what is below them
							evaluate[int](p, fmt.Sprintf(findCodes, n))
							picture = photograph(t, p)
							isRead = readCode(t, picture) != ""
						}
						if !isRead {
							of := noFileName.ReplaceAllString(sample, "_")
							file := filepath.Join(artefacts(t), fmt.Sprintf("code-%s-%s-%dx%d-%d.png", name, of, size[0], size[1], n))
							writeFile(t, file, picture)
							t.Errorf("%s, %s, %dx%d: code %d of %d cannot be read: %s", sample, lang, size[0], size[1], n+1, codes, file)
						}
						read++
					}
					if codes == 0 {
						break // a sample shows its codes on every screen
					}
				}
			}
			if read == 0 {
				t.Error("no sample shows a code")
			}
			t.Logf("%d codes of %d samples", read, len(samples))
		})
	}
}

// readCode returns the text of the QR code in a picture; "" if none can be read.
func readCode(t *testing.T, png []byte) string {
	t.Helper()
	read := exec.Command("zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "png:-")
	read.Stdin = bytes.NewReader(png)
	out, err := read.Output()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 4) { // 4: there is no code to read
		t.Fatalf("zbarimg: %v", err)
	}
	return string(bytes.TrimSpace(out))
}

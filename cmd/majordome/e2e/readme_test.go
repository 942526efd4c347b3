package e2e_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"

	"majordome/engine/words"
)

var rewritePictures = flag.Bool("pictures", false, "take the pictures of the README again")

const (
	readmeFolder  = "../../../"
	readmePicture = "companion/web/manual/pictures/"
	mostPicture   = 100_000 // bytes of one
)

// TestPicturesOfTheReadme checks that each picture in the README exists, is small, and has a description. With
// -pictures it plays a table of Cluedo 2008 to its first answer and takes the pictures of its pages again.
func TestPicturesOfTheReadme(t *testing.T) {
	if *rewritePictures {
		takePictures(t)
	}
	text, err := os.ReadFile(readmeFolder + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`!\[([^\]]*)\]\(([^)]+)\)`).FindAllStringSubmatch(string(text), -1)
	for _, m := range shown {
		info, err := os.Stat(readmeFolder + m[2])
		if err != nil || info.Size() > mostPicture {
			t.Errorf("%s: %v, %d bytes at most", m[2], err, mostPicture)
		}
		if len(strings.Fields(m[1])) < 4 {
			t.Errorf("%s: %q says too little of it", m[2], m[1])
		}
	}
	if len(shown) != 5 {
		t.Errorf("the README shows %d pictures", len(shown))
	}
}

func takePictures(t *testing.T) {
	q := enterCluedo(t, words.EN, "readme")
	q.begin()
	q.sealSolution()
	q.deal()
	q.rollForFirst()
	q.firstTurn()
	keepPicture(q.screen, "table")
	keepPicture(q.bench, "bench")
	keepPicture(q.host, "host")
	phone := q.phones[anne]
	phone.holdWhile("document.querySelector(\"button.tray\")", func() { keepPicture(phone, "phone") })
}

// keepPicture saves the visible page as a picture of the README.
func keepPicture(p *tab, name string) {
	p.t.Helper()
	quality := int64(60)
	picture, err := p.capture(page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatWebp, Quality: &quality})
	if err == nil {
		err = os.WriteFile(filepath.Join(readmeFolder, readmePicture, name+".webp"), picture, 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

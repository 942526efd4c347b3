package guide

import (
	"fmt"
	"strings"

	"majordome/engine"
)

// width is the width of every picture.
const width = 360

// sheet is an SVG that grows downwards.
type sheet struct {
	fr     bool
	body   strings.Builder
	bottom float64 // y below what is drawn so far
}

// textInLanguage returns the text in the language of the sheet.
func (s *sheet) textInLanguage(t engine.Text) string {
	if s.fr {
		return t.FR
	}
	return t.EN
}

func (s *sheet) addMarkup(format string, args ...any) { fmt.Fprintf(&s.body, format+"\n", args...) }

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// CSS classes of text, see style.
const (
	plain = ""
	bold  = "b"
	small = "s"
	title = "t"
)

func (s *sheet) drawText(x, y float64, class, text string) {
	s.addMarkup(`<text x="%g" y="%g" class="%s">%s</text>`, x, y, class, escape.Replace(text))
}

// drawTextRight writes text that ends at x.
func (s *sheet) drawTextRight(x, y float64, class, text string) {
	s.addMarkup(`<text x="%g" y="%g" class="%s" text-anchor="end">%s</text>`, x, y, class, escape.Replace(text))
}

func (s *sheet) drawTextCentred(x, y float64, class, text string) {
	s.addMarkup(`<text x="%g" y="%g" class="%s" text-anchor="middle">%s</text>`, x, y, class, escape.Replace(text))
}

func (s *sheet) drawRect(x, y, w, h float64, class string) {
	s.addMarkup(`<rect x="%g" y="%g" width="%g" height="%g" class="%s"/>`, x, y, w, h, class)
}

func (s *sheet) drawDot(x, y, r float64, class string) {
	s.addMarkup(`<circle cx="%g" cy="%g" r="%g" class="%s"/>`, x, y, r, class)
}

// drawWrappedText draws text from y down, in lines that each have at most `most` characters, and returns the y below them.
func (s *sheet) drawWrappedText(x, y float64, class, text string, most int) float64 {
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(w)) > most {
			s.drawText(x, y, class, line)
			line, y = "", y+14
		}
		line = strings.TrimSpace(line + " " + w)
	}
	s.drawText(x, y, class, line)
	return y + 14
}

const style = `text{font:12px "DejaVu Sans","Liberation Sans",Arial,sans-serif;fill:#000}.b{font-weight:700}.s{font-size:10.5px}` +
	`.t{font-size:14px;font-weight:700}.w{fill:#fff;font-weight:700;font-size:10px}.g{fill:#666;font-size:10px}
.box{fill:#fff;stroke:#000;stroke-width:1.5}.board{fill:#eee;stroke:#000;stroke-width:1.5}.pin{fill:#fff;stroke:#999}` +
	`.used{fill:#000}.part{fill:#fff;stroke:#000;stroke-width:1.5}.joint{fill:#000}
path{fill:none}.halo{stroke:#fff;stroke-width:5}.sig{stroke:#000;stroke-width:1.6}` +
	`.gnd{stroke:#000;stroke-width:1.6;stroke-dasharray:2 3}.v3{stroke:#a40;stroke-width:3}` +
	`.v5{stroke:#c00;stroke-width:3.4;stroke-dasharray:9 3}
.c0{stroke:#06c}.c1{stroke:#080}.c2{stroke:#808}.c3{stroke:#850}.c4{stroke:#077}.c5{stroke:#036}`

// finishSVG returns the finished picture; description is for blind readers.
func (s *sheet) finishSVG(description string) []byte {
	lang := "en"
	if s.fr {
		lang = "fr"
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]g"`+
		` width="%[1]d" height="%[2]g" lang="%[3]s" role="img">
<title>%[4]s</title>
<style>%[5]s</style>
<rect width="%[1]d" height="%[2]g" fill="#fff"/>
%[6]s</svg>
`, width, s.bottom, lang, escape.Replace(description), style, s.body.String())
}

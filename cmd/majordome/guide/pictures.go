package guide

import (
	"fmt"
	"strings"

	"majordome/cmd/majordome/config"
	"majordome/devices/light"
	"majordome/engine"
)

// Picture is a drawing and the name of its file without the extension.
type Picture struct {
	Name string
	SVG  []byte
}

// DrawPictures draws a configuration in one language: each board with its wires, the order of the LEDs of each strip, and the slot if it
// has a reader.
func DrawPictures(cfg config.Config, french bool) (all []Picture) {
	for i, b := range listBoards(cfg) {
		all = append(all, Picture{fmt.Sprintf("wiring-%d", i+1), drawBoard(b, french)})
	}
	for i, c := range cfg.Strips {
		all = append(all, Picture{fmt.Sprintf("strip-%d", i+1), drawStrip(c, french)})
	}
	for _, r := range cfg.Readers {
		if r.Role == engine.ReaderUrn {
			all = append(all, Picture{"slot", drawSlot(french)})
		}
	}
	return all
}

// Sizes in the picture of a strip.
const (
	ledWide    = 25.0
	ledHigh    = 22.0
	ledsX      = 128.0
	ledsPerRow = 8
)

// lightNames are the names of a strip's parts other than places.
var lightNames = map[string]engine.Text{
	"clock": engine.T("l’horloge", "the clock"), "urn": engine.T("la fente de l’urne", "the urn’s slot"),
	"show": engine.T("le lecteur de la table", "the table reader"),
}

// drawStrip draws the LEDs of a strip in the order of its wire, each with its number and its part.
func drawStrip(c config.StripConfig, french bool) []byte {
	s := &sheet{fr: french, bottom: 20}
	s.drawText(8, s.bottom, title, s.textInLanguage(engine.Tf("Le ruban : %d LED", "The strip: %d LEDs", c.CountLEDs())))
	s.bottom = s.drawWrappedText(8, s.bottom+18, small,
		s.textInLanguage(engine.T("Le numéro est la place sur le fil ; la LED 0 est la première après DIN. Où le ruban est coupé, un "+
			"fil mène à la suite.",
			"The number is the place on the wire; LED 0 is the first after DIN. Where the strip is cut, a wire leads on.")), 60) + 6
	s.drawTextRight(ledsX-12, s.bottom+4, bold, "DIN")
	s.bottom += 12
	s.addMarkup(`<path d="M%g %gV%gH%g" class="sig"/>`, ledsX-8, s.bottom-18, s.bottom+ledHigh/2, ledsX)
	parts := c.StripParts()
	for i, p := range parts {
		s.drawText(8, s.bottom+10, bold, p.Name)
		s.drawText(8, s.bottom+22, small, s.textInLanguage(lightNames[p.Name]))
		s.drawLEDs(p)
		if i+1 < len(parts) { // the wire to the next row
			end := ledsX + ledWide*float64((len(p.Segment)-1)%ledsPerRow+1)
			s.addMarkup(`<path d="M%g %gh6v%gH%gv%gH%g" class="sig"/>`, end, s.bottom-8-ledHigh/2, ledHigh/2+4.0, ledsX-8,
				ledHigh/2+4.0, ledsX)
		}
	}
	return s.finishSVG(s.textInLanguage(engine.T("Ordre des LED du ruban", "Order of the LEDs of the strip")))
}

// drawLEDs draws the LEDs of one part, in rows.
func (s *sheet) drawLEDs(p light.Part) {
	for i, n := range p.Segment {
		x, y := ledsX+ledWide*float64(i%ledsPerRow), s.bottom+(ledHigh+4)*float64(i/ledsPerRow)
		s.drawRect(x, y, ledWide-2, ledHigh, "box")
		s.drawTextCentred(x+ledWide/2-1, y+15, small, fmt.Sprint(n))
	}
	s.bottom += (ledHigh+4)*float64((len(p.Segment)-1)/ledsPerRow+1) + 4
}

// drawSlot draws an urn from the side, with the coil and the fallen cards. The distances are the advice of `majordome doctor slot`.
func drawSlot(french bool) []byte {
	s := &sheet{fr: french, bottom: 420}
	writeText := func(x, y float64, class, fr, en string) {
		for i, line := range strings.Split(s.textInLanguage(engine.T(fr, en)), "|") {
			s.drawText(x, y+13*float64(i), class, line)
		}
	}
	writeText(8, 20, title, "La fente de l’urne, de côté", "The slot of the urn, from the side")
	s.addMarkup(`<path d="M20 60H128M150 60H340M20 60V390H340V60" style="stroke:#000;stroke-width:4"/>`) // the box
	s.addMarkup(`<path d="M128 60V190M150 60V190" style="stroke:#000;stroke-width:1.5"/>`)               // the channel
	s.addMarkup(`<path d="M139 34V150" style="stroke:#000;stroke-width:5"/><path d="M139 158v16m-5 -7l5 8l5 -8" class="sig"/>`)
	s.drawRect(142, 96, 4, 26, "used")  // its tag
	s.drawRect(153, 78, 10, 70, "part") // the reader
	s.addMarkup(`<path d="M163 101H186M142 101H76" class="sig"/>`)
	writeText(190, 105, bold, "lecteur", "reader")
	writeText(190, 119, small, "debout, sa bobine|contre le couloir", "upright, its coil|against the channel")
	writeText(34, 105, bold, "puce", "tag")
	writeText(34, 119, small, "tournée vers|la bobine", "facing|the coil")
	writeText(158, 46, small, "fente pour une carte à la fois", "a slot for one card at a time")
	writeText(34, 216, small, "couloir : la carte|passe à moins de|3 cm de la bobine ;|pas de métal à 1 cm",
		"channel: the card|passes within 3 cm|of the coil; no|metal within 1 cm")
	for i := range 6 { // the fallen cards
		s.addMarkup(`<path d="M60 %gH280" style="stroke:#000;stroke-width:4"/>`, 384-float64(8*i))
	}
	s.addMarkup(`<path d="M166 148H320M290 340H320M308 150V338m-4 -8l4 8l4 -8M308 150m-4 8l4 -8l4 8" class="sig"/>`)
	writeText(196, 232, bold, "6 cm au moins", "6 cm at least")
	writeText(196, 246, small, "du bas de la bobine|à la pile pleine", "from the coil down|to the full pile")
	return s.finishSVG(s.textInLanguage(engine.T(
		"La fente de l’urne, vue de côté : le lecteur contre le couloir, la pile six centimètres plus bas",
		"The slot of the urn from the side: the reader against the channel, the pile six centimetres lower")))
}

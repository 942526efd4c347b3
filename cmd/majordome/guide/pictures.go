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

// Pictures draws a configuration in one language: each board with its wires, the order of the LEDs of each strip, and the slot if it
// has a reader.
func Pictures(cfg config.Config, french bool) (all []Picture) {
	for i, b := range boards(cfg) {
		all = append(all, Picture{fmt.Sprintf("wiring-%d", i+1), wiring(b, french)})
	}
	for i, c := range cfg.Strips {
		all = append(all, Picture{fmt.Sprintf("strip-%d", i+1), strand(c, french)})
	}
	for _, r := range cfg.Readers {
		if r.Role == engine.ReaderUrn {
			all = append(all, Picture{"slot", slot(french)})
		}
	}
	return all
}

// Sizes in the picture of a strip.
const (
	ledWide = 25.0
	ledHigh = 22.0
	ledsAt  = 128.0
	inRow   = 8
)

// lightNames are the names of a strip's parts other than places.
var lights = map[string]engine.Text{
	"clock": engine.T("l’horloge", "the clock"), "urn": engine.T("la fente de l’urne", "the urn’s slot"),
	"show": engine.T("le lecteur de la table", "the table reader"),
}

// drawStrip draws the LEDs of a strip in the order of its wire, each with its number and its part.
func strand(c config.StripConfig, french bool) []byte {
	s := &sheet{fr: french, high: 20}
	s.text(8, s.high, title, s.say(engine.Tf("Le ruban : %d LED", "The strip: %d LEDs", c.LEDs())))
	s.high = s.lines(8, s.high+18, small,
		s.say(engine.T("Le numéro est la place sur le fil ; la LED 0 est la première après DIN. Où le ruban est coupé, un "+
			"fil mène à la suite.",
			"The number is the place on the wire; LED 0 is the first after DIN. Where the strip is cut, a wire leads on.")), 60) + 6
	s.right(ledsAt-12, s.high+4, bold, "DIN")
	s.high += 12
	s.add(`<path d="M%g %gV%gH%g" class="sig"/>`, ledsAt-8, s.high-18, s.high+ledHigh/2, ledsAt)
	parts := c.Parts()
	for i, p := range parts {
		s.text(8, s.high+10, bold, p.Name)
		s.text(8, s.high+22, small, s.say(lights[p.Name]))
		s.leds(p)
		if i+1 < len(parts) { // the wire to the next row
			end := ledsAt + ledWide*float64((len(p.Segment)-1)%inRow+1)
			s.add(`<path d="M%g %gh6v%gH%gv%gH%g" class="sig"/>`, end, s.high-8-ledHigh/2, ledHigh/2+4.0, ledsAt-8, ledHigh/2+4.0, ledsAt)
		}
	}
	return s.svg(s.say(engine.T("Ordre des LED du ruban", "Order of the LEDs of the strip")))
}

// drawLEDs draws the LEDs of one part, in rows.
func (s *sheet) leds(p light.Part) {
	for i, n := range p.Segment {
		x, y := ledsAt+ledWide*float64(i%inRow), s.high+(ledHigh+4)*float64(i/inRow)
		s.rect(x, y, ledWide-2, ledHigh, "box")
		s.middle(x+ledWide/2-1, y+15, small, fmt.Sprint(n))
	}
	s.high += (ledHigh+4)*float64((len(p.Segment)-1)/inRow+1) + 4
}

// drawSlot draws an urn from the side, with the coil and the fallen cards. The distances are the advice of `majordome doctor slot`.
func slot(french bool) []byte {
	s := &sheet{fr: french, high: 420}
	say := func(x, y float64, class, fr, en string) {
		for i, line := range strings.Split(s.say(engine.T(fr, en)), "|") {
			s.text(x, y+13*float64(i), class, line)
		}
	}
	say(8, 20, title, "La fente de l’urne, de côté", "The slot of the urn, from the side")
	s.add(`<path d="M20 60H128M150 60H340M20 60V390H340V60" style="stroke:#000;stroke-width:4"/>`) // the box
	s.add(`<path d="M128 60V190M150 60V190" style="stroke:#000;stroke-width:1.5"/>`)               // the channel
	s.add(`<path d="M139 34V150" style="stroke:#000;stroke-width:5"/><path d="M139 158v16m-5 -7l5 8l5 -8" class="sig"/>`)
	s.rect(142, 96, 4, 26, "used")  // its tag
	s.rect(153, 78, 10, 70, "part") // the reader
	s.add(`<path d="M163 101H186M142 101H76" class="sig"/>`)
	say(190, 105, bold, "lecteur", "reader")
	say(190, 119, small, "debout, sa bobine|contre le couloir", "upright, its coil|against the channel")
	say(34, 105, bold, "puce", "tag")
	say(34, 119, small, "tournée vers|la bobine", "facing|the coil")
	say(158, 46, small, "fente pour une carte à la fois", "a slot for one card at a time")
	say(34, 216, small, "couloir : la carte|passe à moins de|3 cm de la bobine ;|pas de métal à 1 cm",
		"channel: the card|passes within 3 cm|of the coil; no|metal within 1 cm")
	for i := range 6 { // the fallen cards
		s.add(`<path d="M60 %gH280" style="stroke:#000;stroke-width:4"/>`, 384-float64(8*i))
	}
	s.add(`<path d="M166 148H320M290 340H320M308 150V338m-4 -8l4 8l4 -8M308 150m-4 8l4 -8l4 8" class="sig"/>`)
	say(196, 232, bold, "6 cm au moins", "6 cm at least")
	say(196, 246, small, "du bas de la bobine|à la pile pleine", "from the coil down|to the full pile")
	return s.svg(s.say(engine.T("La fente de l’urne, vue de côté : le lecteur contre le couloir, la pile six centimètres plus bas",
		"The slot of the urn from the side: the reader against the channel, the pile six centimetres lower")))
}

package guide

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"majordome/engine"
)

// Sizes in a picture, in its units.
const (
	row      = 22.0 // between the pins of a header, and the terminals of a part
	pinSize  = 8.5
	oddX     = 20.0 // x of the column of pins 1, 3, 5 ...
	evenX    = oddX + row
	nodeWide = 46.0
	partX    = 194.0
	partWide = width - partX - 4
	stub     = 50.0 // from the last lane to the parts: room for components in a wire
)

// point is an end of a wire. The wire leaves it at the height turn, which may differ from y.
type point struct{ x, y, turn float64 }

// net is a wire with all its ends.
type net struct {
	name        string
	boardEnds   []point // its end at the board; empty: none
	partEnds    []point
	lane        float64 // x of its vertical stretch
	colourIndex int     // the colours of signals take turns
}

// drawBoard returns the picture of one board with its parts.
func drawBoard(b board, french bool) []byte {
	s := &sheet{fr: french, bottom: 20}
	s.drawWiring(b)
	return s.finishSVG(s.textInLanguage(engine.T("Câblage, fil par fil : "+b.name.FR, "Wiring, wire by wire: "+b.name.EN)))
}

// wires are the nets of a board, in the order of their first terminals.
type wires []*net

// ensureWire returns the wire of that name, and adds it if there is none.
func (w *wires) ensureWire(name string) *net {
	for _, n := range *w {
		if n.name == name {
			return n
		}
	}
	n := &net{name: name}
	*w = append(*w, n)
	return n
}

// drawWiring draws one board with its parts and wires, below what is on the sheet already.
func (s *sheet) drawWiring(b board) {
	s.drawText(8, s.bottom, title, s.textInLanguage(b.name))
	top := s.drawWrappedText(8, s.bottom+18, small, s.textInLanguage(b.how), 60) + 12
	var all wires
	for _, p := range b.parts {
		for _, t := range p.terminals {
			if t.wire != "" {
				all.ensureWire(t.wire)
			}
		}
	}
	boardBottom := 0.0
	if b.node {
		boardBottom = s.drawPinList(&all, top)
	} else {
		boardBottom = s.drawHeaderAndPlacePins(&all, top)
	}
	bottom := s.placeWires(b, &all, top)
	s.drawWires(all)
	if !b.node {
		s.drawPins(all, top)
	}
	s.drawParts(b, top)
	s.bottom = max(boardBottom, bottom) + 14
	s.drawLegend()
}

// drawHeaderAndPlacePins draws the header's outline, and sets where wires leave its 40 pins. It returns the bottom.
func (s *sheet) drawHeaderAndPlacePins(all *wires, top float64) float64 {
	for _, n := range *all {
		pin := headerPinOf(n.name)
		if pin == 0 {
			continue
		}
		x, y := pinPosition(pin, top)
		if n.boardEnds = []point{{x, y, y}}; x == oddX { // pass between the pins of the other column
			n.boardEnds[0].turn += row / 2
		}
	}
	s.drawRect(oddX-row/2-3, top-row/2-3, 2*row+6, headerCount/2*row+6, "board")
	return top + headerCount/2*row
}

func pinPosition(pin int, top float64) (x, y float64) {
	return oddX + row*float64((pin-1)%2), top + row*float64((pin-1)/2)
}

// drawPins draws the 40 pins of the header, the used ones in black.
func (s *sheet) drawPins(all wires, top float64) {
	for pin := 1; pin <= headerCount; pin++ {
		x, y := pinPosition(pin, top)
		class, ink := "pin", "g"
		if slices.ContainsFunc(all, func(n *net) bool { return headerPinOf(n.name) == pin }) {
			class, ink = "used", "w"
		}
		if pin == 1 { // square, as on the board
			s.drawRect(x-pinSize, y-pinSize, 2*pinSize, 2*pinSize, class)
		} else {
			s.drawDot(x, y, pinSize, class)
		}
		s.drawTextCentred(x, y+3.5, ink, strconv.Itoa(pin))
	}
}

// headerPinOf returns the header's pin for a wire, 0 if the wire does not reach the header.
func headerPinOf(name string) int {
	switch name {
	case net3V3:
		return pin3V3
	case netPi5V:
		return pin5V
	case netGND:
		return pinGround
	case netStrip:
		return pinStrip
	}
	n := 0
	if _, err := fmt.Sscanf(name, "GPIO%d", &n); err != nil {
		return 0
	}
	return headerPins[n]
}

// nodePinName returns the printed name of a node's pin for a wire, "" if the wire does not reach the node.
func nodePinName(name string) string {
	switch name {
	case netReg5V:
		return "5V"
	case netGND:
		return "GND"
	}
	if len(name) <= 3 && (name[0] == 'A' || name[0] == 'D') {
		return name
	}
	return ""
}

// drawPinList draws a node with its used pins, named as they are printed on it. It returns the bottom.
func (s *sheet) drawPinList(all *wires, top float64) float64 {
	y := top
	var names []string
	for _, n := range *all {
		if pin := nodePinName(n.name); pin != "" {
			n.boardEnds = []point{{8 + nodeWide, y, y}}
			names = append(names, pin)
			y += row
		}
	}
	s.drawRect(8, top-row/2-3, nodeWide, row*float64(len(names))+6, "board")
	for i, pin := range names {
		s.drawTextRight(8+nodeWide-6, top+row*float64(i)+4, bold, pin)
	}
	return y
}

// terminalY returns the y of terminal i of a part that begins at y. It differs from every height at which wires leave a board, so that
// no two wires cover each other.
func terminalY(y float64, i int) float64 { return y + 52.5 + row*float64(i) }

// partHeight returns the height of a part with its title.
func partHeight(p part) float64 {
	rows := 2 + len(p.terminals)
	if p.note.EN != "" {
		rows++
	}
	return row * float64(rows)
}

// placeWires sets the ends of wires at the parts, and each wire's lane. It returns the bottom of the parts.
func (s *sheet) placeWires(b board, all *wires, top float64) float64 {
	y := top - row/2 - 3
	for _, p := range b.parts {
		for i, t := range p.terminals {
			if t.wire != "" {
				at := terminalY(y, i)
				all.ensureWire(t.wire).partEnds = append(all.ensureWire(t.wire).partEnds, point{partX, at, at})
			}
		}
		y += partHeight(p) + row/2
	}
	order := slices.Clone(*all)
	slices.SortStableFunc(order, func(a, b *net) int { return cmp.Compare(b.startY(), a.startY()) })
	from := evenX + pinSize + 12
	if b.node {
		from = 8 + nodeWide + 12
	}
	pitch := (partX - stub - from) / float64(max(1, len(order)-1))
	for i, n := range order {
		n.lane, n.colourIndex = from+pitch*float64(i), i
	}
	return y
}

// startY returns the height at which a wire begins: at the board, else at its first part.
func (n *net) startY() float64 {
	if len(n.boardEnds) > 0 {
		return n.boardEnds[0].turn
	}
	return n.partEnds[0].y
}

// cssClass returns the CSS class of a wire.
func (n *net) cssClass() string {
	switch n.name {
	case net3V3:
		return "v3"
	case net5V, netPi5V, netReg5V:
		return "v5"
	case netGND, netStrip:
		return "gnd"
	}
	return fmt.Sprintf("sig c%d", n.colourIndex%6)
}

// drawWires draws the wires, first across and then down, so that crossings are visible.
func (s *sheet) drawWires(all wires) {
	for _, n := range all {
		for _, p := range n.boardEnds {
			s.addMarkup(`<path d="M%g %gV%gH%g" class="%s"/>`, p.x, p.y, p.turn, n.lane, n.cssClass())
		}
		for _, p := range n.partEnds {
			s.addMarkup(`<path d="M%g %gH%g" class="%s"/>`, n.lane, p.y, p.x, n.cssClass())
		}
	}
	for _, n := range all {
		least, most := n.startY(), n.startY()
		for _, p := range n.partEnds {
			least, most = min(least, p.y), max(most, p.y)
		}
		if least < most {
			s.addMarkup(`<path d="M%g %gV%g" class="halo"/><path d="M%[1]g %[2]gV%[3]g" class="%[4]s"/>`, n.lane, least, most, n.cssClass())
		}
		for _, p := range slices.Concat(n.boardEnds, n.partEnds) {
			s.drawDot(n.lane, p.turn, 2.6, "joint")
		}
	}
}

// drawParts draws the parts, with the board's pin at each terminal.
func (s *sheet) drawParts(b board, top float64) {
	y := top - row/2 - 3
	for _, p := range b.parts {
		s.drawRect(partX, y, partWide, partHeight(p), "box")
		s.drawText(partX+6, y+15, bold, s.textInLanguage(p.name))
		s.drawText(partX+6, y+29, small, s.textInLanguage(p.kind))
		for i, t := range p.terminals {
			at := terminalY(y, i)
			s.drawText(partX+8, at+4, bold, t.name)
			s.drawTextRight(width-10, at+4, small, s.otherEndText(t, b))
			if t.wire == "" {
				s.drawDot(partX, at, 3, "pin")
				continue
			}
			s.drawDot(partX, at, 3, "joint")
			if t.component != "" {
				s.drawRect(partX-44, at-8, 38, 16, "part")
				s.drawTextCentred(partX-25, at+4, bold+" "+small, t.component)
			}
		}
		if p.note.EN != "" {
			s.drawText(partX+8, y+partHeight(p)-8, small, s.textInLanguage(p.note))
		}
		y += partHeight(p) + row/2
	}
}

// otherEndText returns the text about the other end of a wire.
func (s *sheet) otherEndText(t terminal, b board) string {
	if t.label != (engine.Text{}) {
		return s.textInLanguage(t.label)
	}
	if b.node {
		if pin := nodePinName(t.wire); pin != "" {
			return pin
		}
	} else if pin := headerPinOf(t.wire); pin != 0 {
		return s.textInLanguage(engine.Tf("broche %d %s", "pin %d %s", pin, wireNameWithSharedGround(t.wire)))
	}
	switch t.wire {
	case net5V:
		return s.textInLanguage(engine.T("5 V (alim.)", "5 V (supply)"))
	case net3V3:
		return s.textInLanguage(engine.T("3,3 V (OUT)", "3.3 V (OUT)"))
	}
	return t.wire
}

// wireNameWithSharedGround returns the name of a wire; the ground of a strip has that of all grounds.
func wireNameWithSharedGround(net string) string {
	if net == netStrip {
		return netGND
	}
	return net
}

// drawLegend explains the kinds of lines.
func (s *sheet) drawLegend() {
	x := 8.0
	for _, k := range []struct {
		class string
		name  engine.Text
		wide  float64
	}{{"v3", engine.T("3,3 V", "3.3 V"), 68}, {"v5", engine.T("5 V", "5 V"), 62},
		{"gnd", engine.T("masse GND", "ground GND"), 98}, {"sig c0", engine.T("signal", "signal"), 72}} {
		s.addMarkup(`<path d="M%g %gh24" class="%s"/>`, x, s.bottom, k.class)
		s.drawText(x+28, s.bottom+4, small, s.textInLanguage(k.name))
		x += k.wide
	}
	s.drawDot(x+2, s.bottom, 2.6, "joint")
	s.drawText(x+8, s.bottom+4, small, s.textInLanguage(engine.T("joint", "joined")))
	s.bottom += 14
}

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
	oddAt    = 20.0 // x of the column of pins 1, 3, 5 ...
	evenAt   = oddAt + row
	nodeWide = 46.0
	partAt   = 194.0
	partWide = width - partAt - 4
	stub     = 50.0 // from the last lane to the parts: room for components in a wire
)

// point is an end of a wire. The wire leaves it at the height turn, which may differ from y.
type point struct{ x, y, turn float64 }

// net is a wire with all its ends.
type net struct {
	name   string
	board  []point // its end at the board; empty: none
	parts  []point
	lane   float64
	signal int
}

// drawBoard returns the picture of one board with its parts.
func wiring(b board, french bool) []byte {
	s := &sheet{fr: french, high: 20}
	s.board(b)
	return s.svg(s.say(engine.T("Câblage, fil par fil : "+b.name.FR, "Wiring, wire by wire: "+b.name.EN)))
}

// wires are the nets of a board, in the order of their first terminals.
type wires []*net

func (w *wires) of(name string) *net {
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
func (s *sheet) board(b board) {
	s.text(8, s.high, title, s.say(b.name))
	top := s.lines(8, s.high+18, small, s.say(b.how), 60) + 12
	var all wires
	for _, p := range b.parts {
		for _, t := range p.terminals {
			if t.net != "" {
				all.of(t.net)
			}
		}
	}
	low := 0.0
	if b.node {
		low = s.pinList(&all, top)
	} else {
		low = s.header(&all, top)
	}
	bottom := s.place(b, &all, top)
	s.lead(all)
	if !b.node {
		s.pins(all, top)
	}
	s.parts(b, top)
	s.high = max(low, bottom) + 14
	s.key()
}

// placeHeader draws the header's outline, and sets where wires leave its 40 pins. It returns the bottom.
func (s *sheet) header(all *wires, top float64) float64 {
	for _, n := range *all {
		pin := piPin(n.name)
		if pin == 0 {
			continue
		}
		x, y := pinPlace(pin, top)
		if n.board = []point{{x, y, y}}; x == oddAt { // pass between the pins of the other column
			n.board[0].turn += row / 2
		}
	}
	s.rect(oddAt-row/2-3, top-row/2-3, 2*row+6, headerCount/2*row+6, "board")
	return top + headerCount/2*row
}

func pinPlace(pin int, top float64) (x, y float64) {
	return oddAt + row*float64((pin-1)%2), top + row*float64((pin-1)/2)
}

// drawPins draws the 40 pins of the header, the used ones in black.
func (s *sheet) pins(all wires, top float64) {
	for pin := 1; pin <= headerCount; pin++ {
		x, y := pinPlace(pin, top)
		class, ink := "pin", "g"
		if slices.ContainsFunc(all, func(n *net) bool { return piPin(n.name) == pin }) {
			class, ink = "used", "w"
		}
		if pin == 1 { // square, as on the board
			s.rect(x-pinSize, y-pinSize, 2*pinSize, 2*pinSize, class)
		} else {
			s.dot(x, y, pinSize, class)
		}
		s.middle(x, y+3.5, ink, strconv.Itoa(pin))
	}
}

// piPin returns the header's pin for a wire, 0 if the wire does not reach the header.
func piPin(name string) int {
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
func nodePinOf(name string) string {
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
func (s *sheet) pinList(all *wires, top float64) float64 {
	y := top
	var names []string
	for _, n := range *all {
		if pin := nodePinOf(n.name); pin != "" {
			n.board = []point{{8 + nodeWide, y, y}}
			names = append(names, pin)
			y += row
		}
	}
	s.rect(8, top-row/2-3, nodeWide, row*float64(len(names))+6, "board")
	for i, pin := range names {
		s.right(8+nodeWide-6, top+row*float64(i)+4, bold, pin)
	}
	return y
}

// terminalAt returns the y of terminal i of a part that begins at y. It differs from every height at which wires leave a board, so that
// no two wires cover each other.
func terminalAt(y float64, i int) float64 { return y + 52.5 + row*float64(i) }

// partHeight returns the height of a part with its title.
func heightOf(p part) float64 {
	rows := 2 + len(p.terminals)
	if p.note.EN != "" {
		rows++
	}
	return row * float64(rows)
}

// placeWires sets the ends of wires at the parts, and each wire's lane. It returns the bottom of the parts.
func (s *sheet) place(b board, all *wires, top float64) float64 {
	y := top - row/2 - 3
	for _, p := range b.parts {
		for i, t := range p.terminals {
			if t.net != "" {
				at := terminalAt(y, i)
				all.of(t.net).parts = append(all.of(t.net).parts, point{partAt, at, at})
			}
		}
		y += heightOf(p) + row/2
	}
	order := slices.Clone(*all)
	slices.SortStableFunc(order, func(a, b *net) int { return cmp.Compare(b.first(), a.first()) })
	from := evenAt + pinSize + 12
	if b.node {
		from = 8 + nodeWide + 12
	}
	pitch := (partAt - stub - from) / float64(max(1, len(order)-1))
	for i, n := range order {
		n.lane, n.signal = from+pitch*float64(i), i
	}
	return y
}

// firstY returns the height at which a wire begins: at the board, else at its first part.
func (n *net) first() float64 {
	if len(n.board) > 0 {
		return n.board[0].turn
	}
	return n.parts[0].y
}

// class returns the CSS class of a wire.
func (n *net) class() string {
	switch n.name {
	case net3V3:
		return "v3"
	case net5V, netPi5V, netReg5V:
		return "v5"
	case netGND, netStrip:
		return "gnd"
	}
	return fmt.Sprintf("sig c%d", n.signal%6)
}

// drawWires draws the wires, first across and then down, so that crossings are visible.
func (s *sheet) lead(all wires) {
	for _, n := range all {
		for _, p := range n.board {
			s.add(`<path d="M%g %gV%gH%g" class="%s"/>`, p.x, p.y, p.turn, n.lane, n.class())
		}
		for _, p := range n.parts {
			s.add(`<path d="M%g %gH%g" class="%s"/>`, n.lane, p.y, p.x, n.class())
		}
	}
	for _, n := range all {
		least, most := n.first(), n.first()
		for _, p := range n.parts {
			least, most = min(least, p.y), max(most, p.y)
		}
		if least < most {
			s.add(`<path d="M%g %gV%g" class="halo"/><path d="M%[1]g %[2]gV%[3]g" class="%[4]s"/>`, n.lane, least, most, n.class())
		}
		for _, p := range slices.Concat(n.board, n.parts) {
			s.dot(n.lane, p.turn, 2.6, "joint")
		}
	}
}

// drawParts draws the parts, with the board's pin at each terminal.
func (s *sheet) parts(b board, top float64) {
	y := top - row/2 - 3
	for _, p := range b.parts {
		s.rect(partAt, y, partWide, heightOf(p), "box")
		s.text(partAt+6, y+15, bold, s.say(p.name))
		s.text(partAt+6, y+29, small, s.say(p.kind))
		for i, t := range p.terminals {
			at := terminalAt(y, i)
			s.text(partAt+8, at+4, bold, t.name)
			s.right(width-10, at+4, small, s.far(t, b))
			if t.net == "" {
				s.dot(partAt, at, 3, "pin")
				continue
			}
			s.dot(partAt, at, 3, "joint")
			if t.in != "" {
				s.rect(partAt-44, at-8, 38, 16, "part")
				s.middle(partAt-25, at+4, bold+" "+small, t.in)
			}
		}
		if p.note.EN != "" {
			s.text(partAt+8, y+heightOf(p)-8, small, s.say(p.note))
		}
		y += heightOf(p) + row/2
	}
}

// otherEnd returns the text about the other end of a wire.
func (s *sheet) far(t terminal, b board) string {
	if t.says != (engine.Text{}) {
		return s.say(t.says)
	}
	if b.node {
		if pin := nodePinOf(t.net); pin != "" {
			return pin
		}
	} else if pin := piPin(t.net); pin != 0 {
		return s.say(engine.Tf("broche %d %s", "pin %d %s", pin, plainName(t.net)))
	}
	switch t.net {
	case net5V:
		return s.say(engine.T("5 V (alim.)", "5 V (supply)"))
	case net3V3:
		return s.say(engine.T("3,3 V (OUT)", "3.3 V (OUT)"))
	}
	return t.net
}

// plainName returns the common name of a wire.
func plainName(net string) string {
	if net == netStrip {
		return netGND
	}
	return net
}

// drawKey explains the kinds of lines.
func (s *sheet) key() {
	x := 8.0
	for _, k := range []struct {
		class string
		name  engine.Text
		wide  float64
	}{{"v3", engine.T("3,3 V", "3.3 V"), 68}, {"v5", engine.T("5 V", "5 V"), 62},
		{"gnd", engine.T("masse GND", "ground GND"), 98}, {"sig c0", engine.T("signal", "signal"), 72}} {
		s.add(`<path d="M%g %gh24" class="%s"/>`, x, s.high, k.class)
		s.text(x+28, s.high+4, small, s.say(k.name))
		x += k.wide
	}
	s.dot(x+2, s.high, 2.6, "joint")
	s.text(x+8, s.high+4, small, s.say(engine.T("joint", "joined")))
	s.high += 14
}

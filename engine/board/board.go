package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
)

// Limits of a drawing. A view may have to offer every square to a player, at up to 8 bytes each,
// and a message larger than its size class is not delivered. MaxSquares leaves room for the rest of
// the view.
const (
	MaxSide    = 64
	MaxRooms   = 26
	MaxSquares = 700

	maxSpots = MaxRooms + MaxSquares
)

// Square is a cell of the drawing, counted from 0 at the top left.
type Square struct{ Col, Row int }

// String returns "column,row", for instance "13,1".
func (q Square) String() string { return strconv.Itoa(q.Col) + "," + strconv.Itoa(q.Row) }

// ParseSquare parses the form that String returns, and nothing else.
func ParseSquare(text string) (Square, bool) {
	c, r, _ := strings.Cut(text, ",")
	col, _ := strconv.Atoi(c) // the comparison below refuses any other spelling
	row, _ := strconv.Atoi(r)
	q := Square{col, row}
	return q, q.String() == text
}

// Spec is a board as its owner writes it.
type Spec struct {
	Rows  []string
	Rooms map[string]engine.ID // capital letter of the drawing: room
	// Starts are the squares where pawns start.
	Starts map[engine.ID]Square
	// Diagonals are squares with a diagonal step into a room, without a door (C8-021).
	Diagonals map[engine.ID]Square
}

// Fault says what is wrong with a drawing, and where. Row and Col count from 0; Row is -1 if the
// fault is in the legend.
type Fault struct {
	Row, Col int
	What     engine.Text
	Hint     engine.Text
}

// countingHint explains how the squares of the legend are counted.
var counting = say("colonne et rangée comptent depuis 0 en haut à gauche", "column and row count from 0 at the top left")

// Board is a checked drawing. It is immutable.
//
//  1. Every square and every room can be reached from every other one.
//  2. Every room has a door or a diagonal.
//  3. Rooms lead to squares and squares to rooms: no room leads into another.
type Board struct {
	rows   []string
	spots  []spot
	square map[Square]int
	room   map[engine.ID]int
	starts map[engine.ID]Square
	// For walks: all squares, those with a mark, and the rooms.
	squares, marks places
	rooms          uint64
}

// spot is a square or a room: a node of the graph.
type spot struct {
	at   Square
	text string    // at as text, made once because a view lists a hundred squares
	room engine.ID // "" for a square
	mark bool
	next []int
}

// New checks a drawing and returns its board. With any fault it returns no board, and the first 20
// faults in reading order.
func New(s Spec) (*Board, []Fault) {
	b := &Board{rows: slices.Clone(s.Rows), square: map[Square]int{}, room: map[engine.ID]int{}, starts: map[engine.ID]Square{}}
	m := &maker{b: b, spec: s, inside: map[Square]int{}}
	for _, steps := range [][]func(){{m.size}, {m.legend, m.cells}, {m.doors, m.legendSquares}, {m.connected}} {
		for _, step := range steps { // steps of one group do not depend on each other
			step()
		}
		if len(m.faults) > 0 {
			return nil, m.faults[:min(len(m.faults), 20)]
		}
	}
	b.sets()
	return b, nil
}

// fillSets fills the sets of a board without faults.
func (b *Board) sets() {
	for i, s := range b.spots {
		if s.room != "" {
			b.rooms |= 1 << i
			continue
		}
		b.squares.add(i)
		if s.mark {
			b.marks.add(i)
		}
	}
}

// builder builds a board and collects faults.
type maker struct {
	b      *Board
	spec   Spec
	inside map[Square]int // room of a cell
	faults []Fault
}

func (m *maker) fault(row, col int, what, hint engine.Text) {
	m.faults = append(m.faults, Fault{row, col, what, hint})
}

func say(fr, en string, args ...any) engine.Text {
	return engine.T(fmt.Sprintf(fr, args...), fmt.Sprintf(en, args...))
}

func (m *maker) size() {
	rows := m.spec.Rows
	switch {
	case len(rows) == 0 || len(rows) > MaxSide:
		m.fault(-1, 0, say("%d rangées", "%d rows", len(rows)), say("dessinez de 1 à %d rangées", "draw 1 to %d rows", MaxSide))
		return
	case len(rows[0]) == 0 || len(rows[0]) > MaxSide:
		m.fault(0, 0, say("%d colonnes", "%d columns", len(rows[0])),
			say("dessinez de 1 à %d colonnes", "draw 1 to %d columns", MaxSide))
		return
	}
	for r, row := range rows {
		if len(row) != len(rows[0]) {
			m.fault(r, min(len(row), len(rows[0])),
				say("%d colonnes, la première rangée en a %d", "%d columns, the first row has %d", len(row), len(rows[0])),
				say("donnez la même longueur à toutes les rangées ; # ne représente rien", "make all rows equally long; # is nothing"))
		}
	}
}

func (m *maker) legend() {
	seen := map[engine.ID]string{}
	for _, letter := range sorted(m.spec.Rooms) {
		room := m.spec.Rooms[letter]
		switch other, twice := seen[room]; {
		case len(letter) != 1 || letter[0] < 'A' || letter[0] > 'Z':
			m.fault(-1, 0, say("lettre de pièce %.10q", "room letter %.10q", letter),
				say("une lettre majuscule, de A à Z", "use one capital letter, A to Z"))
		case twice:
			m.fault(-1, 0, say("%s a les lettres %s et %s", "%s has the letters %s and %s", room, other, letter),
				say("une lettre par pièce", "give each room one letter"))
		case !slices.ContainsFunc(m.spec.Rows, func(row string) bool { return strings.Contains(row, letter) }):
			m.fault(-1, 0, say("la pièce %s n’est pas dessinée", "room %s is not drawn", room),
				say("dessinez-la avec %s, et ses portes avec %s", "draw it with %s, and its doors with %s",
					letter, strings.ToLower(letter)))
		}
		seen[room] = letter
		m.b.room[room] = len(m.b.spots)
		m.b.spots = append(m.b.spots, spot{room: room})
	}
}

func (m *maker) cells() {
	odd := map[byte]bool{}
	for r, row := range m.spec.Rows {
		for c := range len(row) {
			at, ch := Square{c, r}, row[c]
			room, known := m.spec.Rooms[strings.ToUpper(string(ch))]
			switch {
			case ch == '#':
			case ch == '.' || ch == '?':
				if len(m.b.square) == MaxSquares {
					m.fault(r, c, say("plus de %d cases", "more than %d squares", MaxSquares),
						say("au-delà, un téléphone ne reçoit plus rien ; écrivez # où aucun pion ne passe",
							"with more, no phone gets anything; write # where no pawn goes"))
					return
				}
				m.b.square[at] = len(m.b.spots)
				m.b.spots = append(m.b.spots, spot{at: at, text: at.String(), mark: ch == '?'})
			case known:
				m.inside[at] = m.b.room[room]
			case odd[ch]: // reported at its first place only
			default:
				odd[ch] = true
				m.fault(r, c, say("%q n’est ni une case ni la lettre d’une pièce", "%q is neither a square nor the letter of a room", ch),
					say("employez # . ? ou une lettre de la légende", "use # . ? or a letter of the legend"))
			}
		}
	}
}

// neighbours returns the four adjacent cells of a square (C8-045).
func (q Square) beside() [4]Square {
	return [4]Square{{q.Col, q.Row - 1}, {q.Col + 1, q.Row}, {q.Col, q.Row + 1}, {q.Col - 1, q.Row}}
}

func (m *maker) join(a, b int) {
	if !slices.Contains(m.b.spots[a].next, b) {
		m.b.spots[a].next = append(m.b.spots[a].next, b)
	}
	if !slices.Contains(m.b.spots[b].next, a) {
		m.b.spots[b].next = append(m.b.spots[b].next, a)
	}
}

func (m *maker) doors() {
	for r, row := range m.spec.Rows {
		for c := range len(row) {
			at := Square{c, r}
			from, isSquare := m.b.square[at]
			door := row[c] >= 'a' && row[c] <= 'z'
			leads := false
			for _, q := range at.beside() {
				to, ok := m.b.square[q]
				switch {
				case !ok:
				case isSquare:
					m.join(from, to)
				case door:
					m.join(m.inside[at], to)
					leads = true
				}
			}
			if door && !leads {
				m.fault(r, c, say("une porte sans case à côté", "a door without a square beside it"),
					say("placez-la là où la pièce touche le couloir, ou dessinez le couloir",
						"put it where the room touches the corridor, or draw the corridor"))
			}
		}
	}
}

func (m *maker) legendSquares() {
	for _, who := range sorted(m.spec.Starts) {
		at := m.spec.Starts[who]
		if _, ok := m.b.square[at]; !ok {
			m.fault(-1, 0, say("%s part de %s, qui n’est pas une case", "%s starts at %s, which is no square", who, at), counting)
		}
		m.b.starts[who] = at
	}
	for _, room := range sorted(m.spec.Diagonals) {
		at := m.spec.Diagonals[room]
		from, ok := m.b.square[at]
		to, known := m.b.room[room]
		switch {
		case !known:
			m.fault(-1, 0, say("une diagonale vers %s, qui n’a pas de lettre", "a diagonal into %s, which has no letter", room),
				say("nommez une pièce du dessin", "name a room of the drawing"))
		case !ok:
			m.fault(-1, 0, say("la diagonale de %s part de %s, qui n’est pas une case",
				"the diagonal of %s starts at %s, which is no square", room, at), counting)
		case !m.touches(at, to):
			m.fault(at.Row, at.Col,
				say("aucune cellule de %s n’est en diagonale de cette case", "no cell of %s lies diagonally to this square", room),
				say("le pas passe par un coin", "the step goes over one corner"))
		default:
			m.join(to, from)
		}
	}
}

// touchesCorner reports whether a cell of the room is diagonally next to the square.
func (m *maker) touches(at Square, room int) bool {
	for _, d := range [4]Square{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		if in, ok := m.inside[Square{at.Col + d.Col, at.Row + d.Row}]; ok && in == room {
			return true
		}
	}
	return false
}

func (m *maker) connected() {
	spots := m.b.spots
	if len(spots) == 0 {
		m.fault(-1, 0, say("un plan vide", "an empty board"),
			say("dessinez des cases avec . et des pièces avec des lettres", "draw squares with . and rooms with letters"))
		return
	}
	seen := make([]bool, len(spots))
	seen[len(spots)-1] = true
	for queue := []int{len(spots) - 1}; len(queue) > 0; queue = queue[1:] {
		for _, n := range spots[queue[0]].next {
			if !seen[n] {
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
	for i, ok := range seen {
		switch {
		case ok:
		case spots[i].room != "":
			m.fault(-1, 0, say("aucun chemin ne mène à %s", "no way leads into %s", spots[i].room),
				say("écrivez une de ses cellules en minuscule : une porte", "write one of its cells as a small letter: a door"))
		default:
			m.fault(spots[i].at.Row, spots[i].at.Col, say("une case où rien ne mène", "a square that no way leads to"),
				say("reliez-la aux couloirs, ou écrivez # à sa place", "join it to the corridors, or write # there"))
		}
	}
}

func sorted[K ~string, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Rows returns the drawing, for pages that show it.
func (b *Board) Rows() []string { return slices.Clone(b.rows) }

// StartOf returns the square where the pawn of a character starts.
func (b *Board) Start(who engine.ID) (Square, bool) {
	at, ok := b.starts[who]
	return at, ok
}

// IsMarked reports whether a square has a mark: « ? » in Cluedo 2008.
func (b *Board) Marked(at Square) bool {
	i, ok := b.square[at]
	return ok && b.spots[i].mark
}

// MarkedSquares returns the marked squares by row, then column.
func (b *Board) Marks() (all []Square) {
	for i := range b.marks.all {
		all = append(all, b.spots[i].at)
	}
	return all
}

// IsSquare reports whether at is a square on which pawns can be, outside the rooms.
func (b *Board) IsSquare(at Square) bool {
	_, ok := b.square[at]
	return ok
}

// HasRoom reports whether the room is drawn.
func (b *Board) HasRoom(room engine.ID) bool {
	_, ok := b.room[room]
	return ok
}

package board

import (
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
	MaxSquares = 500

	maxSpots = MaxRooms + MaxSquares
)

// Square is a cell of the drawing, counted from 0 at the top left.
type Square struct{ Col, Row int }

// String returns "column,row", for instance "13,1".
func (q Square) String() string { return strconv.Itoa(q.Col) + "," + strconv.Itoa(q.Row) }

// ParseSquare parses the form that String returns, and nothing else.
func ParseSquare(text string) (at Square, ok bool) {
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
var countingHint = engine.T("colonne et rangée comptent depuis 0 en haut à gauche", "column and row count from 0 at the top left")

// Board is a checked drawing. It is immutable.
//
//  1. Every square and every room can be reached from every other one.
//  2. Every room has a door or a diagonal.
//  3. Rooms lead to squares and squares to rooms: no room leads into another.
type Board struct {
	rows        []string
	spots       []spot
	squareIndex map[Square]int
	roomIndex   map[engine.ID]int
	starts      map[engine.ID]Square
	// For walks: all squares, those with a mark, and the rooms.
	squares, marks spotSet
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
	b := &Board{rows: slices.Clone(s.Rows), squareIndex: map[Square]int{}, roomIndex: map[engine.ID]int{}, starts: map[engine.ID]Square{}}
	m := &builder{board: b, spec: s, inside: map[Square]int{}}
	for _, steps := range [][]func(){{m.checkSize}, {m.addRooms, m.addSquares}, {m.joinNeighbours, m.addStartsAndDiagonals},
		{m.checkConnected}} {
		for _, step := range steps { // steps of one group do not depend on each other
			step()
		}
		if len(m.faults) > 0 {
			return nil, m.faults[:min(len(m.faults), 20)]
		}
	}
	b.fillSpotSets()
	return b, nil
}

// fillSpotSets fills squares, marks and rooms from the spots of a board without faults.
func (b *Board) fillSpotSets() {
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

// builder builds a board and collects faults. Its rooms have to be added before its squares, because
// rooms have the lowest numbers.
type builder struct {
	board  *Board
	spec   Spec
	inside map[Square]int // room of a cell
	faults []Fault
}

func (m *builder) addFault(row, col int, what, hint engine.Text) {
	m.faults = append(m.faults, Fault{row, col, what, hint})
}

func (m *builder) checkSize() {
	rows := m.spec.Rows
	switch {
	case len(rows) == 0 || len(rows) > MaxSide:
		m.addFault(-1, 0, engine.Tf("%d rangées", "%d rows", len(rows)),
			engine.Tf("dessinez de 1 à %d rangées", "draw 1 to %d rows", MaxSide))
		return
	case len(rows[0]) == 0 || len(rows[0]) > MaxSide:
		m.addFault(0, 0, engine.Tf("%d colonnes", "%d columns", len(rows[0])),
			engine.Tf("dessinez de 1 à %d colonnes", "draw 1 to %d columns", MaxSide))
		return
	}
	for r, row := range rows {
		if len(row) != len(rows[0]) {
			m.addFault(r, min(len(row), len(rows[0])),
				engine.Tf("%d colonnes, la première rangée en a %d", "%d columns, the first row has %d", len(row), len(rows[0])),
				engine.T("donnez la même longueur à toutes les rangées ; # ne représente rien", "make all rows equally long; # is nothing"))
		}
	}
}

func (m *builder) addRooms() {
	seen := map[engine.ID]string{}
	for _, letter := range sortedKeys(m.spec.Rooms) {
		room := m.spec.Rooms[letter]
		switch other, twice := seen[room]; {
		case len(letter) != 1 || letter[0] < 'A' || letter[0] > 'Z':
			m.addFault(-1, 0, engine.Tf("lettre de pièce %.10q", "room letter %.10q", letter),
				engine.T("une lettre majuscule, de A à Z", "use one capital letter, A to Z"))
		case twice:
			m.addFault(-1, 0, engine.Tf("%s a les lettres %s et %s", "%s has the letters %s and %s", room, other, letter),
				engine.T("une lettre par pièce", "give each room one letter"))
		case !slices.ContainsFunc(m.spec.Rows, func(row string) bool { return strings.Contains(row, letter) }):
			m.addFault(-1, 0, engine.Tf("la pièce %s n’est pas dessinée", "room %s is not drawn", room),
				engine.Tf("dessinez-la avec %s, et ses portes avec %s", "draw it with %s, and its doors with %s",
					letter, strings.ToLower(letter)))
		}
		seen[room] = letter
		m.board.roomIndex[room] = len(m.board.spots)
		m.board.spots = append(m.board.spots, spot{room: room})
	}
}

func (m *builder) addSquares() {
	odd := map[byte]bool{}
	for r, row := range m.spec.Rows {
		for c := range len(row) {
			at, ch := Square{c, r}, row[c]
			room, known := m.spec.Rooms[strings.ToUpper(string(ch))]
			switch {
			case ch == '#':
			case ch == '.' || ch == '?':
				if len(m.board.squareIndex) == MaxSquares {
					m.addFault(r, c, engine.Tf("plus de %d cases", "more than %d squares", MaxSquares),
						engine.Tf("au-delà, un téléphone ne reçoit plus rien ; écrivez # où aucun pion ne passe",
							"with more, no phone gets anything; write # where no pawn goes"))
					return
				}
				m.board.squareIndex[at] = len(m.board.spots)
				m.board.spots = append(m.board.spots, spot{at: at, text: at.String(), mark: ch == '?'})
			case known:
				m.inside[at] = m.board.roomIndex[room]
			case odd[ch]: // reported at its first place only
			default:
				odd[ch] = true
				m.addFault(
					r,
					c,
					engine.Tf("%q n’est ni une case ni la lettre d’une pièce", "%q is neither a square nor the letter of a room", ch),
					engine.T("employez # . ? ou une lettre de la légende", "use # . ? or a letter of the legend"),
				)
			}
		}
	}
}

// neighbours returns the four adjacent cells of a square (C8-045).
func (q Square) neighbours() [4]Square {
	return [4]Square{{q.Col, q.Row - 1}, {q.Col + 1, q.Row}, {q.Col, q.Row + 1}, {q.Col - 1, q.Row}}
}

func (m *builder) joinSpots(a, b int) {
	if !slices.Contains(m.board.spots[a].next, b) {
		m.board.spots[a].next = append(m.board.spots[a].next, b)
	}
	if !slices.Contains(m.board.spots[b].next, a) {
		m.board.spots[b].next = append(m.board.spots[b].next, a)
	}
}

// joinNeighbours joins each square to the squares next to it, and each room to the squares in front
// of its doors.
func (m *builder) joinNeighbours() {
	for r, row := range m.spec.Rows {
		for c := range len(row) {
			at := Square{c, r}
			from, isSquare := m.board.squareIndex[at]
			door := row[c] >= 'a' && row[c] <= 'z'
			leads := false
			for _, q := range at.neighbours() {
				to, ok := m.board.squareIndex[q]
				switch {
				case !ok:
				case isSquare:
					m.joinSpots(from, to)
				case door:
					m.joinSpots(m.inside[at], to)
					leads = true
				}
			}
			if door && !leads {
				m.addFault(r, c, engine.T("une porte sans case à côté", "a door without a square beside it"),
					engine.Tf("placez-la là où la pièce touche le couloir, ou dessinez le couloir",
						"put it where the room touches the corridor, or draw the corridor"))
			}
		}
	}
}

func (m *builder) addStartsAndDiagonals() {
	for _, who := range sortedKeys(m.spec.Starts) {
		at := m.spec.Starts[who]
		if _, ok := m.board.squareIndex[at]; !ok {
			m.addFault(-1, 0, engine.Tf("%s part de %s, qui n’est pas une case", "%s starts at %s, which is no square", who, at),
				countingHint)
		}
		m.board.starts[who] = at
	}
	for _, room := range sortedKeys(m.spec.Diagonals) {
		at := m.spec.Diagonals[room]
		from, ok := m.board.squareIndex[at]
		to, known := m.board.roomIndex[room]
		switch {
		case !known:
			m.addFault(-1, 0, engine.Tf("une diagonale vers %s, qui n’a pas de lettre", "a diagonal into %s, which has no letter", room),
				engine.T("nommez une pièce du dessin", "name a room of the drawing"))
		case !ok:
			m.addFault(-1, 0, engine.Tf("la diagonale de %s part de %s, qui n’est pas une case",
				"the diagonal of %s starts at %s, which is no square", room, at), countingHint)
		case !m.isDiagonalToRoom(at, to):
			m.addFault(at.Row, at.Col,
				engine.Tf("aucune cellule de %s n’est en diagonale de cette case", "no cell of %s lies diagonally to this square", room),
				engine.T("le pas passe par un coin", "the step goes over one corner"))
		default:
			m.joinSpots(to, from)
		}
	}
}

// isDiagonalToRoom reports whether a cell of the room is diagonally next to the square.
func (m *builder) isDiagonalToRoom(at Square, room int) bool {
	for _, d := range [4]Square{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		if in, ok := m.inside[Square{at.Col + d.Col, at.Row + d.Row}]; ok && in == room {
			return true
		}
	}
	return false
}

func (m *builder) checkConnected() {
	spots := m.board.spots
	if len(spots) == 0 {
		m.addFault(-1, 0, engine.T("un plan vide", "an empty board"),
			engine.T("dessinez des cases avec . et des pièces avec des lettres", "draw squares with . and rooms with letters"))
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
			m.addFault(-1, 0, engine.Tf("aucun chemin ne mène à %s", "no way leads into %s", spots[i].room),
				engine.T("écrivez une de ses cellules en minuscule : une porte", "write one of its cells as a small letter: a door"))
		default:
			m.addFault(spots[i].at.Row, spots[i].at.Col, engine.T("une case où rien ne mène", "a square that no way leads to"),
				engine.T("reliez-la aux couloirs, ou écrivez # à sa place", "join it to the corridors, or write # there"))
		}
	}
}

func sortedKeys[K ~string, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// DrawingRows returns the drawing, for pages that show it.
func (b *Board) DrawingRows() []string { return slices.Clone(b.rows) }

// StartSquare returns the square where the pawn of a character starts.
func (b *Board) StartSquare(who engine.ID) (Square, bool) {
	at, ok := b.starts[who]
	return at, ok
}

// IsMarkedSquare reports whether a square has a mark: « ? » in Cluedo 2008.
func (b *Board) IsMarkedSquare(at Square) bool {
	i, ok := b.squareIndex[at]
	return ok && b.spots[i].mark
}

// MarkedSquares returns the marked squares by row, then column.
func (b *Board) MarkedSquares() (all []Square) {
	for i := range b.marks.members {
		all = append(all, b.spots[i].at)
	}
	return all
}

// IsCorridorSquare reports whether at is a square on which pawns can be, outside the rooms.
func (b *Board) IsCorridorSquare(at Square) bool {
	_, ok := b.squareIndex[at]
	return ok
}

// HasDrawnRoom reports whether the room is drawn.
func (b *Board) HasDrawnRoom(room engine.ID) bool {
	_, ok := b.roomIndex[room]
	return ok
}

package engine

// Msg is a sentence, to be rendered in the reader's language: a key of the word catalogues and the
// values for its blanks. A value that is an id of the deck or a seat ("seat-2") is shown by its
// name.
type Msg struct {
	Key  string `json:"k"`
	Args Blanks `json:"a,omitempty" tstype:"{ [key: string]: string }"`
}

// NewMsg makes a Msg from a key and pairs of blank name and value. It panics if a value is missing.
func NewMsg(key string, pairs ...string) Msg {
	switch {
	case len(pairs)%2 != 0:
		panic("engine: Say " + key + ": a blank without a value")
	case len(pairs) == 0:
		return Msg{Key: key}
	case len(pairs) == 2 && pairs[0] == "seat":
		if x, err := ParseSeat(pairs[1]); err == nil {
			return Msg{key, seatBlanks[x]}
		}
	}
	return Msg{key, newBlanks(pairs)}
}

// seatBlanks holds the blanks of sentences about one seat, by seat. They are made once,
// because most sentences have this form.
var seatBlanks = func() (all [MaxSeats + 1]Blanks) {
	for x := range all {
		all[x] = Blanks{"seat", Seat(x).String()}
	}
	return all
}()

// IsEmpty reports whether m says nothing.
func (m Msg) IsEmpty() bool { return m.Key == "" }

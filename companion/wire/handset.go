package wire

import (
	"errors"
	"strconv"
	"strings"

	"majordome/engine"
)

// MaxPhones are the phones of one seat, MaxHosts the devices with the host's page.
const (
	MaxPhones = 4
	MaxHosts  = 3
)

// Handset is one phone of a viewer by its number: 1 for the first, up to MaxPhones at
// a seat and MaxHosts of the host. Each has a key and topics of its own, and all of a viewer are shown the same.
type Handset struct {
	engine.Viewer
	N int
}

// First is the first phone of a viewer.
func First(v engine.Viewer) Handset { return Handset{v, 1} }

// Valid reports a phone that a viewer can have.
func (h Handset) Valid() bool {
	most := 0 // of the public and the overseer
	if _, ok := h.Seat(); ok {
		most = MaxPhones
	} else if h.IsHost() {
		most = MaxHosts
	}
	return h.N >= 1 && h.N <= most
}

// String is the viewer's name for its first phone, "seat-3.2" for the second of seat 3.
func (h Handset) String() string {
	if h.N == 1 {
		return h.Viewer.String()
	}
	return h.Viewer.String() + "." + strconv.Itoa(h.N)
}

var errHandset = errors.New("wire: not a phone of a seat or of the host")

// ParseHandset reads what String wrote.
func ParseHandset(text string) (Handset, error) {
	who, number, further := strings.Cut(text, ".")
	v, err := engine.ParseViewer(who)
	h := First(v)
	if further && err == nil {
		h.N, err = strconv.Atoi(number)
	}
	if err != nil || !h.Valid() || h.String() != text {
		return Handset{}, errHandset
	}
	return h, nil
}

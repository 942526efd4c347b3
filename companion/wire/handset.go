package wire

import (
	"errors"
	"strconv"
	"strings"

	"majordome/engine"
)

// MaxPhones is the most phones of one seat, MaxHosts the most devices with the host's page.
const (
	MaxPhones = 4
	MaxHosts  = 3
)

// Handset is one phone of a viewer, by its number: 1 for the first, up to MaxPhones at a seat and
// MaxHosts for the host. Each has its own key and topics. All phones of a viewer show the same.
type Handset struct {
	engine.Viewer
	N int
}

// FirstPhoneOf returns the first phone of a viewer.
func FirstPhoneOf(v engine.Viewer) Handset { return Handset{v, 1} }

// IsValid reports whether the viewer can have this phone.
func (h Handset) IsValid() bool {
	most := 0 // for the public and the overseer
	if _, ok := h.Seat(); ok {
		most = MaxPhones
	} else if h.IsHost() {
		most = MaxHosts
	}
	return h.N >= 1 && h.N <= most
}

// String returns the viewer's name for the first phone, and for instance "seat-3.2" for the second
// of seat 3.
func (h Handset) String() string {
	if h.N == 1 {
		return h.Viewer.String()
	}
	return h.Viewer.String() + "." + strconv.Itoa(h.N)
}

var errHandset = errors.New("wire: not a phone of a seat or of the host")

// ParseHandset parses the form that String returns.
func ParseHandset(text string) (Handset, error) {
	who, number, further := strings.Cut(text, ".")
	v, err := engine.ParseViewer(who)
	h := FirstPhoneOf(v)
	if further && err == nil {
		h.N, err = strconv.Atoi(number)
	}
	if err != nil || !h.IsValid() || h.String() != text {
		return Handset{}, errHandset
	}
	return h, nil
}

package devices

import (
	"bytes"
	"fmt"
)

// uidFault is the reason why an identifier cannot name a card.
type fault uint8

const (
	fit      fault = iota
	random         // 4 bytes from 08: another number each time the tag wakes (ISO/IEC 14443-3, 6.5.4)
	cut            // 4 bytes from 88, the cascade tag: the reader dropped everything after the maker's bytes
	repeated       // one byte repeated, or each byte one more than the last
	factory        // common to writable tags as they are sold
)

// factoryUIDs are identifiers that writable tags have when they are sold, or that the examples of common
// libraries write into them. A second tag with the same one is likely.
var defaults = defaultUIDs(
	"01234567", // nfc-mfsetuid of libnfc
	"12345678", "11223344", "04112233445566",
	"DEADBEEF", // the examples of the MFRC522 library for Arduino
	"CAFEBABE", "DEADC0DE", "BAADF00D",
)

func defaultUIDs(hex ...string) map[UID]bool {
	all := map[UID]bool{}
	for _, h := range hex {
		u, err := ParseUID(h)
		if err != nil {
			panic("devices: " + err.Error())
		}
		all[u] = true
	}
	return all
}

// IsUnfit reports whether u cannot name a card; UnfitAdvice says why. Such a tag is a stray: readers see
// phones, bank cards and passports that no player presents (GEN-E14). It allocates nothing.
func (u UID) IsUnfit() bool { return u.fault() != fit }

// findFault returns the reason why u cannot name a card. The zero UID has no fault.
func (u UID) fault() fault {
	b := u.b[:u.n]
	if len(b) == 0 {
		return fit
	}
	rising := true
	for i := range b[1:] {
		rising = rising && b[i+1] == b[i]+1
	}
	switch {
	case len(b) == 4 && b[0] == 0x08:
		return random
	case len(b) == 4 && b[0] == 0x88:
		return cut
	case bytes.Count(b, b[:1]) == len(b), rising:
		return repeated
	case defaults[u]:
		return factory
	}
	return fit
}

// UnfitAdvice says why u cannot name a card: its number changes at each reading, as with phones, bank cards and
// passports, or another tag has the same one. ok is false if u can name a card, and for the zero UID.
func (u UID) Unfit() (why Advice, ok bool) {
	const another = "take a tag with a number of its own, such as an NTAG213"
	const autre = "prenez une puce qui a son propre numéro, comme une NTAG213"
	advise := func(fr, en string) (Advice, bool) {
		return Advice{
			FR: fmt.Sprintf("la puce %s ne convient pas : %s : %s", u, fr, autre),
			EN: fmt.Sprintf("tag %s will not do: %s: %s", u, en, another),
		}, true
	}
	switch u.fault() {
	case random:
		return advise("son numéro change à chaque lecture (téléphone, carte bancaire)",
			"its number changes at each reading (a phone, a bank card)")
	case cut:
		return advise("le lecteur a coupé son numéro, et tout un rouleau a le même début",
			"the reader cut its number short, and a whole roll begins the same")
	case repeated:
		return advise("ce numéro est le même sur toutes les copies", "all copies have the same number")
	case factory:
		return advise("ce numéro d’usine est le même sur toutes les copies", "all copies have this number from the factory")
	}
	return Advice{}, false
}

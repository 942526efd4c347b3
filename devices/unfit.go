package devices

import (
	"bytes"
	"fmt"
)

// uidFault is the reason why an identifier cannot name a card.
type uidFault uint8

const (
	noFault      uidFault = iota
	randomUID             // 4 bytes from 08: another number each time the tag wakes (ISO/IEC 14443-3, 6.5.4)
	truncatedUID          // 4 bytes from 88, the cascade tag: the reader dropped everything after the maker's bytes
	patternUID            // one byte repeated, or each byte one more than the last
	factoryUID            // common to writable tags as they are sold
)

// factoryUIDs are identifiers that writable tags have when they are sold, or that the examples of common
// libraries write into them. A second tag with the same one is likely.
var factoryUIDs = mustParseUIDSet(
	"01234567", // nfc-mfsetuid of libnfc
	"12345678", "11223344", "04112233445566",
	"DEADBEEF", // the examples of the MFRC522 library for Arduino
	"CAFEBABE", "DEADC0DE", "BAADF00D",
)

// mustParseUIDSet returns a set of UIDs. It panics for a text that is none.
func mustParseUIDSet(hex ...string) map[UID]bool {
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

// IsUnfitForCard reports whether u cannot name a card; UnfitAdvice says why. Such a tag is a stray: readers see
// phones, bank cards and passports that no player presents (GEN-E14). It allocates nothing.
func (u UID) IsUnfitForCard() bool { return u.unfitReason() != noFault }

// unfitReason returns the reason why u cannot name a card. The zero UID has no fault.
func (u UID) unfitReason() uidFault {
	b := u.b[:u.n]
	if len(b) == 0 {
		return noFault
	}
	rising := true
	for i := range b[1:] {
		rising = rising && b[i+1] == b[i]+1
	}
	switch {
	case len(b) == 4 && b[0] == 0x08:
		return randomUID
	case len(b) == 4 && b[0] == 0x88:
		return truncatedUID
	case bytes.Count(b, b[:1]) == len(b), rising:
		return patternUID
	case factoryUIDs[u]:
		return factoryUID
	}
	return noFault
}

// UnfitAdvice says why u cannot name a card: its number changes at each reading, as with phones, bank cards and
// passports, or another tag has the same one. ok is false if u can name a card, and for the zero UID.
func (u UID) UnfitAdvice() (why Advice, ok bool) {
	const another = "take a tag with a number of its own, such as an NTAG213"
	const autre = "prenez une puce qui a son propre numéro, comme une NTAG213"
	advise := func(fr, en string) (Advice, bool) {
		return Advice{
			FR: fmt.Sprintf("la puce %s ne convient pas : %s : %s", u, fr, autre),
			EN: fmt.Sprintf("tag %s will not do: %s: %s", u, en, another),
		}, true
	}
	switch u.unfitReason() {
	case randomUID:
		return advise("son numéro change à chaque lecture (téléphone, carte bancaire)",
			"its number changes at each reading (a phone, a bank card)")
	case truncatedUID:
		return advise("le lecteur a coupé son numéro, et tout un rouleau a le même début",
			"the reader cut its number short, and a whole roll begins the same")
	case patternUID:
		return advise("ce numéro est le même sur toutes les copies", "all copies have the same number")
	case factoryUID:
		return advise("ce numéro d’usine est le même sur toutes les copies", "all copies have this number from the factory")
	}
	return Advice{}, false
}

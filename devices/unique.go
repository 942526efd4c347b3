package devices

import (
	"bytes"
	"fmt"
)

// fault is why an identifier cannot name a card. The zero value is none.
type fault uint8

const (
	fit      fault = iota
	random         // 4 bytes from 08: drawn anew each time the tag wakes (ISO/IEC 14443-3, 6.5.4)
	cut            // 4 bytes from 88, the cascade tag: the reader cut off all behind the maker's bytes
	repeated       // one byte repeated, or bytes that count
	factory        // what writable tags leave their factory with
)

// defaults are identifiers that writable tags leave their factory with, or that the examples of
// common libraries write into them: whoever has one such tag may soon have two.
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

// IsUnfit reports that u cannot name a card; Unfit says why. It allocates nothing. Such a tag is a stray: readers
// see phones, bank cards and passports that nobody presents (GEN-E14).
func (u UID) IsUnfit() bool { return u.fault() != fit }

// fault finds why u cannot name a card. No tag has no fault.
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

// Unfit says why u cannot name a card: it is not the same at the next reading, as those of phones, bank cards and passports, or another
// tag has it too. ok is false for an identifier that can, and for no tag.
func (u UID) Unfit() (why Advice, ok bool) {
	const another = "take a tag with a number of its own, such as an NTAG213"
	const autre = "prenez une puce qui a son propre numéro, comme une NTAG213"
	advise := func(fr, en string) (Advice, bool) {
		return Advice{FR: fmt.Sprintf("la puce %s ne convient pas : %s : %s", u, fr, autre), EN: fmt.Sprintf("tag %s will not do: %s: %s", u, en, another)}, true
	}
	switch u.fault() {
	case random:
		return advise("son numéro change à chaque lecture (téléphone, carte bancaire)", "its number changes at each reading (a phone, a bank card)")
	case cut:
		return advise("le lecteur a coupé son numéro, et tout un rouleau a le même début", "the reader cut its number short, and a whole roll begins the same")
	case repeated:
		return advise("ce numéro est le même sur toutes les copies", "all copies have the same number")
	case factory:
		return advise("ce numéro d’usine est le même sur toutes les copies", "all copies have this number from the factory")
	}
	return Advice{}, false
}

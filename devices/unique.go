package devices

import (
	"bytes"
	"fmt"
)

// defaults are identifiers that writable tags leave their factory with, or that the examples of
// common libraries write into them: whoever has one such tag may soon have two.
var defaults = []string{
	"01234567", // nfc-mfsetuid of libnfc
	"12345678", "11223344", "04112233445566",
	"DEADBEEF", // the examples of the MFRC522 library for Arduino
	"CAFEBABE", "DEADC0DE", "BAADF00D",
}

// Unfit says why u cannot name a card: it is not the same at the next reading, or another tag has
// it too. ok is false for an identifier that can.
//
//   - 4 bytes from 08: drawn anew each time the tag wakes (ISO/IEC 14443-3, 6.5.4). Phones, bank
//     cards and passports do so.
//   - 4 bytes from 88: 88 is the cascade tag; the identifier goes on, and the reader cut it off
//     behind the maker's bytes, which a whole roll of tags shares.
//   - one byte repeated, bytes that count, and the defaults of writable tags.
func (u UID) Unfit() (why Advice, ok bool) {
	b := u.b[:u.n]
	if len(b) == 0 {
		return Advice{}, false
	}
	const another = "take a tag with a number of its own, such as an NTAG213"
	const autre = "prenez une puce qui a son propre numéro, comme une NTAG213"
	advise := func(fr, en string) (Advice, bool) {
		return Advice{FR: fmt.Sprintf("la puce %s ne convient pas : %s : %s", u, fr, autre), EN: fmt.Sprintf("tag %s will not do: %s: %s", u, en, another)}, true
	}
	rising := true
	for i := range b[1:] {
		rising = rising && b[i+1] == b[i]+1
	}
	switch {
	case len(b) == 4 && b[0] == 0x08:
		return advise("son numéro change à chaque lecture (téléphone, carte bancaire)", "its number changes at each reading (a phone, a bank card)")
	case len(b) == 4 && b[0] == 0x88:
		return advise("le lecteur a coupé son numéro, et tout un rouleau a le même début", "the reader cut its number short, and a whole roll begins the same")
	case bytes.Count(b, b[:1]) == len(b), rising:
		return advise("ce numéro est le même sur toutes les copies", "all copies have the same number")
	}
	for _, d := range defaults {
		if u.String() == d {
			return advise("ce numéro d’usine est le même sur toutes les copies", "all copies have this number from the factory")
		}
	}
	return Advice{}, false
}

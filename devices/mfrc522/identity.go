package mfrc522

import (
	"fmt"

	"majordome/devices"
)

// Identity is the version that the chip reports. Versions are as users of the common libraries have found them.
// A self-test proves nothing: some working clones fail it.
type Identity struct {
	Version byte // VersionReg; 00 and FF: no chip
}

// Name returns the maker and model of a version, where they are known.
func (i Identity) Name() string {
	switch i.Version {
	case 0x00, 0xFF:
		return "none"
	case 0x90, 0x91, 0x92:
		return fmt.Sprintf("NXP MFRC522 v%d", i.Version-0x90)
	case 0x88:
		return "Fudan FM17522"
	case 0x12, 0x15:
		return fmt.Sprintf("counterfeit MFRC522 (%02X)", i.Version)
	}
	return fmt.Sprintf("MFRC522 clone (%02X)", i.Version)
}

// Warning returns advice about a chip that a person should replace before a game. ok is false if there is none.
func (i Identity) Warning() (a Advice, ok bool) {
	if i.Version != 0x12 && i.Version != 0x15 {
		return Advice{}, false
	}
	return Advice{
		EN: fmt.Sprintf("the reader's chip reports version %02X: a counterfeit that often reads nothing; use another module", i.Version),
		FR: fmt.Sprintf("la puce du lecteur annonce la version %02X : une contrefaçon qui souvent ne lit rien ; "+
			"prenez un autre module", i.Version),
	}, true
}

// Advice is the type of this package's messages.
type Advice = devices.Advice

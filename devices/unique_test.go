package devices

import (
	"strings"
	"testing"
)

func TestUnfitNumbersAreExplained(t *testing.T) {
	for hex, want := range map[string]string{
		"08A1B2C3": "changes at each reading", "08000000": "changes at each reading",
		"8804A1B2": "cut its number short",
		"00000000": "all copies", "FFFFFFFF": "all copies", "11111111111111": "all copies", "00000000000000000000": "all copies",
		"01020304": "all copies", "01020304050607": "all copies", "00010203": "all copies", "FEFF0001": "all copies",
		"DEADBEEF": "from the factory", "01234567": "from the factory", "12345678": "from the factory",
		// Valid ones: NTAG of 7 bytes, MIFARE of 4, even if 08 or 88 are elsewhere in it or the number is long.
		"04A1B2C3D4E5F6": "", "0488A1B2C3D4E5": "", "08A1B2C3D4E5F6": "", "9A88081F": "", "01020305": "", "BA839D07": "",
		"04A1B2C3D4E5F6A7B8C9": "",
	} {
		u, err := ParseUID(hex)
		if err != nil {
			t.Fatal(err)
		}
		why, unfit := u.UnfitAdvice()
		if unfit != u.IsUnfitForCard() {
			t.Errorf("%s: IsUnfit is %v, Unfit %v", hex, u.IsUnfitForCard(), unfit)
		}
		if unfit != (want != "") ||
			unfit && (!strings.Contains(why.EN, want) || !strings.Contains(why.EN, hex) || !strings.Contains(why.FR, hex)) {
			t.Errorf("%s: %v, %q and %q, want %q", hex, unfit, why.FR, why.EN, want)
		}
		if len(why.EN) > 400 || len(why.FR) > 400 {
			t.Errorf("%s: %d and %d bytes of advice", hex, len(why.FR), len(why.EN))
		}
	}
	if _, unfit := (UID{}).UnfitAdvice(); unfit {
		t.Error("no tag is no bad tag")
	}
}

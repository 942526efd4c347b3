package lineread

import (
	"fmt"
	"strings"

	"majordome/devices"
)

// Advice returns a message that the table cannot use the lines of the reader, with the lines that it should
// print. ok is false while nothing is wrong.
func (h LineStats) Advice() (a devices.Advice, ok bool) {
	switch {
	case h.isAtOtherSpeed():
		n := (10*h.recentNoText + h.recentBytes/2) / h.recentBytes
		return devices.Advice{
			EN: fmt.Sprintf("%d of 10 bytes are no text: another speed? The reader must print at the speed that baud names", n),
			FR: fmt.Sprintf("%d octets sur 10 ne sont pas du texte : une autre vitesse ? "+
				"Le lecteur doit écrire à la vitesse que dit baud", n),
		}, true
	case h.unended != endlessLine && h.LastTag == "" && !h.HasOnlyRemarks():
		return a, false
	}
	a = h.quoteLastLines()
	if h.unended != 0 {
		a.EN += ", and no line end comes: each line must end with LF or CR, or stand between STX and ETX"
		a.FR += ", et aucune fin de ligne ne vient : chaque ligne doit finir par LF ou CR, ou tenir entre STX et ETX"
	}
	a.EN += "; it must print: SCAN→uid= and 8, 14 or 20 hexadecimal digits (→ is a TAB), without check bytes; " +
		"a bare number of 4, 7 or 10 bytes in hexadecimal, also behind UID:, will do"
	a.FR += " ; il doit écrire : SCAN→uid= et 8, 14 ou 20 chiffres hexadécimaux (→ est une tabulation), sans octets de contrôle ; " +
		"un nombre seul de 4, 7 ou 10 octets en hexadécimal, même derrière UID:, suffit"
	return a, true
}

// quoteLastLines quotes the last line that was meant as a tag, and the last line if it is another one.
func (h LineStats) quoteLastLines() devices.Advice {
	if h.text == hiddenText {
		return devices.Advice{
			EN: "this reader prints lines that the table does not understand (their text is hidden while a game is on)",
			FR: "ce lecteur écrit des lignes que la table ne comprend pas (leur texte est caché pendant une partie)",
		}
	}
	first := h.quoteLine(h.Last)
	if h.LastTag == "" || h.LastTag == h.Last {
		return devices.Advice{EN: "this reader prints: " + first.EN, FR: "ce lecteur écrit : " + first.FR}
	}
	first, then := h.quoteLine(h.LastTag), first
	return devices.Advice{
		EN: "this reader prints: " + first.EN + ", then " + then.EN,
		FR: "ce lecteur écrit : " + first.FR + ", puis " + then.FR,
	}
}

// quoteLine puts a line between quotation marks, and adds how many of its digits are hidden.
func (h LineStats) quoteLine(line string) devices.Advice {
	a := devices.Advice{EN: "“" + line + "”", FR: "« " + line + " »"}
	switch n := strings.Count(line, noDigit); {
	case h.text != maskedText || n == 0:
	case n == 1:
		a.EN, a.FR = a.EN+" (1 digit, hidden)", a.FR+" (1 chiffre, caché)"
	default:
		a.EN, a.FR = fmt.Sprintf("%s (%d digits, hidden)", a.EN, n), fmt.Sprintf("%s (%d chiffres, cachés)", a.FR, n)
	}
	return a
}

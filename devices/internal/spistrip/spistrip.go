// Package spistrip is shared by the strip drivers on SPI ports: it opens a port by name, checks that one frame
// fits into one transfer, and explains to the owner of a Raspberry Pi what to change.
//
// Nothing here is secret. At most eight port names are quoted in a message.
package spistrip

import (
	"fmt"
	"slices"
	"strings"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"

	"majordome/devices"
	"majordome/devices/internal/overlay"
)

// MaxPixels is the longest strip. At 60 frames a second a WS2812 line carries about 500 LEDs; 1024 allows
// slower use and still catches a typing error.
const MaxPixels = 1024

const maxNames = 8

// OpenSPIPort opens the SPI port called name ("SPI0.0", "0", or "" for the first one). errPrefix begins its messages.
// host.Init must have run. A refusal is a devices.Advice that ends with hint in English and hintFR in French.
func OpenSPIPort(errPrefix, name, hint, hintFR string) (spi.PortCloser, error) {
	p, err := spireg.Open(name)
	if err == nil {
		return p, nil
	}
	refs := spireg.All()
	switch {
	case len(refs) == 0:
		return nil, devices.Advice{
			EN: fmt.Sprintf("%s: open SPI port %q: this machine has none; on a Raspberry Pi add "+
				"%s to /boot/firmware/config.txt and restart%s", errPrefix, name, overlay.SPIConfigLine(name), hint),
			FR: fmt.Sprintf("%s : port SPI « %s » : cette machine n’en a aucun ; sur un Raspberry Pi, ajoutez "+
				"%s à /boot/firmware/config.txt et redémarrez%s", errPrefix, name, overlay.SPIConfigLine(name), hintFR),
			Err: err}
	case strings.Contains(err.Error(), "permission denied"): // periph keeps no error chain
		return nil, devices.Advice{
			EN: fmt.Sprintf("%s: open SPI port %q: this user may not; add it to the group spi "+
				"(sudo usermod -aG spi USER) and log in again%s", errPrefix, name, hint),
			FR: fmt.Sprintf("%s : port SPI « %s » : cet utilisateur n’y a pas droit ; ajoutez-le au groupe spi "+
				"(sudo usermod -aG spi UTILISATEUR) et reconnectez-vous%s", errPrefix, name, hintFR),
			Err: err}
	}
	names := make([]string, 0, maxNames)
	for _, r := range refs[:min(len(refs), maxNames)] {
		names = append(names, r.Name)
	}
	have := strings.Join(names, ", ")
	return nil, devices.Advice{
		EN: fmt.Sprintf("%s: open SPI port %q: not usable here; this machine has %s; on a "+
			"Raspberry Pi it needs %s in /boot/firmware/config.txt%s", errPrefix, name, have, overlay.SPIConfigLine(name), hint),
		FR: fmt.Sprintf("%s : port SPI « %s » : inutilisable ici ; cette machine a %s ; sur un "+
			"Raspberry Pi, il demande %s dans /boot/firmware/config.txt%s", errPrefix, name, have, overlay.SPIConfigLine(name), hintFR),
		Err: err}
}

// CheckPixelCount returns an error unless a strip has 1 to MaxPixels LEDs.
func CheckPixelCount(errPrefix string, n int) error {
	if n < 1 || n > MaxPixels {
		return fmt.Errorf("%s: a strip of %d LEDs: it must have 1 to %d", errPrefix, n, MaxPixels)
	}
	return nil
}

// ColourOrderOrDefault returns asked, or byDefault if asked is empty, and an error if asked is no order of
// colours.
func ColourOrderOrDefault(errPrefix string, asked, byDefault devices.ColourOrder) (devices.ColourOrder, error) {
	if asked == "" {
		return byDefault, nil
	}
	if !slices.Contains(devices.ColourOrders(), asked) {
		return "", fmt.Errorf("%s: %q is no order of colours: use one of %v", errPrefix, asked, devices.ColourOrders())
	}
	return asked, nil
}

// CheckTransferSize returns an error if the port cannot send a frame in one transfer. A frame must not be split,
// because a WS2812 takes the pause between two transfers for a reset. frameSize returns the bytes of a frame of
// n LEDs. port may also be a connection; one that reports no limit is assumed to have none.
func CheckTransferSize(errPrefix string, n int, frameSize func(n int) int, port fmt.Stringer) error {
	l, ok := port.(conn.Limits)
	if !ok || l.MaxTxSize() == 0 || frameSize(n) <= l.MaxTxSize() {
		return nil
	}
	most := n
	for most > 0 && frameSize(most) > l.MaxTxSize() {
		most--
	}
	need := 4096
	for need < frameSize(n) {
		need *= 2
	}
	return fmt.Errorf("%s: %d LEDs need %d bytes in one transfer and %s takes %d: use at most %d LEDs, or add "+
		"spidev.bufsiz=%d to the line in /boot/firmware/cmdline.txt and restart",
		errPrefix, n, frameSize(n), port, l.MaxTxSize(), most, need)
}

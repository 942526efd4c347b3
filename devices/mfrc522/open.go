package mfrc522

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"periph.io/x/conn/v3/spi/spireg"

	"majordome/devices/internal/overlay"
)

// Open opens a reader on a port of this computer, such as SPI1.0 or /dev/spidev1.0. The caller has run periph's
// host.Init. Its error is an Advice that names the missing port and how to enable it. A missing chip is not an
// error here: Probe finds that, and ExplainError describes it.
func Open(port string, opts *Opts) (*Dev, error) {
	p, err := spireg.Open(port)
	if err != nil {
		return nil, enablePortAdvice(port, err)
	}
	d, err := New(p, opts)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	d.closer = p
	return d, nil
}

// enablePortAdvice returns how to enable a port on a Raspberry Pi.
func enablePortAdvice(port string, err error) Advice {
	if errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "permission denied") {
		return Advice{
			EN: fmt.Sprintf("SPI port %s: permission denied: add the user to the group spi "+
				"(sudo usermod -aG spi USER) and log in again", port),
			FR: fmt.Sprintf("port SPI %s : accès refusé : ajoutez l’utilisateur au groupe spi "+
				"(sudo usermod -aG spi UTILISATEUR) et reconnectez-vous", port),
			Err: err,
		}
	}
	line := overlay.SPIConfigLine(port)
	return Advice{
		EN:  fmt.Sprintf("SPI port %s not found: enable it with %s in /boot/firmware/config.txt and reboot", port, line),
		FR:  fmt.Sprintf("port SPI %s introuvable : activez-le avec %s dans /boot/firmware/config.txt puis redémarrez", port, line),
		Err: err,
	}
}

// ExplainError turns an error of Probe or Scan into advice for the person who wires the reader.
func ExplainError(port string, err error) Advice {
	switch {
	case errors.Is(err, ErrNoChip):
		return Advice{
			EN: fmt.Sprintf("no reader answers on %s: check its 3.3 V, ground and the wires SCK, MOSI, MISO and SDA (chip select)", port),
			FR: fmt.Sprintf("aucun lecteur ne répond sur %s : "+
				"vérifiez le 3,3 V, la masse et les fils SCK, MOSI, MISO et SDA (sélection)", port),
			Err: err,
		}
	case errors.Is(err, errStuck), errors.Is(err, errBus):
		return Advice{
			EN: fmt.Sprintf("the reader on %s answers badly: shorten the wires, lower the bus frequency to 1 MHz, check the supply", port),
			FR: fmt.Sprintf("le lecteur sur %s répond mal : "+
				"raccourcissez les fils, baissez le bus à 1 MHz, vérifiez l’alimentation", port),
			Err: err,
		}
	}
	return Advice{
		EN:  fmt.Sprintf("the reader on %s failed: %v", port, err),
		FR:  fmt.Sprintf("le lecteur sur %s est en panne : %v", port, err),
		Err: err,
	}
}

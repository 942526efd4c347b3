package serial

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"majordome/devices"
)

// DefaultBaud is the usual speed of hobbyists' boards and readers.
const DefaultBaud = 115200

// bauds are the speeds that this package opens: those of tarm/serial from 9600 on, at which 4 KiB still pass
// within five seconds.
var bauds = []int{9600, 19200, 38400, 57600, 115200, 230400, 460800, 500000, 576000, 921600, 1000000, 1152000, 1500000, 2000000}

const maxNames = 16

// portPatterns match the names of serial ports on Linux, most stable names first: by-id names the device,
// by-path the socket it is plugged into, for devices without a serial number.
var portPatterns = []string{"serial/by-id/*", "serial/by-path/*", "serial[0-9]", "ttyUSB*", "ttyACM*", "ttyAMA*"}

// ListPorts returns the serial ports of this computer, each once, by its most stable name; at most 16.
func ListPorts() []string { return listPortsIn("/dev") }

func listPortsIn(dev string) (names []string) {
	var seen []string
	for _, place := range portPatterns {
		found, _ := filepath.Glob(filepath.Join(dev, place)) // only a bad pattern is an error
		for _, name := range found {
			device, err := filepath.EvalSymlinks(name)
			if err != nil || slices.Contains(seen, device) || len(names) == maxNames {
				continue
			}
			names, seen = append(names, name), append(seen, device)
		}
	}
	return names
}

// Device is the kind of device at a port, for messages about it.
type Device int

// Kinds of devices. The zero value is an unknown one.
const (
	Any Device = iota
	Reader
	Node
)

// String returns its English name.
func (d Device) String() string { return [...]string{"device", "reader", "node"}[d] }

func (d Device) frenchName() string { return [...]string{"l’appareil", "le lecteur", "le nœud"}[d] }

// ValidateSettings returns nil, or a devices.Advice about a wrong name or speed. It opens nothing. A port that is not
// there passes, because it may be plugged in later.
func ValidateSettings(path string, baud int) error {
	if !filepath.IsAbs(path) {
		return devices.Advice{
			EN:  fmt.Sprintf("serial port %q: write its whole name, from the first /", path),
			FR:  fmt.Sprintf("port série « %s » : écrivez son nom entier, depuis le premier /", path),
			Err: fs.ErrInvalid,
		}
	}
	if !IsSupportedSpeed(baud) {
		return devices.Advice{
			EN: fmt.Sprintf("serial port %s: %d baud is not possible: use 115200, or another of %s", path, baud, SpeedList()),
			FR: fmt.Sprintf("port série %s : %d bauds n’est pas possible : "+
				"prenez 115200, ou une autre vitesse parmi %s", path, baud, SpeedList()),
			Err: fs.ErrInvalid,
		}
	}
	return nil
}

// CheckPortUsable returns nil if a port is there and may be opened for a device, else a devices.Advice. It does not
// open the port, because that would restart an Arduino.
func CheckPortUsable(path string, d Device) error {
	if err := ValidateSettings(path, DefaultBaud); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err == nil && info.Mode()&os.ModeCharDevice == 0 {
		err = syscall.ENOTTY
	}
	if err == nil {
		err = syscall.Access(path, 6) // to read and to write (access(2))
	}
	if err != nil {
		return openAdvice(path, d, err)
	}
	return nil
}

// openAdvice turns an error of opening a port into advice for the person who plugs in the device.
func openAdvice(path string, d Device, err error) devices.Advice {
	err = fmt.Errorf("serial: open %s: %w", path, err)
	fr, en := DescribePorts(d)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.ENODEV):
		return devices.Advice{
			EN:  fmt.Sprintf("serial port %s not found: %s", path, en),
			FR:  fmt.Sprintf("port série %s introuvable : %s", path, fr),
			Err: err,
		}
	case errors.Is(err, fs.ErrPermission):
		return devices.Advice{
			EN: fmt.Sprintf("serial port %s: permission denied: add the user to the group dialout "+
				"(sudo usermod -aG dialout USER) and log in again", path),
			FR: fmt.Sprintf("port série %s : accès refusé : ajoutez l’utilisateur au groupe dialout "+
				"(sudo usermod -aG dialout UTILISATEUR) et reconnectez-vous", path),
			Err: err,
		}
	case errors.Is(err, syscall.ENOTTY), errors.Is(err, syscall.EISDIR):
		return devices.Advice{
			EN:  fmt.Sprintf("%s is not a serial port; %s", path, en),
			FR:  fmt.Sprintf("%s n’est pas un port série ; %s", path, fr),
			Err: err,
		}
	}
	return devices.Advice{
		EN:  fmt.Sprintf("serial port %s does not open: %v", path, errors.Unwrap(err)),
		FR:  fmt.Sprintf("le port série %s ne s’ouvre pas : %v", path, errors.Unwrap(err)),
		Err: err,
	}
}

// DescribePorts lists the ports of this computer in a French and an English sentence, for a person who looks for
// the port of a device.
func DescribePorts(d Device) (fr, en string) { return describePorts(d, ListPorts()) }

func describePorts(d Device, ports []string) (fr, en string) {
	names := strings.Join(ports, ", ")
	if names == "" {
		return "il n’y a aucun port série sur cet ordinateur pour l’instant : branchez " + d.frenchName(),
			"there is no serial port on this computer now: plug the " + d.String() + " in"
	}
	return "il y a : " + names, "there are: " + names
}

// IsSupportedSpeed reports whether this package opens ports at a speed, in bits per second.
func IsSupportedSpeed(baud int) bool { return slices.Contains(bauds, baud) }

// SpeedList returns the speeds that ValidateSettings accepts, in bits per second, separated by blanks.
func SpeedList() string { return strings.Trim(fmt.Sprint(bauds), "[]") }

package config

import (
	"strings"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/spi/spireg"

	"majordome/devices"
	"majordome/devices/dial"
	"majordome/engine"
)

// ClockConfig describes one clock that is not part of a strip: digits, or a hand.
type ClockConfig struct {
	Chip    string `yaml:"chip"`
	SPI     string `yaml:"spi"`
	I2C     string `yaml:"i2c"`
	Address int    `yaml:"address"` // 0: the default of the chip
	CLK     string `yaml:"clk"`
	DIO     string `yaml:"dio"`
	Variant string `yaml:"variant"`
	Steps   int    `yaml:"steps"`
}

type openClock = func(c ClockConfig) (dial.Dial, error)

var (
	i2cKey = key{name: "i2c", meaning: engine.T("le bus", "the bus"), defaultValue: "I2C1", values: textsThatFit(
		"mauvais nom de bus",
		"bad name of a bus",
		func(s string) bool { return strings.HasPrefix(s, "I2C") && isPathName(s) },
		engine.T("écrivez-le comme I2C1", "write it like I2C1"),
	)}
	addressKey = key{name: "address", meaning: engine.T("son adresse sur le bus, en décimal", "its address on the bus, in decimal"),
		values: intsInRange(3, 119), absent: engine.T("112 d’un ht16k33, 14 d’un tic", "112 of a ht16k33, 14 of a tic")}
	thePin   = engine.T("la broche", "the pin")
	variants = dial.TicVariants()
)

var clockChips = chips[openClock]{
	{"tm1637", []key{{name: "clk", meaning: engine.T("la broche reliée à CLK", "the pin wired to CLK"), values: pinValues, missing: thePin},
		{name: "dio", meaning: engine.T("la broche reliée à DIO", "the pin wired to DIO"), values: pinValues, missing: thePin}}, false,
		openTM1637},
	{"ht16k33", []key{i2cKey, addressKey}, false, openHT16K33},
	{"max7219", []key{{name: "spi", meaning: engine.T("le bus et la sélection", "bus and chip select"), values: spiPortValues("SPI1.2"),
		missing: theBus}}, false, openMAX7219},
	{"tic", []key{i2cKey, addressKey,
		{name: "variant", meaning: engine.T("de quel Tic il s’agit", "which Tic it is"),
			values:  wordChoices(variants, engine.T(joinWords(variants, "ou"), joinWords(variants, "or"))),
			missing: engine.T("le modèle", "the variant")},
		{name: "steps", meaning: engine.T("les micropas d’un tour de l’aiguille", "microsteps of one turn of the hand"),
			values: intsInRange(1, 1_000_000), defaultValue: 3200},
	}, false, openTicStepper},
}

var clockKeys = []key{
	{name: "chip", meaning: engine.T(
		"quatre ou huit chiffres, ou l’aiguille sur un moteur pas à pas",
		"four or eight figures, or the hand on a stepper",
	), values: wordChoices(clockChips.chipNames(), clockChips.choiceText()), missing: theChip},
}

// Open opens the clock. The configuration must have been checked.
func (c ClockConfig) Open() (dial.Dial, error) { return clockChips.findChip(c.Chip).open(c) }

func openTM1637(c ClockConfig) (dial.Dial, error) {
	var both [2]gpio.PinIO
	for i, name := range []string{c.CLK, c.DIO} {
		if both[i] = gpioreg.ByName(name); both[i] == nil {
			return nil, missingPinAdvice(name, gpioChips, checkReadWriteAccess)
		}
	}
	return dial.NewTM1637(both[0], both[1])
}

// openI2C opens a bus. If it cannot be opened, the error is advice.
func openI2C(name string) (i2c.BusCloser, error) {
	bus, err := i2creg.Open(name)
	if err != nil && strings.Contains(err.Error(), "permission denied") { // periph wraps no errors
		return nil, adviceWithCause(err,
			"bus %[1]s : cet utilisateur n’y a pas droit ; ajoutez-le au groupe i2c (sudo usermod -aG i2c UTILISATEUR) et reconnectez-vous",
			"bus %[1]s: this user may not; add it to the group i2c (sudo usermod -aG i2c USER) and log in again", name)
	} else if err != nil {
		return nil, adviceWithCause(err,
			"bus %[1]s : introuvable ; sur un Raspberry Pi, ajoutez dtparam=i2c_arm=on à /boot/firmware/config.txt et redémarrez",
			"bus %[1]s: not found; on a Raspberry Pi add dtparam=i2c_arm=on to /boot/firmware/config.txt and restart", name)
	}
	return bus, nil
}

// adviceWithCause returns advice with its cause.
func adviceWithCause(err error, fr, en string, args ...any) devices.Advice {
	a := devices.NewAdvice(fr, en, args...)
	a.Err = err
	return a
}

func openHT16K33(c ClockConfig) (dial.Dial, error) {
	bus, err := openI2C(c.I2C)
	if err != nil {
		return nil, err
	}
	return dial.NewHT16K33(bus, uint16(c.Address)), nil
}

func openTicStepper(c ClockConfig) (dial.Dial, error) {
	bus, err := openI2C(c.I2C)
	if err != nil {
		return nil, err
	}
	return dial.NewTic(bus, uint16(c.Address), c.Variant, c.Steps), nil
}

func openMAX7219(c ClockConfig) (dial.Dial, error) {
	port, err := spireg.Open(c.SPI)
	if err != nil {
		return nil, adviceWithCause(err,
			"port SPI %[1]s : inutilisable ici ; majordome doctor --boot dit ce qu’il faut à /boot/firmware/config.txt",
			"SPI port %[1]s: not usable here; majordome doctor --boot says what /boot/firmware/config.txt needs", c.SPI)
	}
	return dial.NewMAX7219(port)
}

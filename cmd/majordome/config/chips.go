package config

import (
	"errors"
	"io/fs"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi/spireg"
	"periph.io/x/devices/v3/unicornhd"

	"majordome/devices"
	"majordome/devices/apa102"
	"majordome/devices/drawer"
	"majordome/devices/light"
	"majordome/devices/lineread"
	"majordome/devices/mfrc522"
	"majordome/devices/node"
	"majordome/devices/serial"
	"majordome/devices/ws2812"
	"majordome/engine"
)

// The kinds of readers and strips. To add one, write a row of readerChips or stripChips: its name, its keys and the
// function that opens it. A key that no other chip has also needs a field and a row. The rest follows from the keys: a
// chip with spi is on an SPI bus, one with port on a serial line.

// Reader is one scanner with its role.
type Reader struct {
	Role    string
	Scanner devices.Scanner
	// Period is the time from one poll to the next: 2 ms catches a card that falls through a slot, 10 ms is enough for
	// a card that is put down.
	Period time.Duration
	// Retry is the longest pause between two attempts while the reader does not answer; 0: half a second.
	Retry time.Duration
}

// PollPeriod returns the time between two polls of a reader with that role.
func PollPeriod(role string) time.Duration {
	if role == engine.ReaderUrn {
		return 2 * time.Millisecond
	}
	return 10 * time.Millisecond
}

// Strip is one strip with the layout of its parts.
type Strip struct {
	Strip  devices.Strip
	Layout light.Layout
	// Rooms are the places of the layout by number or id, see IsSegmentOf; nil: the places of the deck in its order.
	Rooms []string
	Opts  light.Opts
}

// ReaderConfig describes one reader.
type ReaderConfig struct {
	Role   string `yaml:"role"`
	Chip   string `yaml:"chip"`
	SPI    string `yaml:"spi"`
	Reset  string `yaml:"reset"`
	KHz    int    `yaml:"khz"`
	Gain   int    `yaml:"gain"`
	Port   string `yaml:"port"`
	Baud   int    `yaml:"baud"`
	Reader int    `yaml:"reader"`
	Group  int    `yaml:"group"` // readers with the same number share one field; 0: none

	at    position       // position of its role, if that is a place
	coils *mfrc522.Group // shared by all readers of the group
}

// StripConfig describes one strip.
type StripConfig struct {
	Chip       string            `yaml:"chip"`
	SPI        string            `yaml:"spi"`
	Port       string            `yaml:"port"`
	Places     int               `yaml:"places"`
	Pixels     int               `yaml:"pixels"` // 0: as many as its segments need
	Segments   map[string]string `yaml:"segments"`
	Order      string            `yaml:"order"`
	Gated      bool              `yaml:"gated"`
	BudgetMA   int               `yaml:"budget_ma"`
	Brightness int               `yaml:"brightness"`

	at map[string]position // positions of its segments, by name
}

// IsWS2812 reports whether the strip is driven as a WS2812, with three channels or four.
func (c StripConfig) IsWS2812() bool { return c.Chip == chipWS2812 || c.Chip == chipSK6812W }

// ColourOrder returns the order in which the strip receives its colours; "" if it cannot be chosen.
func (c StripConfig) ColourOrder() devices.ColourOrder {
	switch {
	case c.Order != "":
		return devices.ColourOrder(c.Order)
	case c.IsWS2812():
		return "GRB"
	case c.Chip == chipAPA102:
		return "BGR"
	}
	return ""
}

// FrameSize returns how many bytes one SPI transfer for all LEDs has; 0 if the kernel's limit does not matter for the
// chip.
func (c StripConfig) FrameSize() int {
	switch c.Chip {
	case chipWS2812:
		return ws2812.FrameSize(c.CountLEDs())
	case chipSK6812W:
		return ws2812.FrameSizeWhite(c.CountLEDs())
	case chipAPA102:
		return apa102.FrameSize(c.CountLEDs())
	}
	return 0
}

// chip describes one kind of reader, strip or clock.
type chip[Open any] struct {
	name       string
	keys       []key
	sharedPort bool // its port serves several readers and a strip
	open       Open
}

type (
	chips[Open any] []chip[Open]
	openReader      = func(c ReaderConfig, at Nodes, log *slog.Logger) (Reader, error)
	openStrip       = func(c StripConfig, leds int, at Nodes, log *slog.Logger) (devices.Strip, error)
)

var (
	theBus, thePort = engine.T("le bus", "the bus"), engine.T("le port série", "the serial port")

	readerPort, nodePort = newPortKey(readerPorts), newPortKey(nodePorts)

	orderKey = key{name: "order",
		meaning: engine.T("l’ordre dans lequel il prend les couleurs, si le rouge du vôtre est vert : `majordome lights` le trouve",
			"the order in which it takes the colours, if red is green on yours: `majordome lights` finds it"),
		absent: engine.T("GRB d’un ws2812 ou sk6812-rgbw, BGR d’un apa102", "GRB of a ws2812 or sk6812-rgbw, BGR of an apa102"),
		values: withFourChannelHint(wordChoices(orders, engine.T(joinWords(orders, "ou"), joinWords(orders, "or"))))}
	gatedKey = key{name: "gated",
		meaning: engine.T("true : son convertisseur de niveau est ouvert par la sélection (OE d’un 74AHCT125 sur CE), si bien "+
			"que des lecteurs peuvent partager son bus",
			"true: its level shifter is enabled by the chip select (OE of a 74AHCT125 at CE), so that readers may share its bus"),
		values: allowedValues{Text: engine.T("true ou false", "true or false")}, defaultValue: false}
	stripSPI = key{name: "spi",
		meaning: engine.T("le bus et la sélection ; un ruban qui n’est pas « gated » est seul sur son bus, qui est SPI0",
			"bus and chip select; a strip that is not gated is alone on its bus, which is SPI0"),
		values:  spiPortValues("SPI0.0").withSuggestions("SPI0.0"),
		missing: theBus}
)

const (
	ChipMFRC522 = "mfrc522"
	ChipNode    = "node"
	ChipSerial  = "serial"
	chipWS2812  = "ws2812"
	chipSK6812W = "sk6812-rgbw"
	chipAPA102  = "apa102"
)

// orders are the names of the colour orders.
var orders = func() (names []string) {
	for _, o := range devices.ColourOrders() {
		names = append(names, string(o))
	}
	return names
}()

// withFourChannelHint adds a hint that names the chip with four channels if an order of four letters was written.
func withFourChannelHint(v allowedValues) allowedValues {
	v.hint = func(order string) engine.Text {
		if len(order) == 4 && strings.ContainsAny(order, "Ww") {
			return engine.Tf("un ruban à quatre canaux est chip: %[1]s, et order y nomme les trois couleurs",
				"a strip of four channels is chip: %[1]s, and order names its three colours", chipSK6812W)
		}
		return v.Text
	}
	return v
}

func newPortKey(allowed allowedValues) key {
	return key{name: "port", meaning: engine.T("le port série ; on peut le débrancher", "the serial port; it may be unplugged"),
		values: allowed, missing: thePort}
}

var readerChips = chips[openReader]{
	{ChipMFRC522, []key{
		{
			name:    "spi",
			meaning: engine.T("le bus et la sélection", "bus and chip select"),
			values: spiPortValues("SPI1.0").withSuggestions("SPI1.0",
				"SPI1.1", "SPI1.2"),
			missing: theBus,
		},
		{name: "reset", meaning: engine.T("la broche reliée à RST", "the pin wired to RST"), values: pinValues,
			absent: engine.T("pas reliée", "not wired")},
		{name: "khz", meaning: engine.T("l’horloge du bus ; plus lente pour un long câble", "clock of the bus; lower it for a long cable"),
			unit: "kHz", values: intsInRange(1, int(mfrc522.MaxFrequency/physic.KiloHertz)),
			defaultValue: int(mfrc522.DefaultFrequency / physic.KiloHertz)},
		{name: "gain", meaning: engine.T("l’amplification du récepteur", "amplification of the receiver"), unit: "dB",
			values: oneOfInts(mfrc522.Gains()...), defaultValue: mfrc522.DefaultGain},
		{name: "group", meaning: engine.T("un numéro commun aux lecteurs dont les bobines sont à moins de 10 cm : ils lisent à "+
			"tour de rôle, et il faut 17 ms à une carte s’ils sont deux, 28 à quatre",
			"a number that readers share whose coils are closer than 10 cm: they take turns, and a card needs 17 ms with two "+
				"of them, 28 with four"), values: intsInRange(1, 9), absent: engine.T("sa bobine est seule", "its coil is alone")},
	}, false, openMFRC522},
	{ChipSerial, []key{
		readerPort,
		{name: "baud", meaning: engine.T("la vitesse de la ligne", "speed of the line"), unit: "bit/s", values: allowedValues{
			Text: engine.Tf("%d d’ordinaire, ou une autre de : %s", "%d as a rule, or another of: %s", serial.DefaultBaud,
				serial.SpeedList()),
			numberFits: serial.IsSupportedSpeed}, defaultValue: serial.DefaultBaud},
	}, false, openSerial},
	{ChipNode, []key{
		nodePort,
		{name: "reader", meaning: engine.T("lequel des lecteurs du nœud", "which of the node's readers"),
			values: intsInRange(0, node.MaxReaders-1), defaultValue: 0},
	}, true, openNodeReader},
}

var stripChips = chips[openStrip]{
	{chipWS2812, []key{stripSPI, orderKey, gatedKey}, false, openWS2812},
	{chipSK6812W, []key{stripSPI, orderKey, gatedKey}, false, openWS2812},
	{chipAPA102, []key{stripSPI, orderKey}, false, openAPA102},
	{"unicornhd", []key{stripSPI}, false, openUnicorn},
	{ChipNode, []key{nodePort}, true, openNodeStrip},
}

var theChip = engine.T("la puce", "the chip")

// readerKeys and stripKeys are the keys of all chips.
var (
	readerKeys = []key{
		{
			name:    "role",
			meaning: engine.T("à quoi il sert", "what it is for"),
			values: textsThatFit("inconnu :", "unknown", isReaderRole, engine.Tf(
				"urn (la fente de l’urne), show (le lecteur de la table), enrol (à part : enregistrer les cartes, vérifier la "+
					"boîte, cartes de commande), ou un lieu où se posent des pions : place-1 à place-%d, ou son nom, comme "+
					"place-salon pour place-salon et room-salon",
				"urn (the urn’s slot), show (the table reader), enrol (separate: to enrol cards, to check the box, for control "+
					"cards), or a place where pawns are laid: place-1 to place-%d, or its name, such as place-salon for "+
					"place-salon and room-salon", light.MaxPlaces)).withSuggestions(readerRoles...),
			missing: engine.T("le rôle", "the role"),
		},
		{name: "chip", meaning: engine.T("de quelle sorte est le lecteur", "what kind of reader it is"),
			values: wordChoices(readerChips.chipNames(), readerChips.choiceText()), defaultValue: readerChips[0].name, missing: theChip},
	}
	stripKeys = []key{
		{name: "chip", meaning: engine.T(
			"de quelle sorte est le ruban ; sk6812-rgbw a un quatrième canal, blanc",
			"what kind of strip it is; sk6812-rgbw has a fourth channel, white",
		), values: wordChoices(stripChips.chipNames(), stripChips.choiceText()),
			missing: theChip},
		{name: "places", meaning: engine.T("combien de lieux de la maison il éclaire : Huis Clos en a 7, Cluedo 2008 en a 10 ; "+
			"un jeu qui en a moins laisse le reste éteint",
			"how many places of the house it lights: Huis Clos has 7, Cluedo 2008 has 10; a game with fewer leaves the rest dark"),
			values: intsInRange(1, light.MaxPlaces), defaultValue: 7},
		{name: "pixels", meaning: engine.T("combien de LED il a, si toutes ne servent pas", "how many LEDs it has, if more than are used"),
			values: intsInRange(1, light.MaxPixels), absent: engine.T("autant qu’il en sert", "as many as are used")},
		{name: "segments", meaning: engine.T("quelles LED éclairent quoi, s’il n’est pas câblé comme d’ordinaire",
			"which LEDs light what, if it is not wired as below"),
			values: allowedValues{Text: engine.T("sous chaque nom ("+segmentNames.FR+"), "+
				segmentLEDs.FR, "under each name ("+segmentNames.EN+"), "+segmentLEDs.EN)},
			absent: engine.T("l’ordre ordinaire", "the order below")},
		{name: "budget_ma", meaning: engine.T("ce que son alimentation peut donner", "what its supply can give"), unit: "mA",
			values: intsInRange(minBudget, light.HardCap), defaultValue: light.DefaultBudget},
		{name: "brightness", meaning: engine.T("le plafond de lumière", "ceiling"), unit: "%", values: intsInRange(1, 100),
			defaultValue: light.DefaultBrightness},
	}
)

// RoleEnrol is the role of a reader outside the game: it enrols the cards, checks the box and reads control cards.
const RoleEnrol = "enrol"

var (
	readerRoles = []string{engine.ReaderUrn, engine.ReaderShow, RoleEnrol}
	placeRole   = regexp.MustCompile(`^` + engine.ReaderPlace + `[a-z0-9-]{1,40}$`)
)

// isReaderRole reports whether s is a role of a reader: one of readerRoles or a place of the house.
func isReaderRole(s string) bool {
	if n, err := strconv.Atoi(strings.TrimPrefix(s, engine.ReaderPlace)); err == nil && (n < 1 || n > light.MaxPlaces) {
		return false
	}
	return slices.Contains(readerRoles, s) || placeRole.MatchString(s)
}

// minBudget is more than all LEDs of the largest house draw when they are dark, in mA.
const minBudget = 100

func (all chips[Open]) chipNames() (names []string) {
	for _, c := range all {
		names = append(names, c.name)
	}
	return names
}

func (all chips[Open]) choiceText() engine.Text {
	return engine.T(joinWords(all.chipNames(), "ou"), joinWords(all.chipNames(), "or"))
}

// findChip returns the chip of that name, nil if there is none.
func (all chips[Open]) findChip(name string) *chip[Open] {
	if i := slices.IndexFunc(all, func(c chip[Open]) bool { return c.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// allKeys returns the keys of all chips, each once.
func (all chips[Open]) allKeys() (keys []key) {
	for _, c := range all {
		for _, y := range c.keys {
			if !slices.ContainsFunc(keys, func(o key) bool { return o.name == y.name }) {
				keys = append(keys, y)
			}
		}
	}
	return keys
}

// namesWithKey returns the names of the chips that have a key.
func (all chips[Open]) namesWithKey(key string) (names []string) {
	for _, c := range all {
		if c.hasKey(key) {
			names = append(names, c.name)
		}
	}
	return names
}

// hasKey reports whether a key goes with the chip. An unknown chip (nil) has every key.
func (c *chip[Open]) hasKey(key string) bool {
	if c == nil {
		return true
	}
	for _, y := range c.keys {
		if y.name == key {
			return true
		}
	}
	return false
}

// hasSharedPort reports whether the port of a chip serves several readers and a strip.
func (all chips[Open]) hasSharedPort(name string) bool {
	c := all.findChip(name)
	return c != nil && c.sharedPort
}

// joinWords formats a list of words: a, b or c.
func joinWords(names []string, or string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + or + " " + names[len(names)-1]
}

// Open opens the reader. The configuration must have been checked. A missing bus is an error with advice; a reader that
// does not answer yet only gives a warning, as it may be plugged in later.
func (c ReaderConfig) Open(nodes Nodes, log *slog.Logger) (Reader, error) {
	r, err := readerChips.findChip(c.Chip).open(c, nodes, log)
	r.Role = c.Role
	return r, err
}

// Open opens the strip. The configuration must have been checked.
func (c StripConfig) Open(nodes Nodes, log *slog.Logger) (Strip, error) {
	layout, rooms := c.buildLayout()
	s, err := stripChips.findChip(c.Chip).open(c, c.CountLEDs(), nodes, log)
	return Strip{Strip: s, Layout: layout, Rooms: rooms, Opts: light.Opts{Budget: c.BudgetMA, Ceiling: uint8(c.Brightness * 255 / 100),
		Log: log}}, err
}

// OpenMFRC522 opens a reader with this chip. The configuration must have been checked; the reader need not answer.
func (c ReaderConfig) OpenMFRC522() (*mfrc522.Dev, error) {
	var reset gpio.PinOut
	if c.Reset != "" {
		pin := gpioreg.ByName(c.Reset)
		if pin == nil {
			return nil, missingPinAdvice(c.Reset, gpioChips, checkReadWriteAccess)
		}
		reset = pin
	}
	return mfrc522.Open(c.SPI, &mfrc522.Opts{Frequency: physic.Frequency(c.KHz) * physic.KiloHertz, Gain: c.Gain, Reset: reset,
		Group: c.coils})
}

func openMFRC522(c ReaderConfig, _ Nodes, log *slog.Logger) (Reader, error) {
	dev, err := c.OpenMFRC522()
	if err != nil {
		return Reader{}, err
	}
	ident, err := dev.Probe()
	if err != nil {
		advice := mfrc522.ExplainError(c.SPI, err)
		log.Warn("reader does not answer yet", "role", c.Role, "advice", advice.EN, "conseil", advice.FR)
	} else if advice, ok := ident.Warning(); ok {
		log.Warn("reader", "role", c.Role, "advice", advice.EN, "conseil", advice.FR)
	}
	if c.coils != nil && c.Role == engine.ReaderUrn {
		log.Warn("the urn's reader shares its field: a card that falls may pass unseen, and those that lie near are named each time",
			"conseil", "le lecteur de l’urne partage son champ (group) : une carte qui tombe peut passer sans être vue ; "+
				"éloignez les bobines de 10 cm")
		return Reader{Scanner: groupedReader{dev, dev}, Period: PollPeriod(c.Role)}, nil
	}
	return Reader{Scanner: dev, Period: PollPeriod(c.Role)}, nil
}

// groupedReader is a reader of a group. It hides the devices.PileScanner methods of the MFRC522: its field is switched
// off between turns, and then the chip cannot distinguish new cards from a pile.
type groupedReader struct {
	devices.Scanner
	dev *mfrc522.Dev
}

// Stats returns the statistics of the reader.
func (t groupedReader) Stats() mfrc522.Stats { return t.dev.Stats() }

func openSerial(c ReaderConfig, _ Nodes, log *slog.Logger) (Reader, error) {
	dev, err := lineread.New(c.Port, &lineread.Opts{Baud: c.Baud})
	if err != nil {
		return Reader{}, err
	}
	var missing devices.Advice
	switch err := dev.Probe(); {
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &missing):
		log.Warn("reader is not plugged in yet", "role", c.Role, "advice", missing.EN, "conseil", missing.FR)
	case err != nil:
		return Reader{}, err
	}
	// the operating system buffers the lines, so a falling card is not missed
	return Reader{Scanner: dev, Period: 10 * time.Millisecond}, nil
}

func openNodeReader(c ReaderConfig, nodes Nodes, log *slog.Logger) (Reader, error) {
	s, err := nodes.newReader(c, log)
	if err != nil {
		return Reader{}, err
	}
	return Reader{Scanner: s, Period: NodePeriod, Retry: NodePeriod}, nil // the events are buffered, and polling costs nothing
}

func openWS2812(c StripConfig, leds int, _ Nodes, log *slog.Logger) (devices.Strip, error) {
	var wrong devices.Advice
	if err := ws2812.CheckClock(); errors.As(err, &wrong) {
		return nil, devices.Advice{EN: c.Chip + ": " + wrong.EN, FR: c.Chip + " : " + wrong.FR}
	} else if err != nil {
		log.Warn("the clock of the strip could not be asked", "error", err, "advice", "if its colours are wrong: majordome doctor --boot",
			"conseil", "l’horloge du ruban n’a pas pu être lue ; si ses couleurs sont fausses : majordome doctor --boot")
	}
	return ws2812.Open(c.SPI, &ws2812.Opts{NumPixels: leds, Order: devices.ColourOrder(c.Order), White: c.Chip == chipSK6812W})
}

func openAPA102(c StripConfig, leds int, _ Nodes, _ *slog.Logger) (devices.Strip, error) {
	return apa102.Open(c.SPI, &apa102.Opts{NumPixels: leds, Order: devices.ColourOrder(c.Order)})
}

func openNodeStrip(c StripConfig, leds int, nodes Nodes, log *slog.Logger) (devices.Strip, error) {
	return nodes.newStrip(c.Port, leds, log)
}

// openUnicorn opens the 16 by 16 LEDs of a Unicorn HAT HD with periph's driver. Any display of periph can be a strip
// this way.
func openUnicorn(c StripConfig, leds int, _ Nodes, _ *slog.Logger) (devices.Strip, error) {
	port, err := spireg.Open(c.SPI)
	if err != nil {
		return nil, adviceWithCause(err,
			"port SPI %[1]s : inutilisable ici ; majordome doctor --boot dit ce qu’il faut à /boot/firmware/config.txt",
			"SPI port %[1]s: not usable here; majordome doctor --boot says what /boot/firmware/config.txt needs", c.SPI)
	}
	hat, err := unicornhd.New(port)
	if err != nil {
		return nil, errors.Join(err, port.Close())
	}
	s, err := drawer.New(hat)
	if err == nil && leds > s.Len() {
		err = devices.NewAdvice("le Unicorn HAT HD a %d LED, il en faut %d", "the Unicorn HAT HD has %d LEDs, %d are wanted", s.Len(), leds)
	}
	return s, err
}

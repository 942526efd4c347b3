package doctor

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"majordome/devices"
	"majordome/devices/apa102"
	"majordome/devices/ws2812"
	"majordome/engine/ownfile"
)

// transfers compares the longest frame with what the kernel sends at once.
func (l *look) transfers() {
	most, err := strconv.Atoi(strings.TrimSpace(l.text("/sys/module/spidev/parameters/bufsiz")))
	if err != nil {
		return // no SPI here: another finding
	}
	for i, s := range l.cfg.Strips {
		size := map[string]func(int) int{"ws2812": ws2812.FrameSize, "apa102": apa102.FrameSize}[s.Chip]
		if size == nil || size(s.LEDs()) <= most {
			continue
		}
		need := 4096
		for need < size(s.LEDs()) {
			need *= 2
		}
		l.say("bufsiz", Fault, ownfile.Bothf("ruban %[1]d : ses %[2]d LED veulent %[3]d octets d’un coup, le noyau en envoie %[4]d", "strip %[1]d: its %[2]d LEDs want %[3]d bytes at once, the kernel sends %[4]d",
			i+1, s.LEDs(), size(s.LEDs()), most)).
			fix("ajoutez spidev.bufsiz=%[1]d à l’unique ligne de /boot/firmware/cmdline.txt et redémarrez", "add spidev.bufsiz=%[1]d to the one line of /boot/firmware/cmdline.txt and restart", need).
			whole("/boot/firmware/cmdline.txt", fmt.Sprintf("%s spidev.bufsiz=%d", strings.TrimSpace(l.text("/boot/firmware/cmdline.txt")), need))
	}
}

// clock asks what the data line of a WS2812 really gets.
func (l *look) clock() {
	if !l.has("ws2812") || l.Clock == nil {
		return
	}
	var wrong devices.Advice
	name, _ := l.bootFile()
	switch err := l.Clock(); {
	case err == nil:
		l.say("clock", OK, ownfile.Both("l’horloge du ruban WS2812 est juste", "the clock of the WS2812 strip is right"))
	case errors.As(err, &wrong):
		said := func(s string) string { first, _, _ := strings.Cut(s, "\n"); return first }
		l.say("clock", Fault, ownfile.Both(said(wrong.FR), said(wrong.EN))).
			fix("ajoutez ces lignes à %[1]s et redémarrez", "add these lines to %[1]s and restart", name).lines(name, ws2812.ConfigTxt())
	case errors.Is(err, ws2812.ErrBoard):
		l.say("clock", Note, ownfile.Both("l’horloge du ruban WS2812 n’est vérifiée que sur un Raspberry Pi à partir du 3", "the clock of the WS2812 strip is checked on a Raspberry Pi from the 3 on alone")).
			fix("si ses couleurs sont fausses, mettez le ruban à un nœud", "if its colours are wrong, put the strip on a node")
	default:
		l.say("clock", Note, ownfile.Bothf("l’horloge du ruban n’a pas pu être lue (%[1]v)", "the clock of the strip could not be asked (%[1]v)", err)).
			fix("si ses couleurs sont fausses, ajoutez ces lignes à %[1]s", "if its colours are wrong, add these lines to %[1]s", name).lines(name, ws2812.ConfigTxt())
	}
}

// has reports that a strip of the configuration is of that chip.
func (l *look) has(chip string) bool {
	for _, s := range l.cfg.Strips {
		if s.Chip == chip {
			return true
		}
	}
	return false
}

// Bits of get_throttled (raspberrypi/documentation, vcgencmd): now, and since the start sixteen higher.
const (
	underVoltage = 1 << 0
	capped       = 1<<1 | 1<<2 | 1<<3 // clock capped, throttled, too warm
)

// hot is when a Pi begins to slow down, in thousandths of a degree.
const hot = 80_000

// supply says how the firmware judges voltage and heat.
func (l *look) supply() {
	const better = "prenez l’alimentation d’origine et un câble court et gros ; donnez au ruban la sienne, et 220 µF à chaque lecteur"
	const betterEN = "use the original supply and a short, thick cable; give the strip one of its own, and each reader 220 µF"
	for _, name := range l.names("sys/devices/platform/*/*firmware/get_throttled") {
		bits, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(l.text(name)), "0x"), 16, 32)
		switch {
		case err != nil:
		case bits&underVoltage != 0:
			l.say("supply", Fault, ownfile.Both("la tension est trop basse en ce moment", "the voltage is too low at this moment")).fix(better, betterEN)
		case bits>>16&underVoltage != 0:
			l.say("supply", Warning, ownfile.Both("la tension a été trop basse depuis le démarrage : des lecteurs peuvent s’être tus", "the voltage was too low since the start: readers may have fallen silent")).fix(better, betterEN)
		case bits&capped != 0 || bits>>16&capped != 0:
			l.say("supply", Warning, ownfile.Both("le Pi a dû ralentir, trop chaud : une carte qui tombe peut passer sans être vue", "the Pi had to slow down, too warm: a card that falls may pass unseen")).
				fix("laissez-lui de l’air, ou donnez-lui un radiateur", "give it air, or a heat sink")
		default:
			l.say("supply", OK, ownfile.Both("tension et chaleur sont bonnes depuis le démarrage", "voltage and heat have been good since the start"))
		}
	}
	if t, err := strconv.Atoi(strings.TrimSpace(l.text("/sys/class/thermal/thermal_zone0/temp"))); err == nil && t >= hot {
		l.say("heat", Warning, ownfile.Bothf("le processeur est à %[1]d °C", "the processor is at %[1]d °C", t/1000)).fix("laissez-lui de l’air, ou donnez-lui un radiateur", "give it air, or a heat sink")
	}
}

// i2sOverlays are lines of config.txt that take GPIO18 to 21 for sound, or GPIO18 and 19; those are the pins of SPI1.
var i2sOverlays = regexp.MustCompile(`^(dtparam=i2s=on|dtoverlay=(i2s-|hifiberry|iqaudio|justboom|allo-|googlevoicehat|max98357a|adau|audioinjector|rpi-(dac|proto)|wm8|seeed|respeaker|merus-amp|audremap|audiosense|pisound|dionaudio|fe-pi|akkordion|applepi-dac|i-sabre|pwm)).*`)

// audio finds sound that takes the pins of SPI1.
func (l *look) audio() {
	spi1 := false
	for _, dev := range spis(l.cfg) {
		spi1 = spi1 || strings.HasPrefix(dev, "/dev/spidev1.")
	}
	if !spi1 {
		return
	}
	name, lines := l.bootFile()
	for _, line := range lines {
		if i2sOverlays.MatchString(line) {
			l.say("audio", Fault, ownfile.Bothf("%[1]s dans %[2]s prend pour le son des broches de SPI1 (GPIO18 à 21), où sont des lecteurs", "%[1]s in %[2]s takes pins of SPI1 (GPIO18 to 21), where readers are, for sound", line, name)).
				fix("enlevez cette ligne et prenez le son par HDMI, la prise ou l’USB ; ou mettez les lecteurs sur SPI0, ou à un nœud", "take this line out and sound from HDMI, the jack or USB; or put the readers on SPI0, or on a node")
		}
	}
}

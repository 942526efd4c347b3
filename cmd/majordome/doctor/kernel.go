package doctor

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"majordome/cmd/majordome/vitals"
	"majordome/devices"
	"majordome/devices/ws2812"
	"majordome/engine"
)

// checkFrameSize compares the longest frame of each strip with the kernel's limit for one transfer.
func (l *examination) checkFrameSize() {
	most, err := strconv.Atoi(strings.TrimSpace(l.fileText("/sys/module/spidev/parameters/bufsiz")))
	if err != nil {
		return // no SPI on this computer, which another finding reports
	}
	for i, s := range l.cfg.Strips {
		size := s.FrameSize()
		if size <= most {
			continue
		}
		need := 4096
		for need < size {
			need *= 2
		}
		l.addFinding("bufsiz", Fault, engine.Tf("ruban %[1]d : ses %[2]d LED veulent %[3]d octets d’un coup, le noyau en envoie %[4]d",
			"strip %[1]d: its %[2]d LEDs want %[3]d bytes at once, the kernel sends %[4]d",
			i+1, s.CountLEDs(), size, most)).
			withFix("ajoutez spidev.bufsiz=%[1]d à l’unique ligne de /boot/firmware/cmdline.txt et redémarrez",
				"add spidev.bufsiz=%[1]d to the one line of /boot/firmware/cmdline.txt and restart", need).
			withWholeFile("/boot/firmware/cmdline.txt",
				fmt.Sprintf("%s spidev.bufsiz=%d", strings.TrimSpace(l.fileText("/boot/firmware/cmdline.txt")), need))
	}
}

// checkClock checks the real data clock of WS2812 strips. It names the chips of such strips as the configuration does.
func (l *examination) checkClock() {
	var chips []string
	for _, s := range l.cfg.Strips {
		if s.IsWS2812() && !slices.Contains(chips, s.Chip) {
			chips = append(chips, s.Chip)
		}
	}
	if l.CheckStripClock == nil || len(chips) == 0 {
		return
	}
	strips := strings.Join(chips, ", ")
	var wrong devices.Advice
	name, _ := l.readBootFile()
	switch err := l.CheckStripClock(); {
	case err == nil:
		l.addFinding("clock", OK, engine.Tf("l’horloge du ruban %[1]s est juste", "the clock of the %[1]s strip is right", strips))
	case errors.As(err, &wrong):
		said := func(s string) string { first, _, _ := strings.Cut(s, "\n"); return first }
		l.addFinding("clock", Fault, engine.T(said(wrong.FR), said(wrong.EN))).
			withFix("ajoutez ces lignes à %[1]s et redémarrez", "add these lines to %[1]s and restart", name).
			withLines(name, ws2812.ClockConfigTxt())
	case errors.Is(err, ws2812.ErrBoard):
		l.addFinding("clock", Note, engine.Tf("l’horloge du ruban %[1]s n’est vérifiée que sur un Raspberry Pi à partir du 3",
			"the clock of the %[1]s strip is checked on a Raspberry Pi from the 3 on alone", strips)).
			withFix("si ses couleurs sont fausses, mettez le ruban à un nœud", "if its colours are wrong, put the strip on a node")
	default:
		l.addFinding("clock", Note, engine.Tf("l’horloge du ruban n’a pas pu être lue (%[1]v)",
			"the clock of the strip could not be asked (%[1]v)", err)).
			withFix("si ses couleurs sont fausses, ajoutez ces lignes à %[1]s",
				"if its colours are wrong, add these lines to %[1]s", name).withLines(name, ws2812.ClockConfigTxt())
	}
}

// checkVitals adds the findings of package vitals about disk, storage, supply, heat, memory and date.
func (l *examination) checkVitals() {
	v := (&vitals.Machine{Root: l.Root, Data: l.cfg.Data, Statfs: l.Statfs, Adjtimex: l.Adjtimex}).ReadVitals()
	for _, t := range v.Findings() {
		l.addFinding(t.About, t.State, asListItem(t.Said)).Fix = asListItem(t.Fix)
	}
	if v.SupplyKnown && !v.Undervoltage && !v.Throttled {
		l.addFinding("supply", OK, engine.T("tension et chaleur sont bonnes depuis le démarrage",
			"voltage and heat have been good since the start"))
	}
}

// asListItem makes a sentence an item of a list: no capital, no full stop.
func asListItem(t engine.Text) engine.Text {
	trim := func(s string) string {
		first, size := utf8.DecodeRuneInString(s)
		return strings.TrimSuffix(string(unicode.ToLower(first))+s[size:], ".")
	}
	return engine.T(trim(t.FR), trim(t.EN))
}

// i2sOverlays matches lines of config.txt that use GPIO18 to 21, or GPIO18 and 19, for sound; those are pins of SPI1.
var i2sOverlays = regexp.MustCompile(`^(dtparam=i2s=on|dtoverlay=(i2s-|hifiberry|iqaudio|justboom|allo-|googlevoicehat|max98357a|adau` +
	`|audioinjector|rpi-(dac|proto)|wm8|seeed|respeaker` +
	`|merus-amp|audremap|audiosense|pisound|dionaudio|fe-pi|akkordion|applepi-dac|i-sabre|pwm)).*`)

// reportAudioOnPins reports sound that uses the pins of SPI1.
func (l *examination) reportAudioOnPins() {
	spi1 := false
	for _, dev := range spiDevices(l.cfg) {
		spi1 = spi1 || strings.HasPrefix(dev, "/dev/spidev1.")
	}
	if !spi1 {
		return
	}
	name, lines := l.readBootFile()
	for _, line := range lines {
		if i2sOverlays.MatchString(line) {
			l.addFinding("audio", Fault, engine.Tf(
				"%[1]s dans %[2]s prend pour le son des broches de SPI1 (GPIO18 à 21), où sont des lecteurs",
				"%[1]s in %[2]s takes pins of SPI1 (GPIO18 to 21), where readers are, for sound", line, name)).
				withFix("enlevez cette ligne et prenez le son par HDMI, la prise ou l’USB ; ou mettez les lecteurs sur SPI0, ou à un nœud",
					"take this line out and sound from HDMI, the jack or USB; or put the readers on SPI0, or on a node")
		}
	}
}

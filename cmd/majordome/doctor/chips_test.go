package doctor

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"

	"majordome/cmd/majordome/config"
	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/node"
)

// registerChips registers simulated chips as SPI1.0, SPI1.1 and so on, as this computer's drivers would.
func registerChips(t *testing.T, opts ...mfrc522sim.Opts) (root fstest.MapFS, cfg config.Config, sims []*mfrc522sim.Sim) {
	t.Helper()
	root = fstest.MapFS{}
	text := "readers:\n"
	for i, o := range opts {
		sim := mfrc522sim.NewRealtime(&o)
		name := fmt.Sprintf("SPI1.%d", i)
		if err := spireg.Register(name, nil, -1, func() (spi.PortCloser, error) { return sim.Port(), nil }); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = spireg.Unregister(name) })
		root[fmt.Sprintf("dev/spidev1.%d", i)] = char(0, 0o660)
		text += fmt.Sprintf("  - {role: %s, spi: %s}\n", []string{"urn", "show", "enrol"}[i], name)
		sims = append(sims, sim)
	}
	return root, configuration(t, text), sims
}

func uid(t *testing.T, last byte) devices.UID {
	t.Helper()
	u, err := devices.MakeUID([]byte{4, 1, 2, 3, 4, 5, last})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestTheChipsAreAsked checks that each fault of a simulated chip is reported, with its fix.
func TestTheChipsAreAsked(t *testing.T) {
	for name, c := range map[string]struct {
		opts  []mfrc522sim.Opts
		spoil func(t *testing.T, s []*mfrc522sim.Sim)
		want  []string
	}{
		"two sound ones": {make([]mfrc522sim.Opts, 2), func(*testing.T, []*mfrc522sim.Sim) {}, nil},
		"a clone":        {[]mfrc522sim.Opts{{Maker: mfrc522sim.FM17522}}, func(*testing.T, []*mfrc522sim.Sim) {}, nil},
		"a counterfeit": {[]mfrc522sim.Opts{{Version: 0x12}}, func(*testing.T, []*mfrc522sim.Sim) {},
			[]string{"warning chip: reader urn: the reader's chip reports version 12: a counterfeit ... → buy the module elsewhere"}},
		"nothing attached": {make([]mfrc522sim.Opts, 2), func(_ *testing.T, s []*mfrc522sim.Sim) { s[1].Unplug(0) },
			[]string{"fault chip: reader show: nothing answers on SPI1.1 → look at its 3.3 V"}},
		"MISO stays high": {make([]mfrc522sim.Opts, 1), func(_ *testing.T, s []*mfrc522sim.Sim) { s[0].Unplug(0xFF) },
			[]string{"fault chip: reader urn: nothing answers on SPI1.0, and the wire MISO stays high → look at SDA"}},
		"it hangs": {make([]mfrc522sim.Opts, 1), func(_ *testing.T, s []*mfrc522sim.Sim) { s[0].SetHang(mfrc522sim.HardHang) },
			[]string{"fault chip: reader urn: a chip is on SPI1.0, but does not start"}},
		"the bus fails": {make([]mfrc522sim.Opts, 1), func(_ *testing.T, s []*mfrc522sim.Sim) {
			s[0].FailBus(errors.New("input/output error"))
		}, []string{"fault chip: reader urn: a chip is on SPI1.0, but does not start"}},
		"sparks without a card": {make([]mfrc522sim.Opts, 1), func(_ *testing.T, s []*mfrc522sim.Sim) {
			s[0].SetNoise(mfrc522sim.Noise{Bursts: 0.5})
		}, []string{"warning noise: reader urn: noise without a card"}},
		"a card left on it": {make([]mfrc522sim.Opts, 1), func(t *testing.T, s []*mfrc522sim.Sim) {
			if err := s[0].PlaceTag(uid(t, 6), 0); err != nil {
				t.Fatal(err)
			}
		}, []string{"note tags: reader urn: tags lie there: 04010203040506"}},
		"one card at two coils": {make([]mfrc522sim.Opts, 2), func(t *testing.T, s []*mfrc522sim.Sim) {
			if err := errors.Join(s[0].PlaceTag(uid(t, 6), 0), s[1].PlaceTag(uid(t, 6), 0)); err != nil {
				t.Fatal(err)
			}
		}, []string{"note tags: reader urn", "note tags: reader show",
			"fault coils: the readers urn and show see the same tag → move the coils"}},
	} {
		t.Run(name, func(t *testing.T) {
			root, cfg, sims := registerChips(t, c.opts...)
			c.spoil(t, sims)
			found := machine(root).ExamineChips(t.Context(), cfg)
			checkLanguages(t, found)
			compare(t, problemTexts(found), c.want)
		})
	}
}

// TestAChipThatAnswersBadly checks that a chip that answers, but loses its registers again and again, is reported,
// and so is one that fails only when the other readers are asked.
func TestAChipThatAnswersBadly(t *testing.T) {
	for others, want := range map[bool]string{
		false: "fault bus: reader urn: answers badly: 2 scans lost and 3 restarts in 200 tries → shorten the wires",
		true: "fault bus: reader urn: answers alone, but not when the other readers are asked too (2 times of 200) → a module that does " +
			"not let go of MISO",
	} {
		root, cfg, _ := registerChips(t, mfrc522sim.Opts{})
		m := machine(root)
		l := &examination{Machine: m, cfg: cfg}
		dev, err := cfg.Readers[0].OpenMFRC522()
		if err != nil {
			t.Fatal(err)
		}
		l.addScanFindings(&chip{ReaderConfig: cfg.Readers[0], dev: dev, answers: true, lost: 2}, mfrc522.Stats{SoftResets: 4}, nil, others)
		checkLanguages(t, l.found)
		compare(t, problemTexts(l.found), []string{want})
		if err := spireg.Unregister("SPI1.0"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestABusThatIsMissingIsNotAsked checks that a reader with a missing bus is reported by Examine only, not twice.
func TestABusThatIsMissingIsNotAsked(t *testing.T) {
	_, cfg, _ := registerChips(t, mfrc522sim.Opts{})
	if found := machine(fstest.MapFS{}).ExamineChips(t.Context(), cfg); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

// TestWhatANodeSays checks the findings about a node: its state, and the parts that it lacks.
func TestWhatANodeSays(t *testing.T) {
	i := node.Info{Version: 1, Firmware: [2]uint8{1, 0}, Boots: 7, Uptime: 90 * time.Second, Cause: node.CausePower | node.CauseBrownOut,
		Lost: 2, Pixels: 35,
		Readers: [4]node.ReaderInfo{{Configured: true, Chip: 0x92}, {Configured: true}}}
	c := node.Config{Select: [4]node.Pin{10, 9}, Strip: node.APA102, Pixels: 35, Data: 6, Clock: 5, Buttons: [4]node.Pin{14, 15}}
	l := &examination{cfg: configuration(t,
		"readers: [{role: urn, chip: node, port: /dev/ttyUSB0, reader: 3}]\nstrips: [{chip: node, port: /dev/ttyUSB0, places: 10}]")}
	l.addNodeFindings("/dev/ttyUSB0", i, c)
	checkLanguages(t, l.found)
	var said strings.Builder
	if err := Print(&said, l.found, false); err != nil {
		t.Fatal(err)
	}
	const want = "✓ /dev/ttyUSB0 : nœud sans nom, micrologiciel 1.0, protocole 1 ; démarrage n° 7 il y a 1m30s : " +
		`mise sous tension et baisse de tension
  /dev/ttyUSB0: node without a name, firmware 1.0, protocol 1; start 7, 1m30s ago, by power and brown-out
! /dev/ttyUSB0 : la tension du nœud est tombée trop bas
  /dev/ttyUSB0: the supply of the node fell too low
    → alimentez lecteurs et ruban à part ; la broche 3V3 d’un Nano donne 50 mA, moins qu’un lecteur ne veut
      supply readers and strip apart; the 3V3 pin of a Nano gives 50 mA, less than one reader wants
    → majordome help trouble#supply
✓ /dev/ttyUSB0 : lecteur 0 en D10, NXP MFRC522 v2
  /dev/ttyUSB0: reader 0 at D10, NXP MFRC522 v2
✗ /dev/ttyUSB0 : le lecteur 1 en D9 ne répond pas
  /dev/ttyUSB0: reader 1 at D9 does not answer
    → regardez ses fils et son 3,3 V ; s’il n’y en a pas là, majordome node set /dev/ttyUSB0 --readers nomme les broches qui en ont
      look at its wires and its 3.3 V; if there is none, majordome node set /dev/ttyUSB0 --readers names the pins that have one
    → majordome help trouble#device
✗ /dev/ttyUSB0 : le nœud n’a pas de lecteur 3, que la configuration veut pour urn
  /dev/ttyUSB0: the node has no reader 3, which the configuration wants for urn
    → majordome node set /dev/ttyUSB0 --readers nomme ses broches
      majordome node set /dev/ttyUSB0 --readers names its pins
    → majordome help trouble#device
✗ /dev/ttyUSB0 : le ruban du nœud a 35 LED, il en faut 44
  /dev/ttyUSB0: the strip of the node has 35 LEDs, 44 are wanted
    → majordome node set /dev/ttyUSB0 --strip ws2812 --pixels 44
    → majordome help devices#node-flash
✓ /dev/ttyUSB0 : ruban de 35 APA102 en D6 et D5
  /dev/ttyUSB0: strip of 35 APA102 at D6 and D5
✓ /dev/ttyUSB0 : boutons en A0, A1
  /dev/ttyUSB0: buttons at A0, A1
! /dev/ttyUSB0 : 2 octets ou trames perdus depuis le démarrage du nœud
  /dev/ttyUSB0: 2 bytes or frames lost since the node’s start
    → prenez un câble USB plus court, sans concentrateur
      use a shorter USB cable, without a hub
    → majordome help trouble#port
`
	if said.String() != want {
		t.Errorf("got\n%s", &said)
	}
}

// TestTheFilesArePrinted checks the output of --fix, and the JSON for programs.
func TestTheFilesArePrinted(t *testing.T) {
	l := &examination{}
	l.addFinding("x", Fault, errorText(errors.New("x"))).withFix("réparez", "mend it").
		withLines("/boot/firmware/config.txt", "dtparam=spi=on").withWholeFile("/etc/x", "y").withCommand("sudo z")
	var files, data, none strings.Builder
	if err := errors.Join(Print(&files, l.found, true), PrintJSON(&data, l.found), PrintJSON(&none, nil)); err != nil {
		t.Fatal(err)
	}
	const want = "✗ x\n    → réparez\n      mend it\n\n# /boot/firmware/config.txt : à ajouter · add\ndtparam=spi=on\n\n\n" +
		"# /etc/x : tout le fichier · the whole file\ny\n\n$ sudo z\n"
	if files.String() != want {
		t.Errorf("got\n%s", &files)
	}
	for _, want := range []string{`"about": "x"`, `"state": "fault"`, `"fr": "réparez"`, `"whole": true`, `"text": "dtparam=spi=on\n"`} {
		if !strings.Contains(data.String(), want) {
			t.Errorf("%s is not in %s", want, &data)
		}
	}
	if none.String() != "[]\n" {
		t.Errorf("nothing found: %s", &none)
	}
}

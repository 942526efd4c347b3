package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/node"
	"majordome/engine"
)

// scanRounds is the number of scans of each chip. A wire that fails once in a hundred scans would fail five times a second in a game.
const scanRounds = 200

// chip is a reader on a bus, with the results of its scans.
type chip struct {
	config.ReaderConfig
	dev     *mfrc522.Dev
	answers bool // it answers when no other chip is asked
	lost    int  // scans that failed while all chips were asked in turn
	noisy   int
	tags    []devices.UID
}

// prefixReaderName puts the name of a reader before a sentence.
func prefixReaderName(c config.ReaderConfig, t engine.Text) engine.Text {
	return engine.T("lecteur "+c.Role+" : "+t.FR, "reader "+c.Role+": "+t.EN)
}

// ExamineChips asks the chips of a configuration: each reader on a bus separately, then all in turn; the serial readers; each node, with
// its devices. No other program may be using them. The caller must have called periph's host.Init.
func (m *Machine) ExamineChips(ctx context.Context, cfg config.Config) (found []Finding) {
	l := &examination{Machine: m, cfg: cfg}
	var chips []*chip
	for _, c := range cfg.Readers {
		if c.Chip != config.ChipMFRC522 || !m.hasFile(deviceFile(c.SPI)) {
			continue
		}
		dev, err := c.OpenMFRC522()
		if err != nil {
			l.addFinding("chip", Fault, prefixReaderName(c, errorText(err))).withFix("regardez ce qui est dit plus haut de %[1]s",
				"look at what is said of %[1]s above", deviceFile(c.SPI))
			continue
		}
		defer dev.Close()
		chips = append(chips, &chip{ReaderConfig: c, dev: dev})
	}
	for _, c := range chips {
		l.probeChip(c)
	}
	for range scanRounds {
		for _, c := range chips {
			if c.answers && ctx.Err() == nil {
				c.scanOnce(ctx)
			}
		}
	}
	for i, c := range chips {
		if c.answers {
			l.addScanFindings(c, c.dev.Stats(), chips[:i], len(chips) > 1)
		}
	}
	l.listenReaders(ctx)
	for _, port := range cfg.NodePorts() {
		l.found = append(l.found, ExamineNode(ctx, port, cfg)...)
	}
	return l.found
}

// errorText returns the text of an error in both languages; an English text if it has no French one.
func errorText(err error) engine.Text {
	var a devices.Advice
	if errors.As(err, &a) {
		return config.AdviceText(a)
	}
	return engine.T(err.Error(), err.Error())
}

// probeChip asks one chip whether it answers, while no other is asked, and adds a finding.
func (l *examination) probeChip(c *chip) {
	ident, err := c.dev.Probe()
	switch {
	case errors.Is(err, mfrc522.ErrNoChip) && ident.Version == 0xFF:
		l.addFinding("chip", Fault, prefixReaderName(c.ReaderConfig, engine.Tf("rien ne répond sur %[1]s, et le fil MISO reste haut",
			"nothing answers on %[1]s, and the wire MISO stays high", c.SPI))).
			withFix("regardez SDA (sélection), MOSI et SCK, et que RST ne soit pas à la masse",
				"look at SDA (chip select), MOSI and SCK, and that RST is not at ground")
		return
	case errors.Is(err, mfrc522.ErrNoChip):
		l.addFinding("chip", Fault,
			prefixReaderName(c.ReaderConfig, engine.Tf("rien ne répond sur %[1]s", "nothing answers on %[1]s", c.SPI))).
			withFix("regardez son 3,3 V, sa masse et les fils MISO, SDA (sélection), SCK et MOSI",
				"look at its 3.3 V, its ground and the wires MISO, SDA (chip select), SCK and MOSI")
		return
	case err != nil:
		l.addFinding("chip", Fault, prefixReaderName(c.ReaderConfig,
			engine.Tf("une puce est sur %[1]s, mais ne se met pas en marche (%[2]v)",
				"a chip is on %[1]s, but does not start (%[2]v)", c.SPI, errors.Unwrap(err)))).
			withFix("raccourcissez les fils, écrivez khz: 1000, branchez RST et nommez-le sous reset:, et regardez l’alimentation",
				"shorten the wires, write khz: 1000, wire RST and name it under reset:, and look at the supply")
		return
	}
	c.answers = true
	if a, odd := ident.Warning(); odd {
		l.addFinding("chip", Warning,
			prefixReaderName(c.ReaderConfig, config.AdviceText(a))).withFix(
			"achetez le module ailleurs : les bons annoncent 91, 92, 88 ou B2",
			"buy the module elsewhere: good ones report 91, 92, 88 or B2")
		return
	}
	l.addFinding("chip", OK, prefixReaderName(c.ReaderConfig, engine.Tf("%[1]s, version %02[2]X, répond sur %[3]s à %[4]d kHz",
		"%[1]s, version %02[2]X, answers on %[3]s at %[4]d kHz", ident.Name(), ident.Version, c.SPI, c.KHz)))
}

func (c *chip) scanOnce(ctx context.Context) {
	tags, err := c.dev.Scan(ctx)
	switch {
	case errors.Is(err, devices.ErrNoise):
		c.noisy++
	case err != nil:
		c.lost++
	}
	for _, t := range tags {
		if !slices.Contains(c.tags, t.UID) && len(c.tags) < 64 {
			c.tags = append(c.tags, t.UID)
		}
	}
}

// addScanFindings reports on the scans of a chip that answers when it is asked separately. stats are its driver's counts, earlier are the
// chips that were reported on before, and hasOthers: other chips were scanned in turn with it.
func (l *examination) addScanFindings(c *chip, stats mfrc522.Stats, earlier []*chip, hasOthers bool) {
	restarts := stats.Rewritten + stats.SoftResets + stats.HardResets - 1 // without the start, which counts as one
	switch {
	case c.lost > 0 && hasOthers:
		l.addFinding("bus", Fault, prefixReaderName(c.ReaderConfig,
			engine.Tf("répond seul, mais plus quand les autres lecteurs répondent aussi (%[1]d fois sur %[2]d)",
				"answers alone, but not when the other readers are asked too (%[1]d times of %[2]d)", c.lost, scanRounds))).
			withFix("un module qui ne lâche pas MISO : une diode ou un tampon par lecteur dans ce fil, ou un bus ou un nœud à lui",
				"a module that does not let go of MISO: a diode or buffer for each reader in that wire, or a bus or node of its own")
	case c.lost > 0 || restarts > 0:
		l.addFinding("bus", Fault, prefixReaderName(c.ReaderConfig,
			engine.Tf("répond mal : %[1]d lectures perdues et %[2]d remises en marche en %[3]d essais",
				"answers badly: %[1]d scans lost and %[2]d restarts in %[3]d tries", c.lost, restarts, scanRounds))).
			withFix("raccourcissez les fils, écrivez khz: 1000, et donnez 220 µF et du 3,3 V franc au module",
				"shorten the wires, write khz: 1000, and give the module 220 µF and a firm 3.3 V")
	case len(c.tags) == 0 && c.noisy*50 > scanRounds:
		l.addFinding("noise", Warning, prefixReaderName(c.ReaderConfig,
			engine.Tf("du bruit sans carte, %[1]d fois sur %[2]d", "noise without a card, %[1]d times of %[2]d", c.noisy, scanRounds))).
			withFix(
				"éloignez la bobine du métal, des rubans et des alimentations ; majordome doctor gain cherche une amplification plus calme",
				"move the coil away from metal, strips and supplies; majordome doctor gain looks for a calmer gain")
	case len(c.tags) > 0:
		l.addFinding(
			"tags",
			Note,
			prefixReaderName(c.ReaderConfig, engine.Tf("des puces y sont posées : %[1]s", "tags lie there: %[1]s", formatTags(c.tags))),
		)
	}
	for _, o := range earlier {
		if slices.ContainsFunc(c.tags, func(u devices.UID) bool { return slices.Contains(o.tags, u) }) {
			l.addFinding("coils", Fault, engine.Tf("les lecteurs %[1]s et %[2]s voient la même puce",
				"the readers %[1]s and %[2]s see the same tag", o.Role, c.Role)).
				withFix("éloignez les bobines de 10 cm et plus, ou donnez aux deux le même group:",
					"move the coils 10 cm or more apart, or give both the same group:")
		}
	}
}

// formatTags lists the numbers of tags. A mark follows the tags that cannot be cards: phones, bank cards.
func formatTags(tags []devices.UID) string {
	var all []string
	for _, u := range tags {
		mark := ""
		if u.IsUnfitForCard() {
			mark = " ✗"
		}
		all = append(all, u.String()+mark)
	}
	return strings.Join(all, ", ")
}

// WithOpenNode opens a node, waits for its answer, calls do and closes the node. All this may take config.NodeTimeout.
func WithOpenNode(ctx context.Context, port string, opts *node.Opts, do func(context.Context, *node.Dev, node.Info) error) (err error) {
	d, err := node.New(port, opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Halt()) }()
	ctx, cancel := context.WithTimeout(ctx, config.NodeTimeout)
	defer cancel()
	i, err := d.Probe(ctx)
	if err == nil {
		err = do(ctx, d, i)
	}
	return config.NodeAdvice(port, err)
}

// ExamineNode asks the node at a port, and checks that it has the devices that cfg expects of it.
func ExamineNode(ctx context.Context, port string, cfg config.Config) []Finding {
	l := &examination{cfg: cfg}
	err := WithOpenNode(ctx, port, nil, func(ctx context.Context, d *node.Dev, i node.Info) error {
		c, err := d.ReadConfig(ctx)
		if err == nil {
			l.addNodeFindings(port, i, c)
		}
		return err
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		l.addFinding("node", Fault, engine.Tf("%[1]s : aucun nœud ne répond", "%[1]s: no node answers", port)).
			withFix("est-ce le bon port, et le micrologiciel est-il écrit ? majordome node flash %[1]s",
				"is it the right port, and is the firmware written? majordome node flash %[1]s", port)
	case err != nil:
		l.addFinding("node", Fault, errorText(err)).withFix("majordome doctor nomme les ports qui sont là",
			"majordome doctor names the ports that are there")
	}
	return l.found
}

// causeNames are the French names of the bits of node.Cause.
var causeNames = map[node.Cause]string{node.CausePower: "mise sous tension",
	node.CauseReset: "broche reset", node.CauseBrownOut: "baisse de tension",
	node.CauseWatchdog: "chien de garde"}

func frenchCause(c node.Cause) string {
	var said []string
	for bit := node.CausePower; bit <= node.CauseWatchdog; bit <<= 1 {
		if c&bit != 0 {
			said = append(said, causeNames[bit])
		}
	}
	if len(said) == 0 {
		return "cause inconnue"
	}
	return strings.Join(said, " et ")
}

// addNodeFindings reports on a node by its own answers.
func (l *examination) addNodeFindings(port string, info node.Info, nodeConfig node.Config) {
	fr, en := info.Name, info.Name
	if en == "" {
		fr, en = "sans nom", "without a name"
	}
	l.addFinding("node", OK, engine.T(
		fmt.Sprintf("%s : nœud %s, micrologiciel %d.%d, protocole %d ; démarrage n° %d il y a %v : %s", port,
			fr, info.Firmware[0], info.Firmware[1], info.Version, info.Boots, info.Uptime.Round(time.Second), frenchCause(info.Cause)),
		fmt.Sprintf("%s: node %s, firmware %d.%d, protocol %d; start %d, %v ago, by %v", port, en,
			info.Firmware[0], info.Firmware[1], info.Version, info.Boots, info.Uptime.Round(time.Second), info.Cause)))
	if info.Cause&node.CauseBrownOut != 0 {
		l.addFinding("supply", Warning,
			engine.Tf("%[1]s : la tension du nœud est tombée trop bas", "%[1]s: the supply of the node fell too low", port)).
			withFix("alimentez lecteurs et ruban à part ; la broche 3V3 d’un Nano donne 50 mA, moins qu’un lecteur ne veut",
				"supply readers and strip apart; the 3V3 pin of a Nano gives 50 mA, less than one reader wants")
	}
	for n, r := range info.Readers {
		switch {
		case r.Configured && r.Chip == 0:
			l.addFinding("chip", Fault, engine.Tf("%[1]s : le lecteur %[2]d en %[3]s ne répond pas",
				"%[1]s: reader %[2]d at %[3]s does not answer", port, n, nodeConfig.Select[n])).
				withFix("regardez ses fils et son 3,3 V ; s’il n’y en a pas là, majordome node set %[1]s --readers nomme les "+
					"broches qui en ont",
					"look at its wires and its 3.3 V; if there is none, majordome node set %[1]s --readers names the pins that have one",
					port)
		case r.Configured:
			l.addFinding("chip", OK, engine.Tf("%[1]s : lecteur %[2]d en %[3]s, %[4]s",
				"%[1]s: reader %[2]d at %[3]s, %[4]s", port, n, nodeConfig.Select[n], mfrc522.Identity{Version: r.Chip}.Name()))
		}
	}
	l.addNodeMismatches(port, info)
	switch nodeConfig.Strip {
	case node.NoStrip:
	case node.APA102:
		l.addFinding("strip", OK, engine.Tf("%[1]s : ruban de %[2]d %[3]v en %[4]s et %[5]s",
			"%[1]s: strip of %[2]d %[3]v at %[4]s and %[5]s", port, nodeConfig.Pixels, nodeConfig.Strip, nodeConfig.Data, nodeConfig.Clock))
	default:
		l.addFinding("strip", OK, engine.Tf("%[1]s : ruban de %[2]d %[3]v en %[4]s",
			"%[1]s: strip of %[2]d %[3]v at %[4]s", port, nodeConfig.Pixels, nodeConfig.Strip, nodeConfig.Data))
	}
	var buttons []string
	for _, p := range nodeConfig.Buttons {
		if p != 0 {
			buttons = append(buttons, p.String())
		}
	}
	if len(buttons) > 0 {
		l.addFinding("button", OK, engine.Tf("%[1]s : boutons en %[2]s", "%[1]s: buttons at %[2]s", port, strings.Join(buttons, ", ")))
	}
	if info.Lost > 0 {
		l.addFinding("line", Warning, engine.Tf("%[1]s : %[2]d octets ou trames perdus depuis le démarrage du nœud",
			"%[1]s: %[2]d bytes or frames lost since the node’s start", port, info.Lost)).
			withFix("prenez un câble USB plus court, sans concentrateur", "use a shorter USB cable, without a hub")
	}
}

// addNodeMismatches adds a fault for each reader or strip of the configuration that the node does not have, or has too short.
func (l *examination) addNodeMismatches(port string, info node.Info) {
	for _, r := range l.cfg.Readers {
		if r.Chip == config.ChipNode && r.Port == port && !info.Readers[r.Reader].Configured {
			l.addFinding("chip", Fault, engine.Tf("%[1]s : le nœud n’a pas de lecteur %[2]d, que la configuration veut pour %[3]s",
				"%[1]s: the node has no reader %[2]d, which the configuration wants for %[3]s", port, r.Reader, r.Role)).
				withFix("majordome node set %[1]s --readers nomme ses broches", "majordome node set %[1]s --readers names its pins", port)
		}
	}
	for _, s := range l.cfg.Strips {
		if s.Chip == config.ChipNode && s.Port == port && info.Pixels < s.CountLEDs() {
			l.addFinding("strip", Fault, engine.Tf("%[1]s : le ruban du nœud a %[2]d LED, il en faut %[3]d",
				"%[1]s: the strip of the node has %[2]d LEDs, %[3]d are wanted", port, info.Pixels, s.CountLEDs())).
				withFix("majordome node set %[1]s --strip ws2812 --pixels %[2]d",
					"majordome node set %[1]s --strip ws2812 --pixels %[2]d", port, s.CountLEDs())
		}
	}
}

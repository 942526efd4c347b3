package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"periph.io/x/host/v3"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/doctor"
	"majordome/devices/mfrc522"
	"majordome/engine"
	"majordome/engine/ownfile"
)

func doctorGainCommand() *cobra.Command {
	configFile := ""
	var asJSON *bool
	c := &cobra.Command{
		Use:   "gain [ROLE]",
		Short: "Find the gain at which a reader reads best",
		Long: `Try each gain of a reader on a bus, the urn's or that of ROLE: first with a card where cards
will lie or fall, then without one. At the end stands what to write. The highest gain is rarely the
best. The table must not be running.`,
		Args: requireArgs(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			reader, err := findMeasurableReader(configFile, strings.Join(args, ""))
			if err != nil {
				return err
			}
			return measureAllGains(c.Context(), reader, newConversation(c, *asJSON))
		},
	}
	c.Flags().StringVar(&configFile, "config", defaultConfig, "configuration of this table")
	asJSON = addJSONFlag(c)
	return c
}

func doctorSlotCommand() *cobra.Command {
	configFile := ""
	var asJSON *bool
	c := &cobra.Command{
		Use:   "slot",
		Short: "Measure the slot of the urn: drop the deck through it once",
		Long: `Drop your cards through the slot of the urn, one after the other, once: how long each could
still be read after it was named is drawn as a histogram, and a verdict says whether cards fall too fast, or
those that have fallen lie too near. Enter ends it; how many cards it was is asked then. The table must
not be running.`,
		Args: requireArgs(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			reader, err := findMeasurableReader(configFile, engine.ReaderUrn)
			if err != nil {
				return err
			}
			return measureSlot(c.Context(), reader, newConversation(c, *asJSON))
		},
	}
	c.Flags().StringVar(&configFile, "config", defaultConfig, "configuration of this table")
	asJSON = addJSONFlag(c)
	return c
}

// findMeasurableReader returns the configured MFRC522 reader on a bus with a role, or the first one if role is empty.
func findMeasurableReader(configFile, role string) (r config.ReaderConfig, err error) {
	cfg, err := config.ReadConfig(configFile)
	if err != nil {
		return r, err
	}
	measured := slices.DeleteFunc(slices.Clone(cfg.Readers), func(r config.ReaderConfig) bool { return r.Chip != config.ChipMFRC522 })
	i := slices.IndexFunc(measured, func(r config.ReaderConfig) bool { return role == "" || r.Role == role })
	if len(measured) == 0 {
		return r, newFault("doctor : la configuration ne nomme pas de lecteur sur un bus ; ceux d’un nœud et d’un port "+
			"série ne se mesurent pas d’ici",
			"doctor: the configuration names no reader on a bus; those of a node and of a serial port cannot be measured from here")
	}
	if i < 0 {
		var known []string
		for _, r := range measured {
			known = append(known, r.Role)
		}
		return r, newFault("doctor : la configuration ne nomme pas de lecteur « %[1]s » sur un bus ; elle y a : %[2]s",
			"doctor: the configuration names no reader %[1]q on a bus; there it has: %[2]s",
			ownfile.ClipQuote(role), strings.Join(known, ", "))
	}
	if _, err := host.Init(); err != nil {
		return r, fmt.Errorf("doctor: the buses of this machine: %w", err)
	}
	return measured[i], nil
}

// conversation is the dialogue with a person in the terminal. With jsonOut set, the outcome goes there as JSON.
type conversation struct {
	out     io.Writer
	answers <-chan string
	jsonOut io.Writer // nil: print the outcome as text
}

// newConversation uses the command's input and output. As JSON, the texts for the person go to the standard error.
func newConversation(c *cobra.Command, asJSON bool) conversation {
	t := conversation{out: c.OutOrStdout(), answers: streamInputLines(c.Context(), c.InOrStdin())}
	if asJSON {
		t.out, t.jsonOut = c.ErrOrStderr(), c.OutOrStdout()
	}
	return t
}

func (c conversation) printText(t engine.Text) { fmt.Fprintf(c.out, "%s\n%s\n", t.FR, t.EN) }

// askLine prints a question and waits for a line; false when the input or ctx has ended.
func (c conversation) askLine(ctx context.Context, t engine.Text) (string, bool) {
	c.printText(t)
	select {
	case line, ok := <-c.answers:
		return line, ok
	case <-ctx.Done():
		return "", false
	}
}

// measureAllGains tries all gains of a reader with a card and then without one, and prints the results and the verdict.
func measureAllGains(ctx context.Context, r config.ReaderConfig, c conversation) error {
	trials := make([]doctor.GainTest, len(mfrc522.Gains()))
	each := func(judge func(t *doctor.GainTest, named, noisy float64)) error {
		for i, gain := range mfrc522.Gains() {
			trials[i].Gain, r.Gain = gain, gain
			named, noisy, err := measureGain(ctx, r)
			if err != nil {
				return faultAbout("lecteur "+r.Role, "reader "+r.Role, err)
			}
			judge(&trials[i], named, noisy)
		}
		return nil
	}
	now := r.Gain
	if _, ok := c.askLine(ctx, engine.T("posez une carte là où le lecteur doit la lire, puis Entrée",
		"lay a card where the reader is to read it, then press Enter")); !ok {
		return ctx.Err()
	}
	if err := each(func(t *doctor.GainTest, named, noisy float64) { t.Reads, t.Garbled = named, noisy }); err != nil {
		return err
	}
	if _, ok := c.askLine(ctx, engine.T("enlevez toutes les cartes, puis Entrée", "take all cards away, then press Enter")); !ok {
		return ctx.Err()
	}
	if err := each(func(t *doctor.GainTest, named, noisy float64) { t.Phantoms = max(named, noisy) }); err != nil {
		return err
	}
	if c.jsonOut != nil {
		return printJSON(c.jsonOut, gainReport{trials, doctor.BestGain(trials), now, doctor.GainVerdict(trials, now)})
	}
	c.printText(engine.T("gain, carte lue, réponse brouillée, bruit sans carte :",
		"gain, card read, answer garbled, noise without a card:"))
	for _, t := range trials {
		fmt.Fprintln(c.out, t.FormatRow())
	}
	c.printText(doctor.GainVerdict(trials, now))
	return nil
}

// gainReport is the JSON outcome of sweepGains.
type gainReport struct {
	Trials []doctor.GainTest `json:"trials"`
	Best   int               `json:"best_gain_db"` // 0: no gain is good enough
	Now    int               `json:"gain_db"`
	Said   engine.Text       `json:"said"`
}

// slotReport is the JSON outcome of measureSlot.
type slotReport struct {
	Read    int           `json:"cards_read"`
	Dropped int           `json:"cards_dropped"` // 0: not counted
	Dwell   []int64       `json:"dwell_ms"`      // of each card that fell out of the field
	Near    int           `json:"cards_near"`    // cards that still answered a second later
	Garbled int           `json:"garbled_looks"`
	Said    []engine.Text `json:"said"`
}

// measureGain polls a reader with the gain of r. It returns the shares, 0 to 1, of polls that read a card and of garbled ones.
func measureGain(ctx context.Context, r config.ReaderConfig) (readShare, garbledShare float64, err error) {
	dev, err := r.OpenMFRC522()
	if err != nil {
		return 0, 0, err
	}
	if _, err = dev.Probe(); err != nil {
		err = mfrc522.ExplainError(r.SPI, err)
	} else {
		readShare, garbledShare, err = doctor.MeasureReadShares(ctx, dev)
	}
	return readShare, garbledShare, errors.Join(err, dev.Close())
}

// measureSlot measures the slot of the urn until the user presses Enter.
func measureSlot(ctx context.Context, r config.ReaderConfig, c conversation) error {
	dev, err := r.OpenMFRC522()
	if err != nil {
		return err
	}
	defer dev.Close()
	if _, err := dev.Probe(); err != nil {
		return mfrc522.ExplainError(r.SPI, err)
	}
	c.printText(engine.T("laissez tomber les cartes dans la fente, l’une après l’autre ; Entrée quand il n’y en a plus",
		"drop the cards through the slot, one after the other; Enter when there are none left"))
	falling, end := context.WithCancel(ctx)
	defer end()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-c.answers:
			end()
		case <-falling.Done():
		}
	}()
	slot, err := doctor.WatchSlot(falling, dev, nil)
	end()
	<-ended
	if err != nil {
		return mfrc522.ExplainError(r.SPI, err)
	}
	count, _ := c.askLine(ctx, engine.Tf("%[1]d cartes ont été lues ; combien en avez-vous laissé tomber ?",
		"%[1]d cards were read; how many did you drop?", slot.CardsRead()))
	counted, _ := strconv.Atoi(count) // 0: not a number, so not counted
	if c.jsonOut != nil {
		d := slotReport{Read: slot.CardsRead(), Dropped: counted, Dwell: []int64{},
			Near: len(slot.Near), Garbled: slot.Garbled, Said: slot.JudgeSlot(counted)}
		for _, t := range slot.Dwell {
			d.Dwell = append(d.Dwell, t.Milliseconds())
		}
		return printJSON(c.jsonOut, d)
	}
	c.printText(engine.T("temps qui restait pour lire chaque carte, une fois nommée :",
		"time that was left to read each card, once named:"))
	for _, line := range slot.DwellHistogram() {
		fmt.Fprintln(c.out, line)
	}
	for _, t := range slot.JudgeSlot(counted) {
		c.printText(t)
	}
	return nil
}

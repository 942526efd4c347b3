package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"periph.io/x/host/v3"

	"majordome/cmd/majordome/config"
	"majordome/devices/light"
	"majordome/engine"
	"majordome/engine/games"
)

func lightsCommand(all games.Table) *cobra.Command {
	configFile, game := "", ""
	c := &cobra.Command{
		Use:   "lights",
		Short: "Walk along the strips: is each light where it should be?",
		Long: `Light each part of each strip by its name, one after the other, and ask whether you see
it there; also whether the colours come in the right order, and whether the strip is as long
as the configuration says. At the end stands what to change. Enter says yes, n says no, Ctrl-C stops.
The daemon must not be running.`,
		Args: requireArgs(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := config.ReadConfig(configFile)
			if err != nil {
				return err
			}
			return walkStrips(c.Context(), all, cfg, engine.ID(game), c.InOrStdin(), c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&configFile, "config", defaultConfig, "configuration of this table")
	c.Flags().StringVar(&game, "game", "",
		"whose rooms are named, one of {games}, or yours; without it, of the game of the deck file, or of the first")
	return c
}

// walkStrips leads a person along all strips of the configuration, light by light.
func walkStrips(ctx context.Context, all games.Table, cfg config.Config, game engine.ID, in io.Reader, out io.Writer) error {
	known, err := cfg.ReadDecks(all)
	if err != nil {
		return err
	}
	printFaults(out, known.Skipped)
	if game == "" {
		game = known.Decks[0].ID()
	}
	rooms, err := areaNamesOf(known, game)
	if err != nil {
		return err
	}
	if len(cfg.Strips) == 0 {
		return newFault("lights : la configuration ne nomme aucun ruban : ajoutez-en un sous « strips »",
			"lights: the configuration names no strip: add one under \"strips\"")
	}
	if _, err := host.Init(); err != nil {
		return fmt.Errorf("lights: the buses of this machine: %w", err)
	}
	d := openDevices(config.Config{Strips: cfg.Strips}, slog.New(slog.NewTextHandler(out, nil)))
	if err = d.openErrors(); err == nil {
		w := stripWalk{out: out, answers: streamInputLines(ctx, in), rooms: rooms}
		for i, s := range d.Strips {
			on := false
			if on, err = w.walkStrip(ctx, i, s, cfg.Strips[i]); !on {
				break
			}
		}
	}
	for _, s := range d.Strips {
		err = errors.Join(err, s.Strip.Halt())
	}
	return err
}

// areaNamesOf returns the areas of a game's board.
func areaNamesOf(known config.Games, game engine.ID) (rooms []engine.Name, err error) {
	if _, err := known.Known.FindGame(game); err != nil {
		return nil, err
	}
	for _, d := range known.Decks {
		if d.ID() != game {
			continue
		}
		book, err := d.NewRulebook()
		if err != nil {
			return nil, err
		}
		for _, n := range book.Names() {
			if n.IsLocation() {
				rooms = append(rooms, n)
			}
		}
	}
	return rooms, nil
}

// streamInputLines returns a channel of the lines that a person types. It is closed at the end of in or of ctx.
func streamInputLines(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			select {
			case lines <- strings.TrimSpace(s.Text()):
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// stripWalk leads a person along strips.
type stripWalk struct {
	out     io.Writer
	answers <-chan string
	rooms   []engine.Name
}

// walkStrip walks along one strip and prints what to change in its configuration. It reports whether to go on.
func (w *stripWalk) walkStrip(ctx context.Context, i int, s config.Strip, c config.StripConfig) (goOn bool, err error) {
	steps, err := light.WalkSteps(s.Layout, s.Strip.Len(), &s.Opts)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(w.out, "\nRuban %[1]d · strip %[1]d: %[2]s, %[3]d LED\n", i+1, c.Chip, s.Strip.Len())
	said, wrong := map[string]string{}, []light.Step(nil)
	for k, step := range steps {
		if err := s.Strip.ShowFrame(step.Frame); err != nil {
			return false, faultAbout("ruban", "strip", err)
		}
		good, question := w.questionFor(s, step)
		fmt.Fprintf(w.out, "[%d/%d] %s\n        %s\n", k+1, len(steps), question.FR, question.EN)
		answer, ok := w.readAnswer(ctx, good)
		if !ok {
			fmt.Fprint(w.out, "arrêté · stopped\n")
			return false, nil
		}
		if said[step.Name] = answer; answer != good[0] {
			wrong = append(wrong, step)
		}
	}
	if len(wrong) == 0 {
		fmt.Fprint(w.out, "Tout est à sa place · everything is in its place\n")
	}
	for _, t := range describeStripFixes(c, s.Strip.Len(), said, wrong) {
		fmt.Fprintf(w.out, "- %s\n  %s\n", t.FR, t.EN)
	}
	return true, nil
}

// The answers to a question. The first means that all is well; an empty line counts as the first.
var (
	yesAnswers    = []string{"o", "n"}
	redAnswers    = []string{"r", "v", "b"}
	greenAnswers  = []string{"v", "r", "b"}
	frenchAnswers = map[string]string{"y": "o", "g": "v"} // answers in English
)

// questionFor returns the accepted answers of a step, and its question.
func (w *stripWalk) questionFor(s config.Strip, step light.Step) ([]string, engine.Text) {
	switch step.Name {
	case light.StepRed:
		return redAnswers, engine.T("Tout le ruban : de quelle couleur ? r rouge (Entrée), v vert, b bleu",
			"The whole strip: which colour? r red (Enter), g green, b blue")
	case light.StepGreen:
		return greenAnswers, engine.T("Et maintenant ? v vert (Entrée), r rouge, b bleu", "And now? g green (Enter), r red, b blue")
	case light.StepLast:
		return yesAnswers, engine.Tf("LED %v : est-ce la dernière du ruban ? o (Entrée) ou n",
			"LED %v: is it the last one of the strip? y (Enter) or n", step.LEDs)
	}
	name := w.partName(s, step.Name)
	return yesAnswers, engine.T(fmt.Sprintf("LED %v : %s, en commençant par la plus vive ? o (Entrée) ou n", step.LEDs, name.FR),
		fmt.Sprintf("LED %v: %s, beginning with the brightest? y (Enter) or n", step.LEDs, name.EN))
}

// partName names what a part of a strip lights.
func (w *stripWalk) partName(s config.Strip, part string) engine.Text {
	switch part {
	case "clock":
		return engine.T("l’horloge", "the clock")
	case "urn":
		return engine.T("la fente de l’urne", "the urn’s slot")
	case "show":
		return engine.T("le lecteur de la table", "the table reader")
	}
	for slot := range s.Layout.Places {
		if light.PlaceName(slot) != part {
			continue
		}
		if s.Rooms != nil {
			part = s.Rooms[slot]
		}
		for i, room := range w.rooms {
			if config.IsSegmentOf(part, i, room.ID) {
				return engine.T(part+", "+room.Text.FR, part+", "+room.Text.EN)
			}
		}
	}
	return engine.T(part+", qui n’est dans aucun lieu de ce jeu", part+", which is no place of this game")
}

// readAnswer waits for one of the accepted answers; false when the input or ctx has ended.
func (w *stripWalk) readAnswer(ctx context.Context, accepted []string) (string, bool) {
	for {
		select {
		case <-ctx.Done():
			return "", false
		case line, ok := <-w.answers:
			if !ok {
				return "", false
			}
			line = strings.ToLower(cmp.Or(line, accepted[0]))[:1]
			if line = cmp.Or(frenchAnswers[line], line); slices.Contains(accepted, line) {
				return line, true
			}
			fmt.Fprintf(w.out, "        %s ?\n", strings.Join(accepted, ", "))
		}
	}
}

// describeStripFixes returns what to change in the configuration of a strip. answers has the person's answer by name of the step,
// and wrong has the steps whose answer was not the expected one.
func describeStripFixes(c config.StripConfig, leds int, answers map[string]string, wrong []light.Step) (all []engine.Text) {
	colours := false
	for _, step := range wrong {
		switch step.Name {
		case light.StepRed, light.StepGreen:
			if !colours {
				colours = true
				all = append(all, colourOrderFix(c, answers))
			}
		case light.StepLast:
			all = append(all, engine.Tf("le ruban n’a pas %[1]d LED : comptez-les et écrivez pixels: suivi de leur nombre",
				"the strip has not %[1]d LEDs: count them and write pixels: and their number", leds))
		default:
			all = append(all, engine.Tf("%[1]s : sous segments:, écrivez les LED qui sont vraiment là, la première a le "+
				"numéro 0 ; %[2]v à l’envers s’écrit %[3]v",
				"%[1]s: under segments:, write the LEDs that are really there, the first has the number 0; %[2]v backwards "+
					"is written %[3]v", step.Name, step.LEDs, reversedSegment(step.LEDs)))
		}
	}
	return all
}

func reversedSegment(s light.Segment) light.Segment {
	r := slices.Clone(s)
	slices.Reverse(r)
	return r
}

// colourOrderFix returns which order of colours the strip really has, from the colours that the person saw.
func colourOrderFix(c config.StripConfig, answers map[string]string) engine.Text {
	letters := map[string]byte{"r": 'R', "v": 'G', "b": 'B'}
	used := c.ColourOrder()
	switch {
	case c.Chip == config.ChipNode:
		return engine.Tf("les couleurs sont dans un autre ordre : majordome node set %[1]s --strip ws2812-rgb, ou ws2812 si "+
			"c’est déjà cela", "the colours come in another order: majordome node set %[1]s --strip ws2812-rgb, or ws2812 "+
			"if it is that already", c.Port)
	case used == "":
		return engine.Tf("un %[1]s n’a qu’un ordre des couleurs : est-ce bien cette puce ?",
			"a %[1]s has one order of colours only: is it that chip?", c.Chip)
	}
	order, ok := light.FindColourOrder(used, letters[answers[light.StepRed]], letters[answers[light.StepGreen]])
	if !ok {
		return engine.T("les deux couleurs ne peuvent pas être justes : recommencez ; si elles changent, regardez le fil de données",
			"the two colours cannot both be right: do it again; if they change, look at the data wire")
	}
	return engine.Tf("les couleurs sont dans un autre ordre : écrivez order: %[1]s",
		"the colours come in another order: write order: %[1]s", order)
}

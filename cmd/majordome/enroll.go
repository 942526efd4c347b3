package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"periph.io/x/host/v3"

	"majordome/cmd/majordome/house"
	"majordome/companion/store"
	"majordome/devices"
	"majordome/devices/presence"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/games"
	"majordome/engine/words"
)

func enrollCommand(all games.Table) *cobra.Command {
	config, game := "", ""
	var every, controls, pawns bool
	c := &cobra.Command{
		Use:   "enroll",
		Short: "Teach the table which tag is which card",
		Long: `Lay the cards of your box on the reader one after the other, in the order in which
they are named; each tag is recorded at once. A tag whose number changes, or that others
have too, is refused. Enter skips a card, Ctrl-C stops, and the next call goes on where
you stopped. The daemon must not be running.`,
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := house.ReadConfig(config)
			if err != nil {
				return err
			}
			if controls {
				game = string(house.ControlDeck)
			}
			return enrollAtReader(c.Context(), all, cfg, enrolment{deck: engine.ID(game), pawns: pawns, all: every, out: c.OutOrStdout()}, c.InOrStdin())
		},
	}
	c.Flags().StringVar(&config, "config", defaultConfig, "configuration of this table")
	c.Flags().StringVar(&game, "game", "", "whose cards, one of {games}, or yours; without it, of the game of the deck file, or of the first")
	c.Flags().BoolVar(&controls, "controls", false, "control cards in the place of a game's: spare tags that do what a button does")
	c.Flags().BoolVar(&pawns, "pawns", false, "the pawns of a game in the place of its cards, for readers in places")
	c.MarkFlagsMutuallyExclusive("controls", "pawns")
	c.Flags().BoolVar(&every, "all", false, "ask for every card, also those that have a tag already")
	return c
}

// enrollAtReader asks for the cards of a game at one reader of the table.
func enrollAtReader(ctx context.Context, all games.Table, cfg house.Config, e enrolment, in io.Reader) (err error) {
	out := e.out
	known, err := cfg.ReadDecks(all)
	if err != nil {
		return err
	}
	report(out, known.Left)
	if e.deck == "" {
		e.deck = known.Decks[0].ID()
	}
	game := e.deck
	if _, err := known.Known.Of(game); err != nil && game != house.ControlDeck {
		return err
	}
	s, err := store.Open(filepath.Join(cfg.Data, storeFile), nil) // before the readers: a running daemon has both
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for _, l := range s.Losses() {
		t := words.Both(l.Msg())
		fmt.Fprintf(out, "%s\n%s\n", t.FR, t.EN)
	}
	if _, err := host.Init(); err != nil {
		return fmt.Errorf("enroll: the buses of this machine: %w", err)
	}
	reader, err := enrollReader(cfg.Readers, slog.New(slog.NewTextHandler(out, nil)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Scanner.Halt()) }()
	decks, err := house.OpenLibrary(s, known.Decks...)
	if err != nil {
		return err
	}
	e.store = s
	if game == house.ControlDeck {
		err = e.loadControls(known.Decks)
	} else {
		if err := decks.Unread(game); err != nil {
			report(out, err)
		}
		err = e.load(decks.Book(game).Names()) // with the names of its owner
	}
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	arrivals := make(chan devices.UID)
	watched := make(chan error, 1)
	go func() {
		watched <- presence.Watch(ctx, reader.Scanner, &presence.WatchOpts{Period: house.Period(engine.ReaderShow)}, func(ev presence.Event) {
			if ev.Kind == presence.Arrived {
				select {
				case arrivals <- ev.Tag.UID:
				case <-ctx.Done():
				}
			}
		})
	}()
	err = e.run(ctx, arrivals, lines(ctx, in))
	stop()
	return errors.Join(err, <-watched)
}

// enrollReader opens the reader that is for this, else the table reader, or the urn's when there is no other.
func enrollReader(cfgs []house.ReaderConfig, log *slog.Logger) (house.Reader, error) {
	if len(cfgs) == 0 {
		return house.Reader{}, sentence("enroll : la configuration ne nomme aucun lecteur : ajoutez-en un sous « readers »", "enroll: the configuration names no reader: add one under \"readers\"")
	}
	role := func(role string) func(house.ReaderConfig) bool {
		return func(c house.ReaderConfig) bool { return c.Role == role }
	}
	at := slices.IndexFunc(cfgs, role(house.RoleEnrol))
	if at < 0 {
		at = max(0, slices.IndexFunc(cfgs, role(engine.ReaderShow)))
	}
	readers, err := openReaders(cfgs[at:at+1], house.Nodes{}, log)
	if err != nil {
		return house.Reader{}, err
	}
	return readers[0], nil
}

// lines are the line ends that a person types. Reading cannot be interrupted:
// the goroutine ends with its input or with the process.
func lines(ctx context.Context, in io.Reader) <-chan struct{} {
	typed := make(chan struct{})
	go func() {
		for s := bufio.NewScanner(in); s.Scan(); {
			select {
			case typed <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return typed
}

// tagBook is where tags are recorded; *store.Store is one.
type tagBook interface {
	Tags(deck engine.ID) ([]store.Tag, error)
	SetTag(deck engine.ID, tag store.Tag) error
}

// enrolment asks for the cards that carry tags, in deck order.
//
//  1. A tag belongs to at most one card: one that is recorded for another card is
//     refused, never silently moved.
//  2. A tag that cannot name one card and no other is refused, see devices.UID.Unfit.
type enrolment struct {
	store tagBook
	deck  engine.ID
	out   io.Writer
	all   bool // also those that have a tag
	pawns bool // the pawns of the game and not its cards

	cards []engine.Name
	owner map[devices.UID]engine.ID
}

func (e *enrolment) load(names engine.Names) error {
	e.owner = map[devices.UID]engine.ID{}
	if _, err := e.known(house.ControlDeck); err != nil {
		return err
	}
	tagged, err := e.known(e.deck)
	if err != nil {
		return err
	}
	asked := slices.DeleteFunc(slices.Clone(names), func(n engine.Name) bool { return !n.IsCard() || n.Untagged })
	if e.pawns {
		asked = engine.Pawns(names)
	}
	for _, n := range asked {
		if e.all || !tagged[n.ID] {
			e.cards = append(e.cards, n)
		}
	}
	return nil
}

// loadControls asks for control cards; a card of any game is none.
func (e *enrolment) loadControls(decks []deck.Deck) error {
	e.owner = map[devices.UID]engine.ID{}
	for _, d := range decks {
		if _, err := e.known(d.ID()); err != nil {
			return err
		}
	}
	tagged, err := e.known(e.deck)
	for _, n := range house.ControlCards() {
		if e.all || !tagged[n.ID] {
			e.cards = append(e.cards, n)
		}
	}
	return err
}

// known notes whose the tags of a deck are, and returns which of its cards have one.
func (e *enrolment) known(of engine.ID) (tagged map[engine.ID]bool, err error) {
	tags, err := e.store.Tags(of)
	tagged = map[engine.ID]bool{}
	for _, t := range tags {
		uid, err := devices.ParseUID(t.UID)
		if _, unfit := uid.Unfit(); err != nil || unfit { // its card is asked for again
			continue
		}
		e.owner[uid], tagged[t.Card] = t.Card, true
	}
	return tagged, err
}

// run asks for one card after the other until all are done or ctx ends.
func (e *enrolment) run(ctx context.Context, arrivals <-chan devices.UID, skip <-chan struct{}) error {
	recorded := 0
	for i, card := range e.cards {
		fmt.Fprintf(e.out, "[%d/%d] %s · %s\n        posez-la sur le lecteur (Entrée : passer) · lay it on the reader (Enter: skip)\n",
			i+1, len(e.cards), card.Text.FR, card.Text.EN)
		for asked := true; asked; {
			select {
			case <-ctx.Done():
				fmt.Fprintf(e.out, "%d cartes enregistrées · cards recorded\n", recorded)
				return nil
			case <-skip:
				asked = false
			case uid := <-arrivals:
				if why, unfit := uid.Unfit(); unfit {
					fmt.Fprintf(e.out, "        %s\n        %s\n", why.FR, why.EN)
					continue
				}
				if owner, taken := e.owner[uid]; taken && owner != card.ID {
					fmt.Fprintf(e.out, "        cette puce est déjà à : %s · this tag belongs to that card already: take another\n", owner)
					continue
				}
				if err := e.store.SetTag(e.deck, store.Tag{UID: uid.String(), Card: card.ID}); err != nil {
					return err
				}
				e.owner[uid] = card.ID
				recorded++
				asked = false
			}
		}
	}
	fmt.Fprintf(e.out, "%d cartes enregistrées · cards recorded\n", recorded)
	return nil
}

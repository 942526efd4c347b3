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
	"strings"

	"github.com/spf13/cobra"
	"periph.io/x/host/v3"

	"majordome/cmd/majordome/house"
	"majordome/companion/catalogue"
	"majordome/companion/enrol"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/presence"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/games"
)

func enrollCommand(all games.Table) *cobra.Command {
	config, game, file := "", "", ""
	var every, controls, pawns, two, export bool
	c := &cobra.Command{
		Use:   "enroll",
		Short: "Teach the table which tag is which card",
		Long: `Lay the cards of your box on the reader one after the other, in the order in which
they are named; each tag is recorded at once. A tag whose number changes, or that others
have too, is refused. Enter skips a card, b goes back, u undoes, Ctrl-C stops, and the next call goes on
where you stopped. While the daemon runs, the host's page does the same.`,
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if controls && pawns || export && file != "" {
				return misuse{sentence("enroll : --controls et --pawns ne vont pas ensemble, --import et --export non plus", "enroll: --controls and --pawns do not go together, nor do --import and --export")}
			}
			cfg, err := house.ReadConfig(config)
			if err != nil {
				return err
			}
			e := enrollment{game: engine.ID(game), list: wire.EnrolCards, all: every, need: 1, file: file, export: export, out: c.OutOrStdout()}
			if two {
				e.need = 2
			}
			switch {
			case controls:
				e.list = wire.EnrolControls
			case pawns:
				e.list = wire.EnrolPawns
			}
			return e.open(c.Context(), all, cfg, c.InOrStdin())
		},
	}
	c.Flags().StringVar(&config, "config", defaultConfig, "configuration of this table")
	c.Flags().StringVar(&game, "game", "", "whose cards, one of {games}, or yours; without it, of the game of the deck file, or of the first")
	c.Flags().BoolVar(&controls, "controls", false, "control cards in the place of a game's: spare tags that do what a button does")
	c.Flags().BoolVar(&pawns, "pawns", false, "the pawns of a game in the place of its cards, for readers in places")
	c.Flags().BoolVar(&every, "all", false, "ask for every card, also those that have a tag already")
	c.Flags().BoolVar(&two, "two", false, "two tags a card: one at each end")
	c.Flags().BoolVar(&export, "export", false, "write the list of all tags, number and card, and ask for nothing; it is the host's alone")
	c.Flags().StringVar(&file, "import", "", "file of such a list, taken in the place of laying cards")
	return c
}

// enrollment is what the command was asked for.
type enrollment struct {
	game   engine.ID
	list   string
	need   int
	all    bool
	export bool
	file   string
	out    io.Writer
}

// open opens the store, which a running daemon has, and does what was asked for.
func (e enrollment) open(ctx context.Context, all games.Table, cfg house.Config, in io.Reader) (err error) {
	known, err := cfg.ReadDecks(all)
	if err != nil {
		return err
	}
	report(e.out, known.Left)
	if e.game == "" {
		e.game = known.Decks[0].ID()
	}
	if _, err := known.Known.Of(e.game); err != nil {
		return err
	}
	s, err := store.Open(filepath.Join(cfg.Data, storeFile), nil)
	if err != nil {
		var in *store.Error
		if errors.As(err, &in) && in.Trouble == store.InUse {
			err = errors.Join(err, sentence("enroll : si c’est la table qui tourne, sa page de l’hôte enregistre les cartes, sans rien arrêter", "enroll: if it is the table that runs, its host's page enrols cards, and nothing has to stop"))
		}
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for _, l := range s.Losses() {
		t := catalogue.Plain(l.Msg())
		fmt.Fprintf(e.out, "%s\n%s\n", t.FR, t.EN)
	}
	session, err := e.session(s, known.Decks)
	if err != nil {
		return err
	}
	switch {
	case e.export:
		_, err = io.WriteString(e.out, session.Export())
		return err
	case e.file != "":
		return e.read(session)
	}
	return session.atReader(ctx, cfg, in)
}

// session is what is to be asked for, with the names that the owner has given.
func (e enrollment) session(s *store.Store, all []deck.Deck) (*enrolment, error) {
	decks, err := house.OpenLibrary(s, all...)
	if err != nil {
		return nil, err
	}
	if err := decks.Unread(e.game); err != nil {
		report(e.out, err)
	}
	names, err := house.NamesAt(s, decks.Book(e.game))
	if err != nil {
		return nil, err
	}
	var ids []engine.ID
	for _, d := range all {
		ids = append(ids, d.ID())
	}
	o := house.Enrolment(e.list, e.game, names, ids)
	o.All, o.Need = e.all, e.need
	session, err := enrol.Open(s, o)
	return &enrolment{Session: session, out: e.out, cards: o.Cards, names: slices.Concat(names, engine.Pawns(names), house.ControlCards())}, err
}

// read takes a list in the place of laying cards.
func (e enrollment) read(s *enrolment) error {
	text, err := house.ReadFile(e.file)
	if err != nil {
		return err
	}
	r := s.Read(string(text), house.Number)
	if len(r.Faults) > 0 {
		for _, f := range r.Faults {
			f.File = e.file
		}
		return r.Faults
	}
	if err := s.Take(r); err != nil {
		return err
	}
	fmt.Fprintf(e.out, "Puces : %d nouvelles, %d qui changent de carte, %d comme avant\nTags: %[1]d new, %[2]d of other cards now, %[3]d as before\n", r.New, r.Moved, r.Same)
	return nil
}

// atReader asks for the cards at one reader of the table.
func (e *enrolment) atReader(ctx context.Context, cfg house.Config, in io.Reader) (err error) {
	if _, err := host.Init(); err != nil {
		return fmt.Errorf("enroll: the buses of this machine: %w", err)
	}
	reader, err := enrollReader(cfg.Readers, slog.New(slog.NewTextHandler(e.out, nil)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Scanner.Halt()) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	arrivals := make(chan devices.UID)
	watched := make(chan error, 1)
	go func() {
		watched <- presence.Watch(ctx, reader.Scanner, &presence.WatchOpts{Period: house.Period(engine.ReaderShow), Fold: presence.Opts{Strays: true}}, func(ev presence.Event) {
			if ev.Kind == presence.Arrived || ev.Kind == presence.Stray {
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

// lines are what a person types. Reading cannot be interrupted:
// the goroutine ends with its input or with the process.
func lines(ctx context.Context, in io.Reader) <-chan string {
	typed := make(chan string)
	go func() {
		for s := bufio.NewScanner(in); s.Scan(); {
			select {
			case typed <- strings.ToLower(strings.TrimSpace(s.Text())):
			case <-ctx.Done():
				return
			}
		}
	}()
	return typed
}

// enrolment is the dialogue of a terminal about a session of package enrol.
type enrolment struct {
	*enrol.Session
	out   io.Writer
	names engine.Names // of all cards that it may name

	cards    engine.Names
	recorded int
}

// words of the dialogue beside Enter.
var typedWords = map[string]string{"": enrol.Skip, "b": enrol.Back, "m": enrol.Move, "u": enrol.Undo}

// run asks for one card after the other until all are done or ctx ends.
func (e *enrolment) run(ctx context.Context, arrivals <-chan devices.UID, typed <-chan string) error {
	for e.ask() {
		select {
		case <-ctx.Done():
			fmt.Fprintf(e.out, "%d cartes enregistrées · cards recorded\n", e.recorded)
			return nil
		case word := <-typed:
			if do, ok := typedWords[word]; !ok || e.Do(do) == enrol.ErrNot {
				fmt.Fprint(e.out, "        Entrée : passer ; b : la précédente ; m : la puce change de carte ; u : annuler\n        Enter: skip; b: the one before; m: the tag changes cards; u: undo\n")
			}
		case uid := <-arrivals:
			if why, unfit := uid.Unfit(); unfit { // perhaps a phone beside the reader: nothing that was asked is answered by it
				fmt.Fprintf(e.out, "        %s\n        %s\n", why.FR, why.EN)
				continue
			}
			if err := e.Lay([]string{uid.String()}); err != nil {
				return err
			}
			e.tell()
		}
	}
	fmt.Fprintf(e.out, "%d cartes enregistrées · cards recorded\n", e.recorded)
	return nil
}

// ask names the card that is to be laid; false when there is none.
func (e *enrolment) ask() bool {
	s := e.State()
	i := slices.IndexFunc(e.cards, func(n engine.Name) bool { return n.ID == s.Asked })
	if i < 0 {
		return false
	}
	if s.Last.What == "" || s.Last.What == enrol.Kept || s.Last.What == enrol.Undone {
		fmt.Fprintf(e.out, "[%d/%d] %s · %s\n        posez-la sur le lecteur (Entrée : passer) · lay it on the reader (Enter: skip)\n",
			i+1, len(e.cards), e.cards[i].Text.FR, e.cards[i].Text.EN)
	}
	return true
}

// tell says what became of the last tag.
func (e *enrolment) tell() {
	switch l := e.State().Last; l.What {
	case enrol.Kept:
		e.recorded++
	case enrol.Conflict:
		of := engine.Text{FR: string(l.Card), EN: string(l.Card)}
		if i := slices.IndexFunc(e.names, func(n engine.Name) bool { return n.ID == l.Card }); i >= 0 {
			of = e.names[i].Text
		}
		fmt.Fprintf(e.out, "        cette puce est déjà à : %s ; prenez-en une autre, ou tapez m pour qu’elle change de carte\n        this tag belongs to: %s; take another one, or type m to move it\n", of.FR, of.EN)
	case enrol.Several:
		fmt.Fprint(e.out, "        plusieurs puces à la fois : posez-en une seule · several tags at once: lay one alone\n")
	}
}

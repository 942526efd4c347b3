package main

import (
	"context"
	cryptorand "crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/autoplay"
	"majordome/cmd/majordome/bench"
	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/demodecks"
	"majordome/cmd/majordome/house"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/light"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/ws2812"
	"majordome/devices/ws2812/ws2812sim"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/games"
)

// demoPlayers returns the players, by game, who sit at the table when the demo starts a game for the first time.
func demoPlayers(decks []deck.Deck) map[engine.ID][]house.Player {
	players := map[engine.ID][]house.Player{}
	for _, d := range decks {
		players[d.ID()] = autoplay.GuestPlayers(d.DemoCast())
	}
	return players
}

func demoCommand(all games.Table) *cobra.Command {
	listen, mqtt, data, game, nodes, file, calm, play := "", "", "", "", "", "", false, false
	c := &cobra.Command{
		Use:   "demo",
		Short: "A table without hardware, to be touched on a page",
		Long: `Start a demonstration table: the readers, tags and lights are simulated chip by
chip, everything else is the daemon as it runs at a real table.`,
		Args: requireArgs(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			cfg := config.Defaults()
			cfg.Listen, cfg.MQTT, cfg.Data, cfg.Calm = listen, mqtt, data, calm
			cfg.MDNS = "off" // the name is a real table's
			known, err := config.ReadDecks(demodecks.WithDemoDecks(all), file, "")
			if err != nil {
				return err
			}
			if file != "" && game == "" {
				game = string(known.Decks[0].ID())
			}
			if _, err := known.Known.FindGame(engine.ID(game)); game != "" && err != nil {
				return err
			}
			return runAndReopen(cfg, nil, c.ErrOrStderr(), func(_ config.Config, first bool) error {
				if !first {
					game = ""
				}
				return runDemo(c.Context(), known.Decks, cfg, engine.ID(game), nodes, play && first, c.OutOrStdout(), c.ErrOrStderr())
			})
		},
	}
	c.Flags().StringVar(&listen, "listen", ":8080", "address of the pages")
	c.Flags().StringVar(&mqtt, "mqtt", "off", "address of MQTT on its own port, or off")
	c.Flags().BoolVar(&calm, "calm", false, "lights without animation")
	c.Flags().StringVar(&nodes, "node", "", "emulator and image of a node that carries readers and lights (make run NODE=1)")
	c.Flags().StringVar(&game, "game", "", "game to start with, one of {games}, or yours; without it the last one goes on")
	c.Flags().StringVar(&file, "deck", "", "file of a deck of yours, also of a game that you have made up")
	c.Flags().BoolVar(&play, "play", false, "it plays by itself, one evening after the other: for a shop window or a stand")
	c.Flags().StringVar(&data, "data", "demo-data", "folder of the demonstration's own data")
	return c
}

// makeFolderFault returns a fault that explains why a folder could not be made.
func makeFolderFault(folder string, err error) error {
	const fr, en = "dossier %[1]s : il ne peut pas être créé, %[2]s : indiquez-en un autre par --data",
		"folder %[1]s: it cannot be made, %[3]s: name another one with --data"
	var number syscall.Errno
	switch {
	case errors.Is(err, fs.ErrPermission):
		return newFault(fr, en, folder, "cet utilisateur n’en a pas le droit", "this user may not do so")
	case errors.Is(err, syscall.ENOTDIR):
		return newFault(fr, en, folder, "un fichier porte ce nom ou celui d’un dossier au-dessus",
			"a file has this name, or that of a folder above")
	case errors.As(err, &number):
		return newFault(fr, en, folder, fmt.Sprintf("erreur %d du système", int(number)), fmt.Sprintf("system error %d", int(number)))
	}
	return newFault(fr, en, folder, "le système le refuse", "the system refuses")
}

func runDemo(ctx context.Context, decks []deck.Deck, cfg config.Config,
	game engine.ID, node string, play bool, out, errs io.Writer) (err error) {
	log := slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return makeFolderFault(cfg.Data, err)
	}
	hw, err := newSimulatedHardware()
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	var boxes []bench.Box
	for _, d := range decks {
		book, err := d.NewRulebook()
		if err != nil {
			return err
		}
		boxes = append(boxes, bench.Box{Game: book.ID(), Names: book.Names()})
	}
	if node != "" {
		var e *emulatedNode
		if e, err = hw.startEmulator(node, errs); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, e.Close()) }()
	}
	var h *house.House
	players := demoPlayers(decks)
	tableDice, cardDice := autoplay.NewDice(rand.Uint64()), autoplay.NewDice(rand.Uint64())
	table, err := bench.New(bench.Opts{Pause: 250 * time.Millisecond, Dice: cardDice,
		Boxes: boxes, Fields: hw.fields, Lamps: hw.namedStripParts, File: filepath.Join(cfg.Data, "room.json"),
		Phones: func() []wire.BenchPlayer { return benchPageLinks(h) },
		Own: func(s engine.Seat) *engine.Own {
			u, _ := h.Loop.Snapshot(engine.SeatViewer(s))
			return u.View.Me
		},
		Invite: func(s engine.Seat) error {
			if s == 0 {
				return h.ReplaceInvitation(engine.Host)
			}
			return h.ReplaceInvitation(engine.SeatViewer(s))
		},
		Resume: func() error { return h.ResumeGame() },
	})
	if err != nil {
		return err
	}
	defer table.Close()
	hw.onChange = table.NotifyChanged
	token, err := loadOrCreateToken(filepath.Join(cfg.Data, "bench-token"))
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	h, err = house.Open(house.Opts{
		Version: version,
		Config:  cfg, Decks: decks, Game: game, Log: log, Demo: true,
		Devices: config.Devices{Readers: hw.readers, Strips: hw.strips},
		Tags:    table.CardTags(), Players: players, Dice: tableDice,
		Bench: table.Handler(token), Public: table.HandleUpdate,
		NamesChanged:   func(game engine.ID, n engine.Names) { hw.nameStripParts(n); table.RenameCards(game, n) },
		AddressChanged: func() { logPrintError(log, printTourLinkAndQR(out, h, token)) },
	})
	if err != nil {
		return err
	}
	alone := time.Duration(0)
	if play {
		alone = 3 * time.Minute
	}
	guests := autoplay.New(autoplay.Opts{ResumeAfter: alone, Table: h.Loop, Cards: table,
		Players: func(game engine.ID) []house.Player { return players[game] },
		Dice:    []*autoplay.Dice{tableDice, cardDice}, Changed: table.NotifyChanged, File: filepath.Join(cfg.Data, "evening.json")})
	table.SetAutoPlayer(guests)
	var playing sync.WaitGroup
	ctx, stop := context.WithCancel(ctx)
	defer playing.Wait()
	defer stop()
	return h.Run(ctx, func() error {
		playing.Go(func() { guests.Run(ctx) })
		if play {
			want := guests.State()
			if want.On = true; want.Game == "" {
				u, _ := h.Loop.Snapshot(engine.Public)
				want.Game, want.Seed = u.View.Game, 1+rand.Uint32N(9999)
			}
			if err := guests.SetState(want); err != nil {
				return err
			}
		}
		return printWelcome(out, h, token, node != "")
	})
}

// benchPageLinks returns the addresses of the pages that a visitor can open from the bench: the page of each player's phone
// and, without a seat, the host's page.
func benchPageLinks(h *house.House) []wire.BenchPlayer {
	all := []wire.BenchPlayer{}
	u, _ := h.Loop.Snapshot(engine.Public)
	for _, s := range u.View.Seats {
		if url, _, err := h.Desk.LinkOrPageURL(engine.SeatViewer(s.Seat)); err == nil {
			all = append(all, wire.BenchPlayer{Seat: s.Seat, URL: url})
		}
	}
	if url, _, err := h.Desk.LinkOrPageURL(engine.Host); err == nil {
		all = append(all, wire.BenchPlayer{URL: url})
	}
	return all
}

// printWelcome prints the address of the demonstration, and "Ready." unless recorded data was lost.
func printWelcome(w io.Writer, h *house.House, token string, onNode bool) error {
	fmt.Fprint(w, "Majordome : table de démonstration · demonstration table\n\n")
	if onNode {
		fmt.Fprint(w, "Les lecteurs et les lumières sont sur un nœud, dont le micrologiciel tourne sur une puce simulée\n"+
			"The readers and the lights are on a node, whose firmware runs on a simulated chip\n\n")
	}
	err := printTourLinkAndQR(w, h, token)
	if printLosses(w, h.Store.LossTexts()) {
		return err
	}
	fmt.Fprint(w, "Ready. Prêt · Ctrl-C : fin · end.\n")
	return err
}

// printTourLinkAndQR prints the address of the page that shows everything. The demo calls it at the start and at each change of address.
func printTourLinkAndQR(w io.Writer, h *house.House, token string) error {
	at := h.Network.URL() + "/tour#b=" + token
	where := "Ouvrez cette adresse, ici ou sur un autre appareil du réseau\nOpen this address, here or on another device of the network"
	if u, err := url.Parse(h.Network.URL()); h.Network.HasNoNetwork() || err == nil && net.ParseIP(u.Hostname()).IsLoopback() {
		where = "Ouvrez cette adresse sur cette machine\nOpen this address on this machine"
	}
	fmt.Fprintf(w, "%s:\n\n  %s\n\n", where, at)
	return printQR(w, at)
}

// tokenLen is the length of the bench's token, in bytes.
const tokenLen = 16

// loadOrCreateToken returns the token that gives access to the bench. It draws one if the file has none; the file keeps it over
// restarts, so that an open page stays valid.
func loadOrCreateToken(path string) (string, error) {
	old, err := os.ReadFile(path)
	if b, wrong := base64.RawURLEncoding.DecodeString(string(old)); err == nil && wrong == nil && len(b) == tokenLen {
		return string(old), nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	b := make([]byte, tokenLen)
	if _, err := cryptorand.Read(b); err != nil {
		return "", err
	}
	token := base64.RawURLEncoding.EncodeToString(b)
	return token, os.WriteFile(path, []byte(token), 0o600)
}

// simulatedHardware is the hardware of the demonstration: two readers and one strip.
type simulatedHardware struct {
	fields   map[string]bench.Field
	readers  []config.Reader
	strips   []config.Strip
	layout   light.Layout
	onChange func() // called after each change of the lights; set before the first frame

	mu     sync.Mutex
	parts  []string // names of the strip's parts, as the bench knows them; "": lights nothing
	pixels []devices.RGB
}

// simulatedField is the space above one simulated reader.
type simulatedField struct{ sim *mfrc522sim.Sim }

func (f simulatedField) AddTag(u devices.UID) error { return f.sim.PlaceTag(u, 0) }
func (f simulatedField) RemoveTag(u devices.UID)    { f.sim.RemoveTag(u) }
func (f simulatedField) SetPlugged(in bool) {
	if in {
		f.sim.Plug()
		return
	}
	f.sim.Unplug(0)
}

// simulatedPlaces is the number of places that the simulated strip can light: those of the largest board, Super Cluedo.
const simulatedPlaces = 14

func newSimulatedHardware() (*simulatedHardware, error) {
	s := &simulatedHardware{fields: map[string]bench.Field{}, layout: light.DefaultLayout(simulatedPlaces), onChange: func() {}}
	for _, role := range []string{engine.ReaderUrn, engine.ReaderShow} {
		sim := mfrc522sim.NewRealtime(nil)
		dev, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
		if err != nil {
			return nil, err
		}
		s.fields[role] = simulatedField{sim}
		s.readers = append(s.readers, config.Reader{Role: role, Scanner: dev, Period: config.PollPeriod(role)})
	}
	s.nameStripParts(nil)
	n := s.layout.MinStripLen()
	s.pixels = make([]devices.RGB, n)
	port := ws2812sim.New(&ws2812sim.Opts{NumPixels: n, OnFrame: s.storeFrame})
	strip, err := ws2812.New(port, &ws2812.Opts{NumPixels: n})
	if err != nil {
		return nil, err
	}
	s.strips = []config.Strip{{Strip: pageStrip{strip}, Layout: s.layout}}
	return s, nil
}

// pageStrip is a strip that is drawn on a page, at 20 pictures a second: too few to mix colours by fast changes of frames.
type pageStrip struct{ devices.Strip }

// nameStripParts assigns the strip's places to the areas of the game on the table, in the order of its names. Unused places
// light nothing.
func (s *simulatedHardware) nameStripParts(names engine.Names) {
	parts := make([]string, 1, simulatedPlaces+3)
	parts[0] = "clock"
	for _, n := range names {
		if n.IsLocation() {
			parts = append(parts, string(n.ID))
		}
	}
	for len(parts) < simulatedPlaces+1 {
		parts = append(parts, "")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts = append(parts[:simulatedPlaces+1], "urn", "show")
}

func (s *simulatedHardware) storeFrame(px []devices.RGB) {
	s.mu.Lock()
	same := true
	for i := range px {
		same = same && s.pixels[i] == px[i]
	}
	copy(s.pixels, px)
	s.mu.Unlock()
	if !same {
		s.onChange()
	}
}

// namedStripParts returns the named parts of the strip, in the colours that a person sees.
func (s *simulatedHardware) namedStripParts() []wire.BenchStrip {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []wire.BenchStrip{}
	for i, part := range s.layout.PartsWithLEDs() {
		if s.parts[i] == "" {
			continue
		}
		b := wire.BenchStrip{Name: s.parts[i]}
		for _, c := range part.AppendPixels(nil, s.pixels) {
			seen := light.ScreenColour(c, nil)
			b.Pixels = append(b.Pixels, fmt.Sprintf("#%02x%02x%02x", seen.R, seen.G, seen.B))
		}
		all = append(all, b)
	}
	return all
}

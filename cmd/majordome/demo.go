package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/bench"
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
	"majordome/engine/huisclos"
)

// demoPlayers sit at the table when the demo starts for the first time.
var demoPlayers = []house.Player{
	{Name: "Anne", Character: "character-borrow"},
	{Name: "Bruno", Character: "character-worms"},
	{Name: "Chloé", Character: "character-peely"},
	{Name: "David", Character: "character-lecomte"},
}

func demoCommand() *cobra.Command {
	listen, mqtt, data, nodes, calm := "", "", "", "", false
	c := &cobra.Command{
		Use:   "demo",
		Short: "A table without hardware, to be touched on a page",
		Long: `Start a demonstration table: the readers, tags and lights are simulated chip by
chip, everything else is the daemon as it runs at a real table.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg := house.Defaults()
			cfg.Listen, cfg.MQTT, cfg.Data, cfg.Calm = listen, mqtt, data, calm
			return runDemo(c.Context(), cfg, nodes, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&listen, "listen", ":8080", "address of the pages")
	c.Flags().StringVar(&mqtt, "mqtt", "off", "address of MQTT on its own port, or off")
	c.Flags().BoolVar(&calm, "calm", false, "lights without animation")
	c.Flags().StringVar(&nodes, "node", "", "emulator and image of a node that carries readers and lights (make run NODE=1)")
	c.Flags().StringVar(&data, "data", "demo-data", "folder of the demonstration's own data")
	return c
}

func runDemo(ctx context.Context, cfg house.Config, node string, out, errs io.Writer) (err error) {
	log := slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return sentence("dossier %s : il ne peut pas être créé (%v) : indiquez-en un autre par --data",
			"folder %s: it cannot be made (%v): name another one with --data", cfg.Data, err)
	}
	base := deck.HuisClos()
	book, err := huisclos.New(base)
	if err != nil {
		return err
	}
	hw, err := simulate(book.Names())
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	if node != "" {
		var e *emulated
		if e, err = hw.emulate(node, errs); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, e.Close()) }()
	}
	var h *house.House
	table, err := bench.New(bench.Opts{Pause: 250 * time.Millisecond,
		Names: book.Names(), Fields: hw.fields, Lamps: hw.lamps, File: filepath.Join(cfg.Data, "room.json"),
		Phones: func() []wire.BenchPlayer { return doors(h) },
	})
	if err != nil {
		return err
	}
	defer table.Close()
	hw.changed = table.Changed
	token, err := keptToken(filepath.Join(cfg.Data, "bench-token"))
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	h, err = house.Open(house.Opts{
		Config: cfg, Deck: base, Readers: hw.readers, Strips: hw.strips, Log: log, Demo: true,
		Tags: table.Tags(), Players: demoPlayers,
		Bench: table.Handler(token), Public: table.Hear, Named: table.Rename,
	})
	if err != nil {
		return err
	}
	return h.Run(ctx, func() error { return welcome(out, h, token) })
}

// doors are the pages that a newcomer opens from the bench: the phones, and as
// seat 0 the host's page.
func doors(h *house.House) []wire.BenchPlayer {
	all := h.Phones()
	if url, _, err := h.Invitation(engine.Host); err == nil {
		all = append(all, wire.BenchPlayer{URL: url})
	}
	return all
}

// welcome prints where everything is.
func welcome(w io.Writer, h *house.House, token string) error {
	base := h.URL()
	host, _, err := h.Invitation(engine.Host)
	if err != nil {
		return err
	}
	fmt.Fprint(w, "Majordome : table de démonstration · demonstration table\n\n")
	line := func(name, what, url string) { fmt.Fprintf(w, "%-8s  %-34s %s\n", name, what, url) }
	line("Bench", "la table à toucher · touch the table", base+"/bench#b="+token)
	line("Display", "l'écran de table · table display", base+"/display")
	line("Host", "l'hôte · the host", host)
	first := ""
	for _, p := range h.Phones() {
		name := h.PlayerName(p.Seat)
		line(p.Seat.String(), "le téléphone de · the phone of "+name, p.URL)
		if first == "" {
			first = p.URL
		}
	}
	if first != "" {
		fmt.Fprintf(w, "\nUn vrai téléphone, à la première place · a real phone, for the first seat:\n\n")
		if err := printQR(w, first); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "\nReady. Commencez par l'adresse Bench · start with the Bench address. Ctrl-C: fin · end.\n")
	return nil
}

// keptToken opens the bench; it stays the same over restarts, so that an open page goes on.
func keptToken(path string) (string, error) {
	old, err := os.ReadFile(path)
	if err == nil && len(old) > 0 {
		return string(old), nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		return "", err
	}
	token := base64.RawURLEncoding.EncodeToString(b)
	return token, os.WriteFile(path, []byte(token), 0o600)
}

// simulated is the hardware of the demonstration: two readers and one strip.
type simulated struct {
	fields  map[string]bench.Field
	readers []house.Reader
	strips  []house.Strip
	layout  light.Layout
	parts   []string // names of the parts, as the bench knows them
	changed func()   // set before the first frame

	mu     sync.Mutex
	pixels []devices.RGB
}

// field is the space above one simulated reader.
type field struct{ sim *mfrc522sim.Sim }

func (f field) Put(u devices.UID) error { return f.sim.Put(u, 0) }
func (f field) Take(u devices.UID)      { f.sim.Take(u) }
func (f field) Plug(in bool) {
	if in {
		f.sim.Plug()
		return
	}
	f.sim.Unplug(0)
}

func simulate(names engine.Names) (*simulated, error) {
	s := &simulated{fields: map[string]bench.Field{}, layout: light.HuisClos(), changed: func() {}}
	for _, role := range []string{engine.ReaderUrn, engine.ReaderShow} {
		sim := mfrc522sim.NewRealtime(nil)
		dev, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
		if err != nil {
			return nil, err
		}
		s.fields[role] = field{sim}
		s.readers = append(s.readers, house.Reader{Role: role, Scanner: dev, Period: house.Period(role)})
	}
	s.parts = append(s.parts, "clock")
	for _, n := range names {
		if n.Kind == "place" {
			s.parts = append(s.parts, string(n.ID))
		}
	}
	s.parts = append(s.parts, "urn", "show")
	n := s.layout.Len()
	s.pixels = make([]devices.RGB, n)
	port := ws2812sim.New(&ws2812sim.Opts{NumPixels: n, OnFrame: s.frame})
	strip, err := ws2812.New(port, &ws2812.Opts{NumPixels: n})
	if err != nil {
		return nil, err
	}
	s.strips = []house.Strip{{Strip: strip, Layout: s.layout}}
	return s, nil
}

func (s *simulated) frame(px []devices.RGB) {
	s.mu.Lock()
	same := true
	for i := range px {
		same = same && s.pixels[i] == px[i]
	}
	copy(s.pixels, px)
	s.mu.Unlock()
	if !same {
		s.changed()
	}
}

// lamps are the parts of the strip as a person sees them.
func (s *simulated) lamps() []wire.BenchStrip {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []wire.BenchStrip{}
	for i, part := range s.layout.Parts() {
		b := wire.BenchStrip{Name: s.parts[i]}
		for _, c := range part.Cut(nil, s.pixels) {
			seen := light.AsSeen(c, nil)
			b.Pixels = append(b.Pixels, fmt.Sprintf("#%02x%02x%02x", seen.R, seen.G, seen.B))
		}
		all = append(all, b)
	}
	return all
}

package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"majordome/devices"
	"majordome/engine"
)

// room is the table as the file keeps it.
type room struct {
	Cards []kept                    `json:"cards"` // in the order of Table.cards
	Pawns map[engine.Seat]engine.ID `json:"pawns"`
}

type kept struct {
	Tag  string `json:"tag"`
	Spot string `json:"spot"`
	Up   bool   `json:"up"`
}

// keep writes the file. It is a convenience of the simulation: a file that
// cannot be written only means that the next start finds all cards in the box.
func (t *Table) keep() {
	if t.opts.File == "" {
		return
	}
	r := room{Pawns: t.pawns}
	for _, c := range t.cards {
		k := kept{Tag: c.Tag, Spot: c.Spot, Up: c.Up}
		if onReader(c) {
			k.Spot = c.home
		}
		r.Cards = append(r.Cards, k)
	}
	data, err := json.Marshal(r)
	if err != nil {
		return
	}
	if os.WriteFile(t.opts.File+".new", data, 0o600) == nil {
		_ = os.Rename(t.opts.File+".new", t.opts.File)
	}
}

// restore lays the cards where they lay, with the tags they carried.
func (t *Table) restore() error {
	if t.opts.File == "" {
		return nil
	}
	data, err := os.ReadFile(t.opts.File)
	if errors.Is(err, fs.ErrNotExist) {
		t.keep()
		return nil
	}
	var r room
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil || len(r.Cards) != len(t.cards) {
		return fmt.Errorf("bench: %s cannot be read: remove it to begin with all cards in the box", t.opts.File)
	}
	for i, k := range r.Cards {
		c := t.cards[i]
		if c.uid, err = devices.ParseUID(k.Tag); err != nil {
			return fmt.Errorf("bench: %s: %w", t.opts.File, err)
		}
		c.Tag, c.Spot, c.home, c.Up = k.Tag, k.Spot, k.Spot, k.Up
	}
	for s, p := range r.Pawns {
		t.pawns[s] = p
	}
	return nil
}

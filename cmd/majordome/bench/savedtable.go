package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"majordome/devices"
	"majordome/engine"
)

// savedTable is the table as JSON in the file.
type savedTable struct {
	Cards []savedCard               `json:"cards"` // in the order of Table.all
	Pawns map[engine.Seat]engine.ID `json:"pawns"`
	Game  engine.ID                 `json:"game,omitempty"` // the current game; empty: the first
}

type savedCard struct {
	Tag  string `json:"tag"`
	Spot string `json:"spot"`
	Up   bool   `json:"up"`
}

// saveTable writes the file if the positions have changed. The file is only a convenience of the simulation: if it
// cannot be written, the next start finds the cards in their former positions.
func (t *Table) saveTable() {
	if t.opts.File == "" || t.closed {
		return
	}
	r := savedTable{Pawns: t.pawns, Game: t.game}
	for _, c := range t.all {
		k := savedCard{Tag: c.Tag, Spot: c.Spot, Up: c.Up}
		if isOnReader(c) {
			k.Spot = c.home
		}
		r.Cards = append(r.Cards, k)
	}
	data, err := json.Marshal(r)
	if err != nil || bytes.Equal(data, t.savedData) {
		return
	}
	// Not synced: HandleUpdate comes here at each step of the table and must not wait for a disk. After a power cut the
	// room may be older than the game, as if a person had moved the cards in the meantime.
	if os.WriteFile(t.opts.File+".new", data, 0o600) == nil && os.Rename(t.opts.File+".new", t.opts.File) == nil {
		t.savedData = data
	}
}

// TableFileError reports that the file of the table cannot be used, in both languages.
type TableFileError struct {
	File  string
	Cause error
}

func (e *TableFileError) Error() string { return "bench: " + e.Text().EN }

// Unwrap returns the cause.
func (e *TableFileError) Unwrap() error { return e.Cause }

// Text returns the problem and advice.
func (e *TableFileError) Text() engine.Text {
	return engine.Tf("%s ne décrit pas cette table (%v) : supprimez ce fichier, toutes les cartes seront alors dans la boîte",
		"%s does not describe this table (%v): remove it, then all cards are in the box", e.File, e.Cause)
}

// loadTable restores the positions and tags of the cards from the file.
func (t *Table) loadTable() error {
	if t.opts.File == "" {
		return nil
	}
	data, err := os.ReadFile(t.opts.File)
	if errors.Is(err, fs.ErrNotExist) {
		t.saveTable()
		return nil
	}
	var r savedTable
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err == nil {
		err = t.applySaved(r)
	}
	if err != nil {
		return &TableFileError{File: t.opts.File, Cause: err}
	}
	t.savedData = data
	return nil
}

// applySaved puts cards and pawns where the file says.
func (t *Table) applySaved(saved savedTable) error {
	// An older file has the first boxes only; the others are new in their boxes.
	n := len(saved.Cards)
	if n > len(t.all) || n < len(t.all) && (n == 0 || t.all[n-1].game == t.all[n].game) {
		return fmt.Errorf("%d cards instead of %d", n, len(t.all))
	}
	if saved.Game != "" {
		if t.names[saved.Game] == nil {
			return fmt.Errorf("a game %.40q", saved.Game)
		}
		t.switchGame(saved.Game)
	}
	for i, k := range saved.Cards {
		uid, err := devices.ParseUID(k.Tag)
		if _, on := readerAtSpot(k.Spot); err != nil || on || !t.isSpotName(k.Spot) {
			return fmt.Errorf("card %d: tag %.40q at %.40q", i+1, k.Tag, k.Spot)
		}
		c := t.all[i]
		c.uid, c.Tag, c.Spot, c.home, c.Up = uid, uid.String(), k.Spot, k.Spot, k.Up
	}
	for s, p := range saved.Pawns {
		if !s.IsValid() || !t.isPlaceID(p) {
			return fmt.Errorf("a pawn of %s at %.40q", s, p)
		}
		t.pawns[s] = p
	}
	return nil
}

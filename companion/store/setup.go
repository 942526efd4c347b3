package store

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"majordome/engine"
)

// Limits of what an owner enters.
const (
	MaxTags    = 512
	MaxUID     = 20 // bytes of a UID in hex: 10-byte UIDs are the longest (ISO 14443-3)
	MaxDeck    = 256 << 10
	MaxSetting = 4 << 10
	MaxNotes   = 4 << 10
)

// Tag is an NFC tag and the card that carries it.
type Tag struct {
	UID  string // hex, as devices.UID prints it
	Card engine.ID
}

// SetTag records that the tag is on that card of the deck, whatever it was before.
func (s *Store) SetTag(deck engine.ID, tag Tag) error {
	if tag.UID == "" || len(tag.UID) > MaxUID || tag.Card == "" {
		return s.wrapStoreError("enrol a tag", errors.New("no UID of 1 to 10 bytes, or no card"))
	}
	return s.writeInTx("enrol a tag", func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRow("SELECT count(*) FROM tags WHERE deck = ?", string(deck)).Scan(&n); err != nil {
			return err
		}
		if n >= MaxTags {
			return fmt.Errorf("the deck has %d tags already", n)
		}
		_, err := tx.Exec("INSERT OR REPLACE INTO tags (deck, uid, card) VALUES (?, ?, ?)", string(deck), tag.UID, string(tag.Card))
		return err
	})
}

// DeckTag is a tag of a deck.
type DeckTag struct {
	Deck engine.ID
	Tag
}

// ChangeTags removes the tags of drop and records those of put, all or nothing. A tag of put replaces what
// was recorded for its UID in that deck.
func (s *Store) ChangeTags(drop, put []DeckTag) error {
	for _, t := range slices.Concat(drop, put) {
		if t.Deck == "" || t.UID == "" || len(t.UID) > MaxUID || t.Card == "" {
			return s.wrapStoreError("change tags", errors.New("no deck, no UID of 1 to 10 bytes, or no card"))
		}
	}
	return s.writeInTx("change tags", func(tx *sql.Tx) error {
		for _, t := range drop {
			if _, err := tx.Exec("DELETE FROM tags WHERE deck = ? AND uid = ?", string(t.Deck), t.UID); err != nil {
				return err
			}
		}
		for _, t := range put {
			if _, err := tx.Exec("INSERT OR REPLACE INTO tags (deck, uid, card) VALUES (?, ?, ?)",
				string(t.Deck), t.UID, string(t.Card)); err != nil {
				return err
			}
		}
		var most int
		if err := tx.QueryRow("SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM tags GROUP BY deck)").Scan(&most); err != nil {
			return err
		}
		if most > MaxTags {
			return fmt.Errorf("a deck has %d tags at most", MaxTags)
		}
		return nil
	})
}

// Tags returns all tags of a deck, sorted by card and then UID.
func (s *Store) Tags(deck engine.ID) ([]Tag, error) {
	tags, err := queryAll(s.db, func(rows *sql.Rows) (t Tag, err error) {
		err = rows.Scan(&t.UID, &t.Card)
		return t, err
	}, "SELECT uid, card FROM tags WHERE deck = ? ORDER BY card, uid", string(deck))
	return tags, s.wrapStoreError("read tags", err)
}

// SetDeck stores the owner's copy of a deck, as YAML.
func (s *Store) SetDeck(id engine.ID, data []byte) error {
	if id == "" || len(data) > MaxDeck {
		return s.wrapStoreError("keep a deck", fmt.Errorf("%d bytes, at most %d", len(data), MaxDeck))
	}
	return s.writeInTx("keep a deck", func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO decks (id, data) VALUES (?, ?)", string(id), append([]byte{}, data...))
		return err
	})
}

// Deck returns the owner's copy of a deck; ok is false if there is none.
func (s *Store) Deck(id engine.ID) (data []byte, ok bool, err error) {
	return s.lookupValue("read a deck", "SELECT data FROM decks WHERE id = ?", string(id))
}

// DeleteDeck deletes the owner's copy of a deck, if there is one.
func (s *Store) DeleteDeck(id engine.ID) error {
	return s.writeInTx("forget a deck", func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM decks WHERE id = ?", string(id))
		return err
	})
}

// Settings that a restore does not change: the accounts of the host's page, and the number of wrong PINs in a
// row.
const (
	SettingStaff = "staff"
	SettingTries = "staff.tries"
)

// SettingPhones is the name of the setting that says which phone has which key (package pair).
const SettingPhones = "phones"

// SetSetting stores a setting of the table.
func (s *Store) SetSetting(name, value string) error {
	if name == "" || len(name) > 64 || len(value) > MaxSetting {
		return s.wrapStoreError("keep a setting", fmt.Errorf("name of %d bytes, value of %d", len(name), len(value)))
	}
	return s.writeInTx("keep a setting", func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", "set."+name, []byte(value))
		return err
	})
}

// Setting returns a setting of the table; ok is false if it was never stored.
func (s *Store) Setting(name string) (value string, ok bool, err error) {
	data, ok, err := s.lookupValue("read a setting", "SELECT value FROM settings WHERE name = ?", "set."+name)
	return string(data), ok, err
}

// lookupValue returns the one value that a query selects; ok is false if it selects no row. op is for the error.
func (s *Store) lookupValue(op, query string, arg any) (data []byte, ok bool, err error) {
	err = s.db.QueryRow(query, arg).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return data, err == nil, s.wrapStoreError(op, err)
}

// SetNotes stores the note sheet of a seat in a game.
func (s *Store) SetNotes(game int64, seat engine.Seat, marks string) error {
	if !seat.IsValid() || len(marks) > MaxNotes {
		return s.wrapStoreError("keep notes", fmt.Errorf("%d bytes, at most %d", len(marks), MaxNotes))
	}
	return s.writeInTx("keep notes", func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO notes (game, seat, marks) VALUES (?, ?, ?)", game, seat.String(), marks)
		return err
	})
}

// Notes returns the note sheets of a game by seat.
func (s *Store) Notes(game int64) (map[engine.Seat]string, error) {
	type sheet struct {
		seat  engine.Seat
		marks string
	}
	sheets, err := queryAll(s.db, func(rows *sql.Rows) (n sheet, err error) {
		var seat string
		if err := rows.Scan(&seat, &n.marks); err != nil {
			return n, err
		}
		n.seat, err = engine.ParseSeat(seat)
		return n, err
	}, "SELECT seat, marks FROM notes WHERE game = ?", game)
	all := map[engine.Seat]string{}
	for _, n := range sheets {
		all[n.seat] = n.marks
	}
	return all, s.wrapStoreError("read notes", err)
}

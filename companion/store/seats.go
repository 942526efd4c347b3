package store

import (
	"database/sql"
	"errors"

	"majordome/companion/seal"
	"majordome/engine"
)

// MaxClosed is how many used or withdrawn invitations are remembered, so that
// their links are answered as used and not as unknown.
const MaxClosed = 64

// Seat is the key of one viewer: a seat or the host.
type Seat struct {
	Viewer  engine.Viewer
	Key     seal.Disk
	Counter uint64 // highest connect counter accepted with this key
	Joined  bool   // a phone has taken the key
}

// Invitation is one one-time invitation. Code is kept while it is open: the
// host's page shows the link again after a restart. It adds nothing to what a
// thief of the file has, who finds the seat's key beside it.
type Invitation struct {
	ID     string
	Viewer engine.Viewer
	Code   seal.CodeDisk
	Open   bool
}

// Seats are all keys and all invitations, the oldest first.
func (s *Store) Seats() ([]Seat, []Invitation, error) {
	seats, err := query(s.db, func(rows *sql.Rows) (Seat, error) {
		var seat Seat
		var viewer string
		var counter int64
		err := rows.Scan(&viewer, &seat.Key, &counter, &seat.Joined)
		if err == nil {
			seat.Counter = uint64(counter)
			seat.Viewer, err = engine.ParseViewer(viewer)
		}
		return seat, err
	}, "SELECT viewer, key, counter, joined FROM keys ORDER BY viewer")
	if err != nil {
		return nil, nil, s.fail("read keys", err)
	}
	invitations, err := query(s.db, func(rows *sql.Rows) (Invitation, error) {
		var i Invitation
		var viewer string
		err := rows.Scan(&i.ID, &viewer, &i.Code, &i.Open)
		if err == nil {
			i.Viewer, err = engine.ParseViewer(viewer)
		}
		return i, err
	}, "SELECT id, viewer, code, open FROM invitations ORDER BY n")
	return seats, invitations, s.fail("read invitations", err)
}

// Invite gives a viewer a new key and opens an invitation for it; whatever
// invitation that viewer had is closed. Both happen or neither.
func (s *Store) Invite(seat Seat, inv Invitation) error {
	if seat.Viewer != inv.Viewer || seat.Viewer == engine.Public {
		return s.fail("invite", errors.New("not an invitation of that viewer"))
	}
	return s.write("invite", func(tx *sql.Tx) error {
		if err := closeInvitations(tx, seat.Viewer); err != nil {
			return err
		}
		_, err := tx.Exec("INSERT OR REPLACE INTO keys (viewer, key, counter, joined) VALUES (?, ?, 0, 0)", seat.Viewer.String(), seat.Key)
		if err != nil {
			return err
		}
		_, err = tx.Exec("INSERT INTO invitations (id, viewer, code, open) VALUES (?, ?, ?, 1)", inv.ID, inv.Viewer.String(), inv.Code)
		return err
	})
}

// Redeem closes the open invitation of a viewer because a phone has used it.
func (s *Store) Redeem(v engine.Viewer) error {
	return s.write("redeem", func(tx *sql.Tx) error {
		if err := closeInvitations(tx, v); err != nil {
			return err
		}
		_, err := tx.Exec("UPDATE keys SET joined = 1 WHERE viewer = ?", v.String())
		return err
	})
}

// Withdraw closes the open invitation of a viewer and forgets its key.
func (s *Store) Withdraw(v engine.Viewer) error {
	return s.write("withdraw", func(tx *sql.Tx) error {
		if err := closeInvitations(tx, v); err != nil {
			return err
		}
		_, err := tx.Exec("DELETE FROM keys WHERE viewer = ?", v.String())
		return err
	})
}

// SetCounter keeps the connect counter of a viewer; it only rises.
func (s *Store) SetCounter(v engine.Viewer, counter uint64) error {
	return s.write("keep a counter", func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE keys SET counter = max(counter, ?) WHERE viewer = ?", int64(min(counter, 1<<63-1)), v.String())
		return err
	})
}

func closeInvitations(tx *sql.Tx, v engine.Viewer) error {
	_, err := tx.Exec("UPDATE invitations SET open = 0, code = NULL WHERE viewer = ? AND open = 1", v.String())
	if err != nil {
		return err
	}
	_, err = tx.Exec(`DELETE FROM invitations WHERE open = 0 AND n NOT IN
		(SELECT n FROM invitations WHERE open = 0 ORDER BY n DESC LIMIT ?)`, MaxClosed)
	return err
}

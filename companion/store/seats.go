package store

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
)

// MaxClosed is the number of used or withdrawn invitations that are remembered. Their links are answered as
// used, not as unknown.
const MaxClosed = 64

// Seat is the key of one phone of a seat, or of the host.
type Seat struct {
	Phone   wire.Handset
	Key     seal.Disk
	Counter uint64 // highest connect counter accepted from this phone
	Joined  bool   // a phone has received the key
	Other   OtherKey
}

// OtherKey is a second key that a phone may connect with: the next one, or the former one. The zero OtherKey is none.
type OtherKey struct {
	Key  seal.Disk
	Ends time.Time // zero: it has no end
}

// otherKeyPrefix begins the name of the setting that has the other key of a phone: 8 bytes of its end, in ms since 1970, and the key.
const otherKeyPrefix = "key."

// Invitation is a one-time invitation. Code is stored while the invitation is open, so that the host's page
// can show the link after a restart. This gives a thief of the file nothing more, because the file contains
// the seat's key too.
type Invitation struct {
	ID    string
	Phone wire.Handset
	Code  seal.CodeDisk
	Open  bool
}

// KeysAndInvitations returns all keys, sorted by phone, and all invitations, oldest first.
func (s *Store) KeysAndInvitations() ([]Seat, []Invitation, error) {
	seats, err := queryAll(s.db, func(rows *sql.Rows) (Seat, error) {
		var seat Seat
		var phone string
		var counter int64
		err := rows.Scan(&phone, &seat.Key, &counter, &seat.Joined)
		if err == nil {
			seat.Counter = uint64(counter)
			seat.Phone, err = wire.ParseHandset(phone)
		}
		return seat, err
	}, "SELECT viewer, key, counter, joined FROM keys ORDER BY viewer")
	if err == nil {
		for i := range seats {
			if seats[i].Other, err = s.otherKeyOf(seats[i].Phone); err != nil {
				break
			}
		}
	}
	if err != nil {
		return nil, nil, s.wrapStoreError("read keys", err)
	}
	invitations, err := queryAll(s.db, func(rows *sql.Rows) (Invitation, error) {
		var i Invitation
		var phone string
		err := rows.Scan(&i.ID, &phone, &i.Code, &i.Open)
		if err == nil {
			i.Phone, err = wire.ParseHandset(phone)
		}
		return i, err
	}, "SELECT id, viewer, code, open FROM invitations ORDER BY n")
	return seats, invitations, s.wrapStoreError("read invitations", err)
}

// otherKeyOf returns the other key of a phone. A damaged one counts as none: at worst its phone has to join again.
func (s *Store) otherKeyOf(h wire.Handset) (other OtherKey, err error) {
	data, ok, err := s.lookupValue("read keys", "SELECT value FROM settings WHERE name = ?", otherKeyPrefix+h.String())
	if err != nil || !ok || len(data) < 8 || other.Key.Scan(data[8:]) != nil {
		return OtherKey{}, err
	}
	if ms := int64(binary.BigEndian.Uint64(data)); ms != 0 {
		other.Ends = time.UnixMilli(ms)
	}
	return other, nil
}

// SaveKeys replaces the key of a phone, and its other key, both or neither. It changes nothing if the phone has no key.
func (s *Store) SaveKeys(seat Seat) error {
	return s.writeInTx("renew a key", func(tx *sql.Tx) error {
		done, err := tx.Exec("UPDATE keys SET key = ? WHERE viewer = ?", seat.Key, seat.Phone.String())
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, errors.New("no such key"))
		}
		key, err := seat.Other.Key.Value()
		if err != nil { // there is none
			return deleteOtherKey(tx, seat.Phone)
		}
		ends := uint64(0)
		if !seat.Other.Ends.IsZero() {
			ends = uint64(seat.Other.Ends.UnixMilli())
		}
		_, err = tx.Exec("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", otherKeyPrefix+seat.Phone.String(),
			append(binary.BigEndian.AppendUint64(nil, ends), key.([]byte)...))
		return err
	})
}

func deleteOtherKey(tx *sql.Tx, h wire.Handset) error {
	_, err := tx.Exec("DELETE FROM settings WHERE name = ?", otherKeyPrefix+h.String())
	return err
}

// SaveInvitation stores a new key for a phone and opens an invitation for it, all or nothing. It closes the phone's
// earlier invitation, and does for the phones in cutOff what DeleteKeys does.
func (s *Store) SaveInvitation(seat Seat, inv Invitation, cutOff ...wire.Handset) error {
	if seat.Phone != inv.Phone || !seat.Phone.IsValid() {
		return s.wrapStoreError("invite", errors.New("not an invitation of that phone"))
	}
	return s.writeInTx("invite", func(tx *sql.Tx) error {
		if err := deleteKeys(tx, append(cutOff, seat.Phone)); err != nil {
			return err
		}
		_, err := tx.Exec("INSERT INTO keys (viewer, key, counter, joined) VALUES (?, ?, 0, 0)", seat.Phone.String(), seat.Key)
		if err != nil {
			return err
		}
		_, err = tx.Exec("INSERT INTO invitations (id, viewer, code, open) VALUES (?, ?, ?, 1)", inv.ID, inv.Phone.String(), inv.Code)
		return err
	})
}

// RecordJoin closes the open invitation of a phone because it was used, and records that the phone has its key.
func (s *Store) RecordJoin(h wire.Handset) error {
	return s.writeInTx("redeem", func(tx *sql.Tx) error {
		if err := closeInvitations(tx, h); err != nil {
			return err
		}
		_, err := tx.Exec("UPDATE keys SET joined = 1 WHERE viewer = ?", h.String())
		return err
	})
}

// DeleteKeys deletes the keys of some phones and closes their open invitations, of all or of none.
func (s *Store) DeleteKeys(all ...wire.Handset) error {
	return s.writeInTx("withdraw", func(tx *sql.Tx) error { return deleteKeys(tx, all) })
}

func deleteKeys(tx *sql.Tx, all []wire.Handset) error {
	for _, h := range all {
		if err := closeInvitations(tx, h); err != nil {
			return err
		}
		if _, err := tx.Exec("DELETE FROM keys WHERE viewer = ?", h.String()); err != nil {
			return err
		}
		if err := deleteOtherKey(tx, h); err != nil {
			return err
		}
	}
	return nil
}

// RaiseCounter raises the connect counter of a phone; it never lowers it.
func (s *Store) RaiseCounter(h wire.Handset, counter uint64) error {
	return s.writeInTx("keep a counter", func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE keys SET counter = max(counter, ?) WHERE viewer = ?", int64(min(counter, 1<<63-1)), h.String())
		return err
	})
}

// closeInvitations closes the open invitation of a phone, and forgets the oldest closed ones beyond MaxClosed.
func closeInvitations(tx *sql.Tx, h wire.Handset) error {
	_, err := tx.Exec("UPDATE invitations SET open = 0, code = NULL WHERE viewer = ? AND open = 1", h.String())
	if err != nil {
		return err
	}
	_, err = tx.Exec(`DELETE FROM invitations WHERE open = 0 AND n NOT IN
		(SELECT n FROM invitations WHERE open = 0 ORDER BY n DESC LIMIT ?)`, MaxClosed)
	return err
}

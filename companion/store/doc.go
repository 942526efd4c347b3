// Package store keeps everything that must survive a power cut in one SQLite
// file: games and their events, which tag is which card, owners' decks, the
// keys of the seats, open invitations, settings and results.
//
//	s, err := store.Open(path, nil)   creates or migrates the file
//	epoch, err := s.NextEpoch()       once per start of the daemon
//	game, ok, err := s.Current()      the open game; s.Events(game.ID) replays it
//	err = s.Append(...)               one step: all of its events or none, on disk on return
//	err = s.Close()
//
// The file is in WAL mode with synchronous FULL: when Append returns nil its
// events survive a power cut. Beside the file stand <file>-wal and <file>-shm
// while it is open; they belong to it, and a backup is made with Backup, not
// with cp.
//
// What may leak: the file holds every secret of every game and every seat's key
// in clear. It is created with mode 0600, and its folder belongs to the daemon's
// user. Errors name files, tables and causes, never contents.
//
// Limits: 256 events in a step, 64 KiB in an event and in a command, 64 bytes in a kind or cause, 512 tags
// a deck, 256 KiB a deck, 4 KiB a setting, 64 closed invitations remembered. The
// safe concurrent use of a Store is one writer at a time, which it sees to itself.
package store

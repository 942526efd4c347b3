// Package store keeps everything that must survive a power cut in one SQLite
// file: games and their events, which tag is which card, owners' decks, the
// keys of the seats, open invitations, settings, results and the figures of games.
// Forget takes the names of guests out of old games; figures stay.
//
//	s, err := store.Open(path, nil)   creates, migrates, checks or mends the file
//	lost := s.Losses()                what was acknowledged and is missing
//	err = s.GoOn()                    accepts that
//	epoch, err := s.NextEpoch()       once per start of the daemon
//	game, ok, err := s.Current()      the open game; s.Events(game.ID) replays it
//	err = s.Append(...)               a step, or several: all of their events or none, on disk on return
//	go s.Watch(ctx, every, bad, saved)   notices a file that is gone, empties the log, makes backups
//	err = s.Close()
//
//	s, err = store.OpenRead(path)     for reading alone, also beside the daemon
//	r, err := store.PrepareRestore(backup, path)   then r.Commit or r.Cancel
//
// The file is in WAL mode with synchronous FULL: when Append returns nil its
// events survive a power cut. Beside the file stand <file>-wal and <file>-shm
// while it is open; they belong to it, and a backup is made with Backup, not
// with cp. Three more stand there always or for long: <file>.lock names the one
// program that may write, <file>.mark says what was acknowledged last, and
// <file>.1, <file>.2 ... are former states. What is locked is the folder (flock(2)):
// one store a folder can be open for writing.
//
// # What a disk does
//
// Every row of what is kept carries a sum (the ledger of these sums and the list of
// losses do not), every shelf of rows a sum of them all, and every step of
// a game a chain value over all steps before it. After each commit, and before
// anybody hears of it, the mark is written and synced: how often each shelf was
// changed, how far the newest game has come, and the counters that must never go
// back. Open adds everything up. A file with damage in it is written anew from all
// that is sound; a game is kept up to its last whole step. What is missing, and
// what the mark knows and the file does not, is told by Losses until GoOn; the file
// as it was found stays under a number of its own. From a file that nothing can be read
// of, that is an empty table, which says so; a header that is damaged alone costs
// nothing, since the schema says what the file is. Refused are only files of another
// program or a later version.
//
// The mark costs a second sync per write, of 4 KiB that are allocated already.
//
// What may leak: the file holds every secret of every game and every seat's key
// in clear, and so do its backups and former states. They are created with mode
// 0600, and the folder belongs to the daemon's user. Errors and losses name files,
// tables, games, steps and causes, never contents.
//
// Limits: 256 events in a step, 64 KiB in an event and in a command, 64 bytes in a kind or cause, 512 tags
// a deck, 256 KiB a deck, 4 KiB a setting, 64 closed invitations remembered, 8
// games that break off told one by one, 10 backups made by themselves, a log of about 1 MiB. The
// safe concurrent use of a Store is one writer at a time, which it sees to itself.
package store

// Package store keeps everything that must survive a power cut in one SQLite
// file: games and their events, the card of each tag, owners' decks, the keys of
// the seats, open invitations, settings, results and the figures of games.
// ForgetGuestNames removes the names of guests from old games; the figures stay.
//
//	s, err := store.Open(path, nil)   creates, migrates, checks or repairs the file
//	lost := s.Losses()                what was acknowledged and is missing
//	err = s.AcceptLosses()            the table goes on without them
//	epoch, err := s.NextEpoch()       once per start of the daemon
//	game, ok, err := s.CurrentGame()  the open game; s.Events(game.ID) returns its events
//	err = s.AppendSteps(...)          one or several steps: all of their events or none, on disk on return
//	go s.WatchFile(ctx, every, onTrouble, onBackup)   notices a file that is gone, empties the log, makes backups
//	err = s.Close()
//
//	s, err = store.OpenForReading(path) only for reading, also while the daemon runs
//	r, err := store.PrepareRestore(backup, path)   then r.Commit or r.Cancel
//
// The file is in WAL mode with synchronous FULL: when AppendSteps returns nil, its
// events survive a power cut. While the store is open, <file>-wal and <file>-shm
// are next to the file and belong to it, so use WriteBackup and not cp to copy it.
// There are three more files: <file>.lock names the one program that may write,
// <file>.mark says what was acknowledged last, and <file>.1, <file>.2 ... are
// former states. The lock is on the folder (flock(2)): only one store per folder
// can be open for writing.
//
// # Damage on the disk
//
// Every row has a sum, except in the ledger of these sums and in the list of
// losses. Every table of such rows has a sum of them all, and every step of a game
// has a chain value over all steps before it. After each commit, and before the
// caller is notified, the mark is written and synced: how often each table was
// changed, the last step of the newest game, and the counters that must never go
// back. Open checks all sums. If something is damaged, it writes a new file from
// all sound rows; of a game it keeps the steps before the first break. Losses
// reports what is missing, including what the mark knows and the file does not,
// until AcceptLosses is called. The damaged file stays under the next free number. If
// nothing can be read, the result is an empty table, and Losses says so. A damaged
// header loses nothing, since the schema identifies the file. Open refuses only
// files of another program or of a later version.
//
// The mark costs a second sync per write, of 4 KiB that are already allocated.
//
// What may leak: the file contains every secret of every game and every seat's key
// unencrypted, and so do its backups and former states. They are created with mode
// 0600, and the folder belongs to the daemon's user. Errors and losses name files,
// tables, games, steps and causes, never contents.
//
// Limits: 256 events in a step, 64 KiB in an event and in a command, 64 bytes in a
// kind or cause, 512 tags per deck, 256 KiB per deck, 4 KiB per setting, 64 closed
// invitations remembered, 8 broken games listed one by one, 10 automatic backups, a
// log of about 1 MiB. A Store is safe for concurrent use; it lets one writer in at
// a time.
package store

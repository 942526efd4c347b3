package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"majordome/engine"
)

// Trouble is one of the things that can be wrong with the file.
type Trouble string

// The troubles. Each has a sentence in the word catalogues, table.store.<trouble>, that says what to do.
const (
	NotOurs  Trouble = "not-ours" // no database, or not one of Majordome
	Damaged  Trouble = "damaged"  // truncated or overwritten
	TooNew   Trouble = "newer"    // written by a later version
	Full     Trouble = "full"     // no space left
	ReadOnly Trouble = "readonly" // file or folder cannot be written
	Missing  Trouble = "missing"  // the folder does not exist
	Exists   Trouble = "exists"   // a backup would overwrite a file
	InUse    Trouble = "in-use"   // another program has the lock
	Conflict Trouble = "conflict" // another program wrote to the open game
	FileGone Trouble = "gone"     // deleted, replaced or overwritten while it was open
	Empty    Trouble = "empty"    // a backup with nothing in it
	Broken   Trouble = "broken"   // any other failure of the medium
)

// Values of Error.Op that change the sentence: opRestore for a backup that is being restored, opOpen for the
// store of a table that starts.
const (
	opRestore = "restore"
	opOpen    = "open"
)

// Error is the type of all errors of this package.
type Error struct {
	Op      string
	Path    string
	Trouble Trouble
	Cause   error
	Holder  string // the program that has the lock, if Trouble is InUse
	// Backup is the file with the rescued data, if Trouble is FileGone and a backup could be made.
	Backup string
}

func (e *Error) Error() string {
	text := "store: " + e.Op + ": " + e.Path + ": " + string(e.Trouble)
	if e.Holder != "" {
		text += " by " + e.Holder
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Msg says in the reader's language what is wrong and what to do.
func (e *Error) Msg() engine.Msg {
	key := "table.store." + string(e.Trouble)
	switch {
	case e.Op == opRestore && (e.Trouble == Damaged || e.Trouble == NotOurs):
		key += ".backup"
	case e.Op == opOpen && e.Trouble == Missing:
		key += ".data"
	case e.Trouble == FileGone && e.Backup != "":
		key += ".saved"
	}
	return engine.NewMsg(key, "file", e.Path, "folder", filepath.Dir(e.Path), "holder", cmp.Or(e.Holder, "?"), "backup", e.Backup)
}

// wrapStoreError wraps a cause with the operation and the path of the store; nil stays nil. If the store's file is
// gone, the error names the backup of its data, if there is one.
func (s *Store) wrapStoreError(op string, cause error) error {
	err := wrapError(op, s.path, cause)
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	if file := s.savedBackup.Load(); e.Trouble == FileGone && file != nil {
		saved := *e // a copy: another goroutine may be reading the one reported before the backup
		saved.Backup = *file
		return &saved
	}
	return err
}

// wrapError returns a cause as an *Error; nil stays nil. Of an *Error it only sets a missing path.
func wrapError(op, path string, cause error) error {
	if cause == nil {
		return nil
	}
	var known *Error
	if errors.As(cause, &known) {
		if known.Path == "" {
			known.Path = path
		}
		return cause
	}
	t := classifyTrouble(cause)
	var lite *sqlite.Error
	if (t == Damaged || t == NotOurs) && errors.As(cause, &lite) { // SQLite's message quotes what it could not read
		cause = fmt.Errorf("SQLite result code %d", lite.Code())
	}
	return &Error{Op: op, Path: path, Trouble: t, Cause: cause}
}

func classifyTrouble(cause error) Trouble {
	var known *Error
	if errors.As(cause, &known) {
		return known.Trouble
	}
	var lite *sqlite.Error
	if errors.As(cause, &lite) {
		switch lite.Code() & 0xff { // the primary result code
		case sqlite3.SQLITE_FULL:
			return Full
		case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
			return ReadOnly
		case sqlite3.SQLITE_NOTADB:
			return NotOurs
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_TOOBIG: // this package never writes anything too big to be read
			return Damaged
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return InUse
		}
	}
	switch {
	case errors.Is(cause, syscall.ENOSPC), errors.Is(cause, syscall.EDQUOT):
		return Full
	case errors.Is(cause, syscall.EROFS), errors.Is(cause, fs.ErrPermission):
		return ReadOnly
	case errors.Is(cause, fs.ErrExist):
		return Exists
	case errors.Is(cause, fs.ErrNotExist), errors.Is(cause, syscall.ENOTDIR):
		return Missing
	}
	return Broken
}

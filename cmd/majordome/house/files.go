package house

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/games"
	"majordome/engine/ownfile"
	"majordome/engine/script"
)

// maxRead is how much is read of a file that an owner names: one byte more than may be in the longest, a script.
const maxRead = script.MaxBytes + 1

// errOdd is of what is there under a name but is no file: reading a pipe could wait for ever.
var errOdd = errors.New("not a regular file")

// ReadFile reads a file that its owner has named, as far as it may be one: Parse of package ownfile
// refuses what is longer. Its error is an *ownfile.Fault.
func ReadFile(path string) (text []byte, err error) {
	if err := Readable(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, FileFault(path, err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 { // what the kernel makes up has no size, and its end may never come: /proc/kmsg
		text, err = io.ReadAll(io.LimitReader(f, maxRead))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, FileFault(path, err)
	}
	return text, nil
}

// Readable says why a name that its owner gave is no file; its error is an *ownfile.Fault.
func Readable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
	case info.IsDir():
		err = syscall.EISDIR
	case !info.Mode().IsRegular():
		err = errOdd
	}
	if err != nil {
		return FileFault(path, err)
	}
	return nil
}

// FileFault says in both languages why a file could not be read.
func FileFault(path string, err error) *ownfile.Fault {
	what, hint := unread(err)
	return &ownfile.Fault{File: path, What: what, Hint: hint, Err: err}
}

// unread says why a file could not be read, and what to do.
func unread(err error) (what, hint engine.Text) {
	var number syscall.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return ownfile.Both("ce fichier n’existe pas", "there is no such file"), ownfile.Both("vérifiez son nom", "check its name")
	case errors.Is(err, syscall.EISDIR):
		return ownfile.Both("c’est un dossier", "this is a folder"), ownfile.Both("indiquez un des fichiers qui s’y trouvent", "name one of the files in it")
	case errors.Is(err, errOdd):
		return ownfile.Both("ce n’est pas un fichier ordinaire", "this is no ordinary file"), ownfile.Both("enregistrez d’abord le texte dans un fichier", "save the text in a file first")
	case errors.Is(err, fs.ErrPermission):
		return ownfile.Both("cet utilisateur n’a pas le droit de lire ce fichier", "this user may not read this file"),
			ownfile.Both("donnez-lui ce droit, ou écrivez sudo devant la commande", "give them that right, or write sudo before the command")
	case errors.Is(err, syscall.ELOOP):
		return ownfile.Both("ce lien mène à lui-même", "this link leads to itself"), ownfile.Both("indiquez le fichier lui-même", "name the file itself")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return ownfile.Both("ce nom est trop long", "this name is too long"), ownfile.Both("vérifiez-le", "check it")
	case errors.As(err, &number):
		return ownfile.Bothf("ce fichier ne peut pas être lu : erreur %d du système", "this file cannot be read: system error %d", int(number)),
			ownfile.Both("vérifiez son nom et la carte mémoire", "check its name and the memory card")
	}
	return ownfile.Both("ce fichier ne peut pas être lu", "this file cannot be read"), ownfile.Both("vérifiez son nom et la carte mémoire", "check its name and the memory card")
}

// ReadDecks are the decks of all games, first that of a file, which stands for the built-in one of
// its game. Without a file they are the built-in ones.
func ReadDecks(all games.Table, file string) ([]deck.Deck, error) {
	decks := all.Decks()
	if file == "" {
		return decks, nil
	}
	text, err := ReadFile(file)
	if err != nil {
		return nil, err
	}
	own, err := all.Read(file, text)
	if err != nil {
		return nil, err
	}
	decks = slices.DeleteFunc(decks, func(d deck.Deck) bool { return d.ID() == own.ID() })
	return slices.Insert(decks, 0, own), nil
}

// ReadDecks are those of this configuration. A file that cannot be read is the fault of the line that names it.
func (c Config) ReadDecks(all games.Table) ([]deck.Deck, error) {
	decks, err := ReadDecks(all, c.Deck)
	var f *ownfile.Fault
	if at := c.deckAt; at.line > 0 && errors.As(err, &f) && f.Line == 0 && f.Err != nil {
		whole, bad := filepath.Abs(c.Deck)
		if bad != nil {
			whole = c.Deck
		}
		whole = ownfile.Tail(whole)
		return nil, &ownfile.Fault{File: at.file, Line: at.line, Column: at.column, What: engine.Text{FR: "deck : " + f.What.FR, EN: "deck: " + f.What.EN}, Err: f.Err,
			Hint: engine.Text{FR: "cherché ici : " + whole + " ; " + f.Hint.FR, EN: "looked for at " + whole + "; " + f.Hint.EN}}
	}
	return decks, err
}

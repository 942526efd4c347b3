package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"majordome/devices/light"
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
	what, hint := explain(err)
	return &ownfile.Fault{File: path, What: what, Hint: hint, Err: err}
}

// explain says why a file could not be read, and what to do.
func explain(err error) (what, hint engine.Text) {
	var number syscall.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return engine.T("ce fichier n’existe pas", "there is no such file"), engine.T("vérifiez son nom", "check its name")
	case errors.Is(err, syscall.EISDIR):
		return engine.T("c’est un dossier", "this is a folder"), engine.T("indiquez un des fichiers qui s’y trouvent", "name one of the files in it")
	case errors.Is(err, errOdd):
		return engine.T("ce n’est pas un fichier ordinaire", "this is no ordinary file"), engine.T("enregistrez d’abord le texte dans un fichier", "save the text in a file first")
	case errors.Is(err, fs.ErrPermission):
		return engine.T("cet utilisateur n’a pas le droit de lire ce fichier", "this user may not read this file"),
			engine.T("donnez-lui ce droit, ou écrivez sudo devant la commande", "give them that right, or write sudo before the command")
	case errors.Is(err, syscall.ELOOP):
		return engine.T("ce lien mène à lui-même", "this link leads to itself"), engine.T("indiquez le fichier lui-même", "name the file itself")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return engine.T("ce nom est trop long", "this name is too long"), engine.T("vérifiez-le", "check it")
	case errors.As(err, &number):
		return engine.Tf("ce fichier ne peut pas être lu : erreur %d du système", "this file cannot be read: system error %d", int(number)),
			engine.T("vérifiez son nom et la carte mémoire", "check its name and the memory card")
	}
	return engine.T("ce fichier ne peut pas être lu", "this file cannot be read"), engine.T("vérifiez son nom et la carte mémoire", "check its name and the memory card")
}

// Games are those that can be played at a table.
type Games struct {
	Known games.Table // those of the program, and its owner's
	Decks []deck.Deck // one of each, that of a new table first
	// Left are the faults of files in the folder of decks; what is in them is left out.
	Left error
}

// maxDecks is how many files of a folder are read.
const maxDecks = 32

// ReadDecks are the decks of all games: that of a file first, the built-in ones, and those of a folder in the
// order of its names. One of the owner's stands for the built-in one of its game, or is of a game of its own. No
// file, or no folder, has an empty name; one file is the owner's word, and what is wrong with it is the error.
func ReadDecks(all games.Table, file, folder string) (Games, error) {
	g := Games{Known: all, Decks: all.Decks()}
	from := map[engine.ID]string{}
	if file != "" {
		d, err := g.add(file, from)
		if err != nil {
			return Games{}, err
		}
		g.Decks = slices.DeleteFunc(g.Decks, func(o deck.Deck) bool { return o.ID() == d.ID() })
		g.Decks = slices.Insert(g.Decks, 0, d)
	}
	if folder == "" {
		return g, nil
	}
	list, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		g.Left = FileFault(folder, err)
	}
	list = slices.DeleteFunc(list, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), ".") || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(e.Name())) || sameFile(file, filepath.Join(folder, e.Name()))
	})
	if len(list) > maxDecks {
		g.Left = errors.Join(g.Left, &ownfile.Fault{File: folder, What: engine.Tf("%d jeux de cartes", "%d decks", len(list)), Hint: engine.Tf("%d sont lus, dans l’ordre des noms", "%d are read, in the order of their names", maxDecks)})
		list = list[:maxDecks]
	}
	for _, e := range list {
		_, err := g.add(filepath.Join(folder, e.Name()), from)
		g.Left = errors.Join(g.Left, err)
	}
	return g, nil
}

// add reads a deck and puts it in its place.
func (g *Games) add(file string, from map[engine.ID]string) (deck.Deck, error) {
	text, err := ReadFile(file)
	if err != nil {
		return nil, err
	}
	known, d, err := g.Known.With(file, text)
	if err != nil {
		return nil, err
	}
	if other := from[d.ID()]; other != "" {
		f := ownfile.Parse(file, text)
		f.About = "deck"
		f.Key("game")
		f.Note("$.game", engine.Tf("%s a déjà le jeu de cartes de « %s »", "%s has the deck of %q already", ownfile.Tail(other), d.ID()), engine.T("gardez un des deux fichiers", "keep one of the two files"))
		return nil, f.Err()
	}
	from[d.ID()], g.Known = file, known
	if i := slices.IndexFunc(g.Decks, func(o deck.Deck) bool { return o.ID() == d.ID() }); i >= 0 {
		g.Decks[i] = d
	} else {
		g.Decks = append(g.Decks, d)
	}
	return d, nil
}

// sameFile reports that two names are of one file.
func sameFile(a, b string) bool {
	x, bad := os.Stat(a)
	y, worse := os.Stat(b)
	return bad == nil && worse == nil && os.SameFile(x, y)
}

// ReadDecks are those of this configuration. A file or folder that cannot be read is the fault of the line that names it.
func (c Config) ReadDecks(all games.Table) (Games, error) {
	folder := c.beside
	if c.Decks != "" {
		folder = c.Decks
		info, err := os.Stat(folder)
		if err == nil && !info.IsDir() {
			err = syscall.ENOTDIR
		}
		if err != nil {
			return Games{}, c.atKey("decks", c.Decks, c.decksAt, &ownfile.Fault{What: engine.T("ce n’est pas un dossier qu’on puisse lire", "this is no folder that can be read"),
				Hint: engine.T("vérifiez son nom", "check its name"), Err: err})
		}
	}
	g, err := ReadDecks(all, c.Deck, folder)
	var f *ownfile.Fault
	if errors.As(err, &f) && f.Line == 0 && f.Err != nil {
		return Games{}, c.atKey("deck", c.Deck, c.deckAt, f)
	}
	g.Left = errors.Join(g.Left, c.checkPlaces(g.Decks))
	return g, err
}

// checkPlaces returns faults of readers and segments for places that none of these decks has: nothing would ever come of them.
func (c Config) checkPlaces(decks []deck.Deck) error {
	var errs []error
	note := func(key, path, name string, at position, known func(engine.ID) bool) {
		has := func(d deck.Deck) bool {
			b, err := d.Book()
			return err == nil && slices.ContainsFunc(b.Names(), func(n engine.Name) bool { return n.IsArea() && known(n.ID) })
		}
		if _, numbered := strconv.Atoi(strings.TrimPrefix(name, engine.ReaderPlace)); numbered != nil && !slices.ContainsFunc(decks, has) {
			errs = append(errs, &ownfile.Fault{File: at.file, About: aboutConfig, Line: at.line, Column: at.column, Path: path, What: engine.Tf("%s : aucun jeu n’a de lieu « %s »", "%s: no deck has a place %q", key, ownfile.Quote(name)),
				Hint: engine.T("le nom d’un lieu comme dans le jeu de cartes, sans room- devant (majordome check --default), ou son numéro", "the name of a place as in the deck, without room- before it (majordome check --default), or its number")})
		}
	}
	for i, r := range c.Readers {
		if strings.HasPrefix(r.Role, engine.ReaderPlace) {
			note("role", fmt.Sprintf("$.readers[%d].role", i), r.Role, r.at, func(id engine.ID) bool { return engine.IsReaderOf(r.Role, 0, id) })
		}
	}
	for i, s := range c.Strips {
		for _, name := range slices.Sorted(maps.Keys(s.Segments)) {
			if name != light.PartClock && name != light.PartUrn && name != light.PartShow && segmentName.MatchString(name) {
				note("segments", fmt.Sprintf("$.strips[%d].segments.%s", i, name), name, s.at[name], func(id engine.ID) bool { return IsRoom(name, 0, id) })
			}
		}
	}
	return errors.Join(errs...)
}

// atKey returns a fault of a file or folder at the line that names it.
func (c Config) atKey(key, name string, at position, f *ownfile.Fault) error {
	if at.file == "" {
		return f
	}
	whole, bad := filepath.Abs(name)
	if bad != nil {
		whole = name
	}
	whole = ownfile.Tail(whole)
	return &ownfile.Fault{File: at.file, About: aboutConfig, Line: at.line, Column: at.column, Path: "$." + key, What: engine.T(key+" : "+f.What.FR, key+": "+f.What.EN), Err: f.Err,
		Hint: engine.T("cherché ici : "+whole+" ; "+f.Hint.FR, "looked for at "+whole+"; "+f.Hint.EN)}
}

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

// maxRead is the most bytes that ReadFile reads: one more than the longest allowed file, a script, may have.
const maxRead = script.MaxBytes + 1

// errNotRegular reports something that is no regular file: reading a pipe, for example, could block for ever.
var errNotRegular = errors.New("not a regular file")

// ReadFile reads a file that the owner has named, at most maxRead bytes; ownfile.Parse refuses one that is too long.
// The error is an *ownfile.Fault.
func ReadFile(path string) (text []byte, err error) {
	if err := CheckReadable(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, FileFault(path, err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 { // files that the kernel generates have no size and may have no end: /proc/kmsg
		text, err = io.ReadAll(io.LimitReader(f, maxRead))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, FileFault(path, err)
	}
	return text, nil
}

// CheckReadable returns an *ownfile.Fault if path is no regular file.
func CheckReadable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
	case info.IsDir():
		err = syscall.EISDIR
	case !info.Mode().IsRegular():
		err = errNotRegular
	}
	if err != nil {
		return FileFault(path, err)
	}
	return nil
}

// FileFault returns a fault that explains in both languages why a file could not be read.
func FileFault(path string, err error) *ownfile.Fault {
	what, hint := explainReadError(err)
	return &ownfile.Fault{File: path, What: what, Hint: hint, Err: err}
}

// explainReadError returns the reason why a file could not be read, and advice.
func explainReadError(err error) (what, hint engine.Text) {
	var number syscall.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return engine.T("ce fichier n’existe pas", "there is no such file"), engine.T("vérifiez son nom", "check its name")
	case errors.Is(err, syscall.EISDIR):
		return engine.T("c’est un dossier", "this is a folder"), engine.T("indiquez un des fichiers qui s’y trouvent",
			"name one of the files in it")
	case errors.Is(err, errNotRegular):
		return engine.T("ce n’est pas un fichier ordinaire", "this is no ordinary file"),
			engine.T("enregistrez d’abord le texte dans un fichier", "save the text in a file first")
	case errors.Is(err, fs.ErrPermission):
		return engine.T("cet utilisateur n’a pas le droit de lire ce fichier", "this user may not read this file"),
			engine.T("donnez-lui ce droit, ou écrivez sudo devant la commande", "give them that right, or write sudo before the command")
	case errors.Is(err, syscall.ELOOP):
		return engine.T("ce lien mène à lui-même", "this link leads to itself"), engine.T("indiquez le fichier lui-même",
			"name the file itself")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return engine.T("ce nom est trop long", "this name is too long"), engine.T("vérifiez-le", "check it")
	case errors.As(err, &number):
		return engine.Tf("ce fichier ne peut pas être lu : erreur %d du système", "this file cannot be read: system error %d", int(number)),
			engine.T("vérifiez son nom et la carte mémoire", "check its name and the memory card")
	}
	return engine.T("ce fichier ne peut pas être lu", "this file cannot be read"), engine.T("vérifiez son nom et la carte mémoire",
		"check its name and the memory card")
}

// Games are the games and decks that a table can be played with.
type Games struct {
	Known games.Table // the games of the program and the owner's
	Decks []deck.Deck // one for each game; the first is the deck of a new table
	// Skipped joins the faults of files in the folder of decks; those files are not used.
	Skipped error
}

// maxDecks is the most files of a folder that are read.
const maxDecks = 32

// ReadDecks returns the decks of all games: the one in file first, then the built-in ones, then those of the folder in
// the order of file names. An owner's deck replaces the built-in one of the same game, or is for a game of its own. An
// empty name means no file or no folder. A fault in file is the error; faults in the folder are in Games.Skipped.
func ReadDecks(all games.Table, file, folder string) (Games, error) {
	g := Games{Known: all, Decks: all.DefaultDecks()}
	from := map[engine.ID]string{}
	if file != "" {
		d, err := g.addDeck(file, from)
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
		g.Skipped = FileFault(folder, err)
	}
	list = slices.DeleteFunc(list, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), ".") || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(e.Name())) ||
			sameFile(file, filepath.Join(folder, e.Name()))
	})
	if len(list) > maxDecks {
		g.Skipped = errors.Join(g.Skipped, &ownfile.Fault{File: folder, What: engine.Tf("%d jeux de cartes", "%d decks", len(list)),
			Hint: engine.Tf("%d sont lus, dans l’ordre des noms", "%d are read, in the order of their names", maxDecks)})
		list = list[:maxDecks]
	}
	for _, e := range list {
		_, err := g.addDeck(filepath.Join(folder, e.Name()), from)
		g.Skipped = errors.Join(g.Skipped, err)
	}
	return g, nil
}

// addDeck reads a deck from a file and replaces the deck of the same game, or adds a new one. filesByGame
// holds the files read so far; a second file for one game is a fault.
func (g *Games) addDeck(file string, filesByGame map[engine.ID]string) (deck.Deck, error) {
	text, err := ReadFile(file)
	if err != nil {
		return nil, err
	}
	known, d, err := g.Known.WithDeck(file, text)
	if err != nil {
		return nil, err
	}
	if other := filesByGame[d.ID()]; other != "" {
		f := ownfile.Parse(file, text)
		f.About = "deck"
		f.LookupScalar("game")
		f.AddFault(
			"$.game",
			engine.Tf("%s a déjà le jeu de cartes de « %s »", "%s has the deck of %q already", ownfile.ClipFileName(other), d.ID()),
			engine.T("gardez un des deux fichiers", "keep one of the two files"),
		)
		return nil, f.Err()
	}
	filesByGame[d.ID()], g.Known = file, known
	if i := slices.IndexFunc(g.Decks, func(o deck.Deck) bool { return o.ID() == d.ID() }); i >= 0 {
		g.Decks[i] = d
	} else {
		g.Decks = append(g.Decks, d)
	}
	return d, nil
}

// sameFile reports whether two names mean one file.
func sameFile(a, b string) bool {
	x, bad := os.Stat(a)
	y, worse := os.Stat(b)
	return bad == nil && worse == nil && os.SameFile(x, y)
}

// ReadDecks returns the games and decks of this configuration. If the deck's file or folder cannot be read, the fault
// is at the line that names it.
func (c Config) ReadDecks(all games.Table) (Games, error) {
	folder := c.defaultDecksFolder
	if c.Decks != "" {
		folder = c.Decks
		info, err := os.Stat(folder)
		if err == nil && !info.IsDir() {
			err = syscall.ENOTDIR
		}
		if err != nil {
			return Games{}, c.faultAtKey(
				"decks",
				c.Decks,
				c.decksAt,
				&ownfile.Fault{What: engine.T("ce n’est pas un dossier qu’on puisse lire",
					"this is no folder that can be read"),
					Hint: engine.T("vérifiez son nom", "check its name"), Err: err},
			)
		}
	}
	g, err := ReadDecks(all, c.Deck, folder)
	var f *ownfile.Fault
	if errors.As(err, &f) && f.Line == 0 && f.Err != nil {
		return Games{}, c.faultAtKey("deck", c.Deck, c.deckAt, f)
	}
	g.Skipped = errors.Join(g.Skipped, c.checkPlaces(g.Decks))
	return g, err
}

// checkPlaces returns faults for readers and segments of places that none of these decks has: they would never do
// anything.
func (c Config) checkPlaces(decks []deck.Deck) error {
	var errs []error
	note := func(key, path, name string, at position, known func(engine.ID) bool) {
		has := func(d deck.Deck) bool {
			b, err := d.NewRulebook()
			return err == nil && slices.ContainsFunc(b.Names(), func(n engine.Name) bool { return n.IsLocation() && known(n.ID) })
		}
		if _, numbered := strconv.Atoi(strings.TrimPrefix(name, engine.ReaderPlace)); numbered != nil && !slices.ContainsFunc(decks, has) {
			errs = append(errs, &ownfile.Fault{File: at.file, About: aboutConfig, Line: at.line, Column: at.column, Path: path,
				What: engine.Tf("%s : aucun jeu n’a de lieu « %s »", "%s: no deck has a place %q", key, ownfile.ClipQuote(name)),
				Hint: engine.T("le nom d’un lieu comme dans le jeu de cartes, sans room- devant (majordome check --default), ou son numéro",
					"the name of a place as in the deck, without room- before it (majordome check --default), or its number")})
		}
	}
	for i, r := range c.Readers {
		if strings.HasPrefix(r.Role, engine.ReaderPlace) {
			note("role", fmt.Sprintf("$.readers[%d].role", i), r.Role, r.at,
				func(id engine.ID) bool { return engine.IsReaderOfPlace(r.Role, 0, id) })
		}
	}
	for i, s := range c.Strips {
		for _, name := range slices.Sorted(maps.Keys(s.Segments)) {
			if name != light.PartClock && name != light.PartUrn && name != light.PartShow && segmentName.MatchString(name) {
				note("segments", fmt.Sprintf("$.strips[%d].segments.%s", i, name), name, s.at[name],
					func(id engine.ID) bool { return IsSegmentOf(name, 0, id) })
			}
		}
	}
	return errors.Join(errs...)
}

// faultAtKey returns the fault of a file or folder, placed at the line that names it.
func (c Config) faultAtKey(key, name string, at position, f *ownfile.Fault) error {
	if at.file == "" {
		return f
	}
	whole, bad := filepath.Abs(name)
	if bad != nil {
		whole = name
	}
	whole = ownfile.ClipFileName(whole)
	return &ownfile.Fault{File: at.file, About: aboutConfig, Line: at.line, Column: at.column, Path: "$." + key,
		What: engine.T(key+" : "+f.What.FR, key+": "+f.What.EN), Err: f.Err,
		Hint: engine.T("cherché ici : "+whole+" ; "+f.Hint.FR, "looked for at "+whole+"; "+f.Hint.EN)}
}

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"majordome/companion/master/hints"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
	"majordome/engine/words"
)

// HintsFile is the name of the owner's file of hints, in the folder of the configuration.
const HintsFile = "hints.yaml"

// hintFile is the content of a file of hints: by game id, with those of allGames added to every game.
type hintFile struct {
	Hints map[string][]engine.Text `yaml:"hints"`
}

const allGames = "all"

// Hints are the hints that a host can give with one tap, by game.
type Hints map[string][]wire.StockHint

// ForGame returns the hints of one game, then those of all games, at most wire.MaxStock. The
// hints of the owner's file always fit, because ReadHints refuses a longer file; the program's may be cut off.
func (s Hints) ForGame(game engine.ID) []wire.StockHint {
	all := append(s[string(game)][:len(s[string(game)]):len(s[string(game)])], s[allGames]...)
	return all[:min(len(all), wire.MaxStock)]
}

// ReadHints returns the hints of the owner's file in folder, if there is one, and those of the program. A game in the
// owner's file has only the owner's hints. If the file has a fault, the error says so and the hints are the program's.
// A game with more than wire.MaxStock hints, including the owner's for all games, is such a fault.
func ReadHints(folder string) (Hints, error) {
	all := Hints{}
	for _, text := range words.HintFiles() {
		part, err := parseHints(HintsFile, text)
		if err != nil {
			panic("config: " + err.Error()) // a file of the program
		}
		maps.Copy(all, part)
	}
	if folder == "" {
		return all, nil
	}
	path := filepath.Join(folder, HintsFile)
	text, err := ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return all, err
	}
	own, err := parseHints(path, text)
	if err != nil {
		return all, err
	}
	for _, game := range slices.Sorted(maps.Keys(all)) {
		if _, named := own[game]; game == allGames || named {
			continue
		}
		if with := len(all[game]) + len(own[allGames]); with > wire.MaxStock {
			f := ownfile.Parse(path, text)
			addTooManyHintsFault(f, allGames, engine.Tf("%[1]d indices pour %[2]s, avec ceux du programme",
				"%[1]d hints for %[2]s, with those of the program", with, game))
			return all, f.Err()
		}
	}
	maps.Copy(all, own)
	return all, nil
}

// addTooManyHintsFault adds a fault to f: a list of hints, with those added to it, is longer than wire.MaxStock; said is its text.
func addTooManyHintsFault(f *ownfile.File, list string, said engine.Text) {
	f.AddFault("$.hints."+list, said, engine.Tf("%d au plus : enlevez-en", "at most %d: take some out", wire.MaxStock))
}

func parseHints(name string, text []byte) (Hints, error) {
	f := ownfile.Parse(name, text)
	var read hintFile
	f.Decode(&read)
	all := Hints{}
	for game, list := range read.Hints {
		for i, h := range list {
			at := fmt.Sprintf("$.hints.%s[%d]", game, i)
			if !hints.IsValidText(h.FR) || !hints.IsValidText(h.EN) {
				f.AddFault(at, engine.Tf("un indice a un texte en français et un en anglais, d’une ligne, de %d octets au plus",
					"a hint has a text in French and one in English, of one line and at most %d bytes", wire.MaxHint),
					engine.T("écrivez fr: et en:, plus court", "write fr: and en:, shorter"))
				continue
			}
			all[game] = append(all[game], wire.StockHint{ID: fmt.Sprintf("%s-%d", game, i+1), Text: h})
		}
		with := len(list)
		if game != allGames {
			with += len(read.Hints[allGames])
		}
		if with > wire.MaxStock {
			addTooManyHintsFault(f, game, engine.Tf("%d indices pour un jeu, avec ceux de tous les jeux",
				"%d hints for a game, with those of all games", with))
		}
	}
	return all, f.Err()
}

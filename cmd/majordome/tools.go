package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/doctor"
	"majordome/cmd/majordome/storage"
	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/script"
)

// rulebooksWithFileDeck returns the rulebooks of all games. If file is not empty, the deck in it takes the place of its game's.
func rulebooksWithFileDeck(all games.Table, file string) (books []engine.Rulebook, err error) {
	known, err := config.ReadDecks(all, file, "")
	if err != nil {
		return nil, err
	}
	books = make([]engine.Rulebook, len(known.Decks))
	for i, d := range known.Decks {
		if books[i], err = d.NewRulebook(); err != nil {
			return nil, err
		}
	}
	return books, nil
}

// defaultConfig is the file where the package installs the configuration. Tests replace it.
var defaultConfig = config.DefaultFile

// openStoreReadOnly opens the store of a table for reading. It fails if the table was never started. The daemon may be running.
func openStoreReadOnly(cfg config.Config) (*store.Store, error) {
	path := filepath.Join(cfg.Data, storage.File)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, newFault("%s : cette table n’a encore rien enregistré : démarrez-la d’abord, ou indiquez sa configuration par --config",
			"%s: this table has recorded nothing yet: start it first, or name its configuration with --config", path)
	}
	return store.OpenForReading(path)
}

func scriptCommand(all games.Table) *cobra.Command {
	var o scriptOpts
	c := &cobra.Command{
		Use:   "script FILE|FOLDER ...",
		Short: "Play rules as text and check what everybody sees",
		Long: `Play scripts: each sets up a position, plays commands and says what must be
accepted or refused, what each audience sees and what it must not see. A folder
stands for its *.script files. The exit status is 1 when anything differs. With
--rewrite each file gets what was seen in the place of what was expected, to be
reviewed: its steps stay, and so does what must not be seen.`,
		Args: requireArgs(1, anyNumber),
		RunE: func(c *cobra.Command, args []string) error {
			if *o.json && o.covers {
				return misuse{newFault("script : --json et --covers ne vont pas ensemble",
					"script: --json and --covers do not go together")}
			}
			return playScripts(c.OutOrStdout(), all, args, o)
		},
	}
	c.Flags().StringVar(&o.deck, "deck", "", "play with this deck file instead of the built-in deck")
	c.Flags().BoolVar(&o.covers, "covers", false, "list which script covers which rule")
	c.Flags().BoolVar(&o.rewrite, "rewrite", false, "write what was seen in the place of what was expected")
	o.json = addJSONFlag(c)
	c.AddCommand(exportCommand(all))
	return c
}

// scriptOpts are the flags of the script command.
type scriptOpts struct {
	deck            string // a file; "" for the built-in decks
	covers, rewrite bool
	json            *bool
}

// scriptResult is the JSON result of one script.
type scriptResult struct {
	Script   string           `json:"script"`
	OK       bool             `json:"ok"`
	Scenes   int              `json:"scenes"`
	Steps    int              `json:"steps"`
	Checks   int              `json:"checks"`
	Failures []scriptFailure  `json:"failures,omitempty"`
	More     int              `json:"failures_left_out,omitempty"`
	Faults   []doctor.Finding `json:"faults,omitempty"` // the file is not a script
}

// scriptFailure is an expectation of a script that was not met.
type scriptFailure struct {
	Line   int      `json:"line"`
	Text   string   `json:"text"`
	Scene  string   `json:"scene,omitempty"`
	After  string   `json:"after,omitempty"`
	Viewer string   `json:"viewer,omitempty"`
	Want   string   `json:"want,omitempty"`
	Got    string   `json:"came,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

// newScriptResult returns the JSON result of the script in file.
func newScriptResult(file string, r script.Report) scriptResult {
	p := scriptResult{Script: file, OK: r.OK(), Scenes: r.Scenes, Steps: r.Steps, Checks: r.Checks, More: r.More}
	for _, f := range r.Failures {
		p.Failures = append(p.Failures, scriptFailure{f.Line, f.Text, f.Scene, f.After, f.Viewer, f.Want, f.Got, f.Notes})
	}
	return p
}

// playScripts plays the scripts of files and folders. With covers it also lists the rules that they cover.
func playScripts(out io.Writer, all games.Table, args []string, o scriptOpts) error {
	books, err := rulebooksWithFileDeck(all, o.deck)
	if err != nil {
		return err
	}
	files, err := listScriptFiles(args)
	if err != nil {
		return err
	}
	var scripts []*script.Script
	results := []scriptResult{}
	failed := 0
	for _, f := range files {
		s, r, err := playScript(f, books, o.rewrite)
		var no scriptParseError
		if err != nil && !errors.As(err, &no) {
			return err
		}
		switch p := newScriptResult(f, r); {
		case *o.json:
			p.Faults = doctor.FaultFindings("file", no.error)
			results = append(results, p)
		case no.error != nil:
			printFaults(out, no.error)
		default:
			fmt.Fprintln(out, strings.TrimRight(r.String(), "\n"))
		}
		if s != nil {
			scripts = append(scripts, s)
		}
		if !r.OK() {
			failed++
		}
	}
	if *o.json {
		err = printJSON(out, results)
	}
	if o.covers {
		printCoverage(out, scripts)
	}
	switch {
	case err != nil:
		return err
	case failed > 0:
		return newFault("scripts qui ne donnent pas ce qui est attendu : %d sur %d",
			"scripts that do not give what is expected: %d of %d", failed, len(files))
	case !*o.json:
		fmt.Fprintf(out, "%d scripts, tout est comme attendu · all as expected\n", len(files))
	}
	return nil
}

func printCoverage(out io.Writer, scripts []*script.Script) {
	for _, r := range script.CollectCoverage(scripts...) {
		fmt.Fprintln(out, r)
	}
}

// scriptParseError is the reason why a text is no script. The other scripts are played nevertheless.
type scriptParseError struct{ error }

// playScript plays the script of a file. With rewrite it replaces the expectations in the file by what was seen.
func playScript(file string, books []engine.Rulebook, rewrite bool) (s *script.Script, r script.Report, err error) {
	text, err := config.ReadFile(file)
	if err != nil {
		return nil, r, err
	}
	if s, err = script.Parse(file, text); err != nil {
		return nil, r, scriptParseError{err}
	}
	now := text
	if rewrite {
		now, r, err = script.Rewrite(s, books...)
	} else {
		r = script.Run(s, books...)
	}
	if err == nil && !bytes.Equal(now, text) {
		err = replaceFileWhole(file, now)
	}
	return s, r, err
}

// replaceFileWhole replaces the contents of a file as a whole. If it fails half-way, the file keeps its old contents.
func replaceFileWhole(name string, text []byte) error {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".majordome-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// listScriptFiles returns the files that args names, and for each folder the *.script files below it, sorted.
func listScriptFiles(args []string) ([]string, error) {
	var files []string
	for _, a := range args {
		info, err := os.Stat(a)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, newFault("%s : ni fichier ni dossier de ce nom", "%s: there is no such file or folder", a)
		case err != nil:
			return nil, config.FileFault(a, err)
		case !info.IsDir():
			files = append(files, a)
			continue
		}
		found := len(files)
		err = filepath.WalkDir(a, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return config.FileFault(path, err)
			}
			if !d.IsDir() && filepath.Ext(path) == ".script" {
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(files) == found {
			return nil, newFault("%s : aucun fichier *.script dans ce dossier", "%s: no *.script file below this folder", a)
		}
		slices.Sort(files[found:])
	}
	return files, nil
}

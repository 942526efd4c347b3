//go:build docs

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"majordome/engine/games"
)

// With the build tag docs, the program writes the documentation files of the package into a folder: man pages in English and
// French, and completions for three shells. SOURCE_DATE_EPOCH is the date of the pages.
//
//	go run -tags docs ./cmd/majordome FOLDER
func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "write: docs FOLDER")
		os.Exit(2)
	}
	if err := errors.Join(
		writeManPages(os.Args[1], "man1", 1),
		writeManPages(os.Args[1], "fr/man1", 0),
		writeCompletions(os.Args[1]),
	); err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// writeManPages writes a page for each command in one language: 0 French, 1 English. A flag's usage has one line for each.
func writeManPages(folder, section string, language int) error {
	dir := filepath.Join(folder, section)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	epoch, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	date := time.Unix(epoch, 0).UTC()
	root := rootCommand(games.KnownGames())
	walkCommands(root, func(c *cobra.Command) {
		c.DisableAutoGenTag = true
		if fr := frenchTexts[commandPath(c)]; language == 0 {
			c.Short, c.Long = fr.short, fr.long
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if said := strings.Split(f.Usage, "\n"); len(said) == 2 {
				f.Usage = said[language]
			}
		})
	})
	return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "Majordome", Manual: "Majordome", Date: &date}, dir)
}

func writeCompletions(folder string) error {
	root := rootCommand(games.KnownGames())
	return errors.Join(
		root.GenBashCompletionFileV2(filepath.Join(folder, "majordome.bash"), true),
		root.GenZshCompletionFile(filepath.Join(folder, "majordome.zsh")),
		root.GenFishCompletionFile(filepath.Join(folder, "majordome.fish"), true))
}

// Command evenings plays random games and prints the public views of each, one game a line: a JSON list from
// the empty lobby to the end, without the lines of the story. The tests of the pages use them.
//
//	go run ./.ci/evenings huis-clos=6 super-cluedo=40
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/play"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	for _, arg := range os.Args[1:] {
		if err := writeGames(json.NewEncoder(out), arg); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", arg, err)
			os.Exit(1)
		}
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// writeGames plays and writes as many games as the argument says, in the form GAME=NUMBER.
func writeGames(to *json.Encoder, arg string) error {
	id, number, _ := strings.Cut(arg, "=")
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return err
	}
	g, err := games.KnownGames().FindGame(engine.ID(id))
	if err != nil {
		return err
	}
	d, err := g.Parse(id, g.Default)
	if err != nil {
		return err
	}
	book, err := d.NewRulebook()
	if err != nil {
		return err
	}
	for seed := range n {
		if err := writeGame(to, book, seed); err != nil {
			return err
		}
	}
	return nil
}

// writeGame plays one game and writes its public views as one line.
func writeGame(to *json.Encoder, book engine.Rulebook, seed uint64) error {
	cards := []engine.ID{}
	for _, n := range book.Names() {
		if n.IsCard() {
			cards = append(cards, n.ID)
		}
	}
	views := []engine.View{}
	_, _, err := play.Run(book.NewGame(), &play.Opts{Seed: seed, Weigh: weighOffer, Cards: cards, Check: func(s play.Step) error {
		v := s.After.View(engine.Public)
		v.Log = nil
		views = append(views, v)
		return nil
	}})
	if err != nil {
		return err
	}
	return to.Encode(views)
}

// weighOffer gives random players plausible habits: they sit down more often than they rise, correct nothing,
// and rarely accuse.
func weighOffer(_ engine.Viewer, o engine.Offer) int {
	switch {
	case o.Aside, o.Act == "take-last": // it would pass over the step in which a clue is destroyed
		return 0
	case o.Act == "sit":
		return 8
	case o.Act == "accuse", o.Act == "rise":
		return 1
	}
	return 4
}

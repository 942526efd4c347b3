// Command mutants breaks the two engines, and the packages that both of them use, in one place at a time, and
// checks that a test fails: first the scripts of the game that pass the place, then the quick tests of the
// package (go test -short). A mutant that no test kills is a survivor: a rule without a test. Kill it with a
// new script or test, or list it with a reason in the kept list of its package, in this folder.
//
//	go run ./.ci/mutants                 everything (make mutants)
//	go run ./.ci/mutants -sample 300     so many of each, chosen by -seed (make mutants SAMPLE=300)
//	go run ./.ci/mutants -engine cluedo -file ask.go
//
// All mutants of a package are built into one binary by an overlay; no file of the tree changes. A variable has
// the number of the active one. A mutant is killed if it passes more than 20 times the usual number of places,
// panics, or gives no answer in a minute. A mutant without an answer is named, because the machine may be slow:
// try it again with nothing else running, or with more -patience.
//
// Exit status 1: a survivor that the list does not explain, or a line of the list that explains nothing any
// more. 2: the tests fail without a mutant, or the tree does not build.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// target is a package to break.
type target struct {
	name  string   // for -engine, and the name of the kept list
	dir   string   // folder of the package, from the top of the tree
	games []string // Go expressions that make its rulebooks; none: it has no scripts
}

var targets = []target{
	{name: "huisclos", dir: "engine/huisclos", games: []string{"game.New(game.DefaultDeck())"}},
	{name: "cluedo", dir: "engine/cluedo", games: []string{
		`game.New(game.DefaultDeck("cluedo-2008"))`,
		`game.New(game.DefaultDeck("super-cluedo"))`,
		`game.New(game.DefaultDeck("cluedo-classic"))`,
	}},
	{name: "presentation", dir: "engine/internal/presentation"},
	{name: "rules", dir: "engine/internal/rules"},
	{name: "story", dir: "engine/internal/story"},
	{name: "hidden", dir: "engine/internal/hidden"},
	{name: "position", dir: "engine/internal/position"},
	{name: "board", dir: "engine/board"},
	{name: "chance", dir: "engine/chance"},
}

type options struct {
	sample  int
	seed    uint64
	files   string
	workers int
	all     bool
	trust   bool
}

func main() {
	var o options
	engine := flag.String("engine", "", "only this one: huisclos, cluedo, presentation, ...")
	flag.IntVar(&o.sample, "sample", 0, "only so many mutants of each; 0: all")
	flag.Uint64Var(&o.seed, "seed", 1, "chooses the sample")
	flag.StringVar(&o.files, "file", "", "only these files, such as ask.go,walk.go")
	flag.IntVar(&o.workers, "workers", runtime.GOMAXPROCS(0), "how many run at once")
	flag.BoolVar(&o.all, "all", false, "list the survivors that are explained, too")
	flag.DurationVar(&patience, "patience", patience, "how long one mutant may take")
	flag.BoolVar(&o.trust, "trust", false, "ask the tests about unexplained survivors alone: faster, "+
		"and no line of the lists is found to be killed by a test")
	flag.Parse()
	status := 0
	var rows []string
	for _, t := range targets {
		if *engine != "" && *engine != t.name {
			continue
		}
		row, err := t.testPackage(o, filepath.Join(".ci", "mutants", t.name+".txt"))
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutants:", err)
			os.Exit(2)
		}
		if row.unexplained+row.stale > 0 {
			status = 1
		}
		rows = append(rows, row.String())
	}
	fmt.Printf("\n| package | mutants | killed by scripts | by quick tests | explained | unexplained | stale |\n"+
		"|---|---|---|---|---|---|---|\n%s", strings.Join(rows, ""))
	os.Exit(status)
}

type row struct {
	name                                                   string
	mutants, scripts, tests, explained, unexplained, stale int
}

func (r row) String() string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d |\n", r.name, r.mutants, r.scripts, r.tests, r.explained, r.unexplained, r.stale)
}

// testPackage breaks one package and compares its survivors with the kept list.
func (t target) testPackage(o options, list string) (row, error) {
	r := row{name: t.name}
	why, err := readKeptList(list)
	if err != nil {
		return r, err
	}
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(work)
	all, err := t.buildBinaries(work)
	if err != nil {
		return r, err
	}
	chosen := o.chooseMutants(all)
	r.mutants = len(chosen)
	fmt.Printf("== %s: %d mutants of %d (seed %d)\n", t.dir, len(chosen), len(all), o.seed)
	if err := t.killMutants(work, o.workers, chosen, func(m *mutant) bool { return o.trust && why[m.key] != "" }); err != nil {
		return r, err
	}
	alive := map[string]bool{}
	for _, m := range chosen {
		if m.timedOut {
			fmt.Printf("%s/%s:%d: %s: no answer in %s, so it is killed\n", t.dir, m.file, m.line, m.words, patience)
		}
		switch {
		case m.byScript:
			r.scripts++
		case m.killedBy != "":
			r.tests++
		case why[m.key] != "":
			alive[m.key] = true
			r.explained++
			if o.all {
				fmt.Printf("%s/%s:%d: %s\n\t%s\n\texplained: %s\n", t.dir, m.file, m.line, m.words, m.source, why[m.key])
			}
		default:
			r.unexplained++
			fmt.Printf("%s/%s:%d: %s (%s)\n\t%s\n\tkey: %s\n", t.dir, m.file, m.line, m.words, m.survivedHow, m.source, m.key)
		}
	}
	r.stale = reportStale(list, why, alive, all, chosen)
	return r, nil
}

// chooseMutants returns the mutants of some files, or a sample, or all. Files that parse decks are left out: no
// script runs them, fuzzing does.
func (o options) chooseMutants(all []*mutant) []*mutant {
	chosen := slices.DeleteFunc(slices.Clone(all), func(m *mutant) bool { return strings.HasPrefix(m.file, "deck") })
	if files := strings.Split(o.files, ","); o.files != "" {
		chosen = slices.DeleteFunc(chosen, func(m *mutant) bool { return !slices.Contains(files, m.file) })
	}
	if o.sample > 0 && o.sample < len(chosen) {
		dice := rand.New(rand.NewPCG(o.seed, 0))
		dice.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		chosen = chosen[:o.sample]
		slices.SortFunc(chosen, func(a, b *mutant) int { return cmp.Compare(a.n, b.n) })
	}
	return chosen
}

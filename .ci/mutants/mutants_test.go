package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// toy is the package of testdata, which is small enough to name each of its survivors.
var toy = target{name: "toy", dir: "testdata/toy"}

// What the quick tests of the toy do not show, and nothing else, survives; what never
// ends is killed by its fuel.
func TestToy(t *testing.T) {
	want := []string{
		"Fare: `zones > 2` reads >=", // adds nothing: it is the same
		"Fare: `zones > 2` taken as true",
		"Fare: `2` reads one more (2)", // three zones
		"Fare: `age != 99` taken as true",
		"Fare: `99` reads one more",
		"Fare: `dog` taken as false",
		"Fare: `fare++` left out",
		"Class: `2` left out of the cases",
	}
	work := t.TempDir()
	all, err := toy.buildBinaries(work)
	if err != nil {
		t.Fatal(err)
	}
	if err := toy.killMutants(work, 2, all, func(*mutant) bool { return false }); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		if m.killedBy == "" {
			got = append(got, strings.TrimPrefix(m.key, "toy.go "))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("survivors\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	i := slices.IndexFunc(all, func(m *mutant) bool { return strings.HasSuffix(m.key, "`age < 4` reads <=") })
	if i < 0 || all[i].line != 9 || all[i].source != "case age < 4:" || all[i].killedBy != "TestFare" {
		t.Errorf("the boundary of line 9 is %+v", all[max(i, 0)])
	}
}

// The list explains survivors by their keys; a key that names no mutant, or a killed one, is reported.
func TestKeptList(t *testing.T) {
	list := filepath.Join(t.TempDir(), "toy.txt")
	write := func(text string) {
		if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# Toys\n\na.go f: `x` left out\na.go f: `y` left out\n  Both do nothing\n  here.\n" +
		"b.go g: `1` reads one more\n\tNobody counts.\n")
	why, err := readKeptList(list)
	if err != nil {
		t.Fatal(err)
	}
	if why["a.go f: `x` left out"] != "Both do nothing here." || why["a.go f: `y` left out"] != "Both do nothing here." ||
		why["b.go g: `1` reads one more"] != "Nobody counts." {
		t.Errorf("read as %q", why)
	}
	x, y := &mutant{key: "a.go f: `x` left out"}, &mutant{key: "a.go f: `y` left out"}
	for _, c := range []struct {
		alive, all, chosen []*mutant
		want               int
	}{
		{[]*mutant{x, y}, []*mutant{x, y}, []*mutant{x, y}, 1}, // b.go is gone
		{[]*mutant{x}, []*mutant{x, y}, []*mutant{x, y}, 2},    // and y is dead
		{nil, []*mutant{x, y}, nil, 1},                         // not tried: nothing is known
	} {
		alive := map[string]bool{}
		for _, m := range c.alive {
			alive[m.key] = true
		}
		if got := reportStale(list, why, alive, c.all, c.chosen); got != c.want {
			t.Errorf("%d lines are stale, want %d", got, c.want)
		}
	}
	for text, fault := range map[string]string{
		"a.go f: `x` left out\n\nb.go g: `1` left out\n\tWhy not.\n": "has no reason",
		"\tA reason.\n": "without a mutant",
		"a.go f: `x` left out\n\tSo.\n\na.go f: `x` left out\n\tSo.\n": "stands twice",
	} {
		write(text)
		if _, err := readKeptList(list); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%q: %v, want: %s", text, err, fault)
		}
	}
	write("a.go\n\tTests alone call it.\n") // a file is no mutant
	if why, err := readKeptList(list); err != nil || reportStale(list, why, nil, []*mutant{{file: "a.go", key: "a.go f: x"}}, nil) != 1 {
		t.Errorf("a file that is set aside: %v, %v", why, err)
	}
	if why, err := readKeptList(list + "x"); err != nil || len(why) > 0 {
		t.Errorf("no list: %v, %v", why, err)
	}
}

// Each key of the kept lists names a mutant of its package. After a rename or a change of the code, write the key that
// make mutants prints for the place now, or remove the key with its reason.
func TestKeptListsNameMutants(t *testing.T) {
	t.Chdir("../..")
	for _, target := range targets {
		list := filepath.Join(".ci", "mutants", target.name+".txt")
		why, err := readKeptList(list)
		if err != nil {
			t.Fatal(err)
		}
		if len(why) == 0 {
			continue
		}
		src, err := target.loadSource()
		if err != nil {
			t.Fatal(err)
		}
		all, _ := src.listMutants()
		for _, m := range all {
			delete(why, m.key)
		}
		for _, key := range slices.Sorted(maps.Keys(why)) {
			t.Errorf("%s: no mutant has the key: %s", list, key)
		}
	}
}

// A process that plays scripts may die of a mutant; the next ones get another one.
func TestPlayGoesOn(t *testing.T) {
	if os.Getenv("MUTANTS_PLAYER") == "1" {
		fmt.Println("ready")
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			switch in.Text() {
			case "2":
				os.Exit(3)
			case "4":
				_, _ = io.ReadAll(os.Stdin) // no answer
			}
			fmt.Println(in.Text(), 5, map[string]string{"3": "HC-S01.script"}[in.Text()])
		}
		os.Exit(0)
	}
	player := filepath.Join(t.TempDir(), "player")
	text := fmt.Sprintf("#!/bin/sh\nMUTANTS_PLAYER=1 exec %q -test.run '^TestPlayGoesOn$'\n", os.Args[0])
	if err := os.WriteFile(player, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	all := []*mutant{{n: 1}, {n: 2}, {n: 3}}
	if err := runWorkers(1, all, func(todo <-chan *mutant) error { return killByScripts(player, todo) }); err != nil {
		t.Fatal(err)
	}
	if all[0].killedBy != "" || all[0].survivedHow != "5 scenes" || !all[1].byScript || all[1].timedOut ||
		all[2].killedBy != "HC-S01.script" {
		t.Errorf("%+v %+v %+v", all[0], all[1], all[2])
	}
	defer func(was time.Duration) { patience = was }(patience)
	patience = time.Millisecond
	never := []*mutant{{n: 4}}
	if err := runWorkers(1, never, func(todo <-chan *mutant) error {
		return killByScripts(player,
			todo)
	}); err != nil || !never[0].byScript || !never[0].timedOut {
		t.Errorf("without an answer: %v, %+v", err, never[0])
	}
}

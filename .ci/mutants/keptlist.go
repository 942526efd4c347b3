package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// readKeptList reads a list of explained survivors: lines with the keys of mutants and, indented below them,
// their common reason. It returns the reasons by key. A line that begins with # is a comment. A missing list
// explains nothing.
func readKeptList(name string) (map[string]string, error) {
	why := map[string]string{}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return why, nil
	} else if err != nil {
		return nil, err
	}
	var keys []string // the keys that the next reason explains
	for n, line := range append(strings.Split(string(data), "\n"), "") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		text := strings.TrimSpace(line)
		begins := text == line // with a key, or with nothing
		if begins && len(keys) > 0 && why[keys[0]] != "" {
			keys = nil // they have their reason
		}
		_, twice := why[text]
		switch {
		case text == "" && len(keys) > 0:
			return nil, fmt.Errorf("%s:%d: %s has no reason; write it on the next line, indented", name, n, keys[len(keys)-1])
		case text == "":
		case begins && twice:
			return nil, fmt.Errorf("%s:%d: %s stands twice", name, n+1, text)
		case begins:
			keys, why[text] = append(keys, text), ""
		case len(keys) == 0:
			return nil, fmt.Errorf("%s:%d: a reason without a mutant above it", name, n+1)
		}
		if !begins {
			for _, k := range keys {
				why[k] = strings.TrimSpace(why[k] + " " + text)
			}
		}
	}
	return why, nil
}

// reportStale prints the lines of the list that explain nothing, and returns their number: no mutant of the
// package has that key, or the one with it was tried and killed.
func reportStale(list string, why map[string]string, alive map[string]bool, all, chosen []*mutant) int {
	there, tried := map[string]bool{}, map[string]bool{}
	for _, m := range all {
		there[m.key] = true
	}
	for _, m := range chosen {
		tried[m.key] = true
	}
	n := 0
	for _, k := range slices.Sorted(maps.Keys(why)) {
		switch {
		case !there[k]:
			fmt.Printf("%s: no such place any more: %s\n", list, k)
			n++
		case tried[k] && !alive[k]:
			fmt.Printf("%s: is killed now, take it out: %s\n", list, k)
			n++
		}
	}
	return n
}

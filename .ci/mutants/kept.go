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

// readKept reads a list of explained survivors: lines with the keys of mutants, below
// them, indented, the reason that they share. A # begins a comment line. No list, no
// explanations.
func readKept(name string) (map[string]string, error) {
	why := map[string]string{}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return why, nil
	} else if err != nil {
		return nil, err
	}
	var keys []string
	reason := false // the last line was part of one
	for n, line := range append(strings.Split(string(data), "\n"), "") {
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case text == "" || line == text:
			if len(keys) > 0 && (reason || text == "") {
				if !reason {
					return nil, fmt.Errorf("%s:%d: %s has no reason; write it on the next line, indented", name, n, keys[len(keys)-1])
				}
				keys, reason = nil, false
			}
			if text == "" {
				break
			}
			if _, twice := why[text]; twice {
				return nil, fmt.Errorf("%s:%d: %s stands twice", name, n+1, text)
			}
			keys, why[text] = append(keys, text), ""
		case len(keys) == 0:
			return nil, fmt.Errorf("%s:%d: a reason without a mutant above it", name, n+1)
		default:
			reason = true
			for _, k := range keys {
				why[k] = strings.TrimSpace(why[k] + " " + text)
			}
		}
	}
	return why, nil
}

// stale tells the lines of the list that explain nothing: no mutant of the engine has
// that key, or the one that has it was tried and is dead.
func stale(list string, why map[string]string, alive map[string]bool, all, chosen []*mutant) int {
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

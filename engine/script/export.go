package script

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
)

// PlayedCommand is one command of a game that was played, and its outcome.
type PlayedCommand struct {
	// Reseed reports whether the dice were seeded with Seed just before this command: at the beginning, and
	// each time the daemon started again.
	Reseed  bool
	Seed    uint64
	Salt    string // of the table's commitment to the command, one word; empty: none
	Joint   string // the seed to which phones have added, of the game that the command begins, one word; empty: none
	Command engine.Command
	Reject  *engine.Reject // nil: accepted
}

// Evening is a game to be exported as a script.
type Evening struct {
	Title   string
	Game    engine.ID
	Players []string // names by seat, for reading; a name that cannot be used becomes seat-N
	// Played has the commands in order. Commands that the host has undone are left out: the caller passes
	// only those that still count.
	Played []PlayedCommand
}

// Export formats an evening as a script that plays the same commands, at the same moments, with the same
// dice, and expects the same outcomes. It fails on a command that cannot be written: an argument whose name
// is no word, a public act other than a scan or a deadline, or a line longer than 4,096 bytes. Every
// accepted command can be written.
func Export(e Evening) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "title %s\ngame %s\n", strings.Map(blankControl, e.Title), e.Game)
	w := scriptWriter{players: usablePlayerNames(e.Players)}
	if len(w.players) > 0 {
		fmt.Fprintf(&b, "players %s\n", strings.Join(w.players, " "))
	}
	clock := engine.Millis(0)
	for i, p := range e.Played {
		if p.Reseed {
			fmt.Fprintf(&b, "seed %d\n", p.Seed)
		}
		if p.Salt != "" {
			fmt.Fprintf(&b, "salt %s\n", p.Salt)
		}
		if p.Joint != "" {
			fmt.Fprintf(&b, "joint %s\n", p.Joint)
		}
		if p.Command.At != clock {
			clock = p.Command.At
			fmt.Fprintf(&b, "at %dms\n", clock)
		}
		line, err := w.formatCommand(p.Command)
		if err != nil {
			return nil, fmt.Errorf("script: export command %d: %w", i+1, err)
		}
		fmt.Fprintf(&b, "%s\n", line)
		if p.Reject != nil {
			fmt.Fprintf(&b, "  refused %s %s\n", p.Reject.Code, p.Reject.Rule)
		} else {
			b.WriteString("  accepted\n")
		}
	}
	if _, err := Parse("export", b.Bytes()); err != nil {
		return nil, fmt.Errorf("script: export: %w", err)
	}
	return b.Bytes(), nil
}

func blankControl(c rune) rune {
	if c < ' ' {
		return ' '
	}
	return c
}

// usablePlayerNames returns names for the players line: one that cannot be used there, or is used twice,
// becomes seat-N.
func usablePlayerNames(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		if out[i] = name; !isPlayerName(name) || slices.Contains(names[:i], name) {
			out[i] = engine.Seat(i + 1).String()
		}
	}
	return out
}

// scriptWriter formats commands with the names of players.
type scriptWriter struct{ players []string }

// toPlayerName returns the name of the player if text is a seat with a player, else text.
func (w scriptWriter) toPlayerName(text string) string {
	if s, err := engine.ParseSeat(text); err == nil && int(s) <= len(w.players) {
		return w.players[s-1]
	}
	return text
}

func (w scriptWriter) formatCommand(c engine.Command) (string, error) {
	switch {
	case c.Act == engine.ActScan && c.By == engine.Public:
		return formatScan(c.Args)
	case c.Act == engine.ActDeadline && c.By == engine.Public:
		return "deadline " + quoteIfNeeded(c.Args["id"]), nil
	}
	if !isKey(c.Act) {
		return "", fmt.Errorf("the act %q is no word", c.Act)
	}
	line := w.toPlayerName(c.By.String()) + " does " + c.Act
	for _, name := range slices.Sorted(maps.Keys(c.Args)) {
		if !isKey(name) {
			return "", fmt.Errorf("the argument %q is no word", name)
		}
		line += " " + name + "=" + w.formatValue(c.Args[name])
	}
	return line, nil
}

// formatValue formats an argument: seats by the names of their players, and in quotes if it would be
// parsed as something else.
func (w scriptWriter) formatValue(text string) string {
	members := strings.Split(text, ",")
	for i, m := range members {
		if slices.Contains(w.players, m) {
			return strconv.Quote(text) // a name, not a seat
		}
		members[i] = w.toPlayerName(m)
	}
	return quoteIfNeeded(strings.Join(members, ","))
}

func formatScan(args engine.Args) (string, error) {
	words := []string{args["reader"], "reads"}
	for _, card := range args.SplitList("cards") {
		words = append(words, quoteIfNeeded(card))
	}
	if n := args["foreign"]; n != "" {
		words = append(words, "foreign="+n)
	}
	switch {
	case len(words) == 2:
		words = append(words, "unreadable")
	case args[engine.ArgDoubled] != "":
		words = append(words, "doubled")
	}
	if !isKey(words[0]) {
		return "", fmt.Errorf("the reader %q is no word", words[0])
	}
	return strings.Join(words, " "), nil
}

// quoteIfNeeded quotes text that would not be read back as one bare word, and all that is not printable.
func quoteIfNeeded(text string) string {
	words, err := splitWords(text)
	quoted := strconv.Quote(text)
	if quoted != `"`+text+`"` || err != nil || len(words) != 1 || words[0].key != "" || words[0].quoted || words[0].text != text ||
		words[0].isBare(nothing) || words[0].isBare("nobody") {
		return quoted
	}
	return text
}

package house

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"majordome/cmd/majordome/update"
	"majordome/companion/wire"
	"majordome/engine"
)

// tells writes a state file as the update service does.
func tells(t *testing.T, dir string, told update.Told) {
	t.Helper()
	text, err := json.Marshal(told)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "told.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The office shows the state file, and newer-install writes a request with the sum.
func TestNewerIsShownAndWishedFor(t *testing.T) {
	dir, wish := t.TempDir(), filepath.Join(t.TempDir(), "update")
	n := &newer{at: Newer{Dir: dir, Wish: wish}}
	tell := func(told update.Told) { t.Helper(); tells(t, dir, told) }
	n.look()
	if n.shown() != nil || n.look() {
		t.Error("something is shown of nothing")
	}
	sum := strings.Repeat("ab", 32)
	offered := update.Told{State: update.Offered, Version: "2.0", From: "1.0", Sum: sum}
	for range update.MaxChanges {
		offered.Changes = append(offered.Changes, strings.Repeat("é", 160))
	}
	tell(offered)
	if !n.look() || n.look() {
		t.Error("it is shown when something else is told, and only then")
	}
	shown := n.shown()
	if shown.Sum != sum || !slices.Equal(shown.Changes, offered.Changes) || shown.Said.FR == "" {
		t.Errorf("%+v", shown)
	}
	if n.install("x") {
		t.Error("any text is a sum")
	}
	if !n.install(sum) {
		t.Fatal("the wish is not left")
	}
	if got, err := update.Asked(wish); got != sum || err != nil {
		t.Errorf("%q is wished for, %v", got, err)
	}
	if n.at.Wish = ""; n.shown().Sum != "" || n.install(sum) {
		t.Error("it can be installed where nobody waits for the wish")
	}
	n.at.Wish = wish
	tell(update.Told{State: update.Returned, Why: update.Cut, Version: "2.0", From: "1.0", Sum: sum})
	if n.look(); n.shown().Sum != "" || n.shown().Said.EN == "" {
		t.Errorf("%+v", n.shown())
	}
	if err := os.WriteFile(filepath.Join(dir, "told.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n.look(); n.shown() != nil {
		t.Error("half a file is shown")
	}
}

// Only the offered sum is installed, during a game only with force. A waiting request is answered at a change, without a step.
func TestNewerOfTheOffice(t *testing.T) {
	dir, wish := t.TempDir(), filepath.Join(t.TempDir(), "update")
	r := start(t, func(o *Opts) { o.Newer = Newer{Dir: dir, Wish: wish} })
	install := func(args engine.Args) string {
		t.Helper()
		if why := r.asks("newer-install", args).Why; why != nil {
			return why.Key
		}
		return ""
	}
	refused := func(what string, args engine.Args) {
		t.Helper()
		if _, err := update.Asked(wish); install(args) == "" || err == nil {
			t.Errorf("%s: %v is enough, or is wished for", what, args)
		}
	}
	sum, other := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	var shown *wire.Newer
	if r.office("newer", nil, &shown); shown != nil {
		t.Errorf("of nothing %+v is shown", shown)
	}
	refused("nothing", engine.Args{"sum": "", "force": "yes"})
	waits := make(chan wire.OfficeAnswer, 1)
	first, steps := r.watch("newer", ""), r.mark()
	go func() { waits <- r.watch("newer", first.Seen) }()
	tells(t, dir, update.Told{State: update.Refused, Why: update.Forged, Version: "2.0", From: "1.0", Sum: sum})
	if a := <-waits; a.Seen == first.Seen || json.Unmarshal(a.Value, &shown) != nil || shown == nil || shown.Said.EN == "" || shown.Sum != "" {
		t.Errorf("of what is refused %+v is shown", a)
	}
	if r.shown(); r.mark() != steps {
		t.Error("it is a step of the game")
	}
	refused("one that is refused", engine.Args{"sum": sum, "force": "yes"})
	refused("one that is refused", engine.Args{"sum": "", "force": "yes"})

	tells(t, dir, update.Told{State: update.Offered, Version: "2.0", From: "1.0", Sum: sum})
	eventually(t, "it is offered", func() bool { r.office("newer", nil, &shown); return shown.Sum == sum })
	r.host("begin", nil)
	if got := install(engine.Args{"sum": sum}); got != "table.newer.game" {
		t.Errorf("in a game: %q", got)
	}
	refused("in a game", engine.Args{"sum": sum})
	refused("another", engine.Args{"sum": other, "force": "yes"})
	refused("without a sum", engine.Args{"force": "yes"})
	r.office("newer-install", engine.Args{"sum": sum, "force": "yes"}, nil)
	if got, err := update.Asked(wish); got != sum || err != nil {
		t.Errorf("%q is wished for, %v", got, err)
	}
	r.house.newer.at.Wish = filepath.Join(wish, "nowhere")
	if got := install(engine.Args{"sum": sum, "force": "yes"}); got != "table.newer.gone" {
		t.Errorf("a wish that cannot be left: %q", got)
	}
}

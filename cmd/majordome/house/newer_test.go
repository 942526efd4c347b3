package house

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordome/cmd/majordome/update"
	"majordome/companion/wire"
	"majordome/engine"
)

// Only the version with the offered checksum is installed, during a game only with force. A waiting request is answered
// when the offer changes, without a step.
func TestNewerOfTheOffice(t *testing.T) {
	dir, wish := t.TempDir(), filepath.Join(t.TempDir(), "update")
	r := startRig(t, func(o *Opts) { o.UpdateFiles = update.Files{Dir: dir, RequestFile: wish} })
	install := func(args engine.Args) string {
		t.Helper()
		if why := r.askOffice("newer-install", args).Why; why != nil {
			return why.Key
		}
		return ""
	}
	refused := func(what string, args engine.Args) {
		t.Helper()
		if _, err := update.TakeRequest(wish); install(args) == "" || err == nil {
			t.Errorf("%s: %v is enough, or is wished for", what, args)
		}
	}
	sum, other := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	var shown *wire.Newer
	if r.doRow("newer", nil, &shown); shown != nil {
		t.Errorf("without a report %+v is shown", shown)
	}
	refused("nothing", engine.Args{"sum": "", "force": "yes"})
	report := func(told update.Report) {
		t.Helper()
		if err := update.WriteReport(dir, told); err != nil {
			t.Fatal(err)
		}
	}
	waits := make(chan wire.OfficeAnswer, 1)
	first, steps := r.watchRow("newer", ""), r.mark()
	go func() { waits <- r.watchRow("newer", first.Seen) }()
	report(update.Report{State: update.Refused, Reason: update.Forged, Version: "2.0", From: "1.0", Sum: sum})
	a := <-waits
	if a.Seen == first.Seen || json.Unmarshal(a.Value, &shown) != nil || shown == nil || shown.Said.EN == "" || shown.Sum != "" {
		t.Errorf("of a refused package %+v is shown", a)
	}
	if r.waitPublished(); r.mark() != steps {
		t.Error("looking for an update is a step of the game")
	}
	refused("one that is refused", engine.Args{"sum": sum, "force": "yes"})
	refused("one that is refused", engine.Args{"sum": "", "force": "yes"})

	report(update.Report{State: update.Offered, Version: "2.0", From: "1.0", Sum: sum})
	eventually(t, "the update is not offered", func() bool { r.doRow("newer", nil, &shown); return shown.Sum == sum })
	r.mustHostAct("begin", nil)
	if got := install(engine.Args{"sum": sum}); got != "table.newer.game" {
		t.Errorf("in a game: %q", got)
	}
	refused("in a game", engine.Args{"sum": sum})
	refused("another", engine.Args{"sum": other, "force": "yes"})
	refused("without a sum", engine.Args{"force": "yes"})
	r.doRow("newer-install", engine.Args{"sum": sum, "force": "yes"}, nil)
	if got, err := update.TakeRequest(wish); got != sum || err != nil {
		t.Errorf("%q is wished for, %v", got, err)
	}
	if err := os.Mkdir(wish, 0o700); err != nil { // a folder where the file should be
		t.Fatal(err)
	}
	if got := install(engine.Args{"sum": sum, "force": "yes"}); got != "table.newer.gone" {
		t.Errorf("a wish that cannot be left: %q", got)
	}
}

package house

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/config/configtest"
	"majordome/cmd/majordome/health"
	"majordome/cmd/majordome/logs"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/ownfile"
)

// TestHostSeesTheMachine: a fault of the computer is shown on the host's page, with what to do, in health and in
// metrics, and on no other page. When the fault is over it disappears. The game goes on meanwhile.
func TestHostSeesTheMachine(t *testing.T) {
	readOnly := int64(1)
	root := fstest.MapFS{"proc/meminfo": {Data: []byte("MemAvailable:  10240 kB\n")}}
	r := startDeposits(t, func(o *Opts) {
		o.Vitals = &vitals.Machine{Root: root, Data: "/", Statfs: func(_ string, s *syscall.Statfs_t) error {
			*s = syscall.Statfs_t{Bsize: 4096, Blocks: 1 << 20, Bavail: 1<<18 + 77, Flags: readOnly}
			return nil
		}}
	})
	host := func() []wire.Finding {
		u, _ := r.house.Loop.Snapshot(engine.Host)
		return u.Machine
	}
	if got := host(); len(got) != 2 || got[0].About != "disk" || got[0].State != wire.StateFault || got[1].About != "memory" ||
		got[1].Fix.FR == "" {
		t.Fatalf("the host sees %+v", got)
	}
	for _, v := range []engine.Viewer{engine.Public, engine.SeatViewer(1), engine.SeatViewer(2)} {
		if u, _ := r.house.Loop.Snapshot(v); u.ForHost != nil {
			t.Errorf("%v sees %+v", v, u.ForHost)
		}
	}
	_, body := fetchPage(t, r, "/healthz")
	want := `"machine":{"troubles":{"disk":"fault","memory":"warning"},"disk_free_mib":1024,"temperature_c":null,` +
		`"memory_free_mib":10,"storage_wear_percent":null}`
	if !strings.Contains(body, want) {
		t.Errorf("health: %s", body)
	}
	_, body = fetchPage(t, r, "/metrics")
	for _, want := range []string{
		`majordome_machine_trouble{kind="disk"} 2`,
		`majordome_machine_trouble{kind="memory"} 1`,
		`majordome_machine_trouble{kind="supply"} 0`,
		"majordome_disk_free_bytes 1.073741824e+09",
	} {
		if !strings.Contains(body, want+"\n") {
			t.Errorf("metrics lack %s", want)
		}
	}
	readOnly = 0
	root["proc/meminfo"] = &fstest.MapFile{Data: []byte("MemAvailable:  400000 kB\n")}
	if !r.house.health.Monitor.CheckOnce() {
		t.Error("nothing has changed")
	}
	r.house.Loop.PublishAgain()
	r.house.waitUntilPublished(t.Context())
	if got := host(); len(got) > 0 {
		t.Errorf("after the repair the host sees %+v", got)
	}
	if r.house.health.Monitor.CheckOnce() {
		t.Error("a second look has found something else")
	}
	r.mustAct(1, "deposit", "card", string(r.depositableCard(1)))
}

// TestALineThatBeginsIsNoTrouble: at the start nothing false is reported about the house's broker and web address.
func TestALineThatBeginsIsNoTrouble(t *testing.T) {
	broker, hook := newHomeBroker(t), new(hooked)
	r := startRig(t, func(o *Opts) {
		o.Vitals = &vitals.Machine{Root: fstest.MapFS{}, Data: "/", Statfs: func(string, *syscall.Statfs_t) error { return syscall.ENOSYS }}
		o.Config.Uplink = "mqtt://" + broker.Addr().String()
		o.Config.Hook, o.Config.Secret, o.Config.Plain = hook.serve(t), configtest.WriteTempFile(t, "a secret of the house"), true
	})
	if got := r.house.health.Monitor.Findings(); len(got) > 0 {
		t.Errorf("the host is shown %+v", got)
	}
}

// TestHungTable: systemd receives no watchdog message while the table's loop hangs, and so starts the table again.
// Nothing else that runs sends one.
func TestHungTable(t *testing.T) {
	const watchdog = 150 * time.Millisecond
	told := listenNotify(t, watchdog)
	stuck, on := make(chan struct{}), make(chan struct{})
	var hang atomic.Bool
	r := startRig(t, func(o *Opts) {
		heard := o.Public
		o.Public = func(u wire.Update) {
			heard(u)
			if hang.CompareAndSwap(true, false) {
				close(stuck)
				<-on
			}
		}
	})
	waitNotify(t, told, "READY=1")
	waitNotify(t, told, "WATCHDOG=1")
	hang.Store(true)
	r.house.Loop.PublishAgain()
	<-stuck
	for end := time.After(5 * watchdog); ; { // messages on their way may still arrive
		select {
		case <-told:
			continue
		case <-end:
		}
		break
	}
	select {
	case got := <-told:
		t.Errorf("systemd heard %q of a table that hangs", got)
	case <-time.After(5 * watchdog):
	}
	close(on)
	waitNotify(t, told, "WATCHDOG=1")
}

// TestHostSeesFaultsOfDecks: a deck that was left out at the start is shown on the host's page, with its line and what
// to write.
func TestHostSeesFaultsOfDecks(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"manor.yaml": "game: manor\nsuspects: []\n",
		"other.yml":  "game:\n",
		"notes.txt":  "game: x\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	known, err := config.ReadDecks(games.KnownGames(), "", folder)
	if err != nil || known.Skipped == nil {
		t.Fatalf("faults: %v, %v", err, known.Skipped)
	}
	tail := &logs.Tail{}
	r := startDeposits(t, func(o *Opts) {
		o.DeckFaults, o.Vitals = known.Skipped, &vitals.Machine{Root: fstest.MapFS{}}
		o.Log = logs.New(tail, o.Config).Logger()
	})
	u, _ := r.house.Loop.Snapshot(engine.Host)
	var got []string
	for _, x := range u.Machine {
		body, err := json.Marshal(x)
		if x.About == health.AboutDeck {
			got = append(got, strings.SplitAfter(x.Said.EN, ":")[0])
		}
		if err != nil || x.State != wire.StateWarning || x.Fix.FR == "" || x.Help == "" || len(body) > wire.MaxFinding {
			t.Errorf("%v: %s", err, body)
		}
	}
	if len(got) != 2 || !strings.Contains(got[0], "manor.yaml") || !strings.Contains(got[1], "other.yml, line 1") {
		t.Errorf("the host sees %q", got)
	}
	r.house.opts.DeckFaults = errors.Join(known.Skipped, &ownfile.Fault{File: "third.yaml"})
	r.house.health.Monitor.CheckOnce()
	for _, name := range []string{"manor.yaml", "other.yml", "third.yaml"} { // also where a similar fault was reported before
		if n := strings.Count(tail.String(), name); n != 2 {
			t.Errorf("the log has %s %d times, not once in either language:\n%s", name, n, tail)
		}
	}
}

package game

import (
	"errors"
	"testing"
	"time"

	"majordome/companion/master/losses"
	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/chance"
)

// fakeRecovery reports losses and two backups.
type fakeRecovery struct {
	losses   []store.Loss
	fail     error
	restored string
}

func (k *fakeRecovery) Losses() []store.Loss       { return k.losses }
func (k *fakeRecovery) Backups() ([]string, error) { return []string{"/b/two.db", "/b/one.db"}, nil }
func (k *fakeRecovery) RequestRestore(file string) { k.restored = file }
func (k *fakeRecovery) AcceptLosses() error {
	if k.fail == nil {
		k.losses = nil
	}
	return k.fail
}

// tableWithLoss returns a table of two that starts with a loss.
func tableWithLoss(t *testing.T) (*rig, *fakeRecovery) {
	t.Helper()
	r := playing(t, newMemory(), 2)
	k := &fakeRecovery{losses: []store.Loss{{Kind: store.LostSteps, Game: 1, From: 7, To: 12, Since: 1_700_000_000_000,
		Until: 1_700_000_060_000}}}
	r.recovery = k
	r.start()
	return r, k
}

// Design 3: a start that has lost something reports it. All viewers see that the game is paused; only the host sees
// what is missing and can choose. Until then nothing else is possible and no deadline passes.
func TestLossesWaitForTheHost(t *testing.T) {
	r, _ := tableWithLoss(t)
	s := r.last()
	for _, u := range append(s.UpdatesToSeal(nil), s.Public) {
		host := u.View.Viewer == engine.Host.String()
		if u.Paused == nil || u.Paused.Key != "table.paused.lost" {
			t.Errorf("%s: paused %v", u.View.Viewer, u.Paused)
		}
		if host != (u.ForHost != nil && len(u.Lost) > 0) || host != (len(u.View.Offers) > 0) {
			t.Errorf("%s: lost %+v, %d offers", u.View.Viewer, u.ForHost, len(u.View.Offers))
		}
	}
	if l := s.Host.Lost[0]; l.Key != "table.lost.steps" || l.Args.Get("from") != "7" || l.Args.Get("to") != "12" {
		t.Errorf("the host reads %+v", l)
	}
	if o := s.Host.View.Offers; len(o) != 2 || o[0].Act != losses.ActGoOn || o[1].Act != losses.ActRestore ||
		o[1].Params[0].Domain[0] != "two.db" || !o[0].Grave || !o[1].Grave {
		t.Errorf("the host is offered %+v", o)
	}
	for _, out := range []struct {
		v   engine.Viewer
		act string
	}{{engine.SeatViewer(1), losses.ActGoOn}, {engine.SeatViewer(1), losses.ActRestore}, {engine.SeatViewer(1), "deposit"},
		{engine.Host, actUndo}, {engine.Host, actNewGame}} {
		if reply := r.act(out.v, out.act, "card", "card-1"); reply.OK {
			t.Errorf("%v: %s was done", out.v, out.act)
		}
	}
	r.dropInUrn("card-1")
	r.passTime(time.Hour)
	if s := r.last(); s.Public.Paused == nil || s.Public.View.Urn != 0 {
		t.Error("the pause ended by itself")
	}
}

// A new game that the command line asks for does not close a game with a loss before the host has decided.
func TestNoNewGameBeforeTheHostHasDecided(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 2)
	for _, c := range []struct {
		losses []store.Loss
		game   int64
	}{{[]store.Loss{{Kind: store.LostMark}}, 1}, {nil, 2}} {
		o := Opts{Epoch: 9, Clock: r.clock, Dice: chance.New(1), Desk: r.desk, Readers: []string{engine.ReaderShow}, NewGame: true,
			Recovery: &fakeRecovery{losses: c.losses}}
		l, err := New(m, publisher(func(Step) {}), r.core().books, &o)
		if err != nil {
			t.Fatal(err)
		}
		if g, _, _ := m.CurrentGame(); g.ID != c.game || (l.core.pauseMsg != nil) != (c.losses != nil) {
			t.Errorf("with %v: game %d, paused %v", c.losses, g.ID, l.core.pauseMsg)
		}
	}
}

// When the host accepts the loss, the game continues from the last step that is there, and a restart reports nothing
// any more.
func TestTheHostGoesOn(t *testing.T) {
	r, k := tableWithLoss(t)
	k.fail = errors.New("no")
	if out := r.act(engine.Host, losses.ActGoOn); out.OK || r.last().Public.Paused == nil {
		t.Errorf("the game went on though nothing could be written: %+v", out)
	}
	k.fail = nil
	if out := r.act(engine.Host, losses.ActGoOn); !out.OK {
		t.Fatalf("%+v", out)
	}
	s := r.last()
	if s.Public.Paused != nil || s.Host.Lost != nil || s.Public.Notice == nil || s.Public.Notice.Msg.Key != "table.resumed" {
		t.Errorf("paused %v, lost %v, notice %+v", s.Public.Paused, s.Host.Lost, s.Public.Notice)
	}
	r.dropInUrn("card-1")
	if r.last().Public.View.Urn != 1 {
		t.Error("the game does not go on")
	}
	for _, act := range []string{losses.ActGoOn, losses.ActRestore} {
		if out := r.act(engine.Host, act, "backup", "two.db"); out.OK {
			t.Errorf("%s without a loss", act)
		}
	}
}

// The host restores a backup: only one of this table, by its name.
func TestTheHostRestores(t *testing.T) {
	r, k := tableWithLoss(t)
	for _, bad := range []string{"", "three.db", "/b/two.db", "../b/two.db"} {
		if out := r.act(engine.Host, losses.ActRestore, "backup", bad); out.OK || k.restored != "" {
			t.Errorf("%q: %+v, %s", bad, out, k.restored)
		}
	}
	if out := r.act(engine.Host, losses.ActRestore, "backup", "one.db"); !out.OK || k.restored != "/b/one.db" {
		t.Errorf("%+v, %s", out, k.restored)
	}
	if r.last().Public.Paused == nil {
		t.Error("the table plays on what is about to be replaced")
	}
}

// When a retry of the journal finds a new reason for the pause, it is published.
func TestARetryPublishesANewReasonOfThePause(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 2)
	gone := &store.Error{Op: "watch", Path: "x", Trouble: store.FileGone}
	m.fail, m.failError = "before", gone
	go r.loop.PauseForFailure(gone)
	r.core().handleInput(<-r.loop.inputs)
	saved := *gone
	saved.Backup = "backups/b.db"
	m.failError = &saved
	r.passTime(5 * time.Second)
	if p := r.last().Public.Paused; p == nil || p.Key != "table.paused.saved" {
		t.Errorf("after the retry everybody reads %v", p)
	}
	n := len(r.steps)
	go r.loop.PauseForFailure(&saved)
	r.core().handleInput(<-r.loop.inputs)
	r.passTime(time.Minute)
	if len(r.steps) != n {
		t.Error("the loss is announced twice")
	}
}

// A journal that fails between two steps pauses the game at once, with its own reason, and the game continues when
// the journal can be written again.
func TestFailingJournalPausesTheGame(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 2)
	m.fail = "before"
	gone := &store.Error{Op: "watch", Path: "x", Trouble: store.FileGone}
	go r.loop.PauseForFailure(gone)
	in := <-r.loop.inputs
	r.core().handleInput(in)
	if p := r.last().Public.Paused; p == nil || p.Key != "table.paused.gone" {
		t.Fatalf("paused %v", p)
	}
	n := len(r.steps)
	go r.loop.PauseForFailure(gone)
	r.core().handleInput(<-r.loop.inputs)
	if len(r.steps) != n {
		t.Error("the loss is announced twice")
	}
	saved := *gone
	saved.Backup = "backups/b.db"
	go r.loop.PauseForFailure(&saved)
	r.core().handleInput(<-r.loop.inputs)
	if p := r.last().Public.Paused; p == nil || p.Key != "table.paused.saved" || p.Args.Get("file") != saved.Backup {
		t.Errorf("with a backup: %v", p)
	}
	m.fail = ""
	r.passTime(5 * time.Second)
	if r.last().Public.Paused != nil {
		t.Error("the game does not go on")
	}
}

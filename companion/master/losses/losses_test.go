package losses_test

import (
	"errors"
	"slices"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/losses"
	"majordome/companion/master/mastertest"
	"majordome/companion/store"
	"majordome/companion/wire"
)

// recovery has lost a step and has 12 backups.
type recovery struct {
	fail     error
	restored string
}

func (*recovery) Losses() []store.Loss {
	return []store.Loss{{Kind: store.LostSteps, Game: 1, From: 7, To: 12, Since: 1_700_000_000_000, Until: 1_700_000_060_000}}
}
func (*recovery) Backups() ([]string, error) {
	return append([]string{"/b/two.db", "/b/one.db"}, slices.Repeat([]string{"/b/old.db"}, 10)...), nil
}
func (r *recovery) AcceptLosses() error        { return r.fail }
func (r *recovery) RequestRestore(file string) { r.restored = file }

// tableWithLoss returns a table that is paused because of a loss.
func tableWithLoss() (*mastertest.Table, *recovery) {
	r := &recovery{}
	m := mastertest.New(func(t master.Table) []master.Part { return []master.Part{losses.New(t, r)} })
	m.Stopped = m.Parts[0].(master.StartBlocker).StartPause() != nil
	return m, r
}

// A start with a loss is paused. Only the host sees what is missing, and chooses.
func TestLossPausesTheStart(t *testing.T) {
	m, _ := tableWithLoss()
	if got := m.ForHost().Lost; !m.Stopped || len(got) != 1 || got[0].Key != "table.lost.steps" || m.PublicUpdate().ForHost != nil {
		t.Errorf("paused %v, the host reads %+v", m.Stopped, got)
	}
	all := m.Parts[0].(master.Offerer).AppendOffers(nil)
	if len(all) != 2 || all[0].Act != losses.ActGoOn || all[1].Act != losses.ActRestore || !all[0].Grave || !all[1].Grave {
		t.Fatalf("offered %+v", all)
	}
	if names := all[1].Params[0].Domain; len(names) != 10 || names[0] != "two.db" {
		t.Errorf("backups %q", names)
	}
}

// When the host accepts the loss the table goes on; if that cannot be recorded it stays paused.
func TestGoOn(t *testing.T) {
	m, r := tableWithLoss()
	r.fail = errors.New("no")
	no := m.DoAct(mastertest.Host, losses.ActGoOn)
	if no == nil || no.Why.Key != "table.paused.lost" || !m.Stopped || m.ForHost().Lost == nil {
		t.Errorf("%v, paused %v", no, m.Stopped)
	}
	r.fail = nil
	no = m.DoAct(mastertest.Host, losses.ActGoOn)
	if no != nil || m.Stopped || m.ForHost().Lost != nil || !slices.Equal(m.Notices, []string{"table.resumed"}) {
		t.Errorf("%v, paused %v, notices %q", no, m.Stopped, m.Notices)
	}
	for _, act := range []string{losses.ActGoOn, losses.ActRestore} {
		if m.DoAct(mastertest.Host, act, "backup", "two.db") == nil || len(m.OfferedToHost()) > 0 {
			t.Errorf("%s without a loss", act)
		}
	}
}

// A game that was on hold before the loss is on hold after it, and nobody is notified that it goes on.
func TestGoOnInAHold(t *testing.T) {
	m, _ := tableWithLoss()
	m.Holding = &wire.Hold{}
	if no := m.DoAct(mastertest.Host, losses.ActGoOn); no != nil || !m.IsPaused() || len(m.Notices) > 0 {
		t.Errorf("%v, notices %q", no, m.Notices)
	}
}

// The host restores a backup of this table, by its name only.
func TestRestore(t *testing.T) {
	m, r := tableWithLoss()
	for _, bad := range []string{"", "three.db", "/b/two.db", "../b/two.db"} {
		if m.DoAct(mastertest.Host, losses.ActRestore, "backup", bad) == nil || r.restored != "" {
			t.Errorf("%q: %s", bad, r.restored)
		}
	}
	if no := m.DoAct(mastertest.Host, losses.ActRestore, "backup", "one.db"); no != nil || r.restored != "/b/one.db" || !m.Stopped {
		t.Errorf("%v, %s", no, r.restored)
	}
}

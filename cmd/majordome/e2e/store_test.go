package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"majordome/companion/porttest"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices/randtest"
	"majordome/engine"
)

// storeFile returns the path of a demonstration's store.
func (d *demo) storeFile() string { return filepath.Join(d.data, "majordome.db") }

// running returns an evening that has begun, after a few acts.
func running(t *testing.T, d *demo, acts int) *evening {
	t.Helper()
	e := newEvening(t, d, randtest.NewSeed(t))
	e.begun()
	for range acts {
		p, act, args, fleeting := e.nextAct()
		p.tries(act, args, fleeting)
	}
	e.settle()
	return e
}

// TestStoreIsDeletedDuringPlay checks that a store that is deleted during a game pauses the game within a second,
// before any act, and that a backup is made of the data that the daemon still has open. The next start reports that
// the file was gone; the host restores that backup, and no act is lost.
func TestStoreIsDeletedDuringPlay(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	e := running(t, d, 4)
	e.table.waitFor("nobody's window", func(u wire.Update) bool { return !observing(u) })
	then := e.viewTexts()
	if err := os.Remove(d.storeFile()); err != nil {
		t.Fatal(err)
	}
	e.table.waitFor("the pause, with nobody acting", func(u wire.Update) bool {
		return u.Paused != nil && (u.Paused.Key == "table.paused.gone" || u.Paused.Key == "table.paused.saved")
	})
	for _, p := range e.allPhones()[1:] {
		if r, _ := p.act("pass", nil); r.OK {
			t.Errorf("%s acts on a table without a store", p.viewer)
		}
	}
	epoch, backups := e.table.latest().Epoch, filepath.Join(d.data, "backups", "*_game-1.db")
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if all, _ := filepath.Glob(backups); len(all) == 1 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no backup was made")
		}
	}
	e.table.waitFor("where the backup is", func(u wire.Update) bool {
		return u.Paused != nil && u.Paused.Key == "table.paused.saved" && strings.Contains(u.Paused.Args.Get("file"), "backups")
	})
	d.kill()
	d.start()
	if !strings.Contains(d.log.String(), waits) {
		t.Errorf("the start does not say what is missing:\n%s", d.log)
	}
	host := join(t, d.links["host"], engine.Host) // the keys have gone with the file
	u := host.waitFor("what is missing", func(u wire.Update) bool { return chooses(u) })
	if u.Lost[0].Key != "table.lost.file" || u.Lost[0].Args.Get("game") != "1" || u.Paused == nil {
		t.Errorf("the host reads %+v", u.Lost)
	}
	host.send("restore", engine.Args{"backup": u.View.Offers[1].Params[0].Domain[0]})
	for _, p := range e.allPhones() { // with the keys that they had
		p.waitFor("the table as it was", func(u wire.Update) bool { return u.Epoch > epoch+1 && u.Paused == nil })
	}
	for viewer, now := range e.viewTexts() {
		if now != then[viewer] {
			t.Errorf("%s: %s", viewer, difference(then[viewer], now))
		}
	}
}

// TestDamagedLogIsNamed damages one byte in the log: the start names the game, the step and the moment, in both
// languages, the host goes on from there, and the next start is Ready again.
func TestDamagedLogIsNamed(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	e := running(t, d, 1)
	e.restart()
	for range 2 {
		p, act, args, fleeting := e.nextAct()
		p.tries(act, args, fleeting)
	}
	number := logNumber(e.table)
	d.kill()
	damage(t, d.storeFile()+"-wal")
	d.start()
	e.host.waitFor("what is missing", func(u wire.Update) bool { return len(u.Lost) > 0 && u.Paused != nil })
	out := d.log.String()
	if !strings.Contains(out, waits) || strings.Count(out, "\nReady") != 2 {
		t.Errorf("the start says:\n%s", out)
	}
	for _, said := range []string{"il manque", "missing"} {
		if !strings.Contains(out, said) {
			t.Errorf("the log does not say %q:\n%s", said, out)
		}
	}
	e.host.mustSend("go-on", nil)
	u := e.host.waitFor("the game as far as it goes", func(u wire.Update) bool { return u.Paused == nil })
	if n := logNumber(e.host); n > number {
		t.Errorf("the story grew from line %d to %d", number, n)
	}
	e.host.mustSend("new-game", engine.Args{"seats": "clear"})
	e.host.waitFor("a new game", func(v wire.Update) bool { return v.Rev > u.Rev })
	d.kill()
	d.start()
	e.host.waitFor("the next start", func(v wire.Update) bool { return v.Epoch > u.Epoch && v.Paused == nil && len(v.Lost) == 0 })
	if strings.Count(d.log.String(), "\nReady") != 3 {
		t.Errorf("the start after says:\n%s", d.log)
	}
}

// restart kills the daemon and starts it: then the store's log is in the file.
func (e *evening) restart() {
	e.t.Helper()
	epoch := e.table.latest().Epoch
	e.demo.kill()
	e.demo.start()
	for _, q := range e.allPhones() {
		q.waitFor("a view of the restarted daemon", func(u wire.Update) bool { return u.Epoch > epoch })
	}
}

// damage changes one byte in the first page of a log, so that all of it is void (SQLite file format, 4.1: a header of
// 32 bytes, and 24 before each page).
func damage(t *testing.T, log string) {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil || len(data) < 5*4096 {
		t.Fatalf("a log of %d bytes, %v", len(data), err)
	}
	data[32+24+1000] ^= 1
	if err := os.WriteFile(log, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// backUp makes a backup in the folder of the daemon's automatic backups.
func backUp(t *testing.T, d *demo, name string) {
	t.Helper()
	folder := filepath.Join(d.data, "backups")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	run(t, d, 0, "", "backup", filepath.Join(folder, name))
}

// TestTheHostRestoresABackup lets the host restore a backup on the page: the table restarts with it automatically,
// phones that were there stay, and no counter goes back.
func TestTheHostRestoresABackup(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	e := running(t, d, 1)
	name := "2026-01-02_20-30-00_game-1.db" // without a number, as older versions named it
	backUp(t, d, name)
	then := e.viewTexts()
	e.restart()
	for range 3 {
		p, act, args, fleeting := e.nextAct()
		p.tries(act, args, fleeting)
	}
	epoch := e.table.latest().Epoch
	d.kill()
	damage(t, d.storeFile()+"-wal")
	d.start()
	u := e.host.waitFor("the choice", func(u wire.Update) bool { return chooses(u) })
	if got := u.View.Offers[1].Params[0].Domain; len(got) != 1 || got[0] != name {
		t.Fatalf("the host may restore %v", got)
	}
	e.host.send("restore", engine.Args{"backup": name})
	for _, p := range e.allPhones() {
		p.waitFor("the table as it was", func(u wire.Update) bool { return u.Epoch > epoch+1 && u.Paused == nil })
	}
	for viewer, was := range then {
		if now := e.viewTexts()[viewer]; now != was && !observing(e.table.latest()) {
			t.Errorf("%s: %s", viewer, difference(was, now))
		}
	}
	if _, err := os.Stat(d.storeFile() + ".1"); err != nil {
		t.Error("the former state is not kept:", err)
	}
}

// TestUnreadableStore checks that the daemon starts with a store of zeros: the log says so and has a link for the
// host, whose key was in the file, and the host restores a backup on the page.
func TestUnreadableStore(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	e := running(t, d, 1)
	backUp(t, d, "0001_2026-01-02_20-30-00_game-1.db")
	then, epoch := e.viewTexts(), e.table.latest().Epoch
	d.kill()
	if err := errors.Join(os.WriteFile(d.storeFile(), make([]byte, 1<<16), 0o600), os.Remove(d.storeFile()+"-wal")); err != nil {
		t.Fatal(err)
	}
	d.start()
	if out := d.log.String(); !strings.Contains(out, waits) || !strings.Contains(out, "ne peut plus être lu") ||
		!strings.Contains(out, "cannot be read any more") {
		t.Errorf("the start says:\n%s", out)
	}
	host := join(t, d.links["host"], engine.Host)
	u := host.waitFor("what is missing", func(u wire.Update) bool { return chooses(u) })
	if u.Lost[0].Key != "table.lost.unread" || u.Lost[0].Args.Get("game") != "1" {
		t.Errorf("the host reads %+v", u.Lost)
	}
	host.send("restore", engine.Args{"backup": u.View.Offers[1].Params[0].Domain[0]})
	for _, p := range e.allPhones() { // with the keys that they had
		p.waitFor("the table as it was", func(u wire.Update) bool { return u.Epoch > epoch+1 && u.Paused == nil })
	}
	for viewer, now := range e.viewTexts() {
		if now != then[viewer] && !observing(e.table.latest()) {
			t.Errorf("%s: %s", viewer, difference(then[viewer], now))
		}
	}
}

// chooses reports whether the host sees the losses and may go on or restore a backup.
func chooses(u wire.Update) bool {
	var acts []string
	for _, o := range u.View.Offers {
		if o.Act != "light" { // which the host may do at any time
			acts = append(acts, o.Act)
		}
	}
	return len(u.Lost) > 0 && slices.Equal(acts, []string{"go-on", "restore"})
}

// run runs a command on the folder of a demonstration.
func run(t *testing.T, d *demo, status int, in string, args ...string) string {
	t.Helper()
	cmd := command(t, d.data, args...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || cmd.ProcessState.ExitCode() != status {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// command returns a command with a configuration for a folder.
func command(t *testing.T, data string, args ...string) *exec.Cmd {
	t.Helper()
	config := filepath.Join(t.TempDir(), "majordome.yaml")
	if err := os.WriteFile(config, []byte(fmt.Sprintf("listen: \"127.0.0.1:0\"\nmqtt: \"off\"\ndata: %q\n", data)), 0o600); err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(t.Context(), binary, append(args, "--config", config)...)
}

// TestOneProgramWrites starts two programs on one folder: a program that would write is refused with the name of the
// other one, and programs that only read are not.
func TestOneProgramWrites(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	backup := filepath.Join(t.TempDir(), "b.db")
	run(t, d, 0, "", "backup", backup)
	run(t, d, 0, "", "check", "--kept")
	holder := fmt.Sprintf("majordome demo, PID %d", d.cmd.Process.Pid)
	for _, args := range [][]string{{"serve"}, {"restore", backup, "--yes"}} {
		out := run(t, d, 1, "", args...)
		if strings.Count(out, holder) != 2 || !strings.Contains(out, "est utilisé par un autre programme") ||
			!strings.Contains(out, "is in use by another program") {
			t.Errorf("%v: %s", args, out)
		}
	}
	twin := exec.CommandContext(t.Context(), binary, "demo", "--data", d.data, "--listen", "127.0.0.1:0")
	if out, err := twin.CombinedOutput(); err == nil || !strings.Contains(string(out), holder) {
		t.Errorf("a second demonstration: %v\n%s", err, out)
	}
	running(t, d, 2) // the first plays on
}

// soaked returns how often a random test tries: plain, or soak in a soak run.
func soaked(plain, soak int) int {
	if os.Getenv("MAJORDOME_SOAK") != "" {
		return soak
	}
	return plain
}

// killed runs a command and kills it at a random moment within a time.
func killed(t *testing.T, cmd *exec.Cmd, within time.Duration, dice *rand.Rand) (finished bool) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		return err == nil
	case <-time.After(time.Duration(dice.Int64N(int64(within)))): // the moment of the kill, not a wait for something
		_ = cmd.Process.Kill()
		<-done
		return false
	}
}

// tableWith returns the folder of a table with a value in the setting "who".
func tableWith(t *testing.T, value string) (data string) {
	t.Helper()
	data = t.TempDir()
	s, err := store.Open(filepath.Join(data, "majordome.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.SetDeck("huis-clos", make([]byte, 200<<10)), s.SetSetting("who", value), s.Close()); err != nil {
		t.Fatal(err)
	}
	return data
}

// whoIs returns the setting "who" of a store, which must be whole.
func whoIs(t *testing.T, path string) string {
	t.Helper()
	s, err := store.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if lost := s.Losses(); len(lost) > 0 {
		t.Fatalf("%s: lost %+v", path, lost)
	}
	who, _, err := s.Setting("who")
	if err != nil {
		t.Fatal(err)
	}
	return who
}

// TestKilledBackup kills a backup: under the requested name it leaves no file, or a whole one. 15 kills, 60 in a soak
// run.
func TestKilledBackup(t *testing.T) {
	t.Parallel()
	dice := randtest.NewRand(t)
	data, whole := tableWith(t, "a"), 0
	start := time.Now()
	if out, err := command(t, data, "backup", filepath.Join(t.TempDir(), "b.db")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	took := time.Since(start)
	for range soaked(15, 60) {
		to := filepath.Join(t.TempDir(), "b.db")
		killed(t, command(t, data, "backup", to), took, dice)
		if _, err := os.Stat(to); errors.Is(err, os.ErrNotExist) {
			continue
		}
		whole++
		fresh := filepath.Join(t.TempDir(), "majordome.db")
		if _, err := store.Restore(to, fresh); err != nil {
			t.Fatal(err)
		}
		if who := whoIs(t, fresh); who != "a" {
			t.Fatalf("the backup holds %q", who)
		}
	}
	t.Logf("%d of them had become whole backups", whole)
}

// TestKilledRestore kills a restore: it leaves the former store or the restored one, whole, and nothing that the next
// start would report as lost. 15 kills, 60 in a soak run.
func TestKilledRestore(t *testing.T) {
	t.Parallel()
	dice := randtest.NewRand(t)
	backup := filepath.Join(t.TempDir(), "b.db")
	if out, err := command(t, tableWith(t, "backup"), "backup", backup).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	took, seen := time.Duration(0), map[string]int{}
	for n := range soaked(15, 60) {
		data := tableWith(t, "former")
		start := time.Now()
		cmd := command(t, data, "restore", backup, "--yes")
		if n == 0 {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			took = time.Since(start)
		} else {
			killed(t, cmd, took, dice)
		}
		who := whoIs(t, filepath.Join(data, "majordome.db"))
		seen[who]++
		if who != "former" && who != "backup" {
			t.Fatalf("after kill %d there stands %q", n, who)
		}
		run(t, &demo{data: data}, 0, "", "restore", backup, "--yes") // the remains do not block the next restore
	}
	t.Logf("afterwards there stood %v", seen)
}

// TestKilledEnrolment checks that enrolled cards survive any kill: when the page asks for the next card, the one
// before is on disk. 6 kills, 30 in a soak run.
func TestKilledEnrolment(t *testing.T) {
	t.Parallel()
	dice := randtest.NewRand(t)
	for range soaked(6, 30) {
		data := t.TempDir()
		far, near, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		config := filepath.Join(data, "majordome.yaml")
		text := fmt.Sprintf("listen: %q\nmqtt: \"off\"\ndata: %q\n", porttest.FreeAddress(t), data) +
			fmt.Sprintf("readers:\n  - {role: show, chip: serial, port: %q}\n", near.Name())
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd, ready := startServe(t, config)
		kill := sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		t.Cleanup(kill)
		ready()
		host := join(t, hostLink(t, config), engine.Host)
		host.waitFor("a view", func(wire.Update) bool { return true })
		if a := host.office("enrol-open", engine.Args{"list": wire.EnrolCards}); a.Why != nil {
			t.Fatalf("no enrolment: %+v", a.Why)
		}
		asked, until, late := 0, 2+dice.IntN(12), time.Now().Add(patience)
		var seen wire.Enrol
		for laid := time.Now(); time.Now().Before(late); time.Sleep(25 * time.Millisecond) { // see package door
			a := host.office("enrol", nil)
			if seen = (wire.Enrol{}); a.Why != nil || json.Unmarshal(a.Value, &seen) != nil || seen.Open == nil {
				t.Fatalf("the page shows no enrolment: %+v", a)
			}
			n := slices.Index(seen.Open.Cards, seen.Open.Asked) + 1
			if n != asked || time.Since(laid) > time.Second { // a reader ignores cards that are on it when it starts
				uid := fmt.Sprintf("04A1B2C3D4%04X", n+0x100)
				fmt.Fprintf(far, "SCAN\tuid=%s\nREMOVE\tuid=%s\n", uid, uid)
				laid = time.Now()
			}
			if asked = n; asked == until {
				break
			}
		}
		time.Sleep(time.Duration(dice.IntN(20_000)) * time.Microsecond) // the moment of the kill
		kill()
		host.close()
		_, _ = far.Close(), near.Close()
		s, err := store.Open(filepath.Join(data, "majordome.db"), nil)
		if err != nil {
			t.Fatal(err)
		}
		tags, err := s.Tags("huis-clos")
		if lost := s.Losses(); err != nil || len(lost) > 0 || len(tags) < asked-1 || asked != until {
			t.Errorf("killed when card %d was asked for: %d tags, lost %+v, %v", asked, len(tags), lost, err)
		}
		for n := range min(asked-1, len(tags)) {
			if want := (store.Tag{UID: fmt.Sprintf("04A1B2C3D4%04X", n+0x101), Card: seen.Open.Cards[n]}); !slices.Contains(tags, want) {
				t.Errorf("killed when card %d was asked for: %+v is not among %+v", asked, want, tags)
			}
		}
		_ = s.Close()
	}
}

package update

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"majordome/devices/randtest"
)

// TestInstall checks that a newer version is installed, and that its daemon goes on with the data.
func TestInstall(t *testing.T) {
	b := newBench(t)
	offered := b.offer("2.0", 2, "exit 0")
	for _, sum := range []string{"", "0", strings.Repeat("0", 64)} { // not the sum that its host has seen
		if err := b.Install(sum); !errors.Is(err, ErrNotOffered) {
			t.Errorf("%q: %v", sum, err)
		}
	}
	b.checkInstalled("1.0", "1 game")
	if err := b.Install(offered.Sum); err != nil {
		t.Fatal(err)
	}
	b.checkInstalled("2.0", "2 game")
	if got := ReadReport(b.Dir); got.State != Done || got.Version != "2.0" || got.From != "1.0" {
		t.Errorf("the report is %+v", got)
	}
	if err := b.Install(offered.Sum); !errors.Is(err, ErrNotOffered) {
		t.Errorf("twice: %v", err)
	}
}

// TestInstallThatFails checks that each failure is undone: a daemon that is not ready after it has written to the
// data, a package that dpkg refuses, data that cannot be backed up, a key that was taken away, a copy that has
// changed, and no room.
func TestInstallThatFails(t *testing.T) {
	for _, c := range []struct {
		why   Reason
		spoil func(b *bench, step string)
		end   string
		size  string
	}{
		{why: NotReady, end: "exit 1"},
		{why: InstallFailed, spoil: func(b *bench, step string) {
			if step == "install" {
				writeFile(t, b.pathOf(candidateFile), "no package", 0o600)
			}
		}},
		{why: NoBackup, spoil: func(b *bench, step string) {
			if step == "save" {
				b.RunAsDaemon = func(string, string, ...string) error { return errors.New("no") }
			}
		}},
		{why: Forged, spoil: func(b *bench, step string) {
			if step == "asked" {
				writeFile(t, b.KeyFiles[1], "", 0o644)
			}
		}},
		{why: Forged, spoil: func(b *bench, step string) {
			if step == "asked" {
				writeFile(t, b.pathOf(candidateFile), read(t, b.pathOf(candidateFile))+"\n", 0o600)
			}
		}},
		{why: NoFormer, spoil: func(b *bench, step string) {
			if step == "repack" {
				writeFile(t, b.pathOf(formerTree), "", 0o600)
			}
		}},
		{why: Full, size: "2000000000"}, // no disk has room for it
	} {
		b := newBench(t)
		if c.spoil != nil {
			b.OnStep = func(step string) { c.spoil(b, step) }
		}
		b.sign(buildPackage(t, b.stick, "2.0", b.arch, 2, cmp.Or(c.end, "exit 0"), cmp.Or(c.size, "20")), b.key)
		offered, least := b.checkStick(), leastRoom(b.Dir)
		if err := b.Install(offered.Sum); err == nil {
			t.Errorf("%s: the report says that it is installed", c.why)
		}
		if before, least := least(); least < before/2 {
			t.Errorf("%s: of %d MB on the disk %d were left at a moment, while a game is played", c.why, before>>20, least>>20)
		}
		got := ReadReport(b.Dir)
		if got.State != RolledBack || got.Reason != c.why || got.From != "1.0" || got.Version != "2.0" {
			t.Errorf("%s: the report is %+v", c.why, got)
		}
		b.checkInstalled("1.0", "1 game")
	}
}

// TestDpkgIsInUse checks that, while apt uses dpkg, an installation and the way back wait for it.
func TestDpkgIsInUse(t *testing.T) {
	if file := os.Getenv(holding); file != "" {
		f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o640)
		if err == nil {
			err = syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_WRLCK})
		}
		if fmt.Println("held", err); err == nil {
			_, _ = io.Copy(io.Discard, os.Stdin)
		}
		return
	}
	b := newBench(t)
	offered := b.offer("2.0", 2, "exit 0")
	var began time.Time
	b.OnStep = func(step string) {
		if step != "install" {
			return
		}
		c := exec.Command(os.Args[0], "-test.run=^TestDpkgIsInUse$")
		c.Env = append(os.Environ(), holding+"="+filepath.Join(b.Root, "var/lib/dpkg/lock-frontend"))
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if said, err := bufio.NewReader(out).ReadString('\n'); said != "held <nil>\n" {
			t.Fatal(said, err)
		}
		began = time.Now()
		time.AfterFunc(time.Second, func() { // apt is done
			in.Close()
			_ = c.Wait()
		})
	}
	if err := b.Install(offered.Sum); err != nil {
		t.Fatal(err)
	}
	if time.Since(began) < time.Second {
		t.Fatal("dpkg was not in use")
	}
	b.checkInstalled("2.0", "2 game")
}

const holding = "MAJORDOME_TEST_HOLDS"

// leastRoom watches the free room on a disk; the function that it returns stops that and returns the least.
func leastRoom(dir string) func() (before, least uint64) {
	room := func() uint64 {
		var s syscall.Statfs_t
		if syscall.Statfs(dir, &s) != nil {
			return 0
		}
		return s.Bavail * uint64(s.Bsize)
	}
	before, stop, ended := room(), make(chan struct{}), make(chan uint64)
	go func() {
		for least := before; ; time.Sleep(time.Millisecond) {
			select {
			case <-stop:
				ended <- least
				return
			default:
				least = min(least, room())
			}
		}
	}()
	return func() (uint64, uint64) { close(stop); return before, <-ended }
}

// powerCut is the value with which a step panics: the power is gone, and no code runs that would tidy up.
type powerCut struct{}

// cutAt runs do, which is cut off at a step; false: do has not come to that step.
func (b *bench) cutAt(step string, do func() error) (was bool) {
	b.OnStep = func(s string) {
		if s == step {
			panic(powerCut{})
		}
	}
	defer func() {
		b.OnStep = nil
		if r := recover(); r != nil {
			if _, ours := r.(powerCut); !ours {
				panic(r)
			}
			was, b.isUp = true, false
		}
	}()
	_ = do()
	return false
}

// restart is the machine's next start: the interrupted installation is undone, then the daemon starts.
func (b *bench) restart() {
	b.t.Helper()
	if err := b.Recover(); err != nil {
		b.t.Fatal(err)
	}
	if err := b.StartAndWait(); err != nil {
		b.t.Fatal(err)
	}
	if err := b.removeFiles(rollbackFiles...); err != nil { // the next Install would remove them first
		b.t.Fatal(err)
	}
}

// TestPowerCutAtEachStep cuts the power before each step, and again before each step of the way back: the former
// version is there again, with its data.
func TestPowerCutAtEachStep(t *testing.T) {
	b := newBench(t)
	steps := []string{"asked", "prepare", "repack", "stop", "save", "install", "installed", "start", "ready"}
	for _, step := range steps {
		offered := b.offer("2.0", 2, "exit 0")
		if !b.cutAt(step, func() error { return b.Install(offered.Sum) }) {
			t.Fatalf("the update never comes to %s", step)
		}
		begun := slices.Index(steps, step) >= slices.Index(steps, "stop")
		if _, under := b.readJournal(); under != begun {
			t.Errorf("%s: a journal: %v", step, under)
		}
		if step == "ready" {
			for _, again := range []string{"undo", "undone", "restored"} {
				if !b.cutAt(again, b.Recover) {
					t.Errorf("%s is not come to", again)
				}
			}
		}
		b.restart()
		b.checkInstalled("1.0", "1 game")
		if got := ReadReport(b.Dir); begun && (got.State != RolledBack || got.Reason != Interrupted) || !begun && got.State != Offered {
			t.Errorf("%s: the report is %+v", step, got)
		}
		if t.Failed() {
			t.Fatalf("cut off at %s", step)
		}
	}
}

// TestEndedWhileTheDaemonRuns ends the installation when the newer daemon is ready, while the machine goes on: the
// newer version stays, with the data that it has written. If it ends earlier, while the former daemon still runs,
// that one is stopped for the way back.
func TestEndedWhileTheDaemonRuns(t *testing.T) {
	b := newBench(t)
	offered := b.offer("2.0", 2, "exit 0")
	b.cutAt("stop", func() error { return b.Install(offered.Sum) })
	b.isUp = true
	b.restart()
	b.checkInstalled("1.0", "1 game")
	offered = b.checkStick()
	b.cutAt("ready", func() error { return b.Install(offered.Sum) })
	b.isUp = true
	writeFile(t, b.state, "2 game and more\n", 0o600)
	if err := b.Recover(); err != nil {
		t.Fatal(err)
	}
	b.checkInstalled("2.0", "2 game and more")
	if got := ReadReport(b.Dir); got.State != Done {
		t.Errorf("the report is %+v", got)
	}
}

// TestOneAtATime checks that during an installation a second one does nothing, nor does the start of the daemon that
// belongs to it; no stick is checked before an interrupted one is undone.
func TestOneAtATime(t *testing.T) {
	b := newBench(t)
	offered := b.offer("2.0", 2, "exit 0")
	b.OnStep = func(step string) {
		if step == "start" || step == "stop" {
			if err := b.Recover(); err != nil {
				t.Error(err)
			}
			if err := b.Install(offered.Sum); !errors.Is(err, ErrBusy) {
				t.Errorf("two at once: %v", err)
			}
			if _, err := b.CheckFolder(b.stick); !errors.Is(err, ErrBusy) {
				t.Errorf("looks meanwhile: %v", err)
			}
		}
	}
	if err := b.Install(offered.Sum); err != nil {
		t.Fatal(err)
	}
	b.checkInstalled("2.0", "2 game")
	b.sign(buildPackage(t, b.stick, "3.0", b.arch, 3, "exit 0"), b.key)
	offered = b.checkStick()
	b.cutAt("start", func() error { return b.Install(offered.Sum) })
	if _, err := b.CheckFolder(b.stick); !errors.Is(err, ErrBusy) {
		t.Errorf("looks before it is undone: %v", err)
	}
	b.restart()
	b.checkInstalled("2.0", "2 game")
}

// TestFormerVersionThatCannotReturnIsRetried checks that, when the former version cannot be put back either, the report
// says so, the journal stays, and the next start does it.
func TestFormerVersionThatCannotReturnIsRetried(t *testing.T) {
	b := newBench(t)
	offered := b.offer("2.0", 2, "exit 1")
	former := ""
	b.OnStep = func(step string) {
		if step == "undo" && former == "" {
			former = read(t, b.pathOf(formerFile))
			writeFile(t, b.pathOf(formerFile), "", 0o600)
		}
	}
	if err := b.Install(offered.Sum); err == nil {
		t.Error("the report says that it is installed")
	}
	if got := ReadReport(b.Dir); got.State != Stuck {
		t.Errorf("the report is %+v", got)
	}
	writeFile(t, b.pathOf(formerFile), former, 0o600)
	b.restart()
	b.checkInstalled("1.0", "1 game")
}

// killed is the environment variable of a process that installs, and is killed.
const killed = "MAJORDOME_UPDATE_KILLED"

// TestKilledAtAnyMoment kills the whole installation, dpkg included, at any moment by a signal, 100 times in a soak
// run. Afterwards one of the versions is installed completely, with its data.
func TestKilledAtAnyMoment(t *testing.T) {
	if dir := os.Getenv(killed); dir != "" {
		b := &bench{t: t, isUp: true}
		b.Machine = &Machine{Dir: filepath.Join(dir, "update"), Root: filepath.Join(dir, "root"),
			KeyFiles: []string{filepath.Join(dir, "update.pub")}, Service: b, RunAsDaemon: runAsTester}
		if err := b.Install(ReadReport(b.Dir).Sum); err != nil {
			t.Fatal(err)
		}
		return
	}
	seed := randtest.NewSeed(t)
	dice := rand.New(rand.NewPCG(seed, 1))
	times := 6
	if os.Getenv("MAJORDOME_SOAK") != "" {
		times = 100
	}
	b := newBench(t)
	cuts, whole := map[string]int{}, 2*time.Second
	for n := range times {
		b.offer("2.0", 2, "exit 0")
		c := exec.Command(os.Args[0], "-test.run=^TestKilledAtAnyMoment$")
		c.Env = append(os.Environ(), killed+"="+filepath.Dir(b.Dir))
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		began := time.Now()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if n > 0 { // the first shows how long it takes
			time.AfterFunc(time.Duration(dice.Int64N(int64(whole))), func() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) })
		}
		ended := c.Wait()
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // dpkg
		// As systemd does, wait for all of them: a child that was just being started has the lock until it is dead.
		free, err := b.acquireLock(lockFile, true)
		if err != nil {
			t.Fatal(err)
		}
		free()
		if n == 0 {
			if whole = time.Since(began); ended != nil {
				t.Fatal(ended)
			}
		}
		j, under := b.readJournal()
		cuts[j.Step]++
		b.isUp = false
		b.restart()
		switch version := run(t, "dpkg-query", "--show", "--showformat=${Version}", "majordome"); {
		case version == "1.0" && ended != nil:
			b.checkInstalled("1.0", "1 game")
		case version == "2.0" && !under:
			b.checkInstalled("2.0", "2 game")
			if told := ReadReport(b.Dir); told.State != Done {
				t.Errorf("the report is %+v", told)
			}
			run(t, "dpkg", "--force-downgrade", "--install", filepath.Join(filepath.Dir(b.Dir), "majordome_1.0_"+b.arch+".deb"))
			writeFile(t, b.state, "1 game\n", 0o600)
		default:
			t.Errorf("version %s is installed, ended %v, %+v", version, ended, j)
		}
		if t.Failed() {
			t.Fatalf("seed %d, the %d. time, at %+v", seed, n, j)
		}
	}
	t.Logf("one takes %v; killed while the journal said %v", whole, cuts)
}

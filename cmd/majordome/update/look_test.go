package update

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"aead.dev/minisign"

	"majordome/devices/randtest"
)

func TestReasonForEachEvidence(t *testing.T) {
	good := evidence{keyCount: 1, hasSignature: true, isSigned: true, control: &packageControl{Package: "majordome", Arch: "arm64"},
		compare: 1, arch: "arm64"}
	with := func(change func(*evidence)) evidence {
		f := good
		change(&f)
		return f
	}
	for _, c := range []struct {
		is   evidence
		want Reason
	}{
		{good, NoReason},
		{evidence{}, NoKey},
		{with(func(f *evidence) { f.keyCount = 0 }), NoKey},
		{with(func(f *evidence) { f.hasSignature, f.isSigned = false, false }), Unsigned},
		{with(func(f *evidence) { f.isSigned = false }), Forged},
		{with(func(f *evidence) { f.isSigned, f.control = false, nil }), Forged}, // nothing that is not signed is read
		{with(func(f *evidence) { f.control = nil }), Foreign},
		{with(func(f *evidence) { f.control = &packageControl{Package: "bash", Arch: "arm64"} }), Foreign},
		{with(func(f *evidence) { f.arch = "armhf" }), WrongArch},
		{with(func(f *evidence) { f.compare = -1 }), Older},
		{with(func(f *evidence) { f.compare = 0 }), Same},
	} {
		if got := firstRefusalReason(c.is); got != c.want {
			t.Errorf("%+v is %q, want %q", c.is, got, c.want)
		}
	}
}

// TestReportOfEachContentOfTheStick checks the report about each content of the stick.
func TestReportOfEachContentOfTheStick(t *testing.T) {
	b := newBench(t)
	if got := b.checkStick(); got.State != "" {
		t.Fatalf("an empty stick is reported as %+v", got)
	}
	other := "armhf"
	if b.arch == other {
		other = "arm64"
	}
	_, stranger, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	// In this order: each file names a newer version, or is the only one, so that it is the one that is checked.
	steps := []struct {
		what string
		do   func()
		want Reason
		left bool // for the next
	}{
		{what: "another processor's", do: func() { b.sign(buildPackage(t, b.stick, "3.0", other, 3, ""), b.key) },
			want: WrongArch, left: true},
		{what: "without a signature", do: func() { buildPackage(t, b.stick, "2.0", b.arch, 2, "") }, want: Unsigned},
		{what: "an older one", do: func() { b.sign(buildPackage(t, b.stick, "0.9", b.arch, 1, ""), b.key) }, want: Older},
		{what: "the same", do: func() { b.sign(buildPackage(t, b.stick, "1.0", b.arch, 1, ""), b.key) }, want: Same},
		{what: "signed by a stranger", do: func() { b.sign(buildPackage(t, b.stick, "2.0", b.arch, 2, ""), stranger) }, want: Forged},
		{what: "changed by one bit", do: func() {
			file := buildPackage(t, b.stick, "2.0", b.arch, 2, "")
			b.sign(file, b.key)
			text := []byte(read(t, file))
			text[len(text)/2] ^= 1
			writeFile(t, file, string(text), 0o644)
		}, want: Forged},
		{what: "another file's signature", do: func() {
			file := buildPackage(t, b.stick, "2.0", b.arch, 2, "")
			older := buildPackage(t, t.TempDir(), "0.5", b.arch, 1, "")
			b.sign(older, b.key)
			writeFile(t, file+".minisig", read(t, older+".minisig"), 0o644)
		}, want: Forged},
		{what: "an older one under a newer name", do: func() {
			file := buildPackage(t, b.stick, "0.9", b.arch, 1, "")
			b.sign(file, b.key)
			newer := strings.Replace(file, "0.9", "9.9", 1)
			run(t, "mv", file, newer)
			run(t, "mv", file+".minisig", newer+".minisig")
		}, want: Older},
		{what: "no package, signed", do: func() {
			file := filepath.Join(b.stick, "majordome_2.0_"+b.arch+".deb")
			writeFile(t, file, "no package", 0o644)
			b.sign(file, b.key)
		}, want: Foreign},
		{what: "too large", do: func() {
			file := filepath.Join(b.stick, "majordome_2.0_"+b.arch+".deb")
			writeFile(t, file, "", 0o644)
			if err := os.Truncate(file, MaxPackage+1); err != nil {
				t.Fatal(err)
			}
		}, want: TooBig},
		{what: "a folder", do: func() {
			if err := os.Mkdir(filepath.Join(b.stick, "majordome_2.0_"+b.arch+".deb"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, want: Unreadable},
		{what: "a link out of the stick", do: func() {
			if err := os.Symlink(b.KeyFiles[1], filepath.Join(b.stick, "majordome_2.0_"+b.arch+".deb")); err != nil {
				t.Fatal(err)
			}
		}, want: Unreadable},
		{what: "a pipe", do: func() {
			if err := syscall.Mkfifo(filepath.Join(b.stick, "majordome_2.0_"+b.arch+".deb"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, want: Unreadable},
		{what: "a newer one", do: func() { b.sign(buildPackage(t, b.stick, "2.0", b.arch, 2, ""), b.key) }, want: NoReason},
		{what: "without a key", do: func() {
			b.sign(buildPackage(t, b.stick, "2.0", b.arch, 2, ""), b.key)
			if err := os.Remove(b.KeyFiles[1]); err != nil {
				t.Fatal(err)
			}
		}, want: NoKey},
	}
	for _, s := range steps {
		s.do()
		got := b.checkStick()
		if got.Reason != s.want || (got.State == Offered) != (s.want == NoReason) || (got.State == Refused) != (s.want != NoReason) {
			t.Errorf("%s: %+v, want %q", s.what, got, s.want)
		}
		said, fix := got.Texts()
		if said.FR == "" || said.EN == "" || fix.FR == "" || fix.EN == "" || strings.ContainsAny(said.FR+said.EN+fix.FR+fix.EN, "{}%") {
			t.Errorf("%s: %+v, %+v", s.what, said, fix)
		}
		_, err := os.Stat(b.pathOf(candidateFile))
		if (err == nil) != (s.want == NoReason) {
			t.Errorf("%s: a copy is kept: %v", s.what, err == nil)
		}
		if s.want == NoReason && (got.Version != "2.0" || got.From != "1.0" || len(got.Changes) != 1 ||
			got.Changes[0] != "New in 2.0, in two lines." || len(got.Sum) != 64) {
			t.Errorf("offered is %+v", got)
		}
		if !s.left {
			for _, name := range []string{"majordome_[0129]*.deb", "*.minisig"} {
				all, _ := filepath.Glob(filepath.Join(b.stick, name))
				for _, file := range all {
					if !strings.Contains(file, "3.0") {
						_ = os.RemoveAll(file)
					}
				}
			}
		}
	}
	b.checkInstalled("1.0", "1 game")
}

// TestChoose checks that other names are ignored, and that package names are chosen by version and architecture.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"majordome.deb", "majordome_1.0.deb", "majordome_1.0_arm64.deb.exe", "majordome_$(reboot)_arm64.deb",
			"majordome_1;ls_arm64.deb", "majordome_-1_arm64.deb", "majordome_1 0_arm64.deb", "._majordome_1.0_arm64.deb",
			"majordome_1.0_arm64 (1).deb.part", "majordome_1.0_arm64 (1).deb.zip", "majordome_1.0_arm64.deb.minisig",
			"majordome_1.0_arm64$(1).deb", "majordome_1.0_arm64 (" + strings.Repeat("1", 30) + ").deb",
			"majordome_" + strings.Repeat("9", 65) + "_arm64.deb", "musique.mp3", "\xff\xfe", "majordome_1.0_arm64.deb\n"}, ""},
		{[]string{"majordome_1.0_arm64.deb"}, "majordome_1.0_arm64.deb"},
		{[]string{"majordome_1.0_armhf.deb"}, "majordome_1.0_armhf.deb"},
		{[]string{"majordome_9.0_armhf.deb", "majordome_1.0_arm64.deb"}, "majordome_1.0_arm64.deb"},
		{[]string{"majordome_0.9_arm64.deb", "majordome_0.10_arm64.deb", "majordome_0.10~rc1_arm64.deb"}, "majordome_0.10_arm64.deb"},
		{[]string{"majordome_1.0_arm64 (1).deb"}, "majordome_1.0_arm64 (1).deb"},
		{[]string{"majordome_1.0_arm64(12).deb"}, "majordome_1.0_arm64(12).deb"},
		{[]string{"majordome_1.0_arm64-2.deb"}, "majordome_1.0_arm64-2.deb"},
		{[]string{"majordome_1.0_arm64 - Copie.deb"}, "majordome_1.0_arm64 - Copie.deb"},
		{[]string{"MAJORDOME_1.0_ARM64.DEB"}, "MAJORDOME_1.0_ARM64.DEB"},
		{[]string{"MAJORDOME_1.0_ARM64.DEB", "majordome_9.0_armhf.deb"}, "MAJORDOME_1.0_ARM64.DEB"},
		{[]string{"majordome_0.9_arm64 (2).deb", "majordome_0.10_arm64 (1).deb"}, "majordome_0.10_arm64 (1).deb"},
		{[]string{"majordome_2.0_arm64.deb", "majordome_1.0_arm64.deb", "majordome_1.0_arm64.deb.minisig"}, "majordome_1.0_arm64.deb"},
	} {
		dir := t.TempDir()
		for _, n := range c.names {
			writeFile(t, filepath.Join(dir, n), "", 0o644)
		}
		if got, err := chooseFirstPackage(dir, "arm64"); err != nil || got != c.want {
			t.Errorf("of %q %q is chosen, want %q: %v", c.names, got, c.want, err)
		}
	}
	if _, err := chooseFirstPackage(filepath.Join(t.TempDir(), "gone"), "arm64"); err == nil {
		t.Error("a stick that is gone has nothing on it")
	}
}

// TestRenamedDownloads checks that a package and its signature are accepted under the names that a second download, a
// copy and old systems give.
func TestRenamedDownloads(t *testing.T) {
	b := newBench(t)
	whole := buildPackage(t, t.TempDir(), "2.0", b.arch, 2, "")
	b.sign(whole, b.key)
	base := "majordome_2.0_" + b.arch
	for _, names := range [][2]string{
		{base + " (1).deb", base + " (1).deb.minisig"},
		{base + " (1).deb", base + ".deb (1).minisig"},
		{base + " (1).deb", base + ".deb.minisig"},
		{base + "(1).deb", base + ".deb(1).minisig"},
		{base + "-2.deb", base + ".deb-2.minisig"},
		{base + ".deb", base + " - Copie.deb.minisig"},
		{strings.ToUpper(base + ".deb"), strings.ToUpper(base + ".deb.minisig")},
	} {
		b.emptyStick()
		writeFile(t, filepath.Join(b.stick, names[0]), read(t, whole), 0o644)
		writeFile(t, filepath.Join(b.stick, names[1]), read(t, whole+".minisig"), 0o644)
		if got := b.checkStick(); got.State != Offered || got.File != names[0] || got.Version != "2.0" {
			t.Errorf("%q: %+v", names, got)
		}
	}
	// one of several signatures is the package's own
	b.emptyStick()
	writeFile(t, filepath.Join(b.stick, base+".deb"), read(t, whole), 0o644)
	writeFile(t, filepath.Join(b.stick, base+".deb.minisig"), "half a signature", 0o644)
	writeFile(t, filepath.Join(b.stick, base+".deb (2).minisig"), strings.Repeat("x", maxSignature+1), 0o644)
	writeFile(t, filepath.Join(b.stick, base+".deb (1).minisig"), read(t, whole+".minisig"), 0o644)
	if got := b.checkStick(); got.State != Offered {
		t.Errorf("with three signatures: %+v", got)
	}
}

// emptyStick removes everything from the stick.
func (b *bench) emptyStick() {
	b.t.Helper()
	if err := errors.Join(os.RemoveAll(b.stick), os.Mkdir(b.stick, 0o755)); err != nil {
		b.t.Fatal(err)
	}
}

// TestNothingHidesAGoodPackage checks that the good package is offered whatever other files with higher names are on
// the stick, and that the skipped one is reported with it.
func TestNothingHidesAGoodPackage(t *testing.T) {
	b := newBench(t)
	_, stranger, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	name := func(version string) string { return filepath.Join(b.stick, "majordome_"+version+"_"+b.arch+".deb") }
	under := func(version, named string, key minisign.PrivateKey) { // the name says more than the package
		file := buildPackage(t, t.TempDir(), version, b.arch, 1, "")
		writeFile(t, name(named), read(t, file), 0o644)
		b.sign(name(named), key)
	}
	for _, c := range []struct {
		what   string
		above  func()
		passed Reason
	}{
		{"nothing else", func() {}, NoReason},
		{"one without a signature", func() { buildPackage(t, b.stick, "9.0", b.arch, 9, "") }, Unsigned},
		{"a crowd without signatures", func() {
			for n := range 2 * maxPackages {
				writeFile(t, name(fmt.Sprintf("9.%d", n)), "", 0o644)
			}
		}, Unsigned},
		{"one signed by a stranger", func() { b.sign(buildPackage(t, b.stick, "9.0", b.arch, 9, ""), stranger) }, Forged},
		{"one with half a signature",
			func() { writeFile(t, buildPackage(t, b.stick, "9.0", b.arch, 9, "")+".minisig", "half", 0o644) }, Forged},
		{"no package, signed", func() { writeFile(t, name("9.0"), "no package", 0o644); b.sign(name("9.0"), b.key) }, Foreign},
		{"an older one under its name", func() { under("0.5", "9.0", b.key) }, NoReason},
		{"the same under its name", func() { under("1.0", "9.0", b.key) }, NoReason},
		{"one that is too large", func() {
			writeFile(t, name("9.0"), "", 0o644)
			writeFile(t, name("9.0")+".minisig", "", 0o644)
			if err := os.Truncate(name("9.0"), MaxPackage+1); err != nil {
				t.Fatal(err)
			}
		}, TooBig},
		{"a folder", func() { writeFile(t, name("9.0")+".minisig", "", 0o644); _ = os.Mkdir(name("9.0"), 0o755) }, Unreadable},
		{"16 with half a signature", func() { b.addJunk(16, []byte("half")) }, Forged},
		{"100 with half a signature", func() { b.addJunk(100, []byte("half")) }, Forged},
		{"512 with half a signature", func() { b.addJunk(512, []byte("half")) }, Forged},
		{"16 signed by a stranger", func() { b.addJunk(16, minisign.Sign(stranger, nil)) }, Forged},
		{"512 signed by a stranger", func() { b.addJunk(512, minisign.Sign(stranger, nil)) }, Forged},
		{"512 signed by a stranger who took the key id",
			func() { b.addJunk(512, withKeyID(t, minisign.Sign(stranger, nil), b.key.ID())) }, Forged},
		{"20 more signatures", func() {
			for n := range 20 {
				writeFile(t, name("2.0")+fmt.Sprintf(" (%02d).minisig", n), string(minisign.Sign(stranger, nil)), 0o644)
			}
			if err := os.Rename(name("2.0")+".minisig", name("2.0")+" (99).minisig"); err != nil {
				t.Fatal(err)
			}
		}, NoReason},
		{"signatures that cannot be read", func() {
			writeFile(t, name("9.0"), "", 0o644)
			writeFile(t, name("9.1"), "", 0o644)
			err := errors.Join(syscall.Mkfifo(name("9.0")+".minisig", 0o644), os.Symlink("/dev/zero", name("9.1")+".minisig"))
			if err != nil {
				t.Fatal(err)
			}
		}, Unreadable},
		{"several of them", func() {
			for n := range maxTried - 1 {
				under("3.0", fmt.Sprintf("9.%d", n), stranger)
			}
		}, Forged},
	} {
		b.emptyStick()
		b.sign(buildPackage(t, b.stick, "2.0", b.arch, 2, ""), b.key)
		c.above()
		got := b.checkStick()
		if got.State != Offered || got.Version != "2.0" || got.SkippedReason != c.passed ||
			(got.SkippedFile != "") != (c.passed != NoReason) {
			t.Errorf("%s: %+v, want %q passed over", c.what, got, c.passed)
		}
		if said, _ := got.Texts(); !strings.Contains(said.FR, got.SkippedFile) || !strings.HasPrefix(said.EN, "Version 2.0 is here") {
			t.Errorf("%s: %+v", c.what, said)
		}
	}
}

// addJunk puts many small packages with higher names and one signature on the stick.
func (b *bench) addJunk(many int, signature []byte) {
	b.t.Helper()
	for n := range many {
		file := filepath.Join(b.stick, fmt.Sprintf("majordome_9.%d_%s.deb", n, b.arch))
		writeFile(b.t, file, "junk", 0o644)
		writeFile(b.t, file+".minisig", string(signature), 0o644)
	}
}

// withKeyID changes the key id of a signature.
func withKeyID(t *testing.T, signature []byte, id uint64) []byte {
	t.Helper()
	var s minisign.Signature
	if err := s.UnmarshalText(signature); err != nil {
		t.Fatal(err)
	}
	s.KeyID = id
	text, err := s.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestChooseAmongMany checks that the package is found on a stick with thousands of photographs in its top folder.
func TestChooseAmongMany(t *testing.T) {
	dir, many := t.TempDir(), 6000
	for n := range many {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("IMG_%d.JPG", n)), "", 0o644)
	}
	for n := range 30 { // at any place in the folder
		name := fmt.Sprintf("majordome_1.%d_arm64.deb", n)
		writeFile(t, filepath.Join(dir, name), "", 0o644)
		if got, err := chooseFirstPackage(dir, "arm64"); err != nil || got != name {
			t.Fatalf("%q is chosen, want %q: %v", got, name, err)
		}
	}
}

// TestBothPartsOfAStick checks the two parts of a stick as soon as each is there: neither is skipped because of the
// other.
func TestBothPartsOfAStick(t *testing.T) {
	b := newBench(t)
	b.sign(buildPackage(t, b.stick, "2.0", b.arch, 2, ""), b.key)
	looking, err := b.acquireLock(checkLock, false)
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(b.pathOf(checkLock))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := b.CheckFolder(b.stick)
		done <- err
	}()
	waits := fmt.Sprintf(`(?m)-> FLOCK .*:%d 0 EOF$`, st.Sys().(*syscall.Stat_t).Ino) // proc_locks(5)
	for waits := regexp.MustCompile(waits); len(done) == 0 && !waits.MatchString(read(t, "/proc/locks")); {
		runtime.Gosched()
	}
	looking()
	if err := <-done; err != nil || ReadReport(b.Dir).State != Offered {
		t.Errorf("%v, %+v", err, ReadReport(b.Dir))
	}
}

// TestACopyLeavesTheGameItsRoom checks that a copy leaves room for the game: a disk that is full during the check of
// a stick would pause it.
func TestACopyLeavesTheGameItsRoom(t *testing.T) {
	m := &Machine{Dir: t.TempDir()}
	if err := syscall.Mount("room", m.Dir, "tmpfs", 0, fmt.Sprintf("size=%d", minFree+1<<20)); err != nil {
		t.Skipf("SKIPPED: no small disk here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(m.Dir, syscall.MNT_DETACH) })
	stick := t.TempDir()
	const file = "majordome_2.0_arm64.deb"
	for size, want := range map[int64]Reason{2 << 20: Full, 1 << 19: NoReason} {
		writeFile(t, filepath.Join(stick, file), strings.Repeat("x", int(size)), 0o644)
		_ = m.removeFiles(candidateFile)
		if got := m.copyPackage(stick, file); got != want {
			t.Errorf("%d bytes, and room for %d: %q", size, 1<<20, got)
		}
	}
}

// TestHostileBytes checks that no bytes of a signature, a key or a report cause a panic, or count as signed.
func TestHostileBytes(t *testing.T) {
	seed := randtest.NewSeed(t)
	dice := rand.New(rand.NewPCG(seed, 1))
	dir := t.TempDir()
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "a.deb")
	writeFile(t, file, "the package", 0o644)
	right := minisign.Sign(private, []byte("the package"))
	keys := []minisign.PublicKey{public}
	if _, ok, err := verifySignature(file, right, keys); !ok || err != nil {
		t.Fatal("the right signature does not count", err)
	}
	for range 500 {
		wrong := bytes.Clone(right)
		switch dice.IntN(4) {
		case 0:
			wrong = wrong[:dice.IntN(len(wrong))]
		case 1:
			wrong[dice.IntN(len(wrong))] ^= byte(1 + dice.IntN(255))
		case 2:
			wrong = binary.BigEndian.AppendUint64(nil, dice.Uint64())
		case 3:
			at := dice.IntN(len(wrong))
			wrong = append(wrong[:at:at], right[dice.IntN(len(right)):]...)
		}
		_, ok, err := verifySignature(file, wrong, keys)
		if err != nil {
			t.Fatal(err)
		}
		if ok && !sameSigned(wrong, right) {
			t.Fatalf("seed %d: %q counts as a signature", seed, wrong)
		}
		writeFile(t, filepath.Join(dir, "key"), string(wrong), 0o600)
		readKeys([]string{filepath.Join(dir, "key"), filepath.Join(dir, "none")})
		writeFile(t, filepath.Join(dir, reportFile), string(wrong), 0o600)
		ReadReport(dir)
	}
}

// sameSigned reports whether two signatures are equal in all that is signed: the first line is a comment without
// effect, line ends do not count, and the last bits of base64 mean nothing.
func sameSigned(a, b []byte) bool {
	var one, two minisign.Signature
	if one.UnmarshalText(a) != nil || two.UnmarshalText(b) != nil {
		return false
	}
	return one.Equal(two)
}

// TestEverythingIsSaid checks that every state and reason has its sentence in both languages, short enough for a
// phone.
func TestEverythingIsSaid(t *testing.T) {
	for _, w := range []Reason{NoKey, Unsigned, Forged, Foreign, WrongArch, Older, Same, TooBig, Unreadable, Full, Format} {
		checkTexts(t, Report{State: Refused, Reason: w, Version: "2.0", From: "1.0", File: "majordome_2.0_arm64.deb"})
	}
	for _, w := range []Reason{NotReady, InstallFailed, Interrupted, NoBackup, NoFormer, Full, Forged} {
		checkTexts(t, Report{State: RolledBack, Reason: w, Version: "2.0", From: "1.0"})
	}
	checkTexts(t, Report{State: Offered, Version: "2.0", From: "1.0", SkippedFile: "majordome_3.0_arm64.deb", SkippedReason: Forged})
	for _, s := range []State{Offered, Installing, Stuck} {
		checkTexts(t, Report{State: s, Version: "2.0", From: "1.0"})
	}
	if said, _ := (Report{State: Done, Version: "2.0", From: "1.0"}).Texts(); said.FR == "" || said.EN == "" {
		t.Error("nothing is said at the end")
	}
}

func checkTexts(t *testing.T, told Report) {
	t.Helper()
	said, fix := told.Texts()
	for _, s := range []string{said.FR, said.EN, fix.FR, fix.EN} {
		if s == "" || len([]rune(s)) > 170 || strings.ContainsAny(s, "{}%'") {
			t.Errorf("%+v says %q", told, s)
		}
	}
}

// TestCopyCutShort checks that, when a stick is pulled out or the disk is full during a copy, the copy is removed and
// the reason is reported.
func TestCopyCutShort(t *testing.T) {
	m := &Machine{Dir: t.TempDir()}
	if err := m.copyIntoDir("/proc/self/mem", candidateFile, MaxPackage); !errors.Is(err, errUnreadable) { // its first byte cannot be read
		t.Errorf("a file that cannot be read: %v", err)
	}
	if _, err := os.Lstat(m.pathOf(candidateFile)); err == nil {
		t.Error("half a copy is left")
	}
	stick := t.TempDir()
	writeFile(t, filepath.Join(stick, "majordome_2.0_arm64.deb"), "bytes", 0o644)
	if err := os.Symlink("/dev/full", m.pathOf(candidateFile)); err != nil {
		t.Fatal(err)
	}
	if got := m.copyPackage(stick, "majordome_2.0_arm64.deb"); got != Full {
		t.Errorf("on a full disk it is %q", got)
	}
}

// TestOnlyASumInAPlainFileIsARequest checks that a request is a sum in a plain file. Anything else that the daemon's account puts there is
// removed, and is no request.
func TestOnlyASumInAPlainFileIsARequest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "update")
	secret := filepath.Join(t.TempDir(), "secret")
	sum := strings.Repeat("0a", 32)
	writeFile(t, secret, sum, 0o600)
	if err := WriteRequest(file, sum); err != nil {
		t.Fatal(err)
	}
	if got, err := TakeRequest(file); got != sum || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := WriteRequest(file, "../"+sum[3:]); err == nil {
		t.Error("any text is a wish")
	}
	for what, do := range map[string]func() error{
		"nothing":  func() error { return nil },
		"a link":   func() error { return os.Symlink(secret, file) },
		"a pipe":   func() error { return syscall.Mkfifo(file, 0o600) },
		"a folder": func() error { return os.MkdirAll(filepath.Join(file, "in it"), 0o700) },
		"too long": func() error { return os.WriteFile(file, []byte(sum+"00"), 0o600) },
		"no sum":   func() error { return os.WriteFile(file, []byte(strings.Repeat("z", 64)), 0o600) },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if got, err := TakeRequest(file); got != "" || err == nil {
			t.Errorf("%s is the wish %q", what, got)
		}
		if _, err := os.Lstat(file); err == nil {
			t.Errorf("%s is left there", what)
		}
	}
	if read(t, secret) != sum {
		t.Error("what the link names is gone")
	}
}

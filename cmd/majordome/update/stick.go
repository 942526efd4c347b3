package update

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"aead.dev/minisign"
)

// packagePattern and signaturePattern match the names of packages, as systemd/deb/build makes them, and of
// their signatures. Browsers and file managers add something to the name of a second copy, such as " (1)",
// "(1)", "-2" or " - Copie"; some systems write capitals.
var (
	packageLike   = regexp.MustCompile(`(?i)^` + nameLike + copyTail + `\.deb$`)
	signatureLike = regexp.MustCompile(`(?i)^` + nameLike + copyTail + `\.deb` + copyTail + `\.minisig$`)
)

const (
	nameLike = `majordome_([0-9][a-z0-9.+~-]{0,63})_([a-z0-9]{2,10})`
	copyTail = `(?:[ (-][a-z0-9 ()-]{1,24})?`
)

// Errors of a copy: no space here, the stick is gone, or the file is too large.
var errFull, errTorn, errBig = errors.New("no room"), errors.New("the stick cannot be read"), errors.New("too large")

// CheckFolder copies the best package of a folder, verifies the copy, saves a Report and returns it. If the
// folder has no package, it returns the zero Report and the saved one stays. While an Install is running or
// waits to be undone, the error is ErrBusy. It waits for another CheckFolder, because a stick may have two
// partitions.
func (m *Machine) Look(folder string) (Told, error) {
	if _, under := m.journal(); under {
		return Told{}, ErrBusy
	}
	free, err := m.lock(lookLock, true)
	if err != nil {
		return Told{}, err
	}
	defer free()
	if _, under := m.journal(); under {
		return Told{}, ErrBusy
	}
	from, arch, err := m.running()
	if err != nil {
		return Told{}, err
	}
	t := Told{State: Refused, Why: Torn, From: from}
	if file, err := choose(folder, arch); err == nil {
		if file == "" {
			return Told{}, nil
		}
		if t, err = m.lookThrough(folder, from, arch); err != nil {
			return Told{}, err
		}
	}
	return t, m.tell(t)
}

// checkCandidates tries the packages that have a signature by a trusted key next to them, at most maxTried,
// until one is good. The copy of that one stays, and its report also names a refused package of a higher
// version. If none is good, it returns the first refusal; any other refusal wins over one because of the
// version's age.
func (m *Machine) lookThrough(folder, from, arch string) (told Told, err error) {
	told = Told{State: Refused, Why: Torn, From: from}
	on, err := readStick(folder)
	if err != nil {
		return told, nil
	}
	keys := readKeys(m.KeyFiles)
	on.readSignatures(keys)
	for tried := []string{}; len(tried) < maxTried; {
		t := Told{State: Refused, From: from, File: on.choose(arch, tried...)}
		if t.File == "" {
			break
		}
		tried = append(tried, t.File)
		worthCopy := on.signed[on.of[t.File]]
		if !worthCopy {
			t.Why = on.refusalOf(t.File, len(keys))
			err = m.remove(candidateFile, signatureFile)
		} else {
			err = m.try(&t, &on, arch)
		}
		if err != nil {
			return Told{}, err
		}
		if t.State == Offered {
			t.pass(told, &on, len(keys))
			return t, nil
		}
		if told.File == "" || told.aged() && !t.aged() {
			told = t
		}
		if !worthCopy { // those worth a copy come first, so no better one follows
			break
		}
	}
	return told, nil
}

// noteSkipped adds to an offer a package with a higher version in its name that was refused or has no
// signature by a trusted key.
func (t *Told) pass(refused Told, on *stick, keys int) {
	if refused.File != "" && !refused.aged() {
		t.Passed, t.PassedWhy = refused.File, refused.Why
		return
	}
	others := slices.DeleteFunc(slices.Clone(on.packages), func(n string) bool {
		return on.of[n].arch != on.of[t.File].arch || on.signed[on.of[n]]
	})
	if n := on.newest(others); n != "" && on.above(n, t.File) {
		t.Passed, t.PassedWhy = n, on.refusalOf(n, keys)
	}
}

// refusalReason returns why a package without a signature by a trusted key is refused. The package is not
// read.
func (s *stick) refusalOf(file string, keys int) Why {
	src, _, err := openPlain(filepath.Join(s.folder, file), MaxPackage)
	if err != nil {
		return copyWhy(err)
	}
	_ = src.Close()
	signatures := signaturesOf(file, s.signatures, s.of)
	for _, n := range signatures {
		if _, err := readPlain(filepath.Join(s.folder, n), maxSignature); err != nil && copyWhy(err) == Torn {
			return Torn
		}
	}
	return judge(found{keys: keys, has: len(signatures) > 0})
}

// tryPackage copies and verifies one package of a stick; it removes the copy of a refused one.
func (m *Machine) try(t *Told, on *stick, arch string) error {
	if err := m.remove(candidateFile, signatureFile); err != nil {
		return err
	}
	if t.Why = m.take(on.folder, t.File); t.Why == Fine {
		m.weighBy(t, on.folder, arch, signaturesOf(t.File, on.trusted, on.of))
	}
	if t.Why != Fine {
		return m.remove(candidateFile, signatureFile)
	}
	t.State, t.Changes = Offered, changes(m.path(candidateFile), t.From)
	return nil
}

// verifyWithEach verifies the copy with each of some signatures, until one matches.
func (m *Machine) weighBy(t *Told, folder, arch string, signatures []string) {
	for _, s := range signatures {
		if t.Why = copyWhy(m.copyIn(filepath.Join(folder, s), signatureFile, maxSignature)); t.Why == Fine {
			m.weigh(t, arch)
		}
		if t.Why != Forged && t.Why != Torn && t.Why != Big {
			return
		}
	}
}

// ReportUnmountable saves a Report about a stick that cannot be mounted.
func (m *Machine) Unread() error {
	from, _, err := m.running()
	if err != nil {
		return err
	}
	return m.tell(Told{State: Refused, Why: Format, From: from})
}

// stick lists the packages and signatures at the top of a folder.
type stick struct {
	folder               string
	packages, signatures []string
	of                   map[string]label // version and architecture by name

	trusted []string       // made by a trusted key; see readSignatures
	signed  map[label]bool // packages that have one of these next to them
}

// label is the version and the architecture in a name, in lower case.
type label struct{ version, arch string }

// readStick reads the names at the top of a folder, at most MaxNames.
func readStick(folder string) (stick, error) {
	s := stick{folder: folder, of: map[string]label{}}
	d, err := os.Open(folder)
	if err != nil {
		return s, err
	}
	defer func() { _ = d.Close() }()
	for read := 0; read < MaxNames; { // a stick may be full of photographs
		some, err := d.Readdirnames(256)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s, err
		}
		read += len(some)
		for _, n := range some {
			s.add(n)
		}
	}
	return s, nil
}

// addName adds the name of a package or signature, and ignores others.
func (s *stick) add(name string) {
	list, p := &s.packages, packageLike.FindStringSubmatch(name)
	if p == nil {
		list, p = &s.signatures, signatureLike.FindStringSubmatch(name)
	}
	if p != nil {
		*list = append(*list, name)
		s.of[name] = label{strings.ToLower(p[1]), strings.ToLower(p[2])}
	}
}

// readSignatures finds the packages that are worth a copy, because a signature by one of the keys is next to
// them. It reads at most maxSignaturesRead signatures of the folder.
func (s *stick) readSignatures(keys []minisign.PublicKey) {
	s.signed = map[label]bool{}
	for _, n := range s.signatures[:min(len(s.signatures), maxRead)] {
		if text, err := readPlain(filepath.Join(s.folder, n), maxSignature); err == nil && mayBeSigned(text, keys) {
			s.trusted = append(s.trusted, n)
			s.signed[s.of[n]] = true
		}
	}
}

// signaturesOf returns those of some signatures that can be of a package, at most maxSignatures. The one of
// exactly its name comes first, then those that a second download has renamed.
func signaturesOf(file string, some []string, of map[string]label) (all []string) {
	for _, n := range some {
		if of[n] == of[file] {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	if i := slices.IndexFunc(all, func(n string) bool { return strings.EqualFold(n, file+".minisig") }); i > 0 {
		all[0], all[i] = all[i], all[0]
	}
	return all[:min(len(all), maxSignatures)]
}

// newestOf returns the package with the highest version of some, as dpkg compares them; "" if there is none.
func (s *stick) newest(some []string) (best string) {
	for _, n := range some[:min(len(some), maxNamed)] {
		if best == "" || s.above(n, best) {
			best = n
		}
	}
	return best
}

// isNewerThan reports that a name has a higher version than another.
func (s *stick) above(name, other string) bool {
	yes, err := holds(s.of[name].version, "gt", s.of[other].version)
	return err == nil && yes
}

// chooseNext returns the next package to try, which is not in tried; "" if there is none. Packages for this
// architecture come first, then those with a signature by a trusted key next to them, then those with any
// signature, then the newest.
func (s *stick) choose(arch string, tried ...string) string {
	beside := map[label]bool{}
	for _, n := range s.signatures {
		beside[s.of[n]] = true
	}
	some := preferred(s.packages, func(n string) bool { return s.of[n].arch == arch })
	some = slices.DeleteFunc(slices.Clone(some), func(n string) bool { return slices.Contains(tried, n) })
	some = preferred(some, func(n string) bool { return beside[s.of[n]] })
	return s.newest(preferred(some, func(n string) bool { return s.signed[s.of[n]] }))
}

// chooseFirst returns the package of a folder to try first, by the names only; "" if there is none.
func choose(folder, arch string) (string, error) {
	on, err := readStick(folder)
	return on.choose(arch), err
}

// preferWhere returns the names for which so is true, or all names if there are none.
func preferred(names []string, so func(string) bool) []string {
	if some := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !so(n) }); len(some) > 0 {
		return some
	}
	return names
}

// copyPackage copies a package.
func (m *Machine) take(folder, file string) Why {
	return copyWhy(m.copyIn(filepath.Join(folder, file), candidateFile, MaxPackage))
}

// copyReason returns why a copy failed.
func copyWhy(err error) Why {
	switch {
	case err == nil:
		return Fine
	case errors.Is(err, errBig):
		return Big
	case errors.Is(err, errFull):
		return Full
	}
	return Torn
}

// openRegular opens a file of a stick and returns its size. It is an error if it is a link, pipe or device,
// or has more than most bytes.
func openPlain(name string, most int64) (*os.File, int64, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	st, err := f.Stat()
	switch {
	case err != nil || !st.Mode().IsRegular():
		err = errors.Join(errTorn, err)
	case st.Size() > most:
		err = errBig
	default:
		return f, st.Size(), nil
	}
	_ = f.Close()
	return nil, 0, err
}

// readRegular reads a small file of a stick; see openRegular.
func readPlain(name string, most int64) ([]byte, error) {
	f, _, err := openPlain(name, most)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, most))
}

// copyIn copies a regular file into Dir; the copy is on disk when it returns.
func (m *Machine) copyIn(from, to string, most int64) error {
	src, size, err := openPlain(from, most)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	to = m.path(to)
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err == nil {
		var n int64
		if err = roomFor(dst, size); err == nil {
			n, err = io.Copy(dst, io.LimitReader(src, size+1))
		}
		if err == nil && n > size {
			err = errors.New("it grows")
		}
		err = errors.Join(err, dst.Sync(), dst.Close())
	}
	if err == nil {
		return nil
	}
	_ = os.Remove(to) // it will be written again before it is read
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return errors.Join(errFull, err)
	}
	return errors.Join(errTorn, err)
}

// verifyCopy verifies the copy and sets sum, version and reason of the report.
func (m *Machine) weigh(t *Told, arch string) {
	f := found{arch: arch}
	keys := readKeys(m.KeyFiles)
	f.keys = len(keys)
	file := m.path(candidateFile)
	if signature, err := readSmall(m.path(signatureFile), maxSignature); err == nil {
		f.has = true
		t.Sum, f.signed, err = signed(file, signature, keys)
		f.signed = f.signed && err == nil
	}
	if f.signed {
		if f.control = readControl(file); f.control != nil {
			t.Version = f.control.Version
			order, err := compare(t.Version, t.From)
			if f.compare = order; err != nil {
				f.control = nil
			}
		}
	}
	t.Why = judge(f)
}

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

// packageLike and signatureLike match the names of packages, as systemd/deb/build gives them, and of their signatures. Browsers and file
// managers put something behind the name of a second copy, such as " (1)", "(1)", "-2" or " - Copie"; some systems write capitals.
var (
	packageLike   = regexp.MustCompile(`(?i)^` + nameLike + copyTail + `\.deb$`)
	signatureLike = regexp.MustCompile(`(?i)^` + nameLike + copyTail + `\.deb` + copyTail + `\.minisig$`)
)

const (
	nameLike = `majordome_([0-9][a-z0-9.+~-]{0,63})_([a-z0-9]{2,10})`
	copyTail = `(?:[ (-][a-z0-9 ()-]{1,24})?`
)

// What a copy ends with: there is no room here, the stick is gone, or the file is larger than one may be.
var errFull, errTorn, errBig = errors.New("no room"), errors.New("the stick cannot be read"), errors.New("too large")

// Look copies the package that lies in a folder, judges the copy, tells what it is, and returns that. A folder without one gives the zero
// Told, and what was told before stays. While an Install is under way, or waits to be undone, nothing is looked at (ErrBusy). Another Look is
// waited for: a stick may have two parts.
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

// lookThrough tries the packages of a folder, those beside which a signature by a trusted key lies, at most maxTried, until one is good: its
// copy stays, and a higher one that was refused is told beside it. Where none is good, the first refusal is told, one that is not about
// age before the others.
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
		if !worthCopy { // the rest is not better: those worth a copy come first
			break
		}
	}
	return told, nil
}

// pass notes beside an offer what was refused of a higher name, or has no signature by a trusted key.
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

// refusalOf says why a package is refused beside which no signature by a trusted key lies. The package is not read.
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

// try copies and judges one package of a stick; a copy of what is not offered is removed.
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

// weighBy judges the copy by each signature of a folder, until one is its own.
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

// Unread tells of a stick that cannot be mounted.
func (m *Machine) Unread() error {
	from, _, err := m.running()
	if err != nil {
		return err
	}
	return m.tell(Told{State: Refused, Why: Format, From: from})
}

// stick is what lies at the top of a folder, by the names.
type stick struct {
	folder               string
	packages, signatures []string
	of                   map[string]label // of each name

	trusted []string       // signatures that a trusted key has made; see readSignatures
	signed  map[label]bool // packages beside which one of these lies
}

// label is the version and the kind of machine that a name says, in small letters.
type label struct{ version, arch string }

// readStick reads the names at the top of a folder, MaxNames at most.
func readStick(folder string) (stick, error) {
	s := stick{folder: folder, of: map[string]label{}}
	d, err := os.Open(folder)
	if err != nil {
		return s, err
	}
	defer func() { _ = d.Close() }()
	for read := 0; read < MaxNames; { // the first of all is a lot of photographs, maybe
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

// add sorts a name in, if it is one of ours.
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

// readSignatures finds the packages that are worth a copy: beside them lies a signature that one of the keys has made. It reads the
// signatures of the folder, maxRead at most.
func (s *stick) readSignatures(keys []minisign.PublicKey) {
	s.signed = map[label]bool{}
	for _, n := range s.signatures[:min(len(s.signatures), maxRead)] {
		if text, err := readPlain(filepath.Join(s.folder, n), maxSignature); err == nil && mayBeSigned(text, keys) {
			s.trusted = append(s.trusted, n)
			s.signed[s.of[n]] = true
		}
	}
}

// signaturesOf gives those of some signatures that may be a package's, maxSignatures at most: the one of its very name first, then those
// that a second download has renamed.
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

// newest gives the package with the highest version of some, as dpkg compares them; "": there is none.
func (s *stick) newest(some []string) (best string) {
	for _, n := range some[:min(len(some), maxNamed)] {
		if best == "" || s.above(n, best) {
			best = n
		}
	}
	return best
}

// above reports that a name says a higher version than another.
func (s *stick) above(name, other string) bool {
	yes, err := holds(s.of[name].version, "gt", s.of[other].version)
	return err == nil && yes
}

// choose gives the package that is looked at next: of this machine's kind if there is one, with a signature by a trusted key beside it if
// one has, else with any signature, the newest of these; none of tried. "": there is no other.
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

// choose gives the package of a folder that is looked at first, by the names alone; "": there is none.
func choose(folder, arch string) (string, error) {
	on, err := readStick(folder)
	return on.choose(arch), err
}

// preferred gives the names that are so, or all where none is.
func preferred(names []string, so func(string) bool) []string {
	if some := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !so(n) }); len(some) > 0 {
		return some
	}
	return names
}

// take copies a package.
func (m *Machine) take(folder, file string) Why {
	return copyWhy(m.copyIn(filepath.Join(folder, file), candidateFile, MaxPackage))
}

// copyWhy says why a copy was not made.
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

// openPlain opens a file of a stick that is no link, pipe or device and has at most so many bytes, and gives its size.
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

// readPlain reads a small file of a stick; see openPlain.
func readPlain(name string, most int64) ([]byte, error) {
	f, _, err := openPlain(name, most)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, most))
}

// copyIn copies a plain file into Dir, and has it on disk when it returns.
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
	_ = os.Remove(to) // it is made anew before it is read
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return errors.Join(errFull, err)
	}
	return errors.Join(errTorn, err)
}

// weigh judges the copy.
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

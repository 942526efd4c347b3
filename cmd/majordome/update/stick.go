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

// lookThrough tries the packages of a folder, at most maxTried, until one is good: its copy stays, and a higher one that was refused
// is told beside it. Where none is good, the first refusal is told, one that is not about age before the others.
func (m *Machine) lookThrough(folder, from, arch string) (told Told, err error) {
	told = Told{State: Refused, Why: Torn, From: from}
	on, err := readStick(folder)
	if err != nil {
		return told, nil
	}
	for tried := []string{}; len(tried) < maxTried; {
		t := Told{State: Refused, From: from, File: on.choose(arch, tried...)}
		if t.File == "" {
			break
		}
		tried = append(tried, t.File)
		if err := m.try(&t, folder, &on, arch); err != nil {
			return Told{}, err
		}
		if t.State == Offered {
			t.pass(told, &on)
			return t, nil
		}
		if told.File == "" || told.aged() && !t.aged() {
			told = t
		}
		if t.Why == NoKey || t.Why == Unsigned { // the rest is not better: signed ones come first
			break
		}
	}
	return told, nil
}

// pass notes beside an offer what was refused of a higher name, or has no signature.
func (t *Told) pass(refused Told, on *stick) {
	if refused.File != "" && !refused.aged() {
		t.Passed, t.PassedWhy = refused.File, refused.Why
		return
	}
	unsigned := slices.DeleteFunc(slices.Clone(on.packages), func(n string) bool {
		return on.of[n].arch != on.of[t.File].arch || len(on.signaturesOf(n)) > 0
	})
	if n := on.newest(unsigned); n != "" && on.above(n, t.File) {
		t.Passed, t.PassedWhy = n, Unsigned
	}
}

// try copies and judges one package of a folder; a copy of what is not offered is removed.
func (m *Machine) try(t *Told, folder string, on *stick, arch string) error {
	if err := m.remove(candidateFile, signatureFile); err != nil {
		return err
	}
	if t.Why = m.take(folder, t.File); t.Why == Fine {
		m.weighBy(t, folder, arch, on.signaturesOf(t.File))
	}
	if t.Why != Fine {
		return m.remove(candidateFile, signatureFile)
	}
	t.State, t.Changes = Offered, changes(m.path(candidateFile), t.From)
	return nil
}

// weighBy judges the copy by each signature of a folder, until one is its own.
func (m *Machine) weighBy(t *Told, folder, arch string, signatures []string) {
	if len(signatures) == 0 {
		m.weigh(t, arch)
	}
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
	packages, signatures []string
	of                   map[string]label // of each name
}

// label is the version and the kind of machine that a name says, in small letters.
type label struct{ version, arch string }

// readStick reads the names at the top of a folder, MaxNames at most.
func readStick(folder string) (stick, error) {
	s := stick{of: map[string]label{}}
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

// signaturesOf gives the signatures that may be a package's, maxSignatures at most: the one of its very name first, then those that a
// second download has renamed.
func (s *stick) signaturesOf(file string) (all []string) {
	for _, n := range s.signatures {
		if s.of[n] == s.of[file] {
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

// choose gives the package that is looked at next: of this machine's kind if there is one, with a signature beside it if one has, the
// newest of these; none of tried. "": there is no other.
func (s *stick) choose(arch string, tried ...string) string {
	signed := map[label]bool{}
	for _, n := range s.signatures {
		signed[s.of[n]] = true
	}
	some := preferred(s.packages, func(n string) bool { return s.of[n].arch == arch })
	some = slices.DeleteFunc(slices.Clone(some), func(n string) bool { return slices.Contains(tried, n) })
	return s.newest(preferred(some, func(n string) bool { return signed[s.of[n]] }))
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

// copyIn copies a plain file into Dir, and has it on disk when it returns.
func (m *Machine) copyIn(from, to string, most int64) error {
	src, err := os.OpenFile(from, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	st, err := src.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return errors.Join(errTorn, err)
	} else if st.Size() > most {
		return errBig
	}
	to = m.path(to)
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err == nil {
		var n int64
		if err = roomFor(dst, st.Size()); err == nil {
			n, err = io.Copy(dst, io.LimitReader(src, st.Size()+1))
		}
		if err == nil && n > st.Size() {
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

package update

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
)

// name is how packages are called, as systemd/deb/build does.
var name = regexp.MustCompile(`^majordome_([0-9][A-Za-z0-9.+~-]{0,63})_([a-z0-9]{2,10})\.deb$`)

// What a copy ends with: there is no room here, the stick is gone, or the file is larger than one may be.
var errFull, errTorn, errBig = errors.New("no room"), errors.New("the stick cannot be read"), errors.New("too large")

// Look copies the package that lies in a folder, judges the copy, and tells. A folder without one tells nothing, and what was told stays.
// While an Install is under way, or waits to be undone, nothing is looked at. Another Look is waited for: a stick may have two parts.
func (m *Machine) Look(folder string) error {
	if _, under := m.journal(); under {
		return ErrBusy
	}
	free, err := m.lock(lookLock, true)
	if err != nil {
		return err
	}
	defer free()
	if _, under := m.journal(); under {
		return ErrBusy
	}
	from, arch, err := m.running()
	if err != nil {
		return err
	}
	file, err := choose(folder, arch)
	if err != nil {
		return m.tell(Told{State: Refused, Why: Torn, From: from})
	}
	if file == "" {
		return nil
	}
	t := Told{State: Refused, From: from, File: file}
	if err := m.remove(candidateFile, signatureFile); err != nil {
		return err
	}
	if t.Why = m.take(folder, file); t.Why == Fine {
		m.weigh(&t, arch)
	}
	if t.Why == Fine {
		t.State, t.Changes = Offered, changes(m.path(candidateFile), from)
	} else if err := m.remove(candidateFile, signatureFile); err != nil {
		return err
	}
	return m.tell(t)
}

// Unread tells of a stick that cannot be mounted.
func (m *Machine) Unread() error {
	from, _, err := m.running()
	if err != nil {
		return err
	}
	return m.tell(Told{State: Refused, Why: Format, From: from})
}

// choose is the newest package of a folder by its name, of this machine's kind if there is one.
func choose(folder, arch string) (best string, err error) {
	d, err := os.Open(folder)
	if err != nil {
		return "", err
	}
	defer func() { _ = d.Close() }()
	var names, some []string // the first of all is a lot of photographs, maybe
	for read := 0; read < MaxNames && len(names) < maxNamed; read += len(some) {
		some, err = d.Readdirnames(256)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		names = append(names, slices.DeleteFunc(some, func(n string) bool { return !name.MatchString(n) })...)
	}
	var of []string
	for _, n := range names {
		p := name.FindStringSubmatch(n)
		better := of == nil || (p[2] == arch) && (of[2] != arch)
		if of != nil && (p[2] == arch) == (of[2] == arch) {
			order, err := compare(p[1], of[1])
			better = err == nil && order > 0
		}
		if better {
			best, of = n, p
		}
	}
	return best, nil
}

// take copies a package and its signature, if there is one.
func (m *Machine) take(folder, file string) Why {
	err := m.copyIn(filepath.Join(folder, file), candidateFile, MaxPackage)
	if err == nil {
		if err = m.copyIn(filepath.Join(folder, file+".minisig"), signatureFile, maxSignature); errors.Is(err, os.ErrNotExist) {
			err = nil // it is not signed
		}
	}
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

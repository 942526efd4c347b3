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
	packagePattern   = regexp.MustCompile(`(?i)^` + nameLike + copyTail + `\.deb$`)
	signaturePattern = regexp.MustCompile(`(?i)^` + nameLike + copyTail + `\.deb` + copyTail + `\.minisig$`)
)

const (
	nameLike = `majordome_([0-9][a-z0-9.+~-]{0,63})_([a-z0-9]{2,10})`
	copyTail = `(?:[ (-][a-z0-9 ()-]{1,24})?`
)

// Errors of a copy: no space here, the stick is gone, or the file is too large.
var errFull, errUnreadable, errTooBig = errors.New("no room"), errors.New("the stick cannot be read"), errors.New("too large")

// CheckFolder copies the best package of a folder, verifies the copy, saves a Report and returns it. If the
// folder has no package, it returns the zero Report and the saved one stays. While an Install is running or
// waits to be undone, the error is ErrBusy. It waits for another CheckFolder, because a stick may have two
// partitions.
func (m *Machine) CheckFolder(folder string) (Report, error) {
	if _, under := m.readJournal(); under {
		return Report{}, ErrBusy
	}
	free, err := m.acquireLock(checkLock, true)
	if err != nil {
		return Report{}, err
	}
	defer free()
	if _, under := m.readJournal(); under {
		return Report{}, ErrBusy
	}
	from, arch, err := m.installedVersion()
	if err != nil {
		return Report{}, err
	}
	t := Report{State: Refused, Reason: Unreadable, From: from}
	if file, err := chooseFirstPackage(folder, arch); err == nil {
		if file == "" {
			return Report{}, nil
		}
		if t, err = m.checkCandidates(folder, from, arch); err != nil {
			return Report{}, err
		}
	}
	return t, m.saveReport(t)
}

// checkCandidates tries the packages that have a signature by a trusted key next to them, at most maxTried,
// until one is good. The copy of that one stays, and its report also names a refused package of a higher
// version. If none is good, it returns the first refusal; any other refusal wins over one because of the
// version's age.
func (m *Machine) checkCandidates(folder, from, arch string) (report Report, err error) {
	report = Report{State: Refused, Reason: Unreadable, From: from}
	source, err := readStick(folder)
	if err != nil {
		return report, nil
	}
	keys := readKeys(m.KeyFiles)
	source.readSignatures(keys)
	for tried := []string{}; len(tried) < maxTried; {
		t := Report{State: Refused, From: from, File: source.chooseNextPackage(arch, tried...)}
		if t.File == "" {
			break
		}
		tried = append(tried, t.File)
		worthCopy := source.signed[source.labels[t.File]]
		if !worthCopy {
			t.Reason = source.refusalReason(t.File, len(keys))
			err = m.removeFiles(candidateFile, signatureFile)
		} else {
			err = m.copyAndVerifyPackage(&t, &source, arch)
		}
		if err != nil {
			return Report{}, err
		}
		if t.State == Offered {
			t.recordSkipped(report, &source, len(keys))
			return t, nil
		}
		if report.File == "" || report.isNotNewer() && !t.isNotNewer() {
			report = t
		}
		if !worthCopy { // those worth a copy come first, so no better one follows
			break
		}
	}
	return report, nil
}

// recordSkipped adds to an offer a package with a higher version in its name that was refused or has no
// signature by a trusted key.
func (t *Report) recordSkipped(refused Report, source *stick, keys int) {
	if refused.File != "" && !refused.isNotNewer() {
		t.SkippedFile, t.SkippedReason = refused.File, refused.Reason
		return
	}
	others := slices.DeleteFunc(slices.Clone(source.packages), func(n string) bool {
		return source.labels[n].arch != source.labels[t.File].arch || source.signed[source.labels[n]]
	})
	if n := source.newestPackageOf(others); n != "" && source.isNewerThan(n, t.File) {
		t.SkippedFile, t.SkippedReason = n, source.refusalReason(n, keys)
	}
}

// refusalReason returns why a package without a signature by a trusted key is refused. The package is not
// read.
func (s *stick) refusalReason(file string, keys int) Reason {
	src, _, err := openRegularFile(filepath.Join(s.folder, file), MaxPackage)
	if err != nil {
		return copyFailureReason(err)
	}
	_ = src.Close()
	signatures := signaturesOf(file, s.signatures, s.labels)
	for _, n := range signatures {
		if _, err := readRegularFile(filepath.Join(s.folder, n), maxSignature); err != nil && copyFailureReason(err) == Unreadable {
			return Unreadable
		}
	}
	return firstRefusalReason(evidence{keyCount: keys, hasSignature: len(signatures) > 0})
}

// copyAndVerifyPackage copies and verifies one package of a stick; it removes the copy of a refused one.
func (m *Machine) copyAndVerifyPackage(report *Report, source *stick, arch string) error {
	if err := m.removeFiles(candidateFile, signatureFile); err != nil {
		return err
	}
	if report.Reason = m.copyPackage(source.folder, report.File); report.Reason == NoReason {
		m.verifyWithSignatures(report, source.folder, arch, signaturesOf(report.File, source.trusted, source.labels))
	}
	if report.Reason != NoReason {
		return m.removeFiles(candidateFile, signatureFile)
	}
	report.State, report.Changes = Offered, readNewerChanges(m.pathOf(candidateFile), report.From)
	return nil
}

// verifyWithSignatures verifies the copy with each of some signatures, until one matches, and sets the Reason of the report.
func (m *Machine) verifyWithSignatures(report *Report, folder, arch string, signatures []string) {
	for _, s := range signatures {
		if report.Reason = copyFailureReason(m.copyIntoDir(filepath.Join(folder, s), signatureFile,
			maxSignature)); report.Reason == NoReason {
			m.verifyCopy(report, arch)
		}
		if report.Reason != Forged && report.Reason != Unreadable && report.Reason != TooBig {
			return
		}
	}
}

// ReportUnmountable saves a Report about a stick that cannot be mounted.
func (m *Machine) ReportUnmountable() error {
	from, _, err := m.installedVersion()
	if err != nil {
		return err
	}
	return m.saveReport(Report{State: Refused, Reason: Format, From: from})
}

// stick lists the packages and signatures at the top of a folder.
type stick struct {
	folder               string
	packages, signatures []string
	labels               map[string]label // version and architecture by name

	trusted []string       // made by a trusted key; see readSignatures
	signed  map[label]bool // packages that have one of these next to them
}

// label is the version and the architecture in a name, in lower case.
type label struct{ version, arch string }

// readStick reads the names at the top of a folder, at most MaxNames.
func readStick(folder string) (stick, error) {
	s := stick{folder: folder, labels: map[string]label{}}
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
			s.addName(n)
		}
	}
	return s, nil
}

// addName adds the name of a package or signature, and ignores others.
func (s *stick) addName(name string) {
	list, p := &s.packages, packagePattern.FindStringSubmatch(name)
	if p == nil {
		list, p = &s.signatures, signaturePattern.FindStringSubmatch(name)
	}
	if p != nil {
		*list = append(*list, name)
		s.labels[name] = label{strings.ToLower(p[1]), strings.ToLower(p[2])}
	}
}

// readSignatures finds the packages that are worth a copy, because a signature by one of the keys is next to
// them. It reads at most maxSignaturesRead signatures of the folder.
func (s *stick) readSignatures(keys []minisign.PublicKey) {
	s.signed = map[label]bool{}
	for _, n := range s.signatures[:min(len(s.signatures), maxSignaturesRead)] {
		if text, err := readRegularFile(filepath.Join(s.folder, n), maxSignature); err == nil && isTrustedSignature(text, keys) {
			s.trusted = append(s.trusted, n)
			s.signed[s.labels[n]] = true
		}
	}
}

// signaturesOf returns at most maxSignatures candidates with the label of the package file. A file with exactly its
// name comes first, then names that a second download has changed.
func signaturesOf(file string, candidates []string, labels map[string]label) (all []string) {
	for _, n := range candidates {
		if labels[n] == labels[file] {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	if i := slices.IndexFunc(all, func(n string) bool { return strings.EqualFold(n, file+".minisig") }); i > 0 {
		all[0], all[i] = all[i], all[0]
	}
	return all[:min(len(all), maxSignatures)]
}

// newestPackageOf returns the package with the highest version of some, as dpkg compares them; "" if there is none.
func (s *stick) newestPackageOf(some []string) (best string) {
	for _, n := range some[:min(len(some), maxPackages)] {
		if best == "" || s.isNewerThan(n, best) {
			best = n
		}
	}
	return best
}

// isNewerThan reports whether a name has a higher version than another.
func (s *stick) isNewerThan(name, other string) bool {
	yes, err := versionsRelate(s.labels[name].version, "gt", s.labels[other].version)
	return err == nil && yes
}

// chooseNextPackage returns the next package to try, which is not in tried; "" if there is none. Packages for this
// architecture come first, then those with a signature by a trusted key next to them, then those with any
// signature, then the newest.
func (s *stick) chooseNextPackage(arch string, tried ...string) string {
	beside := map[label]bool{}
	for _, n := range s.signatures {
		beside[s.labels[n]] = true
	}
	some := preferMatching(s.packages, func(n string) bool { return s.labels[n].arch == arch })
	some = slices.DeleteFunc(slices.Clone(some), func(n string) bool { return slices.Contains(tried, n) })
	some = preferMatching(some, func(n string) bool { return beside[s.labels[n]] })
	return s.newestPackageOf(preferMatching(some, func(n string) bool { return s.signed[s.labels[n]] }))
}

// chooseFirstPackage returns the package of a folder to try first, by the names only; "" if there is none.
func chooseFirstPackage(folder, arch string) (string, error) {
	on, err := readStick(folder)
	return on.chooseNextPackage(arch), err
}

// preferMatching returns the names for which so is true, or all names if it is true for none.
func preferMatching(names []string, so func(string) bool) []string {
	if some := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !so(n) }); len(some) > 0 {
		return some
	}
	return names
}

// copyPackage copies a package into Dir, as candidateFile.
func (m *Machine) copyPackage(folder, file string) Reason {
	return copyFailureReason(m.copyIntoDir(filepath.Join(folder, file), candidateFile, MaxPackage))
}

// copyFailureReason returns why a copy failed.
func copyFailureReason(err error) Reason {
	switch {
	case err == nil:
		return NoReason
	case errors.Is(err, errTooBig):
		return TooBig
	case errors.Is(err, errFull):
		return Full
	}
	return Unreadable
}

// openRegularFile opens a file of a stick and returns its size. It is an error if it is a link, pipe or device,
// or has more than most bytes.
func openRegularFile(name string, most int64) (*os.File, int64, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	st, err := f.Stat()
	switch {
	case err != nil || !st.Mode().IsRegular():
		err = errors.Join(errUnreadable, err)
	case st.Size() > most:
		err = errTooBig
	default:
		return f, st.Size(), nil
	}
	_ = f.Close()
	return nil, 0, err
}

// readRegularFile reads a small file of a stick; see openRegular.
func readRegularFile(name string, most int64) ([]byte, error) {
	f, _, err := openRegularFile(name, most)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, most))
}

// copyIntoDir copies a regular file into Dir; the copy is on disk when it returns. For its errors see copyFailureReason.
func (m *Machine) copyIntoDir(from, to string, most int64) error {
	src, size, err := openRegularFile(from, most)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	to = m.pathOf(to)
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err == nil {
		var n int64
		if err = checkFreeSpace(dst, size); err == nil {
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
	return errors.Join(errUnreadable, err)
}

// verifyCopy verifies the copy and sets sum, version and reason of the report.
func (m *Machine) verifyCopy(report *Report, arch string) {
	f := evidence{arch: arch}
	keys := readKeys(m.KeyFiles)
	f.keyCount = len(keys)
	file := m.pathOf(candidateFile)
	if signature, err := readFileUpTo(m.pathOf(signatureFile), maxSignature); err == nil {
		f.hasSignature = true
		report.Sum, f.isSigned, err = verifySignature(file, signature, keys)
		f.isSigned = f.isSigned && err == nil
	}
	if f.isSigned {
		if f.control = readControl(file); f.control != nil {
			report.Version = f.control.Version
			order, err := compareVersions(report.Version, report.From)
			if f.compare = order; err != nil {
				f.control = nil
			}
		}
	}
	report.Reason = firstRefusalReason(f)
}

package update

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"majordome/engine/ownfile"
)

// Limits of what is read.
const (
	MaxPackage        = 64 << 20        // bytes; our packages have 8 MB at most
	MaxNames          = 1 << 17         // in the top folder of a stick
	maxPackages       = 256             // packages by name, because dpkg compares each one
	maxTried          = 16              // packages that are copied and verified: half a minute at 8 MB each
	maxSignaturesRead = 1 << 12         // signatures that are read to find the packages worth a copy: 16 MB at most
	maxSignatures     = 8               // of one package, by trusted keys
	MaxChanges        = 12              // lines of a changelog
	MaxLine           = 160             // characters of a line
	maxChangelog      = 64 << 10        // bytes of a changelog
	toolWait          = 5 * time.Minute // for dpkg on the slowest SD card
)

// HoldVariable is the environment variable that stops the scripts of a package from starting or stopping the
// daemon; Install does that.
const HoldVariable = "MAJORDOME_UPDATE"

// packageName is the package of this program.
const packageName = "majordome"

// Reason says why a candidate is refused, or why the former package was restored.
type Reason string

// Reasons of a refusal.
const (
	NoReason   Reason = ""
	NoKey      Reason = "key"       // there is no key
	Unsigned   Reason = "unsigned"  // no signature next to it
	Forged     Reason = "signature" // not the bytes that a trusted key has signed
	Foreign    Reason = "foreign"   // not a package of this program
	WrongArch  Reason = "arch"
	Older      Reason = "older"
	Same       Reason = "same"
	TooBig     Reason = "big"
	Unreadable Reason = "torn" // the stick cannot be read completely
	Full       Reason = "full" // no space on this machine
	Format     Reason = "format"
)

// packageControl is the control information of a package.
type packageControl struct {
	Package, Version, Arch string
	Size                   int64 // installed, in bytes
}

// evidence is everything that decides whether a candidate is refused.
type evidence struct {
	keyCount     int
	hasSignature bool // a signature was found
	isSigned     bool
	control      *packageControl // nil if it cannot be read
	compare      int             // its version compared to the installed one
	arch         string          // of this machine
}

// firstRefusalReason returns the first reason that applies. An unsigned package is never read.
func firstRefusalReason(facts evidence) Reason {
	switch {
	case facts.keyCount == 0:
		return NoKey
	case !facts.hasSignature:
		return Unsigned
	case !facts.isSigned:
		return Forged
	case facts.control == nil || facts.control.Package != packageName:
		return Foreign
	case facts.control.Arch != facts.arch:
		return WrongArch
	case facts.compare < 0:
		return Older
	case facts.compare == 0:
		return Same
	}
	return NoReason
}

// runTool runs a program of the system and returns its output.
func runTool(args ...string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), toolWait)
	defer stop()
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Env = append(c.Environ(), "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", HoldVariable+"=1")
	said, err := c.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", args[0], err, ownfile.VisibleText(strings.TrimSpace(string(said)), 300))
	}
	return strings.TrimSpace(string(said)), err
}

// versionPattern matches a version (deb-version(7)).
var versionPattern = regexp.MustCompile(`^[0-9][A-Za-z0-9.+~:-]{0,63}$`)

// readControl reads the control information of a verified package, nil if it is invalid.
func readControl(file string) *packageControl {
	said, err := runTool("dpkg-deb", "--field", file, "Package", "Version", "Architecture", "Installed-Size")
	if err != nil {
		return nil
	}
	fields := map[string]string{}
	for line := range strings.Lines(said) {
		key, value, _ := strings.Cut(line, ":")
		fields[key] = strings.TrimSpace(value)
	}
	c := &packageControl{Package: fields["Package"], Version: fields["Version"], Arch: fields["Architecture"]}
	kib, err := strconv.ParseInt(fields["Installed-Size"], 10, 32)
	if err != nil || !versionPattern.MatchString(c.Version) {
		return nil
	}
	c.Size = kib << 10
	return c
}

// compareVersions returns -1 if a is older than b, 0 if they are the same, 1 if a is newer, by the rules of
// dpkg.
func compareVersions(a, b string) (int, error) {
	for op, is := range map[string]int{"lt": -1, "eq": 0, "gt": 1} {
		if yes, err := versionsRelate(a, op, b); yes || err != nil {
			return is, err
		}
	}
	return 0, errors.New("dpkg compares nothing")
}

// versionsRelate reports whether a comparison of two versions is true: "lt", "eq" or "gt".
func versionsRelate(a, op, b string) (bool, error) {
	err := exec.Command("dpkg", "--compare-versions", a, op, b).Run()
	if no := (&exec.ExitError{}); errors.As(err, &no) && no.ExitCode() == 1 {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("dpkg --compare-versions: %w", err)
	}
	return true, nil
}

// changelogPath is the path of the changelog in a package.
const changelogPath = "./usr/share/doc/" + packageName + "/changelog.gz"

// readNewerChanges returns the lines of a package's changelog that are newer than a version; none if it cannot be
// read.
func readNewerChanges(file, version string) (all []string) {
	c := exec.Command("dpkg-deb", "--fsys-tarfile", file)
	out, err := c.StdoutPipe()
	if err != nil || c.Start() != nil {
		return nil
	}
	defer func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	}()
	for files := tar.NewReader(out); ; {
		h, err := files.Next()
		if err != nil {
			return nil
		}
		if h.Name == changelogPath {
			text, err := gzip.NewReader(files)
			if err != nil {
				return nil
			}
			return readNewerEntries(io.LimitReader(text, maxChangelog), version)
		}
	}
}

var (
	entryLine = regexp.MustCompile(`^` + packageName + ` \(([^)]+)\)`)
	pointLine = regexp.MustCompile(`^ +[*-] (.*)$`)
)

// readNewerEntries reads the entries of a changelog (deb-changelog(5)) that are newer than a version.
func readNewerEntries(r io.Reader, version string) (all []string) {
	for lines := bufio.NewScanner(r); lines.Scan() && len(all) < MaxChanges; {
		line := lines.Text()
		if m := entryLine.FindStringSubmatch(line); m != nil {
			if order, err := compareVersions(m[1], version); err != nil || order <= 0 {
				break
			}
		} else if m := pointLine.FindStringSubmatch(line); m != nil {
			all = append(all, ownfile.VisibleText(m[1], MaxLine))
		} else if more := strings.TrimSpace(line); strings.HasPrefix(line, "    ") && more != "" && len(all) > 0 {
			all[len(all)-1] = ownfile.VisibleText(all[len(all)-1]+" "+more, MaxLine)
		}
	}
	return all
}

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
	MaxPackage    = 64 << 20        // bytes; our packages have 8 MB at most
	MaxNames      = 1 << 17         // in the top folder of a stick
	maxNamed      = 256             // packages by name, because dpkg compares each one
	maxTried      = 16              // packages that are copied and verified: half a minute at 8 MB each
	maxRead       = 1 << 12         // signatures that are read to find the packages worth a copy: 16 MB at most
	maxSignatures = 8               // of one package, by trusted keys
	MaxChanges    = 12              // lines of a changelog
	MaxLine       = 160             // characters of a line
	maxChangelog  = 64 << 10        // bytes of a changelog
	toolWait      = 5 * time.Minute // for dpkg on the slowest SD card
)

// HoldVariable is the environment variable that stops the scripts of a package from starting or stopping the
// daemon; Install does that.
const Held = "MAJORDOME_UPDATE"

// packageName is the package of this program.
const packageName = "majordome"

// Reason says why a candidate is refused, or why the former package was restored.
type Why string

// Reasons of a refusal.
const (
	Fine      Why = ""
	NoKey     Why = "key"       // there is no key
	Unsigned  Why = "unsigned"  // no signature next to it
	Forged    Why = "signature" // not the bytes that a trusted key has signed
	Foreign   Why = "foreign"   // not a package of this program
	WrongArch Why = "arch"
	Older     Why = "older"
	Same      Why = "same"
	Big       Why = "big"
	Torn      Why = "torn" // the stick cannot be read completely
	Full      Why = "full" // no space on this machine
	Format    Why = "format"
)

// packageControl is the control information of a package.
type control struct {
	Package, Version, Arch string
	Size                   int64 // installed, in bytes
}

// evidence is everything that decides whether a candidate is refused.
type found struct {
	keys    int
	has     bool // a signature was found
	signed  bool
	control *control // nil if it cannot be read
	compare int      // its version compared to the installed one
	arch    string   // of this machine
}

// verdictOf returns the first reason that applies. An unsigned package is never read.
func judge(f found) Why {
	switch {
	case f.keys == 0:
		return NoKey
	case !f.has:
		return Unsigned
	case !f.signed:
		return Forged
	case f.control == nil || f.control.Package != packageName:
		return Foreign
	case f.control.Arch != f.arch:
		return WrongArch
	case f.compare < 0:
		return Older
	case f.compare == 0:
		return Same
	}
	return Fine
}

// runTool runs a program of the system and returns its output.
func tool(args ...string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), toolWait)
	defer stop()
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Env = append(c.Environ(), "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", Held+"=1")
	said, err := c.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", args[0], err, ownfile.Visible(strings.TrimSpace(string(said)), 300))
	}
	return strings.TrimSpace(string(said)), err
}

// versionPattern matches a version (deb-version(7)).
var versionLike = regexp.MustCompile(`^[0-9][A-Za-z0-9.+~:-]{0,63}$`)

// readControl reads the control information of a verified package, nil if it is invalid.
func readControl(file string) *control {
	said, err := tool("dpkg-deb", "--field", file, "Package", "Version", "Architecture", "Installed-Size")
	if err != nil {
		return nil
	}
	fields := map[string]string{}
	for line := range strings.Lines(said) {
		key, value, _ := strings.Cut(line, ":")
		fields[key] = strings.TrimSpace(value)
	}
	c := &control{Package: fields["Package"], Version: fields["Version"], Arch: fields["Architecture"]}
	kib, err := strconv.ParseInt(fields["Installed-Size"], 10, 32)
	if err != nil || !versionLike.MatchString(c.Version) {
		return nil
	}
	c.Size = kib << 10
	return c
}

// compareVersions returns -1 if a is older than b, 0 if they are the same, 1 if a is newer, by the rules of
// dpkg.
func compare(a, b string) (int, error) {
	for op, is := range map[string]int{"lt": -1, "eq": 0, "gt": 1} {
		if yes, err := holds(a, op, b); yes || err != nil {
			return is, err
		}
	}
	return 0, errors.New("dpkg compares nothing")
}

// versionsRelate reports whether a comparison of two versions is true: "lt", "eq" or "gt".
func holds(a, op, b string) (bool, error) {
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
const changelog = "./usr/share/doc/" + packageName + "/changelog.gz"

// readChanges returns the lines of a package's changelog that are newer than a version; none if it cannot be
// read.
func changes(file, than string) (all []string) {
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
		if h.Name == changelog {
			text, err := gzip.NewReader(files)
			if err != nil {
				return nil
			}
			return newer(io.LimitReader(text, maxChangelog), than)
		}
	}
}

var (
	entry = regexp.MustCompile(`^` + packageName + ` \(([^)]+)\)`)
	point = regexp.MustCompile(`^ +[*-] (.*)$`)
)

// newerEntries reads the entries of a changelog (deb-changelog(5)) that are newer than a version.
func newer(r io.Reader, than string) (all []string) {
	for lines := bufio.NewScanner(r); lines.Scan() && len(all) < MaxChanges; {
		line := lines.Text()
		if m := entry.FindStringSubmatch(line); m != nil {
			if order, err := compare(m[1], than); err != nil || order <= 0 {
				break
			}
		} else if m := point.FindStringSubmatch(line); m != nil {
			all = append(all, ownfile.Visible(m[1], MaxLine))
		} else if more := strings.TrimSpace(line); strings.HasPrefix(line, "    ") && more != "" && len(all) > 0 {
			all[len(all)-1] = ownfile.Visible(all[len(all)-1]+" "+more, MaxLine)
		}
	}
	return all
}

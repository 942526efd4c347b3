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
	MaxPackage    = 64 << 20        // bytes: ours have 8 MB at most
	MaxNames      = 1 << 17         // of the top folder of a stick
	maxNamed      = 256             // of them that are packages by name: each is compared by dpkg
	maxTried      = 16              // of these that are copied and judged: half a minute at 8 MB each
	maxRead       = 1 << 12         // signatures that are read to know which packages are worth a copy: 16 MB at most
	maxSignatures = 8               // of one package, by a key of ours
	MaxChanges    = 12              // lines
	MaxLine       = 160             // characters of one
	maxChangelog  = 64 << 10        // bytes of a changelog
	toolWait      = 5 * time.Minute // dpkg on the slowest card
)

// Held is the variable that tells the scripts of a package to leave the daemon as it is: who installs starts it.
const Held = "MAJORDOME_UPDATE"

// packageName is the package of this program.
const packageName = "majordome"

// Why a candidate is not taken, or why the former one is back.
type Why string

// The reasons of Look.
const (
	Fine      Why = ""
	NoKey     Why = "key"       // no key to judge it by
	Unsigned  Why = "unsigned"  // no signature beside it
	Forged    Why = "signature" // not the bytes that one of our keys has signed
	Foreign   Why = "foreign"   // not a package of this program
	WrongArch Why = "arch"
	Older     Why = "older"
	Same      Why = "same"
	Big       Why = "big"
	Torn      Why = "torn" // the stick cannot be read to the end
	Full      Why = "full" // no room here
	Format    Why = "format"
)

// control is what a package says of itself.
type control struct {
	Package, Version, Arch string
	Size                   int64 // installed, in bytes
}

// found is all that a candidate is judged by.
type found struct {
	keys    int
	has     bool // a signature
	signed  bool
	control *control // nil: cannot be read
	compare int      // of its version to the one that runs
	arch    string   // of this machine
}

// judge is the table: the first line that applies. Nothing that is not signed is looked into.
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

// tool runs a program of the system and gives what it says.
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

// versionLike is what a version is written with (deb-version(7)).
var versionLike = regexp.MustCompile(`^[0-9][A-Za-z0-9.+~:-]{0,63}$`)

// readControl asks dpkg-deb about a package that has been verified.
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

// compare tells an older version (-1) from the same (0) and a newer one (1), as dpkg does.
func compare(a, b string) (int, error) {
	for op, is := range map[string]int{"lt": -1, "eq": 0, "gt": 1} {
		if yes, err := holds(a, op, b); yes || err != nil {
			return is, err
		}
	}
	return 0, errors.New("dpkg compares nothing")
}

// holds asks dpkg whether two versions stand so to each other: "lt", "eq" or "gt".
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

// changelog is where a package has it.
const changelog = "./usr/share/doc/" + packageName + "/changelog.gz"

// changes are the lines of a package's changelog that are newer than a version; a changelog that cannot be read has none.
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

// newer reads a changelog (deb-changelog(5)) down to a version.
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

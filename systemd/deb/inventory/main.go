// Command inventory writes what is in a built majordome, for its package: the licence texts of everything that is linked or bundled
// into it (third-party.txt), and the same as a list for machines (sbom.cdx.json, CycloneDX). It asks the binary itself, so that what
// only tools and tests use is not in it. The same binary gives the same bytes.
//
//	go run ./systemd/deb/inventory BINARY FOLDER
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/licensecheck"

	"majordome/companion/web"
)

// part is one piece of software in the binary.
type part struct {
	name, version string
	license       string // SPDX identifiers, "MIT" or "BSD-3-Clause AND Apache-2.0"
	text          string // the licences and notices in its folder
	purl          string // package URL
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "write: inventory BINARY FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "inventory:", err)
		os.Exit(1)
	}
}

func run(binary, folder string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	parts, err := linkedModules(info)
	if err != nil {
		return err
	}
	bundled, notice, err := bundledPackages()
	if err != nil {
		return err
	}
	return errors.Join(
		writeFile(filepath.Join(folder, "third-party.txt"), func(w io.Writer) error { return writeNotices(w, parts, notice) }),
		writeFile(filepath.Join(folder, "sbom.cdx.json"), func(w io.Writer) error { return writeSBOM(w, append(parts, bundled...)) }))
}

// linkedModules returns Go's standard library and the modules that are linked into the binary, with their licences.
func linkedModules(info *debug.BuildInfo) ([]part, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	std, err := readLicences("Go", strings.TrimSpace(string(root)))
	if err != nil {
		return nil, err
	}
	version := strings.TrimPrefix(info.GoVersion, "go")
	std.version, std.purl = version, "pkg:golang/std@"+version
	all := []part{std}
	for _, m := range info.Deps {
		dir, err := moduleFolder(m)
		if err != nil {
			return nil, err
		}
		p, err := readLicences(m.Path, dir)
		if err != nil {
			return nil, err
		}
		p.version, p.purl = m.Version, "pkg:golang/"+m.Path+"@"+m.Version
		all = append(all, p)
	}
	return all, nil
}

// moduleFolder returns the folder of the module on this machine. It downloads the module if it is missing.
func moduleFolder(m *debug.Module) (string, error) {
	out, err := exec.Command("go", "mod", "download", "-json", m.Path+"@"+m.Version).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.Path, err)
	}
	var at struct{ Dir string }
	return at.Dir, json.Unmarshal(out, &at)
}

var legalFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// readLicences reads the licences and notices in a folder, and returns a part without version and URL. A folder without a known
// licence is an error, because its software may not be distributed.
func readLicences(name, dir string) (part, error) {
	p := part{name: name}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return p, err
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() || !legalFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return p, err
		}
		p.text += "\n" + strings.TrimSpace(string(text)) + "\n"
		for _, m := range licensecheck.Scan(text).Match {
			ids = append(ids, m.ID)
		}
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) == 0 {
		return p, fmt.Errorf("%s: no licence that is known in %s", name, dir)
	}
	p.license = strings.Join(ids, " AND ")
	return p, nil
}

// bundledName matches the heading of one package in the notice of the pages: name, version, licence.
var bundledName = regexp.MustCompile(`(?m)^={72}\n(\S+) (\S+) \(([^)]+)\)$`)

// bundledPackages returns the packages that the pages are built from, and the notice of the pages with their licence texts.
func bundledPackages() (all []part, notice string, err error) {
	files, built := web.Files()
	if !built {
		return nil, "", errors.New("the pages are not built: make web")
	}
	packed, err := files.Open("THIRD-PARTY.txt.gz")
	if err != nil {
		return nil, "", err
	}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, "", err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, "", err
	}
	for _, m := range bundledName.FindAllStringSubmatch(string(text), -1) {
		all = append(
			all,
			part{name: m[1], version: m[2], license: m[3], purl: "pkg:npm/" + strings.Replace(m[1], "@", "%40", 1) + "@" + m[2]},
		)
	}
	return all, string(text), nil
}

// writeNotices writes the licence texts of the parts, and then the notice of the pages.
func writeNotices(w io.Writer, parts []part, pagesNotice string) error {
	var b bytes.Buffer
	b.WriteString("Majordome is linked with these modules.\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "\n%s\n%s %s (%s)\n%s", strings.Repeat("=", 72), p.name, p.version, p.license, p.text)
	}
	fmt.Fprintf(&b, "\n%s", pagesNotice)
	_, err := b.WriteTo(w)
	return err
}

// writeSBOM writes the list for machines. It has no serial number and no time: the same binary gives the same list.
func writeSBOM(w io.Writer, parts []part) error {
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{
		Component: &cdx.Component{Type: cdx.ComponentTypeApplication, Name: "majordome", Licenses: licenceExpression("Apache-2.0")},
	}
	components := make([]cdx.Component, 0, len(parts))
	for _, p := range parts {
		components = append(
			components,
			cdx.Component{
				Type:       cdx.ComponentTypeLibrary,
				BOMRef:     p.purl,
				Name:       p.name,
				Version:    p.version,
				PackageURL: p.purl,
				Licenses:   licenceExpression(p.license),
			},
		)
	}
	slices.SortFunc(components, func(a, b cdx.Component) int { return cmp.Compare(a.BOMRef, b.BOMRef) })
	bom.Components = &components
	return cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
}

func licenceExpression(spdx string) *cdx.Licenses { return &cdx.Licenses{{Expression: spdx}} }

// writeFile creates a file, and calls fill to write its content.
func writeFile(name string, fill func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(fill(f), f.Close())
}

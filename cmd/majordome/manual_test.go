package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/doctor"
	"majordome/cmd/majordome/guide"
	"majordome/cmd/majordome/update"
	"majordome/companion/natural"
	"majordome/engine/games"
)

// These tests check that the manual, in French and in English, is true of this program.

const manualFolder = "../../companion/web/manual"

var rewritePictures = flag.Bool("update", false, "draw the pictures of the manual anew")

// builds are the tables whose configurations the page "build" has, in its order, with the names of their pictures.
var builds = []string{"one", "two", "node"}

func readPage(t *testing.T, lang, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(manualFolder, lang, page+".md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pageNames returns the names of all pages, the same in both languages.
func pageNames(t *testing.T) []string {
	t.Helper()
	found := map[string][]string{}
	for _, lang := range []string{"fr", "en"} {
		files, err := filepath.Glob(filepath.Join(manualFolder, lang, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			found[lang] = append(found[lang], strings.TrimSuffix(filepath.Base(f), ".md"))
		}
	}
	if len(found["fr"]) == 0 || !slices.Equal(found["fr"], found["en"]) {
		t.Fatalf("the pages differ:\n%v\n%v", found["fr"], found["en"])
	}
	return found["fr"]
}

// fencedBlocks returns the blocks of a kind in a text.
func fencedBlocks(text, kind string) (blocks []string) {
	for _, m := range regexp.MustCompile("(?ms)^```"+kind+"\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// configurations returns the configurations of the page "build", which `majordome check` accepts unchanged.
func configurations(t *testing.T, lang string) (all []config.Config) {
	t.Helper()
	for i, text := range fencedBlocks(readPage(t, lang, "build"), "yaml") {
		name := filepath.Join(t.TempDir(), fmt.Sprintf("%s-%d.yaml", lang, i+1))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if kind, err := checkFile(games.KnownGames(), name, name); err != nil || kind.EN != "configuration" {
			t.Errorf("%v %v:\n%s", kind.EN, err, text)
		}
		cfg, err := config.ParseConfig("majordome.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, cfg)
	}
	if len(all) < len(builds) {
		t.Fatalf("%s.md has %d configurations", lang, len(all))
	}
	return all
}

// TestManualConfigurations checks that the configurations are the same in both languages, that the first is the
// doctor's example, and that the page has the lines of config.txt that they need.
func TestManualConfigurations(t *testing.T) {
	fr, en := configurations(t, "fr"), configurations(t, "en")
	if !reflect.DeepEqual(fr, en) {
		t.Errorf("the configurations differ:\n%+v\n%+v", fr, en)
	}
	first, err := config.ParseConfig("majordome.yaml", []byte(doctor.ExampleConfig))
	if err != nil || !reflect.DeepEqual(first, en[0]) {
		t.Errorf("%v: the first is not the doctor's example:\n%+v\n%+v", err, first, en[0])
	}
	for _, lang := range []string{"fr", "en"} {
		boot := fencedBlocks(readPage(t, lang, "build"), "ini")
		for i, name := range builds {
			if want := en[i].BootLines(); want != "" && (i >= len(boot) || boot[i] != want) {
				t.Errorf("%s.md: what the build %s wants of config.txt is not\n%s", lang, name, want)
			}
		}
	}
}

// TestManualPictures checks that the pictures are drawn from the configurations of the page "build" and the tables of
// the drivers, and that each is shown.
func TestManualPictures(t *testing.T) {
	want := map[string][]byte{}
	for _, lang := range []string{"fr", "en"} {
		text, shown := readPage(t, lang, "build")+readPage(t, lang, "slot")+readPage(t, lang, "power"), 0
		for i, cfg := range configurations(t, lang)[:len(builds)] {
			for _, p := range guide.DrawPictures(cfg, lang == "fr") {
				name := "pictures/" + builds[i] + "-" + p.Name + "." + lang + ".svg"
				if strings.Contains(text, "](../"+name+")") {
					want[name] = p.SVG
					shown++
				}
			}
		}
		if all := strings.Count(text, "](../pictures/"); shown != all || shown < len(builds) {
			t.Errorf("%s shows %d pictures, %d of them are drawn", lang, all, shown)
		}
	}
	drawn, err := filepath.Glob(filepath.Join(manualFolder, "pictures/*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if *rewritePictures {
		for _, file := range drawn {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
		drawn = slices.Collect(maps.Keys(want))
	}
	for name, svg := range want {
		file := filepath.Join(manualFolder, name)
		if *rewritePictures {
			if err := os.WriteFile(file, svg, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != string(svg) {
			t.Errorf("%s is not what the tables say now (%v): go test ./cmd/majordome -run TestManualPictures -update, and look at it",
				name, err)
		}
	}
	if len(drawn) != len(want) {
		t.Errorf("%d drawings are kept, %d are shown", len(drawn), len(want))
	}
}

var (
	headings = regexp.MustCompile(`(?m)^(##+) (.+)$`)
	anchor   = regexp.MustCompile(`<a id="([a-z0-9-]+)"></a>$`)
	links    = regexp.MustCompile(`\]\(([^)]+)\)`)
)

// anchors returns the levels and names of the headings of a text, in order.
func anchors(t *testing.T, lang, text string) (all []string) {
	t.Helper()
	for _, h := range headings.FindAllStringSubmatch(text, -1) {
		id := anchor.FindStringSubmatch(h[2])
		if id == nil || slices.Contains(all, h[1]+id[1]) {
			t.Errorf("%s.md: %q has no anchor of its own", lang, h[0])
			continue
		}
		all = append(all, h[1]+id[1])
	}
	return all
}

// TestManualHeadingsAndLinks checks that both languages of a page have the same sections, that links have targets,
// and that start names every page.
func TestManualHeadingsAndLinks(t *testing.T) {
	for _, page := range pageNames(t) {
		sections := map[string][]string{}
		for lang, other := range map[string]string{"fr": "en", "en": "fr"} {
			name, text := lang+"/"+page+".md", readPage(t, lang, page)
			sections[lang] = anchors(t, name, text)
			if title, rest, _ := strings.Cut(text, "\n\n"); !strings.HasPrefix(title, "# ") ||
				!strings.HasPrefix(rest, map[string]string{"fr": "[français]", "en": "[English]"}[other]+"(../"+other+"/"+page+".md)\n") {
				t.Errorf("%s does not begin with its title and a link to the other language", name)
			}
			for _, m := range links.FindAllStringSubmatch(text, -1) {
				checkLink(t, filepath.Join(manualFolder, lang, page+".md"), m[1])
			}
			if page != "start" && !strings.Contains(readPage(t, lang, "start"), "]("+page+".md)") {
				t.Errorf("%s/start.md does not name the page %s", lang, page)
			}
		}
		if !slices.Equal(sections["fr"], sections["en"]) {
			t.Errorf("%s: the sections differ:\n%v\n%v", page, sections["fr"], sections["en"])
		}
	}
}

// checkLink checks that the target of a link exists: another page and its section, a picture, or a file of this tree.
func checkLink(t *testing.T, from, link string) {
	t.Helper()
	if strings.HasPrefix(link, "https://") {
		return
	}
	file, id, inside := strings.Cut(link, "#")
	path := from
	if file != "" {
		path = filepath.Join(filepath.Dir(from), filepath.FromSlash(file))
	}
	text, err := os.ReadFile(path)
	if stat, is := os.Stat(path); is == nil && stat.IsDir() {
		err = nil
	}
	if err != nil || inside && !strings.Contains(string(text), `<a id="`+id+`"></a>`) {
		t.Errorf("%s: %s leads nowhere: %v", from, link, err)
	}
}

var (
	release = regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+) \(\d{1,2} \p{L}+ \d{4}\) <a id="v([\d-]+)"></a>$`)
	mark    = regexp.MustCompile("\\]\\([^)]*\\)|[][*`]")
)

// TestManualChanges checks that every section of the page "changes" is a version with its day, the newest first, and
// that both languages have as many points. Those of the newest version must be short and few enough for the page of a
// host who is offered its package.
func TestManualChanges(t *testing.T) {
	points := map[string][]int{}
	for _, lang := range []string{"fr", "en"} {
		text := readPage(t, lang, "changes")
		found := release.FindAllStringSubmatch(text, -1)
		sections := regexp.MustCompile("(?m)^## ").Split(text, -1)[1:]
		if len(found) == 0 || len(found) != len(sections) {
			t.Fatalf("%s: %d versions with a day in %d sections", lang, len(found), len(sections))
		}
		for i, m := range found {
			if strings.ReplaceAll(m[1], ".", "-") != m[2] || i > 0 && natural.Compare(m[1], found[i-1][1]) >= 0 {
				t.Errorf("%s: %s", lang, m[0])
			}
			all := regexp.MustCompile("(?m)^- (.+)$").FindAllStringSubmatch(sections[i], -1)
			points[lang] = append(points[lang], len(all))
			for _, p := range all {
				if n := utf8.RuneCountInString(mark.ReplaceAllString(p[1], "")); n > update.MaxLine {
					t.Errorf("%s: %d characters, at most %d: %s", lang, n, update.MaxLine, p[1])
				}
			}
		}
		if points[lang][0] == 0 || points[lang][0] > update.MaxChanges {
			t.Errorf("%s: the newest version has %d points, at most %d", lang, points[lang][0], update.MaxChanges)
		}
	}
	if !slices.Equal(points["fr"], points["en"]) {
		t.Errorf("the points differ: %v in French, %v in English", points["fr"], points["en"])
	}
}

// TestReadme checks that the README stays one page, that its links have targets, and that its commands exist.
func TestReadme(t *testing.T) {
	file, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	if lines, words := strings.Count(text, "\n"), len(strings.Fields(text)); lines > 120 || words > 1200 {
		t.Errorf("the README has %d lines and %d words, at most 120 and 1200", lines, words)
	}
	for _, m := range links.FindAllStringSubmatch(text, -1) {
		checkLink(t, "../../README.md", m[1])
	}
	var targets []string
	for _, m := range regexp.MustCompile("(?m)(?:^ +|`)make ([a-z]+)").FindAllStringSubmatch(text, -1) {
		targets = append(targets, m[1])
		if !strings.Contains(string(makefile), "\n"+m[1]+":") {
			t.Errorf("README.md: there is no make %s", m[1])
		}
	}
	if len(targets) < 2 || targets[0] != "run" || !slices.Contains(targets, "test") {
		t.Errorf("README.md: make %v", targets)
	}
	checkCommands(t, "README.md", text)
}

// commandLine matches a command line of this program in a text: in a block, or between backquotes.
var commandLine = regexp.MustCompile("(?m)(?:^ +|`)(?:sudo (?:-u majordome )?)?majordome ([^`\n#|]+)")

// TestManualCommands checks that every command that a page names exists, with its flags, and that both languages name
// the same.
func TestManualCommands(t *testing.T) {
	for _, page := range pageNames(t) {
		fr, en := checkCommands(t, "fr/"+page+".md", readPage(t, "fr", page)), checkCommands(t, "en/"+page+".md", readPage(t, "en", page))
		if !slices.Equal(fr, en) {
			t.Errorf("%s: the commands differ:\n%v\n%v", page, fr, en)
		}
	}
}

// checkCommands looks up the commands of this program that a text names, with their flags, and returns them.
func checkCommands(t *testing.T, name, text string) (named []string) {
	t.Helper()
	for _, m := range commandLine.FindAllStringSubmatch(text, -1) {
		words := strings.Fields(m[1])
		root := rootCommand(games.KnownGames())
		root.SetOut(io.Discard)
		c, _, err := root.Find(words)
		if err != nil || c == root {
			t.Errorf("%s: there is no majordome %s", name, m[1])
			continue
		}
		named = append(named, c.CommandPath())
		for _, w := range words {
			if flag, is := strings.CutPrefix(w, "--"); is && c.Flags().Lookup(flag) == nil {
				t.Errorf("%s: %s has no --%s", name, c.CommandPath(), flag)
			}
		}
	}
	return named
}

var (
	pain     = regexp.MustCompile(`(?m)^\| (\d+) \| .+ \| (.+) \|$`)
	testName = regexp.MustCompile("`(Test\\w+)`")
	testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// TestManualPains checks that each of the 26 troubles of other projects has a test of this tree, or a section;
// TestManualHeadingsAndLinks checks the links to those.
func TestManualPains(t *testing.T) {
	tests := map[string]bool{}
	for _, top := range []string{"cmd", "devices", "firmware"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top), func(name string, e fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
				tests[m[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	answers := map[string][]string{}
	for _, lang := range []string{"fr", "en"} {
		_, table, _ := strings.Cut(readPage(t, lang, "wiring"), `<a id="pains"></a>`)
		table, _, _ = strings.Cut(table, "\n## ")
		rows := pain.FindAllStringSubmatch(table, -1)
		if len(rows) != 26 {
			t.Errorf("%s.md: %d troubles", lang, len(rows))
		}
		for i, m := range rows {
			if m[1] != fmt.Sprint(i+1) {
				t.Errorf("%s.md: number %s follows %d", lang, m[1], i)
			}
			answer := m[1]
			for _, n := range testName.FindAllStringSubmatch(m[2], -1) {
				if answer += " " + n[1]; !tests[n[1]] {
					t.Errorf("%s.md, %s: there is no %s", lang, m[1], n[1])
				}
			}
			for _, l := range links.FindAllStringSubmatch(m[2], -1) {
				answer += " " + l[1]
			}
			if answer == m[1] {
				t.Errorf("%s.md: nothing answers %s", lang, m[0])
			}
			answers[lang] = append(answers[lang], answer)
		}
	}
	if !slices.Equal(answers["fr"], answers["en"]) {
		t.Errorf("the answers differ:\n%v\n%v", answers["fr"], answers["en"])
	}
}

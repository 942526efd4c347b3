package words_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/games"
	"majordome/engine/games/toy"
	"majordome/engine/play"
	"majordome/engine/words"
)

var blank = regexp.MustCompile(`\{[a-z0-9-]+\}`)

// catalogue is one as it is written.
func catalogue(t *testing.T, l words.Lang) map[string]string {
	t.Helper()
	m := map[string]string{}
	for path, text := range texts(t, string(l)+".json") {
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	return m
}

// texts are the files of a name, by their paths: that of all games, and those of the families.
func texts(t *testing.T, name string) map[string][]byte {
	t.Helper()
	families, err := filepath.Glob(filepath.Join("*", name))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, path := range append(families, name) {
		if all[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// blanks are the names of the blanks of a sentence, each once.
func blanks(s string) []string {
	found := blank.FindAllString(s, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// TestSameKeys: every key and every blank exists in both languages, and no
// sentence is empty.
func TestSameKeys(t *testing.T) {
	fr, en := catalogue(t, words.FR), catalogue(t, words.EN)
	for key, s := range fr {
		other, ok := en[key]
		switch {
		case !ok:
			t.Errorf("%s is missing in English", key)
		case s == "" || other == "":
			t.Errorf("%s says nothing", key)
		case !slices.Equal(blanks(s), blanks(other)):
			t.Errorf("%s has blanks %v in French and %v in English", key, blanks(s), blanks(other))
		}
	}
	for key := range en {
		if _, ok := fr[key]; !ok {
			t.Errorf("%s is missing in French", key)
		}
	}
}

// elided are French words that lose their vowel before another: in front of a
// blank they would be wrong for half of the names ("de Anne").
var elided = regexp.MustCompile(`(?i)\b(de|que|le|la|je|ne|se) \{`)

// French puts a space before high signs and inside its quotation marks.
var tight = regexp.MustCompile(`[^ ][:;?!»]|«[^ ]`)

// TestTypography: the printed apostrophe and quotation marks everywhere, the
// French spaces (the ordinary ones: Open makes them unbreakable), and no
// sentence that is French with some names only.
func TestTypography(t *testing.T) {
	for _, l := range words.Langs {
		texts := catalogue(t, l)
		for id, s := range rules(t, l) {
			texts[id] = s
		}
		for key, s := range texts {
			switch {
			case strings.ContainsAny(s, "'\""):
				t.Errorf("%s, %s: a typewriter's apostrophe or quotation mark: %s", key, l, s)
			case strings.ContainsAny(s, "\u00a0\u202f"), strings.Contains(s, "  "), s != strings.TrimSpace(s):
				t.Errorf("%s, %s: write single, ordinary spaces: %q", key, l, s)
			case l == words.FR && tight.MatchString(s):
				t.Errorf("%s: a French sign without its space: %s", key, s)
			case l == words.EN && strings.ContainsAny(s, "«»"):
				t.Errorf("%s: French quotation marks in English: %s", key, s)
			case l == words.FR && elided.MatchString(s):
				t.Errorf("%s: wrong before a name that begins with a vowel: %s", key, s)
			}
		}
	}
}

// banned lists words of another voice: a thing has one name (the program is Majordome, the card goes into the étui), and no sentence
// supposes that the player is a man.
var banned = map[words.Lang]*regexp.Regexp{
	words.FR: regexp.MustCompile(`(?i)machine|enveloppe|photograph|réfutation|relevé|liaison|mainten(ir|ez)|premier joueur|le plus âgé|` +
		`règles? maison|faces (cachées|visibles)|à découvert|déclar|le majordome`),
	words.EN: regexp.MustCompile(
		`(?i)\b(machine|refutation|mend|crime place|scene of the crime|laid open|lies? open|one’s own|declar|the butler\b)|photograph`),
}

// terms lists the words that are banned in the explanations of rules, too.
var terms = map[words.Lang]*regexp.Regexp{
	words.FR: regexp.MustCompile(
		`(?i)\bla machine|enveloppe|photograph|relevé|mainten(ir|ez)|règle maison|faces (cachées|visibles)|déclar`),
	words.EN: regexp.MustCompile(`(?i)\b(the machine|crime place|scene of the crime|laid open|lies? open|one’s own|declar)|photograph`),
}

// longest says how many signs a sentence has at most, once its blanks are filled: what
// a phone of 360 pixels and an ear can hold.
var longest = []struct {
	keys *regexp.Regexp
	most int
}{
	{regexp.MustCompile(`\.prompt\.`), 72},
	{regexp.MustCompile(`^[a-z]+\.no\.`), 110},
	{regexp.MustCompile(`^(ui|phone)\.act\.`), 32},
	{regexp.MustCompile(`^host\.act\.`), 40},
	{regexp.MustCompile(`\.fact\.`), 150},
	{regexp.MustCompile(`^phone\.tab\.`), 18},
	{regexp.MustCompile(`\.log\.`), 95},
}

// TestSentencesKeepToTheHouseStyle: every sentence keeps to the words and lengths of the house.
func TestSentencesKeepToTheHouseStyle(t *testing.T) {
	for _, l := range words.Langs {
		for id, s := range rules(t, l) {
			if word := terms[l].FindString(s); word != "" {
				t.Errorf("%s, %s: %q is not a word of the house: %s", id, l, word, s)
			}
			if n := utf8.RuneCountInString(s); n > 200 {
				t.Errorf("%s, %s: %d signs, at most 200: %s", id, l, n, s)
			}
		}
		for key, s := range catalogue(t, l) {
			if word := banned[l].FindString(s); word != "" {
				t.Errorf("%s, %s: %q is not a word of the house: %s", key, l, word, s)
			}
			filled := blank.ReplaceAllStringFunc(s, func(b string) string {
				if len(b) <= 4 { // {n}: a number
					return "12"
				}
				return "Margaux"
			})
			for _, limit := range longest {
				if n := utf8.RuneCountInString(filled); limit.keys.MatchString(key) && n > limit.most {
					t.Errorf("%s, %s: %d signs, at most %d: %s", key, l, n, limit.most, s)
				}
			}
		}
	}
}

// TestNarrator: the narrator has two lines or more for each happening it speaks of. They have the blanks of the plain sentence, keep to the
// words of the house and are short enough to be heard.
func TestNarrator(t *testing.T) {
	keys := map[words.Lang][]string{}
	for _, l := range words.Langs {
		data, err := os.ReadFile("narrator." + string(l) + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var told map[string][]string
		if err := json.Unmarshal(data, &told); err != nil {
			t.Fatalf("narrator.%s.json: %v", l, err)
		}
		plain := catalogue(t, l)
		for key, lines := range told {
			keys[l] = append(keys[l], key)
			if plain[key] == "" || len(lines) < 2 || len(lines) != len(slices.Compact(slices.Sorted(slices.Values(lines)))) {
				t.Errorf("narrator.%s.json: %s wants a sentence in the catalogue and two lines of its own, no two alike", l, key)
			}
			for _, s := range lines {
				for _, b := range blanks(s) {
					if !slices.Contains(blanks(plain[key]), b) {
						t.Errorf("%s, %s: the sentence has no %s: %s", key, l, b, s)
					}
				}
				if n := utf8.RuneCountInString(blank.ReplaceAllString(s, "Margaux")); n > 70 {
					t.Errorf("%s, %s: %d signs, at most 70: %s", key, l, n, s)
				}
				word := banned[l].FindString(s)
				if word != "" || l == words.FR && (tight.MatchString(s) || elided.MatchString(s)) || strings.ContainsAny(s, "'\"\u00a0") {
					t.Errorf("%s, %s: not written as the house writes: %s", key, l, s)
				}
			}
		}
		slices.Sort(keys[l])
	}
	if !slices.Equal(keys[words.FR], keys[words.EN]) {
		t.Errorf("the narrator tells %v in French and %v in English", keys[words.FR], keys[words.EN])
	}
}

// TestNoKeyTwice: JSON readers keep the last of two equal keys without a word.
func TestNoKeyTwice(t *testing.T) {
	for _, l := range words.Langs {
		seen := map[string]bool{}
		for path, text := range texts(t, string(l)+".json") {
			d := json.NewDecoder(bytes.NewReader(text))
			for i := 0; ; i++ {
				tok, err := d.Token()
				if err != nil {
					break
				}
				key, ok := tok.(string)
				if !ok || i%2 == 0 { // token 0 is the brace, then key, value, key, ...
					continue
				}
				if seen[key] {
					t.Errorf("%s has %q again", path, key)
				}
				seen[key] = true
			}
		}
	}
}

// beginnings maps the beginning of the keys of each family of games to the path of its French catalogue.
func beginnings(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for path, text := range texts(t, "fr.json") {
		says := map[string]string{}
		if err := json.Unmarshal(text, &says); err != nil {
			t.Fatal(err)
		}
		for key := range says {
			if by, _, _ := strings.Cut(key, "."); path != "fr.json" {
				all[by] = path
			}
		}
	}
	return all
}

// TestBeginnings: the sentences of a family of games begin with its own word, which nothing else begins with.
func TestBeginnings(t *testing.T) {
	families := beginnings(t)
	if len(families) < 3 {
		t.Errorf("families: %v", families)
	}
	for path, text := range texts(t, "fr.json") {
		says := map[string]string{}
		if err := json.Unmarshal(text, &says); err != nil {
			t.Fatal(err)
		}
		begun := map[string]bool{}
		for key := range says {
			by, _, _ := strings.Cut(key, ".")
			begun[by] = true
			if is := families[by]; is != "" && is != path {
				t.Errorf("%s has %s, as %s", path, key, is)
			}
		}
		if path != "fr.json" && len(begun) != 1 {
			t.Errorf("%s has keys of %v", path, begun)
		}
	}
}

// literals are the string literals of all Go sources, tests left out, and the
// keys given to NewMsg and NewLine.
func literals(t *testing.T) (all map[string]bool, said map[string]string) {
	t.Helper()
	all, said = map[string]bool{}, map[string]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "node_modules" || strings.HasPrefix(name, ".") && name != ".." {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Base(filepath.Dir(path)) == "editions" { // keys are written there as words of their own
			data, err := os.ReadFile(path)
			for _, word := range strings.Fields(string(data)) {
				all[word] = true
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // the file is being written; the compiler reports that better
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					if s, err := strconv.Unquote(n.Value); err == nil {
						all[s] = true
					}
				}
			case *ast.CallExpr:
				name := ""
				switch f := n.Fun.(type) {
				case *ast.SelectorExpr:
					name = f.Sel.Name
				case *ast.Ident:
					name = f.Name
				}
				if name != "NewMsg" && name != "NewLine" || len(n.Args) == 0 {
					return true
				}
				if lit, ok := n.Args[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if s, err := strconv.Unquote(lit.Value); err == nil {
						said[s] = path
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, said
}

// TestKeysInUse: what Go says is in the catalogues, and what the games have in
// the catalogues is said. A prompt has a form for the seat it calls (.you) or
// for the host (.host).
func TestKeysInUse(t *testing.T) {
	fr := catalogue(t, words.FR)
	all, said := literals(t)
	for key, path := range said {
		if _, ok := fr[key]; !ok {
			t.Errorf("%s says %q, which no catalogue has", path, key)
		}
	}
	families := beginnings(t)
	for key := range fr {
		if by, _, _ := strings.Cut(key, "."); by != "gen" && families[by] == "" {
			continue
		}
		base := strings.TrimSuffix(strings.TrimSuffix(key, ".you"), ".host")
		if !all[key] && !all[base] {
			t.Errorf("%s is said by nobody", key)
		}
	}
}

// TestEverythingSaid plays every game and puts every message of every view and
// refusal, and the name of every act that is offered, into words: the key is known
// in both languages and no blank stays open. Of a sentence that is taken out of one
// language the test knows that it is missing.
func TestEverythingSaid(t *testing.T) {
	all := append(games.KnownGames(), toy.TableEntry())
	for i, d := range all.DefaultDecks() {
		t.Run(string(all[i].ID), func(t *testing.T) {
			t.Parallel()
			book, err := d.NewRulebook()
			if err != nil {
				t.Fatal(err)
			}
			if err := everythingSaid(book, bothCatalogues(t)); err != nil {
				t.Error(err)
			}
		})
	}
	for _, key := range []string{"toy.log.dropped", "toy.prompt.play.you", "toy.no.now", "toy.won"} {
		book, err := toy.TableEntry().Parse("toy.yaml", toy.TableEntry().Default)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := book.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		says := bothCatalogues(t)
		delete(says[words.EN], key)
		if err := everythingSaid(rules, says); err == nil || !strings.Contains(err.Error(), "en.json does not say "+key) {
			t.Errorf("without %s: %v", key, err)
		}
	}
}

// bothCatalogues are the catalogues of both languages.
func bothCatalogues(t *testing.T) map[words.Lang]map[string]string {
	return map[words.Lang]map[string]string{words.FR: catalogue(t, words.FR), words.EN: catalogue(t, words.EN)}
}

// everythingSaid plays some evenings from the empty lobby on; its error names the first sentence that is missing.
func everythingSaid(book engine.Rulebook, says map[words.Lang]map[string]string) error {
	said := map[string]bool{}
	say := func(m engine.Msg) error {
		if m.IsEmpty() || said[m.Key] && len(m.Args) == 0 {
			return nil
		}
		said[m.Key] = true
		for _, l := range words.Langs {
			sentence, ok := says[l][m.Key]
			if !ok {
				return fmt.Errorf("%s.json does not say %s", l, m.Key)
			}
			for name := range m.Args.Pairs() {
				sentence = strings.ReplaceAll(sentence, "{"+name+"}", "")
			}
			if blank.MatchString(sentence) {
				return fmt.Errorf("%s.json says %s as %q", l, m.Key, sentence)
			}
		}
		return nil
	}
	named := func(v engine.Viewer, act string) error { // the host's page has its own names for some, and draws the count
		for _, l := range words.Langs {
			if !strings.HasPrefix(act, "count") && says[l]["ui.act."+act] == "" && (v != engine.Host || says[l]["host.act."+act] == "") {
				return fmt.Errorf("%s.json has no name for the act %s", l, act)
			}
		}
		return nil
	}
	for seed := range uint64(12) {
		_, _, err := play.Run(book.NewGame(), &play.Opts{Seed: seed,
			Weigh: func(_ engine.Viewer, o engine.Offer) int {
				return map[string]int{"sit": 8, "rise": 1, "switch": 2, "begin": 4, "roll": 8, "move": 8}[o.Act] + 1
			},
			Check: func(s play.Step) error { return sayAll(s, say, named) }})
		if err != nil {
			return err
		}
	}
	return nil
}

// sayAll says every message of the views after a step, names the acts that are offered, and says the refusals of some
// readings and of an act out of turn.
func sayAll(s play.Step, say func(engine.Msg) error, named func(engine.Viewer, string) error) error {
	for x := range 10 {
		v := engine.Host
		if x > 0 {
			v = engine.SeatViewer(engine.Seat(x))
		}
		view := s.After.View(v)
		msgs := []engine.Msg{view.Prompt}
		for _, l := range view.Log {
			msgs = append(msgs, *l.Msg)
		}
		if view.Me != nil {
			msgs = append(msgs, view.Me.Facts...)
		}
		if view.Result != nil {
			msgs = append(msgs, view.Result.Msg)
		}
		for _, m := range msgs {
			if err := say(m); err != nil {
				return err
			}
		}
		for _, o := range view.Offers {
			if err := named(v, o.Act); err != nil {
				return err
			}
		}
	}
	for _, c := range []engine.Command{
		engine.ScanCommand(0, engine.ReaderShow, []engine.ID{"weapon-3"}, 0),
		engine.ScanCommand(0, engine.ReaderUrn, []engine.ID{"weapon-3"}, 0),
		engine.ScanCommand(0, engine.ReaderUrn, nil, 1), engine.ScanCommand(0, engine.ReaderShow, nil, 0),
		{By: engine.SeatViewer(1), Act: "move", Args: engine.Args{"place": "place-salon"}}, {By: engine.SeatViewer(2), Act: "search"},
		{By: engine.SeatViewer(3), Act: "accuse", Args: engine.Args{"seat": "seat-2"}},
		engine.ScanCommand(0, engine.ReaderShow, []engine.ID{"weapon-corde"}, 0),
		engine.ScanCommand(0, engine.ReaderUrn, []engine.ID{"butler-stay"}, 0),
		{By: engine.SeatViewer(1), Act: "move", Args: engine.Args{"to": "room-spa"}}, {By: engine.SeatViewer(2), Act: "passage"},
		{By: engine.SeatViewer(3), Act: "none"},
		{By: engine.SeatViewer(1), Act: "play", Args: engine.Args{"card": "butler-stay"}}, {By: engine.SeatViewer(2), Act: "power"},
	} {
		if _, r := s.After.Decide(c, chance.New(1)); r != nil {
			for _, m := range []engine.Msg{r.Why, r.Public} {
				if err := say(m); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func TestRenderFillsBlanks(t *testing.T) {
	fr, err := words.Open(words.FR)
	if err != nil {
		t.Fatal(err)
	}
	label := func(v string) (engine.Text, bool) {
		return engine.T("Anne", "Ann"), v == "seat-1"
	}
	if got := fr.Render(engine.NewMsg("gen.again", "seat", "seat-1"), label); got != "Anne, présentez encore la carte, je vous prie." {
		t.Errorf("Say: %q", got)
	}
	if got := fr.Render(engine.NewMsg("no.such.key"), label); got != "no.such.key" || fr.HasKey("no.such.key") {
		t.Errorf("an unknown key is said as %q", got)
	}
	if _, err := words.Open("de"); err == nil {
		t.Error("a German catalogue was opened")
	}
}

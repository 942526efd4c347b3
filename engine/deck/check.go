package deck

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"majordome/engine"
	"majordome/engine/ownfile"
)

var idForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Checker checks a deck file and collects every fault that would keep a game from playing with it.
type Checker struct {
	*ownfile.File
	seen     map[engine.ID]bool
	isEmpty  bool // the file is empty: no faults about its parts
	rootPath string
}

// SubChecker returns a checker for the part of the file below a key: its paths start there.
func (c *Checker) SubChecker(key string) *Checker {
	d := *c
	d.rootPath += "." + key
	return &d
}

// HasValue reports whether the file has a value at a path; see ownfile.File.
func (c *Checker) HasValue(path string) bool {
	return c.File.HasValue("$" + c.rootPath + strings.TrimPrefix(path, "$"))
}

// AddFault adds a fault; see ownfile.File.
func (c *Checker) AddFault(path string, what, hint engine.Text) {
	c.File.AddFault("$"+c.rootPath+strings.TrimPrefix(path, "$"), what, hint)
}

// Parse decodes the text of a deck of any game into the struct that into points to. Err of the
// checker returns ownfile.Faults, with all faults.
func Parse(name string, data []byte, into any) *Checker {
	c := &Checker{File: ownfile.Parse(name, data), seen: map[engine.ID]bool{}}
	c.About = "deck"
	if c.IsEmpty() {
		c.AddFault("$", engine.T("il n’y a rien dans ce fichier", "there is nothing in this file"),
			engine.T("partez du fichier par défaut : majordome check --default", "start from the default file: majordome check --default"))
		c.isEmpty = true
	}
	c.Decode(into)
	return c
}

// AddFaultUnlessEmpty adds a fault at a YAML path. It adds none if the file is empty, because Parse
// has reported that. For an absent key the message shows the position of its parent.
func (c *Checker) AddFaultUnlessEmpty(path string, what, hint engine.Text) {
	if !c.isEmpty {
		c.AddFault(path, what, hint)
	}
}

// CheckWord adds a fault if word is not among the known words, and reports whether it is. frFault
// and enFault say what is wrong, for instance « valeur inconnue » and "unknown value".
func (c *Checker) CheckWord(path, word string, known []string, frFault, enFault string) (isKnown bool) {
	is := slices.Contains(known, word)
	if !is {
		c.AddFaultUnlessEmpty(path, engine.Tf(frFault+" « %s »", enFault+" %q", ownfile.ClipQuote(word)),
			engine.Tf("un mot parmi %v", "one of %v", known))
	}
	return is
}

// CheckGame adds a fault if the deck is not for one of these games.
func (c *Checker) CheckGame(game engine.ID, known ...engine.ID) {
	if !slices.Contains(known, game) {
		c.AddFaultUnlessEmpty("$.game", engine.Tf("jeu inconnu « %s »", "unknown game %q", ownfile.ClipQuote(string(game))),
			engine.Tf("un de %v", "one of %v", known))
	}
}

// CheckCount adds a fault if the length of a list is not that of the real box (rules, 1.1). frNoun
// and enNoun are the plurals of what is counted.
func (c *Checker) CheckCount(path string, have, want int, frNoun, enNoun string) {
	if have == want {
		return
	}
	c.AddFaultUnlessEmpty(path, engine.Tf("%[1]d %[3]s au lieu de %[2]d", "%[1]d %[4]s instead of %[2]d", have, want, frNoun, enNoun),
		engine.T("la boîte en contient exactement ce nombre", "the box holds exactly that many"))
}

// CheckNamed checks the id, the tag and the labels of one item.
func (c *Checker) CheckNamed(path string, n Named) {
	c.CheckID(path+".id", n.ID)
	if n.Tag != "" && n.Tag != NoTag {
		c.AddFaultUnlessEmpty(path+".tag", engine.Tf("puce inconnue « %s »", "unknown tag %q", ownfile.ClipQuote(n.Tag)),
			engine.T("none pour une carte sans puce ; sinon, enlevez cette ligne",
				"none for a card without a tag; otherwise take this line out"))
	}
	c.CheckLabel(path+".fr", n.FR)
	c.CheckLabel(path+".en", n.EN)
}

// CheckID checks an id that must be unique in the file.
func (c *Checker) CheckID(path string, id engine.ID) { c.CheckUniqueID(path, id, c.seen) }

// CheckUniqueID checks an id that must not be in seen, and adds it there.
func (c *Checker) CheckUniqueID(path string, id engine.ID, seen map[engine.ID]bool) {
	switch {
	case id == "":
		c.AddFaultUnlessEmpty(path, engine.T("il manque un identifiant", "an id is missing"),
			engine.T("ajoutez « id: »", "add \"id:\""))
	case len(id) > MaxID || !idForm.MatchString(string(id)):
		c.AddFaultUnlessEmpty(path, engine.Tf("mauvais identifiant « %s »", "bad id %q", ownfile.ClipQuote(string(id))),
			engine.T("40 caractères au plus : minuscules, chiffres, mots joints par des tirets",
				"at most 40 characters: lower case, digits, words joined by hyphens"))
	case seen[id]:
		c.AddFaultUnlessEmpty(path, engine.Tf("identifiant « %s » déjà employé", "id %q used before", ownfile.ClipQuote(string(id))),
			engine.T("chaque identifiant sert une seule fois", "each id serves once"))
	}
	seen[id] = true
}

// CheckLabel adds a fault for a label that is blank, longer than MaxName bytes or not printable.
func (c *Checker) CheckLabel(path, s string) {
	switch labelFaultCode(s) {
	case "empty":
		c.AddFaultUnlessEmpty(path, engine.T("il manque un nom", "a name is missing"),
			engine.T("donnez le nom en français (fr) et en anglais (en)", "give the name in French (fr) and in English (en)"))
	case "long":
		c.AddFaultUnlessEmpty(path, engine.Tf("nom trop long : %d octets", "name too long: %d bytes", len(s)),
			engine.T("48 octets au plus, pour tenir sur un téléphone", "at most 48 bytes, to fit on a phone"))
	case "hidden":
		c.AddFaultUnlessEmpty(path, engine.T("nom avec un caractère invisible", "name with an invisible character"),
			engine.T("écrivez-le sur une ligne, sans tabulation", "write it on one line, without tabs"))
	}
}

// labelFaultCode returns "empty", "long" or "hidden" for a label that is not valid, else "".
func labelFaultCode(s string) string {
	switch {
	case strings.TrimSpace(s) == "":
		return "empty"
	case len(s) > MaxName:
		return "long"
	case !IsPrintable(s):
		return "hidden"
	}
	return ""
}

// IsPrintable reports whether s is valid UTF-8 of visible characters, so that no name can reverse
// or break the line that shows it.
func IsPrintable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) && r != '\u00a0' && r != '\u202f' {
			return false
		}
	}
	return true
}

// CheckDemoCast checks the characters of a demonstration: from least to most of the known ones, each
// once. An empty list is accepted, because then the game chooses.
func (c *Checker) CheckDemoCast(path string, list []engine.ID, least, most int, known []engine.ID) {
	if len(list) > 0 && (len(list) < least || len(list) > most) {
		c.AddFaultUnlessEmpty(path, engine.Tf("%d joueurs", "%d players", len(list)), engine.Tf("de %d à %d", "%d to %d", least, most))
	}
	for i, id := range list {
		if !slices.Contains(known, id) || slices.Contains(list[:i], id) {
			c.AddFaultUnlessEmpty(fmt.Sprintf("%s[%d]", path, i),
				engine.Tf("« %s » n’est personne, ou joue déjà", "%q is nobody, or plays already", ownfile.ClipQuote(string(id))),
				engine.Tf("chacun une fois, parmi %v", "each once, of %v", known))
		}
	}
}

// CheckHouseRules compares the house rules of a deck with those that the game knows.
func (c *Checker) CheckHouseRules(list []Switch, known map[engine.ID][]string) {
	c.CheckCount("$.switches", len(list), len(known), "règles maison", "house rules")
	for i, s := range list {
		path := fmt.Sprintf("$.switches[%d]", i)
		c.CheckNamed(path, Named{ID: s.ID, FR: s.FR, EN: s.EN})
		values, ok := known[s.ID]
		if ok {
			c.CheckCount(path+".values", len(s.Values), len(values), "valeurs", "values")
		} else {
			c.AddFaultUnlessEmpty(path+".id", engine.Tf("règle maison inconnue « %s »", "unknown house rule %q",
				ownfile.ClipQuote(string(s.ID))),
				engine.T("gardez les identifiants du fichier par défaut", "keep the ids of the default file"))
		}
		found := false
		for j, v := range s.Values {
			at := fmt.Sprintf("%s.values[%d]", path, j)
			if j < len(values) && string(v.ID) != values[j] {
				c.AddFaultUnlessEmpty(at+".id", engine.Tf("mauvaise valeur « %s »", "bad value %q", ownfile.ClipQuote(string(v.ID))),
					engine.T("gardez les valeurs du fichier par défaut", "keep the values of the default file"))
			}
			c.CheckLabel(at+".fr", v.FR)
			c.CheckLabel(at+".en", v.EN)
			found = found || v.ID == s.Default
		}
		if !found {
			c.AddFaultUnlessEmpty(path+".default",
				engine.Tf("« %s » n’est pas une des valeurs", "%q is none of the values", ownfile.ClipQuote(string(s.Default))),
				engine.T("choisissez un des identifiants sous « values »", "choose one of the ids under \"values\""))
		}
	}
}

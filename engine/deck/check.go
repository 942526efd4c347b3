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

// check notes all that the rules could not play.
func (c *checker) check(d *Deck) {
	if d.Game != "huis-clos" {
		c.in("$.game", ownfile.Bothf("jeu inconnu « %s »", "unknown game %q", ownfile.Quote(string(d.Game))),
			ownfile.Both("écrivez huis-clos", "write huis-clos"))
	}
	if d.ObserveDelay < 0 || d.ObserveDelay > 60_000 {
		c.in("$.observe-delay", ownfile.Both("délai hors limites", "delay out of range"),
			ownfile.Both("de 0 à 60000 millisecondes", "0 to 60000 milliseconds"))
	}
	for _, part := range []func(*Deck){c.places, c.characters, c.roleCards, c.accusations, c.switches} {
		part(d)
	}
}

// count checks the length of a list against the box (rules, 1.1).
func (c *checker) count(path string, have, want int, fr, en string) {
	if have == want {
		return
	}
	c.in(path, ownfile.Bothf("%[1]d %[3]s au lieu de %[2]d", "%[1]d %[4]s instead of %[2]d", have, want, fr, en),
		ownfile.Both("la boîte en contient exactement ce nombre", "the box holds exactly that many"))
}

// named checks id and labels of one thing.
func (c *checker) named(path string, n Named) {
	switch {
	case n.ID == "":
		c.in(path+".id", ownfile.Both("il manque un identifiant", "an id is missing"),
			ownfile.Both("ajoutez « id: »", "add \"id:\""))
	case len(n.ID) > MaxID || !idForm.MatchString(string(n.ID)):
		c.in(path+".id", ownfile.Bothf("mauvais identifiant « %s »", "bad id %q", ownfile.Quote(string(n.ID))),
			ownfile.Both("40 caractères au plus : minuscules, chiffres, mots joints par des tirets",
				"at most 40 characters: lower case, digits, words joined by hyphens"))
	case c.seen[n.ID]:
		c.in(path+".id", ownfile.Bothf("identifiant « %s » déjà employé", "id %q used before", ownfile.Quote(string(n.ID))),
			ownfile.Both("chaque identifiant sert une seule fois", "each id serves once"))
	}
	c.seen[n.ID] = true
	if n.Tag != "" && n.Tag != NoTag {
		c.in(path+".tag", ownfile.Bothf("puce inconnue « %s »", "unknown tag %q", ownfile.Quote(n.Tag)),
			ownfile.Both("none pour une carte sans puce ; sinon, enlevez cette ligne", "none for a card without a tag; otherwise take this line out"))
	}
	c.label(path+".fr", n.FR)
	c.label(path+".en", n.EN)
}

func (c *checker) label(path, s string) {
	switch labelFault(s) {
	case "empty":
		c.in(path, ownfile.Both("il manque un nom", "a name is missing"),
			ownfile.Both("donnez le nom en français (fr) et en anglais (en)", "give the name in French (fr) and in English (en)"))
	case "long":
		c.in(path, ownfile.Bothf("nom trop long : %d octets", "name too long: %d bytes", len(s)),
			ownfile.Both("48 octets au plus, pour tenir sur un téléphone", "at most 48 bytes, to fit on a phone"))
	case "hidden":
		c.in(path, ownfile.Both("nom avec un caractère invisible", "name with an invisible character"),
			ownfile.Both("écrivez-le sur une ligne, sans tabulation", "write it on one line, without tabs"))
	}
}

// labelFault is what is wrong with a name, "" for nothing.
func labelFault(s string) string {
	switch {
	case strings.TrimSpace(s) == "":
		return "empty"
	case len(s) > MaxName:
		return "long"
	case !Printable(s):
		return "hidden"
	}
	return ""
}

// Printable reports whether s is valid UTF-8 made of characters that can be
// seen, so that no name can turn or break the line that shows it.
func Printable(s string) bool {
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

func (c *checker) places(d *Deck) {
	c.count("$.places", len(d.Places), 7, "lieux", "places")
	start := false
	for i, p := range d.Places {
		path := fmt.Sprintf("$.places[%d]", i)
		c.named(path, Named{ID: p.ID, FR: p.FR, EN: p.EN})
		if p.Weapon == (Named{}) {
			c.in(path+".weapon", ownfile.Both("ce lieu n’a pas d’arme", "this place has no weapon"),
				ownfile.Both("ajoutez « weapon: {id: …, fr: …, en: …} »", "add \"weapon: {id: ..., fr: ..., en: ...}\""))
		} else {
			c.named(path+".weapon", p.Weapon)
		}
		if p.ID == d.Start {
			start = true
			if d.StartWeapon == "" {
				d.StartWeapon = p.Weapon.ID
			}
		}
	}
	if len(d.Places) == 0 {
		return
	}
	if !start {
		c.in("$.start", ownfile.Bothf("« %s » n’est pas un lieu", "%q is no place", ownfile.Quote(string(d.Start))),
			ownfile.Both("écrivez l’identifiant du lieu de départ", "write the id of the place where pawns start"))
	}
	if d.StartWeapon != "" && !slices.ContainsFunc(d.Places, func(p Place) bool { return p.Weapon.ID == d.StartWeapon }) {
		c.in("$.start-weapon", ownfile.Bothf("« %s » n’est pas une arme", "%q is no weapon", ownfile.Quote(string(d.StartWeapon))),
			ownfile.Both("écrivez l’identifiant de l’arme posée au lieu de départ", "write the id of the weapon that is laid on the place of the start"))
	}
}

func (c *checker) characters(d *Deck) {
	c.count("$.characters", len(d.Characters), 8, "personnages", "characters")
	for i, p := range d.Characters {
		path := fmt.Sprintf("$.characters[%d]", i)
		c.named(path, Named{ID: p.ID, FR: p.FR, EN: p.EN})
		c.count(path+".clues", len(p.Clues), 4, "indices", "clues")
		for j, clue := range p.Clues {
			c.named(fmt.Sprintf("%s.clues[%d]", path, j), clue)
		}
	}
}

func (c *checker) roleCards(d *Deck) {
	c.count("$.role-cards", len(d.RoleCards), 8, "cartes Suspect", "role cards")
	murderers := 0
	for i, r := range d.RoleCards {
		path := fmt.Sprintf("$.role-cards[%d]", i)
		c.named(path, Named{ID: r.ID, FR: r.FR, EN: r.EN, Tag: r.Tag})
		switch r.Role {
		case Murderer:
			murderers++
		case Innocent:
		default:
			c.in(path+".role", ownfile.Bothf("rôle inconnu « %s »", "unknown role %q", ownfile.Quote(r.Role)),
				ownfile.Both("murderer ou innocent", "murderer or innocent"))
		}
	}
	if len(d.RoleCards) == 0 {
		return // told already
	}
	c.count("$.role-cards", murderers, 1, "cartes Meurtrier", "Murderer cards")
}

func (c *checker) accusations(d *Deck) {
	c.count("$.accusation-cards", len(d.Accusations), 8, "cartes Accusation", "Accusation cards")
	for i, a := range d.Accusations {
		c.named(fmt.Sprintf("$.accusation-cards[%d]", i), a)
	}
}

// houseRules are the switches that the rules know, with their values; a deck
// has each of them and chooses the default.
var houseRules = map[engine.ID][]engine.ID{
	"rounds-exhausted":              {"survivors", "murderer", "nobody"},
	"confrontation-round-limit":     {"applies", "lifted"},
	"confrontation-double-kill":     {"murderer", "nobody"},
	"confrontation-destroy-weapons": {"never", "if-nothing-else", "always"},
	"destroy-below-limit":           {"allowed", "forbidden"},
	"exchange-order":                {"draw-then-give", "give-then-draw"},
	"post-game-debrief":             {"off", "on"},
}

func (c *checker) switches(d *Deck) { c.rules(d.Switches, houseRules) }

// rules checks the house rules of a deck against those that the game knows.
func (c *checker) rules(list []Switch, houseRules map[engine.ID][]engine.ID) {
	c.count("$.switches", len(list), len(houseRules), "règles maison", "house rules")
	for i, s := range list {
		path := fmt.Sprintf("$.switches[%d]", i)
		c.named(path, Named{ID: s.ID, FR: s.FR, EN: s.EN})
		known, ok := houseRules[s.ID]
		if ok {
			c.count(path+".values", len(s.Values), len(known), "valeurs", "values")
		} else {
			c.in(path+".id", ownfile.Bothf("règle maison inconnue « %s »", "unknown house rule %q", ownfile.Quote(string(s.ID))),
				ownfile.Both("gardez les identifiants du fichier par défaut", "keep the ids of the default file"))
		}
		found := false
		for j, v := range s.Values {
			at := fmt.Sprintf("%s.values[%d]", path, j)
			if j < len(known) && v.ID != known[j] {
				c.in(at+".id", ownfile.Bothf("mauvaise valeur « %s »", "bad value %q", ownfile.Quote(string(v.ID))),
					ownfile.Both("gardez les valeurs du fichier par défaut", "keep the values of the default file"))
			}
			c.label(at+".fr", v.FR)
			c.label(at+".en", v.EN)
			found = found || v.ID == s.Default
		}
		if !found {
			c.in(path+".default", ownfile.Bothf("« %s » n’est pas une des valeurs", "%q is none of the values", ownfile.Quote(string(s.Default))),
				ownfile.Both("choisissez un des identifiants sous « values »", "choose one of the ids under \"values\""))
		}
	}
}

package deck

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"majordome/engine"
)

var idForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// check tells of the first fault, in the order of the file.
func (c *checker) check(d *Deck) error {
	if d.Game != "huis-clos" {
		return c.in("$.game", sayf("jeu inconnu « %s »", "unknown game %q", clip(string(d.Game))),
			say("écrivez huis-clos", "write huis-clos"))
	}
	if d.ObserveDelay < 0 || d.ObserveDelay > 60_000 {
		return c.in("$.observe-delay", say("délai hors limites", "delay out of range"),
			say("de 0 à 60000 millisecondes", "0 to 60000 milliseconds"))
	}
	for _, part := range []func(*Deck) error{c.places, c.characters, c.roleCards, c.accusations, c.switches} {
		if err := part(d); err != nil {
			return err
		}
	}
	return nil
}

// count checks the length of a list against the box (rules, 1.1).
func (c *checker) count(path string, have, want int, fr, en string) error {
	if have == want {
		return nil
	}
	return c.in(path, sayf("%[1]d %[3]s au lieu de %[2]d", "%[1]d %[4]s instead of %[2]d", have, want, fr, en),
		say("la boîte en contient exactement ce nombre", "the box holds exactly that many"))
}

// named checks id and labels of one thing.
func (c *checker) named(path string, n Named) error {
	switch {
	case n.ID == "":
		return c.in(path+".id", say("il manque un identifiant", "an id is missing"),
			say("ajoutez « id: »", "add \"id:\""))
	case len(n.ID) > MaxID || !idForm.MatchString(string(n.ID)):
		return c.in(path+".id", sayf("mauvais identifiant « %s »", "bad id %q", clip(string(n.ID))),
			say("40 caractères au plus : minuscules, chiffres, mots joints par des tirets",
				"at most 40 characters: lower case, digits, words joined by hyphens"))
	case c.seen[n.ID]:
		return c.in(path+".id", sayf("identifiant « %s » déjà employé", "id %q used before", clip(string(n.ID))),
			say("chaque identifiant sert une seule fois", "each id serves once"))
	}
	c.seen[n.ID] = true
	if n.Tag != "" && n.Tag != NoTag {
		return c.in(path+".tag", sayf("puce inconnue « %s »", "unknown tag %q", clip(n.Tag)),
			say("none pour une carte sans puce ; sinon, enlevez cette ligne", "none for a card without a tag; otherwise take this line out"))
	}
	if err := c.label(path+".fr", n.FR); err != nil {
		return err
	}
	return c.label(path+".en", n.EN)
}

func (c *checker) label(path, s string) error {
	switch labelFault(s) {
	case "empty":
		return c.in(path, say("il manque un nom", "a name is missing"),
			say("donnez le nom en français (fr) et en anglais (en)", "give the name in French (fr) and in English (en)"))
	case "long":
		return c.in(path, sayf("nom trop long : %d octets", "name too long: %d bytes", len(s)),
			say("48 octets au plus, pour tenir sur un téléphone", "at most 48 bytes, to fit on a phone"))
	case "hidden":
		return c.in(path, say("nom avec un caractère invisible", "name with an invisible character"),
			say("écrivez-le sur une ligne, sans tabulation", "write it on one line, without tabs"))
	}
	return nil
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

func (c *checker) places(d *Deck) error {
	if err := c.count("$.places", len(d.Places), 7, "lieux", "places"); err != nil {
		return err
	}
	start := false
	for i, p := range d.Places {
		path := fmt.Sprintf("$.places[%d]", i)
		if err := c.named(path, Named{ID: p.ID, FR: p.FR, EN: p.EN}); err != nil {
			return err
		}
		if p.Weapon == (Named{}) {
			return c.in(path+".weapon", say("ce lieu n’a pas d’arme", "this place has no weapon"),
				say("ajoutez « weapon: {id: …, fr: …, en: …} »", "add \"weapon: {id: ..., fr: ..., en: ...}\""))
		}
		if err := c.named(path+".weapon", p.Weapon); err != nil {
			return err
		}
		if p.ID == d.Start {
			start = true
			if d.StartWeapon == "" {
				d.StartWeapon = p.Weapon.ID
			}
		}
	}
	if !start {
		return c.in("$.start", sayf("« %s » n’est pas un lieu", "%q is no place", clip(string(d.Start))),
			say("écrivez l’identifiant du lieu de départ", "write the id of the place where pawns start"))
	}
	if !slices.ContainsFunc(d.Places, func(p Place) bool { return p.Weapon.ID == d.StartWeapon }) {
		return c.in("$.start-weapon", sayf("« %s » n’est pas une arme", "%q is no weapon", clip(string(d.StartWeapon))),
			say("écrivez l’identifiant de l’arme posée au lieu de départ", "write the id of the weapon that is laid on the place of the start"))
	}
	return nil
}

func (c *checker) characters(d *Deck) error {
	if err := c.count("$.characters", len(d.Characters), 8, "personnages", "characters"); err != nil {
		return err
	}
	for i, p := range d.Characters {
		path := fmt.Sprintf("$.characters[%d]", i)
		if err := c.named(path, Named{ID: p.ID, FR: p.FR, EN: p.EN}); err != nil {
			return err
		}
		if err := c.count(path+".clues", len(p.Clues), 4, "indices", "clues"); err != nil {
			return err
		}
		for j, clue := range p.Clues {
			if err := c.named(fmt.Sprintf("%s.clues[%d]", path, j), clue); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *checker) roleCards(d *Deck) error {
	if err := c.count("$.role-cards", len(d.RoleCards), 8, "cartes Suspect", "role cards"); err != nil {
		return err
	}
	murderers := 0
	for i, r := range d.RoleCards {
		path := fmt.Sprintf("$.role-cards[%d]", i)
		if err := c.named(path, Named{ID: r.ID, FR: r.FR, EN: r.EN, Tag: r.Tag}); err != nil {
			return err
		}
		switch r.Role {
		case Murderer:
			murderers++
		case Innocent:
		default:
			return c.in(path+".role", sayf("rôle inconnu « %s »", "unknown role %q", clip(r.Role)),
				say("murderer ou innocent", "murderer or innocent"))
		}
	}
	return c.count("$.role-cards", murderers, 1, "cartes Meurtrier", "Murderer cards")
}

func (c *checker) accusations(d *Deck) error {
	if err := c.count("$.accusation-cards", len(d.Accusations), 8, "cartes Accusation", "Accusation cards"); err != nil {
		return err
	}
	for i, a := range d.Accusations {
		if err := c.named(fmt.Sprintf("$.accusation-cards[%d]", i), a); err != nil {
			return err
		}
	}
	return nil
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

func (c *checker) switches(d *Deck) error { return c.rules(d.Switches, houseRules) }

// rules checks the house rules of a deck against those that the game knows.
func (c *checker) rules(list []Switch, houseRules map[engine.ID][]engine.ID) error {
	if err := c.count("$.switches", len(list), len(houseRules), "règles maison", "house rules"); err != nil {
		return err
	}
	for i, s := range list {
		path := fmt.Sprintf("$.switches[%d]", i)
		if err := c.named(path, Named{ID: s.ID, FR: s.FR, EN: s.EN}); err != nil {
			return err
		}
		known, ok := houseRules[s.ID]
		if !ok {
			return c.in(path+".id", sayf("règle maison inconnue « %s »", "unknown house rule %q", clip(string(s.ID))),
				say("gardez les identifiants du fichier par défaut", "keep the ids of the default file"))
		}
		if err := c.count(path+".values", len(s.Values), len(known), "valeurs", "values"); err != nil {
			return err
		}
		found := false
		for j, v := range s.Values {
			at := fmt.Sprintf("%s.values[%d]", path, j)
			if v.ID != known[j] {
				return c.in(at+".id", sayf("mauvaise valeur « %s »", "bad value %q", clip(string(v.ID))),
					say("gardez les valeurs du fichier par défaut", "keep the values of the default file"))
			}
			if err := c.label(at+".fr", v.FR); err != nil {
				return err
			}
			if err := c.label(at+".en", v.EN); err != nil {
				return err
			}
			found = found || v.ID == s.Default
		}
		if !found {
			return c.in(path+".default", sayf("« %s » n’est pas une des valeurs", "%q is none of the values", clip(string(s.Default))),
				say("choisissez un des identifiants sous « values »", "choose one of the ids under \"values\""))
		}
	}
	return nil
}

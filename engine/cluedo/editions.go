package cluedo

import (
	"embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/deck"
	"majordome/engine/internal/rules"
	"majordome/engine/ownfile"
	catalogue "majordome/engine/words"
)

//go:embed editions
var editionFiles embed.FS

// Editions lists the games of the family that come with the program.
func Editions() (games []engine.ID) {
	files, err := editionFiles.ReadDir("editions")
	if err != nil {
		panic("cluedo: no editions: " + err.Error())
	}
	for _, file := range files {
		games = append(games, engine.ID(strings.TrimSuffix(file.Name(), ".yaml")))
	}
	return games
}

// editionText returns the YAML of a built-in edition; nil if the game has none.
func editionText(game engine.ID) []byte {
	text, _ := editionFiles.ReadFile("editions/" + string(game) + ".yaml")
	return text
}

// loadEdition parses a built-in edition; nil if the game has none. It does so for each deck again,
// because most commands of the program need no edition.
func loadEdition(game engine.ID) *edition {
	text := editionText(game)
	if text == nil {
		return nil
	}
	e, err := parseEdition(string(game)+".yaml", text)
	if err != nil {
		panic("cluedo: an embedded edition is broken: " + err.Error())
	}
	return e
}

// parseEdition reads and checks an edition. name is the file's name, for messages. The error is an
// ownfile.Faults with all findings.
func parseEdition(name string, text []byte) (*edition, error) {
	e := new(edition)
	c := deck.Parse(name, text, e)
	e.checkAndFill(c)
	if err := c.Err(); err != nil {
		return nil, err
	}
	return e, nil
}

// checkAndFill reports everything that the engine could not play, and fills the parsed fields.
func (e *edition) checkAndFill(f *deck.Checker) {
	for _, of := range []struct {
		path string
		have map[string]string
		want []string
	}{{"$.events", e.Events, eventCardKinds()}, {"$.powers", e.Powers, powers.kindNames()}} {
		for _, kind := range slices.Sorted(maps.Keys(of.have)) {
			f.CheckWord(of.path+"."+kind, kind, of.want, "sorte inconnue", "unknown kind")
		}
	}
	if e.hasHeldCards() && slices.ContainsFunc(clueActions, func(k *clueAction) bool { return e.Events[k.kind] != "" }) {
		f.AddFault("$.events", engine.T("des cartes d’indice parmi d’autres", "clue cards among others"),
			engine.T("un jeu tire les unes ou les autres", "a game draws the ones or the others"))
	}
	e.resolvePolicies(f)
	e.checkSizes(f)
	e.checkCombinations(f)
	e.parsePresets(f)
	e.parsePhases(f)
	e.checkCitedRules(f)
}

// parsePhases reports phases that a turn cannot have, and fills turnSteps.
func (e *edition) parsePhases(f *deck.Checker) {
	known := make([]string, len(turnPhases))
	for i, of := range turnPhases {
		known[i] = stepRows[of].code
	}
	for i, code := range e.Turn {
		at := slices.Index(known, code)
		if at < 0 || slices.Contains(e.turnSteps, turnPhases[max(at, 0)]) {
			f.AddFault(fmt.Sprintf("$.turn[%d]", i),
				engine.Tf("phase « %s » inconnue, ou déjà là", "phase %q is unknown, or there already", ownfile.ClipQuote(code)),
				engine.Tf("chacune une fois, parmi %v", "each once, of %v", known))
			continue
		}
		e.turnSteps = append(e.turnSteps, turnPhases[at])
	}
	if e.Sizes.Hidden > 0 && !e.hasLookPhase() {
		f.AddFault("$.sizes.hidden", engine.Tf("%d cartes cachées", "%d hidden cards", e.Sizes.Hidden),
			engine.Tf("ajoutez au tour la phase « %s »", "add the phase %q to the turn", stepRows[stepLook].code))
	}
	move, act := slices.Index(e.turnSteps, stepMove), slices.Index(e.turnSteps, stepAct)
	if move < 0 || act < move {
		f.AddFault("$.turn", engine.T("un tour où personne ne peut émettre d’hypothèse", "a turn in which nobody can make a hypothesis"),
			engine.Tf("gardez « %s », puis « %s »", "keep %q, and %q after it", stepRows[stepMove].code, stepRows[stepAct].code))
	}
	if n := len(e.turnSteps); n == 0 || e.turnSteps[0] != stepStart || e.turnSteps[n-1] != stepEnd {
		f.AddFault("$.turn", engine.T("un tour sans début ou sans fin", "a turn without a start or an end"),
			engine.Tf("de « %s » à « %s »", "from %q to %q", stepRows[stepStart].code, stepRows[stepEnd].code))
	}
}

// resolvePolicies fills policySettings and switchTable. It reports policies that are settled twice
// and unknown values. A policy that the edition does not settle has its first value.
func (e *edition) resolvePolicies(f *deck.Checker) {
	ids := make([]string, numPolicies)
	for p := range policies {
		ids[p] = policies[p].id
	}
	for _, id := range slices.Sorted(maps.Keys(e.Policies)) {
		path := "$.policies." + id
		if checkRuleID(f, path, id, ids) {
			p := slices.Index(ids, id)
			checkRuleValue(f, path, e.Policies[id], policies[p].values)
			e.policySettings[p].value = e.Policies[id]
		}
	}
	e.parseWalk(f)
	e.checkRuleNames(f)
	if len(e.Switches) > maxSwitches {
		f.AddFault("$.switches", engine.Tf("%d règles maison", "%d house rules", len(e.Switches)),
			engine.Tf("%d au plus", "at most %d", maxSwitches))
	}
	defer e.checkWhenConditions(f)
	seen := map[engine.ID]bool{presetSwitch: true}
	for i, sw := range e.Switches {
		path := fmt.Sprintf("$.switches[%d]", i)
		of := rules.Switch{ID: sw.ID, Rule: sw.Rule, Values: sw.valueIDs()}
		f.CheckUniqueID(path+".id", engine.ID(sw.ID), seen)
		sw.checkHouseRule(f, path)
		e.switchTable = append(e.switchTable, of)
		if sw.isEditionSwitch() || !checkRuleID(f, path+".id", sw.ID, ids) {
			continue
		}
		p := slices.Index(ids, sw.ID)
		if e.policySettings[p] != (policySetting{}) {
			f.AddFault(path+".id", engine.Tf("« %s » est déjà réglé", "%q is settled already", sw.ID),
				engine.T("une seule fois", "settle it once"))
		}
		for j, v := range of.Values {
			checkRuleValue(f, fmt.Sprintf("%s.values[%d].id", path, j), v, policies[p].values)
		}
		e.policySettings[p].switchNumber = i + 1
	}
	for p := range policies {
		if e.policySettings[p] == (policySetting{}) {
			e.policySettings[p].value = policies[p].values[0]
		}
	}
}

// checkRuleID reports an unknown house rule, and checkRuleValue an unknown value of one.
func checkRuleID(f *deck.Checker, path, id string, known []string) (isKnown bool) {
	return f.CheckWord(path, id, known, "règle maison inconnue", "unknown house rule")
}

func checkRuleValue(f *deck.Checker, path, value string, known []string) {
	f.CheckWord(path, value, known, "valeur inconnue", "unknown value")
}

// maxSwitches is the largest number of house rules of an edition.
const maxSwitches = 16

// maxValues is the largest number of values of a house rule.
const maxValues = 16

// checkHouseRule reports unreadable names, and too few or too many values.
func (h *houseRule) checkHouseRule(f *deck.Checker, path string) {
	f.CheckLabel(path+".fr", h.FR)
	f.CheckLabel(path+".en", h.EN)
	if n := len(h.Values); n < 1 || n > maxValues {
		f.AddFault(path+".values", engine.Tf("une règle maison à %d valeurs", "a house rule of %d values", n),
			engine.Tf("de 1 à %d", "1 to %d", maxValues))
	}
	seen := map[engine.ID]bool{}
	for j, v := range h.Values {
		of := fmt.Sprintf("%s.values[%d]", path, j)
		f.CheckUniqueID(of+".id", v.ID, seen)
		f.CheckLabel(of+".fr", v.FR)
		f.CheckLabel(of+".en", v.EN)
	}
}

// parseWalk reports words of walks that are unknown or settled twice, and fills walkRules.
func (e *edition) parseWalk(f *deck.Checker) {
	by := map[string]bool{}
	check := func(path string, part board.Policy, add map[string]bool) {
		for _, w := range part.GivenWords() {
			add[w.Key] = path != "$.walk" || f.HasValue("$.walk."+w.Key) // an inherited word may be left to the table
			checkRuleValue(f, path+"."+w.Key, w.Word, w.Known)
		}
	}
	check("$.walk", e.Walk, by)
	for i, sw := range e.Switches {
		path, mine := fmt.Sprintf("$.switches[%d].walk", i), map[string]bool{}
		for _, value := range slices.Sorted(maps.Keys(sw.Walk)) {
			checkRuleValue(f, path+"."+value, value, sw.valueIDs())
			check(path+"."+value, sw.Walk[value], mine)
		}
		for _, key := range slices.Sorted(maps.Keys(mine)) {
			if by[key] {
				f.AddFault(path, engine.Tf("« %s » est déjà réglé", "%q is settled already", key),
					engine.T("une seule fois", "settle it once"))
			}
			by[key] = true
		}
		if sw.Walk == nil {
			continue
		}
		w := walkRule{switchIndex: i}
		for _, value := range sw.valueIDs() {
			w.parts = append(w.parts, sw.Walk[value])
		}
		e.walkRules = append(e.walkRules, w)
	}
}

// checkSizes reports a box that is too large for the state, or too small to be dealt.
func (e *edition) checkSizes(f *deck.Checker) {
	if e.Players.Least < 2 || e.Players.Most > maxSeats || e.Players.Least > e.Players.Most {
		f.AddFault("$.players", engine.Tf("de %d à %d joueurs", "%d to %d players", e.Players.Least, e.Players.Most),
			engine.Tf("least et most : de 2 à %d", "least and most: 2 to %d", maxSeats))
	}
	z, areas := &e.Sizes, maxAreas
	if e.hasPool() {
		areas--
	}
	for _, of := range []struct {
		key               string
		have, least, most int
	}{
		{"suspects", z.Suspects, e.Players.Most, maxSuspects}, {"weapons", z.Weapons, 2, maxWeapons}, {"rooms", z.Rooms, 2, areas},
		{"places", z.Places, 0, max(areas-z.Rooms, 0)}, {"times", z.Times, 0, maxTimeCards}, {"hidden", z.Hidden, 0, z.Rooms},
	} {
		if of.have < of.least || of.have > of.most {
			f.AddFault("$.sizes."+of.key, engine.Tf("%s : %d", "%s: %d", of.key, of.have),
				engine.Tf("de %d à %d", "%d to %d", of.least, of.most))
		}
	}
	if dealt := z.Suspects + z.Weapons + z.Rooms - 3 - z.Hidden; dealt < e.Players.Most {
		f.AddFault("$.sizes", engine.Tf("%d cartes à partager entre %d joueurs", "%d cards to deal to %d players", dealt, e.Players.Most),
			engine.T("gardez plus de cartes, ou cachez-en moins", "keep more cards, or hide fewer"))
	}
	for _, of := range []struct {
		key        string
		have, most int
	}{{"points", e.MarkedFace.Points, 6}, {"draws", e.MarkedFace.Draws, maxDraws}} {
		if of.have < 0 || of.have > of.most {
			f.AddFault("$.marked-face."+of.key, engine.Tf("%s : %d", "%s: %d", of.key, of.have),
				engine.Tf("de %d à %d", "%d to %d", 0, of.most))
		}
	}
	if z.Times > 0 && len(e.Events) == 0 {
		f.AddFault("$.sizes.times", engine.T("des cartes Temps sans cartes à tirer", "Time cards without cards to draw"),
			engine.T("donnez les règles des cartes sous « events », ou 0", "give the rules of the cards under \"events\", or 0"))
	}
}

// checkCombinations reports values of policies that do not fit the rest of the edition.
func (e *edition) checkCombinations(f *deck.Checker) {
	for _, of := range []struct {
		p        policy
		bad      bool
		why, how engine.Text
	}{
		{polDeal, e.policySettings[polDeal].switchNumber > 0,
			engine.T("le partage des cartes n’est pas laissé à la table", "how cards are dealt is not left to the table"),
			engine.Tf("réglez « %s » sous policies", "settle %q under policies", policies[polDeal].id)},
		{polFirstPlayer, e.policySettings[polFirstPlayer].switchNumber > 0 &&
			(e.allowsPolicy(polFirstPlayer, "highest") || e.allowsPolicy(polFirstPlayer, "cast")),
			engine.T("la table choisirait si l’on trouve qui commence avant le partage ou après",
				"the table would choose whether who begins is found before the deal or after it"),
			engine.Tf("laissez-lui %v, ou réglez « %s » sous policies", "leave it %v, or settle %q under policies",
				[]string{"dealer-left", "dealer"}, policies[polFirstPlayer].id)},
		{polAccuseWhere, !e.hasPool() && e.allowsPolicy(polAccuseWhere, "pool"),
			engine.T("on accuse à la piscine, et ce jeu n’en a pas", "one accuses at the pool, and this game has none"),
			engine.Tf("prenez une autre valeur de « %s »", "take another value of %q", policies[polAccuseWhere].id)},
		{polMode, e.Sizes.Hidden == 0 && (e.allowsPolicy(polMode, "two-player") || e.allowsPolicy(polMode, "team")),
			engine.T("cette manière de jouer cache des cartes dans des pièces", "this way of playing hides cards in rooms"),
			engine.T("donnez leur nombre sous sizes : hidden", "give their number under sizes: hidden")},
		{polDrawTiming, !e.hasHeldCards() && (e.allowsPolicy(polDrawTiming, "immediate") ||
			e.allowsPolicy(polDrawTiming, "until-own-turn")),
			engine.T("un pion déplacé fait tirer une carte, et ce jeu n’en a pas qui aille en main",
				"a pawn that was moved draws a card, and this game has none that goes into a hand"),
			engine.Tf("écrivez %s: never", "write %s: never", policies[polDrawTiming].id)},
	} {
		if of.bad {
			f.AddFault("$.policies."+policies[of.p].id, of.why, of.how)
		}
	}
}

// maxDraws is the largest number of cards that one face of a die draws.
const maxDraws = 4

// maxTimeCards is the largest number of Time cards: the hours on the clock of pages and lights.
const maxTimeCards = 8

// ruleIDPattern matches the id of a rule, as in scripts.
var ruleIDPattern = regexp.MustCompile(`^[A-Z0-9]{2,3}-E?[0-9]{2,3}$`)

// citedRules returns the rules that the edition names, by their path in the YAML.
func (e *edition) citedRules() map[string]string {
	all := map[string]string{}
	for _, f := range e.Rules.allRuleFields() {
		if *f.rule != "" {
			all["$.rules."+f.key] = *f.rule
		}
	}
	for part, rules := range map[string]map[string]string{"events": e.Events, "powers": e.Powers} {
		for kind, rule := range rules {
			all["$."+part+"."+kind] = rule
		}
	}
	for i, sw := range e.Switches {
		all[fmt.Sprintf("$.switches[%d].rule", i)] = sw.Rule
	}
	return all
}

// allowsPolicy reports whether the policy has this value, or can have it by a house rule.
func (e *edition) allowsPolicy(p policy, value string) bool {
	of := e.policySettings[p]
	return of.value == value || of.switchNumber > 0 && slices.Contains(e.switchTable[of.switchNumber-1].Values, value)
}

// hasHeldCards reports whether event cards go into hands or on a track, so that they are not clue
// cards.
func (e *edition) hasHeldCards() bool {
	for kind := range e.Events {
		if clueActionOf(kind) == nil {
			return true
		}
	}
	return false
}

// allowsWalkWith reports whether hasProperty is true of the way of walking, in the edition or with one value of a
// house rule.
func (e *edition) allowsWalkWith(hasProperty func(board.Policy) bool) bool {
	for _, sw := range e.Switches {
		for _, part := range sw.Walk {
			if hasProperty(e.Walk.WithWordsOf(part)) {
				return true
			}
		}
	}
	return hasProperty(e.Walk)
}

// allowsSpySquares reports whether pawns pause on marked squares to see a card, perhaps only under
// a house rule.
func (e *edition) allowsSpySquares() bool {
	return e.allowsWalkWith(func(p board.Policy) bool { return p.Marks == board.MarksPause })
}

func (e *edition) hasPool() bool { return e.policySettings[polDeal].value == "equal" }

// checkCitedRules reports malformed rule ids, and rules that are missing for something the edition
// has.
func (e *edition) checkCitedRules(f *deck.Checker) {
	cited := e.citedRules()
	for _, path := range slices.Sorted(maps.Keys(cited)) {
		if !ruleIDPattern.MatchString(cited[path]) {
			f.AddFault(path, engine.Tf("« %s » n’est pas le numéro d’une règle", "%q is no number of a rule",
				ownfile.ClipQuote(cited[path])),
				engine.T("deux ou trois capitales, un tiret, deux ou trois chiffres : AB-012",
					"two or three capitals, a hyphen, two or three digits: AB-012"))
		}
	}
	for _, of := range []struct {
		has  bool
		keys string
	}{
		{true, "players character envelope deal begins next way dice twice stuck leave passage reach stay " +
			"hypothesis names ask show none accuse accuse-where look judge wrong wins lost"},
		{e.hasPool(), "pool peek nothing in-pool"}, {e.allowsWalkWith(func(p board.Policy) bool { return p.Rooms != board.RoomsCross }),
			"back"},
		{e.allowsPolicy(polSameRoom, "no"), "again"},
		{e.allowsPolicy(polAccuseWhen, "instead"), "not-both"}, {e.allowsSpySquares(), "spy"}, {e.Sizes.Places > 0, "no-card"},
		{e.Sizes.Hidden > 0, "hidden peek"},
		{e.allowsPolicy(polMustCombine, "compulsory"), "combine"},
		{!e.allowsPolicy(polDrawTiming, "never"), "displaced displaced-now"}, {len(e.Events) > 0, "draw drawn"},
		{e.hasHeldCards() || len(e.Powers) > 0, "card window"}, {len(e.Powers) > 0, "spent"},
		{e.Sizes.Times > 0, "track dead open murdered"},
	} {
		for key := range strings.FieldsSeq(of.keys) {
			if _, ok := cited["$.rules."+key]; of.has && !ok {
				f.AddFault("$.rules."+key, engine.Tf("la règle « %s » manque", "the rule %q is missing", key),
					engine.T("donnez-lui un numéro, comme AB-012", "give it a number, such as AB-012"))
			}
		}
	}
}

// placeholders matches the blanks of a sentence, such as {seat}.
var placeholders = regexp.MustCompile(`\{[a-z0-9-]+\}`)

// checkSentences reports sentences that could never be said. It reads a catalogue, so a test checks
// the built-in editions instead.
func (e *edition) checkSentences(f *deck.Checker) {
	family, err := catalogue.Open(catalogue.FR)
	if err != nil {
		panic("cluedo: " + err.Error())
	}
	say := knownSentences{family, slices.DeleteFunc(family.Keys(), func(key string) bool { return !strings.HasPrefix(key, "cl.") }),
		slices.Collect(maps.Values(e.citedRules()))}
	for _, key := range slices.Sorted(maps.Keys(e.Words)) {
		for _, k := range []string{key, e.Words[key]} {
			if !slices.Contains(say.keys, k) {
				reportUnknownSentence(f, "$.words."+key, k, say.keys)
			}
		}
	}
	say.checkSentences(f, "$.sentences", e.Sentences)
	for i, sw := range e.Switches {
		for _, value := range slices.Sorted(maps.Keys(sw.Sentences)) {
			say.checkSentences(f, fmt.Sprintf("$.switches[%d].sentences.%s", i, value), sw.Sentences[value])
		}
	}
}

// knownSentences are the sentences that an edition may replace: by their keys in the catalogue of
// the family, or by a rule that it cites.
type knownSentences struct {
	family      *catalogue.Catalogue
	keys, rules []string
}

// checkSentences reports sentences that are not among those, or that could never be said.
func (s knownSentences) checkSentences(f *deck.Checker, path string, said map[string]label) {
	for _, key := range slices.Sorted(maps.Keys(said)) {
		at := path + "." + key
		if !slices.Contains(s.keys, key) && !slices.Contains(s.rules, key) {
			reportUnknownSentence(f, at, key, s.keys)
			continue
		}
		has := placeholders.FindAllString(s.family.Sentence(key), -1)
		checkSentence(f, at+".fr", said[key].FR, has)
		checkSentence(f, at+".en", said[key].EN, has)
	}
}

func reportUnknownSentence(f *deck.Checker, path, key string, known []string) {
	hint := engine.T("une clé de engine/words/cluedo/fr.json qui commence par « cl. », ou une règle de l’édition",
		"a key of engine/words/cluedo/en.json that begins with \"cl.\", or a rule of the edition")
	if near := ownfile.FindNearest(key, known); near != "" {
		hint = engine.Tf("vouliez-vous écrire « %s » ?", "did you mean %q?", near)
	}
	f.AddFault(path, engine.Tf("phrase inconnue « %s »", "unknown sentence %q", ownfile.ClipQuote(key)), hint)
}

// checkSentence reports a sentence that is empty or not printable, and placeholders that the
// family's sentence does not have.
func checkSentence(f *deck.Checker, path, sentence string, allowedBlanks []string) {
	if strings.TrimSpace(sentence) == "" || !deck.IsPrintable(sentence) {
		f.AddFault(path, engine.T("une phrase vide, ou avec un caractère invisible",
			"a sentence that is empty, or has an invisible character"), engine.T("écrivez-la sur une ligne", "write it on one line"))
	}
	for _, blank := range placeholders.FindAllString(sentence, -1) {
		if !slices.Contains(allowedBlanks, blank) {
			f.AddFault(path, engine.Tf("rien ne remplit %s", "nothing fills %s", ownfile.ClipQuote(blank)),
				engine.Tf("cette phrase a %v", "this sentence has %v", allowedBlanks))
		}
	}
}

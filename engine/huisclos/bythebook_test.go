package huisclos

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
)

// chair is the position as one seat reads it from its own view. Its methods say what that seat may do, in the terms of the rules. They
// share no code with the engine.
type chair struct {
	v    engine.View
	me   engine.SeatView
	hand []string
	new  string // the clue just taken
	tray []string
	duel bool
	// walked is true once the seat has moved in this investigation. If there is nowhere to go, no obligation is left (HC-188).
	walked bool
}

func isWeaponID(c string) bool { return strings.HasPrefix(c, "weapon-") }

func weaponCount(cs []string) (n int) {
	for _, c := range cs {
		if isWeaponID(c) {
			n++
		}
	}
	return n
}

func withoutMatching(cs []string, drop func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(cs), drop)
}

func chairOf(v engine.View) chair {
	r := chair{v: v, duel: v.Mood == engine.MoodDuel}
	for _, s := range v.Seats {
		if s.Seat == v.Me.Seat {
			r.me = s
		}
	}
	for _, c := range v.Me.Hand {
		r.hand = append(r.hand, string(c.Card))
		if slices.Contains(c.Marks, "new") {
			r.new = string(c.Card)
		}
	}
	for _, c := range v.Me.Tray {
		r.tray = append(r.tray, string(c))
	}
	return r
}

// isInnocent reports whether the limits of an Innocent bind the seat (HC-042, HC-201).
func (r chair) isInnocent() bool { return r.v.Me.Role == "role-innocent" && !r.duel }

func (r chair) placeView(id engine.ID) engine.PlaceView {
	i := slices.IndexFunc(r.v.Places, func(p engine.PlaceView) bool { return p.Place == id })
	return r.v.Places[i]
}

// victims counts those whom a weapon kills now (part 2: kills(w)).
func (r chair) victims(w string) int {
	for _, p := range r.v.Places {
		if string(p.Weapon) == w && p.Open {
			return len(p.Pawns)
		}
	}
	return 0
}

// askedAct is the act that a prompt asks for: the third word of hc.prompt.act.search.you.
func askedAct(v engine.View) string { return strings.Split(v.Prompt.Key, ".")[2] }

// isCompelled reports whether the seat has to act: HC-181, HC-182, HC-188. Before the move it checks that another open
// place has clues; after the move, that the seat's own place has.
func (r chair) isCompelled() bool {
	if !r.isInnocent() || weaponCount(r.hand) < 2 {
		return false
	}
	if askedAct(r.v) == "act" {
		return r.walked && r.placeView(r.me.Place).Cards > 0
	}
	return slices.ContainsFunc(r.v.Places, func(p engine.PlaceView) bool {
		return p.Open && p.Place != r.me.Place && p.Cards > 0
	})
}

// encounters lists the exchanges and accusations open to r in a place, as if the seat were there.
func (r chair) encounters(at engine.ID) (exchange []string, accuse map[string][]string) {
	accuse = map[string][]string{}
	tied := r.isCompelled() // HC-188
	for _, s := range r.v.Seats {
		if s.Seat == r.me.Seat || !s.Alive || s.Place != at || tied {
			continue
		}
		if len(r.hand) == 3 && s.Cards > 0 { // HC-081, HC-082
			exchange = append(exchange, s.Seat.String())
		}
		if r.v.Clock.At >= r.v.Clock.Mark && !r.duel && r.me.Tokens > 0 { // HC-090, HC-091, HC-202
			whose := strings.TrimPrefix(string(s.Character), "character-")
			if cs := withoutMatching(r.hand, func(c string) bool { return !strings.HasPrefix(c, "clue-"+whose+"-") }); len(cs) > 0 {
				accuse[s.Seat.String()] = cs
			}
		}
	}
	return exchange, accuse
}

// moveTargets lists the places to move to: HC-050 to HC-054, HC-181, HC-182.
func (r chair) moveTargets() (to []string) {
	var open, useful, fullest []string
	most := 1
	for _, p := range r.v.Places {
		if !p.Open || p.Place == r.me.Place {
			continue
		}
		open = append(open, string(p.Place))
		exchange, accuse := r.encounters(p.Place)
		if p.Cards > 0 || len(exchange) > 0 || len(accuse) > 0 {
			useful = append(useful, string(p.Place))
		}
		if p.Cards > most {
			most, fullest = p.Cards, nil
		}
		if p.Cards == most {
			fullest = append(fullest, string(p.Place))
		}
	}
	switch {
	case r.isCompelled():
		return fullest
	case len(useful) > 0:
		return useful
	}
	return open
}

func firstNonEmpty(a, b []string) []string {
	if len(a) > 0 {
		return a
	}
	return b
}

// takeable lists the clues that may be taken: HC-061, HC-067, HC-183.
func (r chair) takeable() []string {
	tame := withoutMatching(r.tray, isWeaponID)
	switch n := weaponCount(r.hand); {
	case !r.isInnocent(), n == 0, n == 1 && len(r.hand) == 3:
		return r.tray
	}
	return firstNonEmpty(tame, r.tray)
}

// takeableLast lists the clues that may be taken as the last thing of a search that could go on: HC-065, HC-181.
func (r chair) takeableLast() []string {
	before := len(r.hand)
	mayDestroy := r.v.Switches["destroy-below-limit"] != "forbidden" && r.me.Destroyed < 3 && before >= 1
	mayOweSwap := r.walked && before == 2
	owesSwap := r.walked && r.isInnocent() && weaponCount(r.hand) >= 2
	if r.duel || before >= 3 || owesSwap || !mayDestroy && !mayOweSwap {
		return nil
	}
	return r.takeable()
}

// settleChoices lists the clues that may be left and destroyed, and says whether the search may end: HC-062 to HC-080, HC-181, HC-207.
func (r chair) settleChoices() (leave, destroy []string, done bool) {
	old := withoutMatching(r.hand, func(c string) bool { return c == r.new })
	before := len(old)
	own := "clue-" + strings.TrimPrefix(string(r.me.Character), "character-") + "-"
	destroy = withoutMatching(r.hand, func(c string) bool { return isWeaponID(c) || !r.duel && strings.HasPrefix(c, own) })
	if r.me.Destroyed >= 3 && !r.duel || len(r.hand) < 2 || before < 3 && (r.duel || r.v.Switches["destroy-below-limit"] == "forbidden") {
		destroy = nil
	}
	swap := r.isInnocent() && weaponCount(old) >= 2 && r.walked
	switch {
	case swap:
		return withoutMatching(old, func(c string) bool { return !isWeaponID(c) }), nil, false
	case before < 3:
		return nil, destroy, true
	case r.isInnocent() && weaponCount(r.hand) >= 2: // a weapon against the weapon
		return withoutMatching(old, func(c string) bool { return !isWeaponID(c) }), nil, false
	}
	return old, destroy, false
}

// purgeable lists the clues that may be destroyed: HC-205, HC-206.
func (r chair) purgeable() []string {
	tame := withoutMatching(r.tray, isWeaponID)
	switch r.v.Switches["confrontation-destroy-weapons"] {
	case "always":
		return r.tray
	case "if-nothing-else":
		return firstNonEmpty(tame, r.tray)
	}
	return tame
}

// giveable lists the clues that may be given: HC-084, HC-087.
func (r chair) giveable() []string {
	old := withoutMatching(r.hand, func(c string) bool { return c == r.new })
	if r.isInnocent() && weaponCount(r.hand) >= 2 {
		return firstNonEmpty(withoutMatching(old, func(c string) bool { return !isWeaponID(c) }), old)
	}
	return old
}

// depositable lists the clues that may be deposited: HC-122 to HC-124, HC-201.
func (r chair) depositable() []string {
	if !r.isInnocent() {
		own := string(r.placeView(r.me.Place).Weapon)
		return withoutMatching(r.hand, func(c string) bool { return c == own })
	}
	may := withoutMatching(r.hand, func(c string) bool { return isWeaponID(c) && r.victims(c) > 0 })
	if len(may) > 0 {
		return may
	}
	fewest := 99
	for _, c := range r.hand {
		fewest = min(fewest, r.victims(c))
	}
	return withoutMatching(r.hand, func(c string) bool { return r.victims(c) > fewest })
}

// recoverable lists the clues that may be recovered: HC-129, HC-133, HC-137.
func (r chair) recoverable() (cs []string) {
	for _, c := range r.v.Shown {
		cs = append(cs, string(c))
	}
	if r.isInnocent() && weaponCount(r.hand) >= 1 {
		return firstNonEmpty(withoutMatching(cs, isWeaponID), cs)
	}
	return cs
}

// allowedActs lists every act with its one choice, as "act choice", according to the rules.
func (r chair) allowedActs() (out []string) {
	all := func(act string, cs []string) {
		for _, c := range cs {
			out = append(out, act+" "+c)
		}
	}
	switch r.v.Phase {
	case "pick":
		all("keep", r.tray)
	case "deposit":
		all("deposit", r.depositable())
	case "reveal":
		out = append(out, "open ")
	case "recovery":
		all("recover", r.recoverable())
	}
	switch askedAct(r.v) {
	case "move":
		all("move", r.moveTargets())
	case "act":
		exchange, accuse := r.encounters(r.me.Place)
		if r.placeView(r.me.Place).Cards > 0 {
			out = append(out, "search ")
		}
		all("exchange", exchange)
		for who, cs := range accuse {
			all("accuse "+who, cs)
		}
		if len(out) == 0 {
			out = append(out, "pass ")
		}
	case "take":
		all("take", r.takeable())
		all("take-last", r.takeableLast())
	case "settle", "finish", "finish-only":
		leave, destroy, done := r.settleChoices()
		all("leave", leave)
		all("destroy", destroy)
		if done {
			out = append(out, "done ")
		}
	case "purge":
		all("destroy", r.purgeable())
	case "draw":
		out = append(out, "draw ")
	case "give":
		all("give", r.giveable())
	}
	return out
}

// offeredOnce lists the offers of a view in the same form.
func offeredOnce(v engine.View) (out []string) {
	for _, o := range engine.AllowedOffers(v.Offers) {
		if o.Aside || o.Act == "observe" || o.Act == "offer-draw" {
			continue
		}
		act := o.Act
		if o.Act == "accuse" {
			act += " " + o.Fixed["seat"]
		}
		if len(o.Params) == 0 {
			out = append(out, act+" ")
			continue
		}
		for _, c := range o.Params[0].Domain {
			out = append(out, act+" "+c)
		}
	}
	return out
}

// TestOffersByTheBook: in random games with random house rules in which every card is recorded, the seat whose turn it is may choose
// exactly what the rules allow, according to a second implementation of the rules that reads only that seat's view (HC-043, HC-050 to
// HC-067, HC-073 to HC-091, HC-122 to HC-124, HC-137, HC-181 to HC-188, HC-201 to HC-207).
func TestOffersByTheBook(t *testing.T) {
	scripttest.SkipIfShort(t)
	seen := map[string]int{}
	for seed := range uint64(150) {
		dice := chance.New(seed * 7919)
		g, walked := dealsBy(t, 4+int(seed%5), dice), false
		_, _, err := play.Run(g, &play.Opts{Seed: seed, Weigh: func(v engine.Viewer, o engine.Offer) int {
			if o.Aside || o.Act == "laid" || o.Fixed["card"] == engine.Unnamed || o.Fixed["value"] == unknownRole ||
				v.IsHost() && !slices.Contains([]string{"draw-roles", "deal"}, o.Act) {
				return 0
			}
			if o.Act == "exchange" { // rare, and rarer in a Confrontation
				return 3
			}
			if o.Act == "take-last" { // listed and checked; it would cut short the steps that are counted below
				return 0
			}
			return 1
		}, Check: func(st play.Step) error {
			s := st.After.(*state)
			if s.active == 0 || s.phase < phasePick || s.phase == phaseOver || s.step == stepLay || s.windowOpen {
				return nil
			}
			v := s.View(engine.SeatViewer(s.active))
			r := chairOf(v)
			switch {
			case slices.ContainsFunc(st.Events, func(e engine.Event) bool { return e.Kind() == "called" }):
				walked = false
			case st.Command.Act == "move":
				walked = true
			}
			r.walked = walked
			want, got := r.allowedActs(), offeredOnce(v)
			slices.Sort(want)
			slices.Sort(got)
			step := askedAct(v)
			seen[step]++
			if r.isInnocent() && weaponCount(r.hand) >= 2 {
				seen[step+" in excess"]++
			}
			if r.duel {
				seen[step+" in the Confrontation"]++
			}
			if !slices.Equal(want, got) {
				return fmt.Errorf("%s, %s of %d, hand %v, tray %v: offered %v, the rules say %v", v.Prompt.Key, v.Me.Role, v.Me.Seat,
					v.Me.Hand, v.Me.Tray, got, want)
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Log(seen)
	for _, rare := range []string{
		"move in excess", "take in excess", "settle in excess", "give in excess", "deposit in excess", "recovery in excess",
		"purge in the Confrontation", "deposit in the Confrontation", "give in the Confrontation", "finish-only",
	} {
		if seen[rare] < 10 {
			t.Errorf("only %d times: %s", seen[rare], rare)
		}
	}
}

// dealsBy starts a game with house rules at random.
func dealsBy(t *testing.T, n int, dice *chance.Dice) engine.Game {
	t.Helper()
	g, do := lobbyWith(t, n, dice)
	do("first", engine.Args{"seat": engine.Seat(dice.Intn(n) + 1).String()})
	for _, sw := range switches {
		if v := dice.Intn(len(sw.Values)); v > 0 {
			do("switch", engine.Args{"name": sw.ID, "value": sw.Values[v]})
		}
	}
	do("begin", nil)
	return *g
}

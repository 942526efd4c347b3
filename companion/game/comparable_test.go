package game

import (
	"reflect"
	"strconv"

	"majordome/companion/proof"
	"majordome/companion/wire"
	"majordome/engine"
)

// withoutHashes returns an update whose hashes are replaced by their number. They hide what they commit to by salts that
// nobody is given, but the two worlds have the same salts, so they show the difference of the worlds here. The openings
// remain.
func withoutHashes(u wire.Update) wire.Update {
	if u.Proof != nil {
		p := *u.Proof
		p.Root, p.Leaves, p.Head = strconv.Itoa(len(p.Root)), strconv.Itoa(len(p.Leaves)), strconv.Itoa(len(p.Head))
		u.Proof = &p
	}
	return u
}

// hashNumbers numbers the hashes that a table has shown, in order: two worlds have the same numbers if the hashes change, stay and
// come back in the same steps.
type hashNumbers map[string]int

func (seen hashNumbers) numberOf(hash string) string {
	if _, ok := seen[hash]; !ok {
		seen[hash] = len(seen)
	}
	return strconv.Itoa(seen[hash])
}

// withNumbers returns an update whose hashes are replaced by their numbers.
func (seen hashNumbers) withNumbers(u wire.Update) wire.Update {
	if u.Proof == nil {
		return u
	}
	p := *u.Proof
	leaves, err := proof.SplitLeaves(p.Leaves)
	if err != nil {
		panic(err)
	}
	p.Root, p.Leaves, p.Head = seen.numberOf(p.Root), "", seen.numberOf(p.Head)
	for _, l := range leaves {
		p.Leaves += " " + seen.numberOf(l.String())
	}
	u.Proof = &p
	return u
}

// comparableUpdates returns the updates of both tables without what may differ in them: the hashes and, where one of the
// two cards was laid and raised the alarm at one table alone, the words of the refusal, because all hear the alarm
// (GEN-E13). At the other table they must be those of a bad reading (GEN-004). A cheater who lays the same card at both
// is tested with the rules (engine/play).
func (p *pair) comparableUpdates(one, two wire.Update) (wire.Update, wire.Update) {
	one, two = p.hashes[0].withNumbers(one), p.hashes[1].withNumbers(two)
	if p.alarmed && (isAlarm(one.Notice) && isNeutral(two.Notice) || isNeutral(one.Notice) && isAlarm(two.Notice)) {
		n := *two.Notice
		n.Msg, n.Rule = one.Notice.Msg, one.Notice.Rule
		two.Notice = &n
	}
	return one, two
}

func isAlarm(n *wire.Notice) bool {
	return n != nil && n.Rule == engine.RuleAlarm && reflect.DeepEqual(n.Msg, engine.NewMsg("gen.alarm"))
}

func isNeutral(n *wire.Notice) bool {
	return n != nil && n.Rule == ruleNeutral && (n.Msg.Key == "gen.again" || n.Msg.Key == "gen.again.anyone")
}

package wire

import (
	"os"
	"slices"
	"testing"

	"majordome/companion/proof"
	"majordome/engine/chance"
)

func randomSalt(dice *chance.Dice) (s proof.Salt) {
	for i := range s {
		s[i] = byte(dice.Intn(256))
	}
	return s
}

// honestPhone is a phone that opens its part for one seed, and checks later that it is still that one.
type honestPhone struct {
	name   string
	part   proof.Salt
	agreed *Seed
}

func (p *honestPhone) accepts(j *proof.Joint) bool {
	return NewSeed(j, false).CheckPart(p.agreed, p.name, p.part) == nil
}

// TestPhonesFindAChangedSeed: a phone finds each change of a seed after it has opened its part, and that its part is left out.
func TestPhonesFindAChangedSeed(t *testing.T) {
	x := proof.NewExchange(proof.Salt{9})
	x.Commit("seat-1", proof.HashPart(proof.Salt{1}))
	x.Commit("seat-2", proof.HashPart(proof.Salt{2}))
	x.Close(func(string) bool { return true })
	phone := honestPhone{"seat-1", proof.Salt{1}, NewSeed(x.Joint(), true)}
	if phone.accepts(x.Joint()) {
		t.Error("the phone accepts a seed without its part")
	}
	x.Open("seat-1", proof.Salt{1})
	if !phone.accepts(x.Joint()) {
		t.Error("the phone refuses the seed without the part of another")
	}
	x.Open("seat-2", proof.Salt{2})
	right := x.Joint()
	if !phone.accepts(right) {
		t.Error("the phone refuses the right seed")
	}
	if NewSeed(right, false).Public() != right.Public() {
		t.Error("the public part of a seed is another")
	}
	other := func(salt byte, name string) proof.PhonePart {
		return proof.PhonePart{Phone: name, Hash: proof.HashPart(proof.Salt{salt}), Part: proof.Salt{salt}, Opened: true}
	}
	for what, change := range map[string]func(j *proof.Joint){
		"secret":          func(j *proof.Joint) { j.Secret[0] = 8 },
		"part of another": func(j *proof.Joint) { j.Phones[1] = other(3, "seat-2") },
		"name of another": func(j *proof.Joint) { j.Phones[1].Phone = "seat-3" },
		"phone too many":  func(j *proof.Joint) { j.Phones = append(j.Phones, other(3, "seat-3")) },
		"phone too few":   func(j *proof.Joint) { j.Phones = j.Phones[:1] },
		"own part":        func(j *proof.Joint) { j.Phones[0] = other(3, "seat-1") },
		"own phone":       func(j *proof.Joint) { j.Phones = j.Phones[1:] },
	} {
		j := &proof.Joint{Secret: right.Secret, Phones: slices.Clone(right.Phones)}
		if change(j); phone.accepts(j) {
			t.Errorf("a changed %s is not found", what)
		}
	}
	for first := range 256 { // the text of some begins with "-", as a hash does
		own, hers := other(1, "seat-1"), other(byte(first), "seat-2")
		closed := hers
		closed.Opened = false
		phone.agreed = NewSeed(&proof.Joint{Secret: right.Secret, Phones: []proof.PhonePart{own, closed}}, true)
		if j := (&proof.Joint{Secret: right.Secret, Phones: []proof.PhonePart{own, hers}}); !phone.accepts(j) {
			t.Errorf("the phone refuses the part %s", hers.Part)
		}
	}
	if got := hideParts([]string{"x"}); len(got) != 1 { // a table may send anything
		t.Errorf("%q", got)
	}
}

// rollWithADishonestTable makes seeds for which a table wants sixes. It tries other secrets, leaves out phones and invents one, after it
// has seen all parts, and takes the best seed that no phone notices. If hidden is true the phones open their parts before the table is
// bound to anything.
func rollWithADishonestTable(exchanges int, hidden bool) (counts [6]int, noticed int) {
	dice := chance.New(12)
	for range exchanges {
		x := proof.NewExchange(randomSalt(dice))
		phones := []honestPhone{{name: "seat-1", part: randomSalt(dice)}, {name: "seat-2", part: randomSalt(dice)}}
		for _, p := range phones {
			x.Commit(p.name, proof.HashPart(p.part))
		}
		x.Close(func(string) bool { return true })
		for i, p := range phones {
			phones[i].agreed = NewSeed(x.Joint(), true)
			x.Open(p.name, p.part)
		}
		best := x.Joint()
		for _, other := range otherSeeds(best, dice) {
			if sixesOf(other) <= sixesOf(best) {
				continue
			}
			if !hidden && slices.ContainsFunc(phones, func(p honestPhone) bool { return !p.accepts(other) }) {
				noticed++
				continue
			}
			best = other
		}
		for n := range 10 {
			counts[chance.New(best.SeedFor("roll", n+1)).Intn(6)]++
		}
	}
	return counts, noticed
}

// otherSeeds returns seeds that a table would rather have than the right one: with another secret, without a phone, with an invented phone.
func otherSeeds(right *proof.Joint, dice *chance.Dice) []*proof.Joint {
	invented := proof.PhonePart{Phone: "seat-3", Part: randomSalt(dice), Opened: true}
	closed := right.Phones[1]
	closed.Opened = false
	return []*proof.Joint{
		{Secret: randomSalt(dice), Phones: right.Phones},
		{Secret: right.Secret, Phones: right.Phones[1:]},
		{Secret: right.Secret, Phones: []proof.PhonePart{right.Phones[0], closed}},
		{Secret: right.Secret, Phones: append(slices.Clone(right.Phones), invented)},
	}
}

func sixesOf(j *proof.Joint) (sixes int) {
	for n := range 10 {
		if chance.New(j.SeedFor("roll", n+1)).Intn(6) == 5 {
			sixes++
		}
	}
	return sixes
}

// chiSquare is that of companion/proof: above 30 once in 65,000 times.
func chiSquare(counts [6]int) (x float64) {
	n := 0
	for _, c := range counts {
		n += c
	}
	for _, c := range counts {
		d := float64(c) - float64(n)/6
		x += d * d * 6 / float64(n)
	}
	return x
}

// honestExchanges returns how many seeds of ten dice must be even: ten times as many as show below that a broken exchange is not, and in
// a long run (MAJORDOME_SOAK=1) fifty times.
func honestExchanges() int {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return 100_000
	}
	return 20_000
}

// TestADishonestTableChoosesNothing rolls 200,000 dice, in a long run 1,000,000. They are even, because the phones notice each better
// seed; with phones that open their parts before the table is bound they would not be.
func TestADishonestTableChoosesNothing(t *testing.T) {
	counts, noticed := rollWithADishonestTable(honestExchanges(), false)
	if x := chiSquare(counts); x > 30 || noticed == 0 {
		t.Errorf("the dice are not even: %v, chi square %.1f", counts, x)
	} else {
		t.Logf("%v, chi square %.1f; %d better seeds noticed", counts, x, noticed)
	}
	broken, _ := rollWithADishonestTable(2_000, true)
	if x := chiSquare(broken); x < 100 {
		t.Errorf("a table that is not bound does not show: %v, chi square %.1f", broken, x)
	} else {
		t.Logf("a table that is not bound: %v, chi square %.1f", broken, x)
	}
}

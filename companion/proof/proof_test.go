package proof

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
)

// TestHeadDependsOnEachStep: a step that is changed, left out, doubled or exchanged with another, or has another salt,
// leads to another head.
func TestHeadDependsOnEachStep(t *testing.T) {
	steps := []string{"a", "b", "c", "d"}
	salts := []Salt{{1}, {2}, {3}, {4}}
	play := func(steps []string, salts []Salt) (h Hash) {
		for i := range steps {
			h = h.AddStep(salts[i], []byte(steps[i]))
		}
		return h
	}
	heads := map[Hash]string{play(steps, salts): "unchanged"}
	add := func(what string, h Hash) {
		t.Helper()
		if was, ok := heads[h]; ok {
			t.Errorf("%s has the head of %s", what, was)
		}
		heads[h] = what
	}
	for i := range steps {
		other := slices.Clone(steps)
		other[i] += "x"
		add(fmt.Sprintf("step %d changed", i), play(other, salts))
		also := slices.Clone(salts)
		also[i][15] = 1
		add(fmt.Sprintf("salt %d changed", i), play(steps, also))
		fewer, twice := slices.Delete(slices.Clone(steps), i, i+1), slices.Insert(slices.Clone(steps), i, steps[i])
		add(fmt.Sprintf("step %d left out", i), play(fewer, slices.Delete(slices.Clone(salts), i, i+1)))
		add(fmt.Sprintf("step %d doubled", i), play(twice, slices.Insert(slices.Clone(salts), i, salts[i])))
	}
	add("two exchanged", play([]string{"b", "a", "c", "d"}, []Salt{{2}, {1}, {3}, {4}}))
	if (Hash{}).AddStep(Salt{}, nil).IsZero() {
		t.Error("an empty step leads to no head")
	}
}

// TestTextsAreReadBack: each text is read back as what it was, and nothing else is read.
func TestTextsAreReadBack(t *testing.T) {
	salts := []Salt{{1}, Salt{2}.SaltFor("a")}
	leaves := []Hash{NewLeaf(salts[0], "a b"), NewLeaf(salts[1], "a b")}
	if back, err := SplitLeaves(JoinLeaves(leaves)); err != nil || !slices.Equal(back, leaves) {
		t.Errorf("leaves are read back as %v, %v", back, err)
	}
	if back, err := ParseSalt(salts[0].Text()); err != nil || back != salts[0] {
		t.Errorf("a salt is read back as %v, %v", back, err)
	}
	for _, bad := range []string{"", "?", salts[0].Text() + "A", salts[0].Text()[1:], leaves[0].String()} {
		if _, err := ParseSalt(bad); err == nil {
			t.Errorf("%q is read as a salt", bad)
		}
	}
	for _, bad := range []string{"?", JoinLeaves(leaves)[1:], JoinLeaves(make([]Hash, MaxLeaves+1))} {
		if _, err := SplitLeaves(bad); err == nil {
			t.Errorf("%.20q is read as leaves", bad)
		}
	}
	if !RootOf(nil).IsZero() || !(Hash{}).IsZero() || RootOf(leaves).IsZero() {
		t.Error("only no leaves commit to nothing")
	}
	if leaf, root := NewLeaf(salts[0], "a b"), RootOf([]Hash{NewLeaf(salts[0], "a b")}); leaf == root {
		t.Error("a leaf passes for a root")
	}
}

// TestPinned pins the bytes that are hashed: the pages hash the same (src/phone/deal.test.ts), and a later version must still
// check an evening of this one.
func TestPinned(t *testing.T) {
	step := Salt{0: 1, 15: 255}
	salt := step.SaltFor("suspect-rose")
	leaf := NewLeaf(salt, "suspect-rose seat-2")
	got := []string{salt.Text(), leaf.String(), RootOf([]Hash{leaf, leaf}).String(), (Hash{}).AddStep(step, []byte("step")).String()}
	want := []string{"GPWNX7h_9GOB2vnG1Ym8Tg",
		"b3bfd8f8a3cc59b97aa05b4ebab1826d2a595161c110a2013277af08eb27490b",
		"c4e55c168db9d6940f5cdde917dd6874d33e1b8a006e2c736632f21a09f9959e",
		"e566ecf9d0a43ca0256566758a5051717c516284ba45892167c5cc5753b6c2c6"}
	if !slices.Equal(got, want) {
		t.Errorf("salt, leaf, root and head are %q", got)
	}
}

// TestSecretsPrintAsMasks: no verb, log or JSON shows a salt, nor anything that has one.
func TestSecretsPrintAsMasks(t *testing.T) {
	secret := Salt{200, 201, 202, 203}
	x := NewExchange(secret)
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "salt", secret, "joint", x.Joint(), "exchange", x)
	for _, text := range []string{
		log.String(), fmt.Sprint(secret, x, x.Joint(), *x.Joint()), fmt.Sprintf("%+v %#v %x %d %s", secret, secret, secret, secret, secret),
		fmt.Sprintf("%+v %#v", x, *x.Joint()),
	} {
		for _, form := range []string{secret.Text(), "200 201", "c8c9", "0xc8, 0xc9"} {
			if strings.Contains(text, form) {
				t.Errorf("a secret is printed: %s", text)
			}
		}
	}
	if out, err := json.Marshal(x.Joint()); err == nil {
		t.Errorf("a secret is marshalled: %s", out)
	}
}

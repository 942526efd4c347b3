package huisclos

import (
	"fmt"
	"testing"

	"majordome/engine"
)

// evening is a list of happenings of five players; the fourth is the murderer.
func evening(all ...engine.Happening) (public engine.View, happened []*engine.Happening) {
	for i := range all {
		all[i].N = i + 1
		happened = append(happened, &all[i])
	}
	for x := engine.Seat(1); x <= 5; x++ {
		public.Seats = append(public.Seats, engine.SeatView{Seat: x, Role: "role-innocent"})
	}
	public.Seats[3].Role = "role-murderer"
	return public, happened
}

func moved(x engine.Seat, place engine.ID) engine.Happening {
	return engine.Happening{What: engine.HapMoved, Seat: x, Place: place}
}

func did(what string, x, other engine.Seat) engine.Happening {
	return engine.Happening{What: what, Seat: x, Other: other}
}

// TestSuperlatives: what the front page says of an evening, by what all have seen and by the votes of ghosts.
func TestSuperlatives(t *testing.T) {
	round, opened := did(engine.HapRound, 0, 0), did(engine.HapOpened, 1, 0)
	apart := []engine.Happening{round, moved(1, "a"), moved(2, "b"), moved(3, "c"), moved(4, "c"), moved(5, "d"), opened}
	for name, c := range map[string]struct {
		all   []engine.Happening
		votes []engine.Suspicion
		want  string
	}{
		"alone with the murderer": {apart, nil, "[{alone [seat-3] 1 0}]"},
		"three are not alone, nor is a victim later": {
			append(apart, did(engine.HapDied, 3, 0), round, moved(1, "c"), moved(2, "c"), opened), nil,
			"[{alone [seat-3] 1 0} {wandered [seat-1 seat-2] 2 0}]"},
		"alone beside a body": {append(apart, did(engine.HapDied, 3, 0), round, moved(1, "c"), opened), nil,
			"[{alone [seat-1 seat-3] 1 0} {wandered [seat-1] 2 0}]"},
		"accused and named": {[]engine.Happening{round, did(engine.HapAccused, 1, 2)}, []engine.Suspicion{{Ghost: 3, Suspect: 2, Since: 1}},
			"[{suspected [seat-2] 2 0}]"},
		"a ghost knew before the accuser": {
			[]engine.Happening{round, round, did(engine.HapAccused, 1, 4)}, []engine.Suspicion{{Ghost: 3, Suspect: 4, Since: 1}},
			"[{suspected [seat-4] 2 0} {knew [seat-3] 1 0}]"},
		"the accuser knew first": {[]engine.Happening{round, did(engine.HapAccused, 1, 4)}, nil,
			"[{suspected [seat-4] 1 0} {knew [seat-1] 1 0}]"},
		"nothing": {nil, nil, "[]"},
	} {
		public, happened := evening(append([]engine.Happening{}, c.all...)...)
		if got := fmt.Sprint(listSuperlatives(public, happened, c.votes)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestUnknownMurderer: while the Murderer's card is face down, nothing is said that needs it.
func TestUnknownMurderer(t *testing.T) {
	public, happened := evening(did(engine.HapRound, 0, 0), moved(3, "c"), moved(4, "c"), moved(1, "a"), moved(2, "b"), moved(5, "b"),
		did(engine.HapOpened, 1, 0))
	public.Seats[3].Role = ""
	votes := []engine.Suspicion{{Ghost: 1, Suspect: 4, Since: 1}}
	if got := fmt.Sprint(listSuperlatives(public, happened, votes)); got != "[{suspected [seat-4] 1 0}]" {
		t.Error(got)
	}
}

// TestFatalHappening: the urn that killed most, of several the last; without any the last accusation.
func TestFatalHappening(t *testing.T) {
	opened, died := did(engine.HapOpened, 1, 0), did(engine.HapDied, 2, 0)
	for name, c := range map[string]struct {
		all  []engine.Happening
		want int
	}{
		"the deadliest":        {[]engine.Happening{opened, died, died, opened, died}, 3},
		"of two equal":         {[]engine.Happening{opened, died, opened, died}, 4},
		"only an accusation":   {[]engine.Happening{opened, did(engine.HapAccused, 1, 2), opened}, 2},
		"nothing has happened": {nil, 0},
	} {
		if _, happened := evening(c.all...); fatalHappening(happened) != c.want {
			t.Errorf("%s: %d, want %d", name, fatalHappening(happened), c.want)
		}
	}
}

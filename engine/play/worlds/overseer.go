package worlds

import (
	"fmt"
	"maps"

	"majordome/engine"
)

// CardLocations returns what the overseer sees as a map: the location of each card, under "said"
// and a card the seats that named it, each followed by a space, under "by" and a card the seat that
// put it into the urn, and under "role of" a seat its role.
func CardLocations(secrets []engine.Holding) map[string]string {
	all := map[string]string{}
	for _, h := range secrets {
		if h.Role != "" {
			all["role of "+h.Of] = string(h.Role)
		}
		for _, c := range h.Cards {
			all[string(c)] = h.Of
			if h.By != 0 {
				all["by "+string(c)] = h.By.String()
			}
		}
		for _, c := range h.Said {
			all["said "+string(c)] += h.Of + " "
		}
	}
	return all
}

// CheckOverseer checks that only the overseer has secrets, and that the overseer's view differs
// from the public view in nothing else.
func CheckOverseer(g engine.Game) error {
	for _, v := range AllViewers {
		if g.View(v).Secrets != nil {
			return fmt.Errorf("%s is shown the view of the overseer", v)
		}
	}
	public, v := g.View(engine.Public), g.View(engine.Overseer)
	if v.Viewer != engine.Overseer.String() || len(v.Offers) > 0 {
		return fmt.Errorf("the overseer is %q and may do %v", v.Viewer, v.Offers)
	}
	v.Viewer, v.Secrets = public.Viewer, nil
	if apart := FirstDifference(public, v); apart != "" {
		return fmt.Errorf("the overseer is shown more than the secrets:\n%s", apart)
	}
	return nil
}

// checkOverseer checks that the overseer sees the two swapped cards in each other's places, and
// everything else the same.
func (p *Pair) checkOverseer(w *SecondWorld, g engine.Game) error {
	one, two := CardLocations(g.View(engine.Overseer).Secrets), CardLocations(w.Game.View(engine.Overseer).Secrets)
	if maps.Equal(one, two) { // both are at one location, or not yet placed
		return nil
	}
	p.Tally.OverseerSteps++
	changed := map[string]string{}
	for what, where := range one {
		for _, before := range []string{"", "by ", "said "} {
			switch what {
			case before + w.Cards[0]:
				what = before + w.Cards[1]
			case before + w.Cards[1]:
				what = before + w.Cards[0]
			default:
				continue
			}
			break
		}
		changed[what] = where
	}
	if !maps.Equal(changed, two) {
		return fmt.Errorf("the overseer is shown %v and, where %v have changed places, %v", one, w.Cards, two)
	}
	return nil
}

package worlds

import (
	"fmt"
	"maps"

	"majordome/engine"
)

// Where is what the overseer is shown: where each card lies, "said" and a card by which seats it was named,
// and the "role of" each seat.
func Where(secrets []engine.Holding) map[string]string {
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
			all["said "+string(c)] += h.Of
		}
	}
	return all
}

// Overseen reports that the secrets are all by which the view of the overseer differs from that of the public,
// and that nobody else has any.
func Overseen(g engine.Game) error {
	for _, v := range Everybody {
		if g.View(v).Secrets != nil {
			return fmt.Errorf("%s is shown the view of the overseer", v)
		}
	}
	public, v := g.View(engine.Public), g.View(engine.Overseer)
	if v.Viewer != engine.Overseer.String() || len(v.Offers) > 0 {
		return fmt.Errorf("the overseer is %q and may do %v", v.Viewer, v.Offers)
	}
	v.Viewer, v.Secrets = public.Viewer, nil
	if apart := Apart(public, v); apart != "" {
		return fmt.Errorf("the overseer is shown more than the secrets:\n%s", apart)
	}
	return nil
}

// oversee: the overseer sees the two cards that have changed places, and all else alike.
func (p *Pair) oversee(w *Twin, g engine.Game) error {
	one, two := Where(g.View(engine.Overseer).Secrets), Where(w.Game.View(engine.Overseer).Secrets)
	if maps.Equal(one, two) { // both lie together, or are dealt and not laid
		return nil
	}
	p.Tally.Overseen++
	changed := map[string]string{}
	for what, where := range one {
		for _, before := range []string{"", "by ", "said "} {
			switch what {
			case before + w.Two[0]:
				what = before + w.Two[1]
			case before + w.Two[1]:
				what = before + w.Two[0]
			default:
				continue
			}
			break
		}
		changed[what] = where
	}
	if !maps.Equal(changed, two) {
		return fmt.Errorf("the overseer is shown %v and, where %v have changed places, %v", one, w.Two, two)
	}
	return nil
}

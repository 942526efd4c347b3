package table

import (
	"slices"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// parcel offers one package.
type parcel struct {
	shown  *wire.Newer
	wished string
}

func (s *parcel) Shown() *wire.Newer { return s.shown }
func (s *parcel) Install(sum string) bool {
	s.wished = sum
	return sum != "full"
}

// TestNewer: the host alone wishes for the package that it was shown, and in a game only where it says so.
func TestNewer(t *testing.T) {
	m, p := newMemory(), &parcel{}
	r := playing(t, m, 1)
	r.core().Newer = p
	offered := func() engine.Args {
		r.core().publish(notices{})
		o := r.last().Host.View.Offers
		if i := slices.IndexFunc(o, func(o engine.Offer) bool { return o.Act == wire.ActNewer }); i >= 0 {
			if !o[i].Grave {
				t.Error("it is not asked for twice")
			}
			return o[i].Fixed
		}
		return nil
	}
	if offered() != nil || r.act(engine.Host, wire.ActNewer, "sum", "", "force", "yes").OK {
		t.Error("nothing is offered, and can be installed")
	}
	p.shown = &wire.Newer{Said: engine.Text{FR: "Refusé.", EN: "Refused."}}
	if offered() != nil || r.act(engine.Host, wire.ActNewer, "sum", "", "force", "yes").OK || r.last().Host.Newer == nil {
		t.Error("what is refused can be installed, or is not shown")
	}
	p.shown = &wire.Newer{Sum: "abc"}
	if o := offered(); o["sum"] != "abc" || o["force"] != "yes" {
		t.Errorf("in a game %v is offered", o)
	}
	for _, no := range [][]string{{"sum", "abc"}, {"sum", "abd", "force", "yes"}, {"force", "yes"}} {
		if r.act(engine.Host, wire.ActNewer, no...).OK || p.wished != "" {
			t.Errorf("%v is enough", no)
		}
	}
	if r.act(engine.At(1), wire.ActNewer, "sum", "abc", "force", "yes").OK || p.wished != "" {
		t.Error("a seat installs it")
	}
	for _, s := range r.last().Seats() {
		if s.ForHost != nil {
			t.Error("a seat is told of it")
		}
	}
	r.must(engine.Host, wire.ActNewer, "sum", "abc", "force", "yes")
	if p.wished != "abc" {
		t.Errorf("%q is wished for", p.wished)
	}
	p.shown = &wire.Newer{Sum: "full"}
	if r.act(engine.Host, wire.ActNewer, "sum", "full", "force", "yes").OK {
		t.Error("a wish that could not be left is one")
	}
}

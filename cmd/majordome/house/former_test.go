package house

import (
	"fmt"
	"slices"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/wire"
)

// TestFormerNames: names are remembered over starts, the oldest is forgotten first, and one is forgotten when nothing is left there.
func TestFormerNames(t *testing.T) {
	r := open(t, nil)
	names := func() *formerNames {
		t.Helper()
		f, err := r.house.rememberNames("uplink")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	rename := func(name string) (bases []string) {
		t.Helper()
		tree, err := wire.NewTree("", "house", name)
		if err != nil {
			t.Fatal(err)
		}
		r.house.tree = tree
		for _, x := range names().trees() {
			bases = append(bases, x.Base())
		}
		return bases
	}
	if got := rename("a"); len(got) > 1 {
		t.Errorf("the first start has the former names %q", got)
	}
	first := r.house.tree.Base()
	if got := rename("b"); !slices.Contains(got, first) {
		t.Errorf("the former names are %q", got)
	}
	names().forget(first)
	if got := rename("b"); slices.Contains(got, first) {
		t.Errorf("a name of which nothing is left is among %q", got)
	}
	for i := range 20 {
		rename(fmt.Sprint("n", i))
	}
	if got := rename("a"); len(got) != maxFormer-1 || slices.Contains(got, r.house.tree.Base()) {
		t.Errorf("the former names are %q", got)
	}
	if err := r.house.store.SetSetting("told.uplink", "[null"); err != nil {
		t.Fatal(err)
	}
	if got := rename("a"); len(got) != 0 {
		t.Errorf("of what is no list the former names are %q", got)
	}
}

// TestARenamedTableTakesBack: what the real house told at an earlier start under another name goes from the broker.
func TestARenamedTableTakesBack(t *testing.T) {
	ear := homeBroker(t)
	tree, err := wire.NewTree("", "house", "before")
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, func(o *Opts) { o.Config.Uplink = "mqtt://" + ear.Addr().String() })
	if r.house.uplink != nil { // it has begun already
		r.house.uplink.Close()
	}
	c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + ear.Addr().String()))
	done := func(token paho.Token) {
		t.Helper()
		if !token.WaitTimeout(patience) || token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	done(c.Connect())
	defer c.Disconnect(0)
	done(c.Publish(tree.Info(), 1, true, `{"software":"majordome","id":"`+r.house.id+`"}`))
	done(c.Publish(tree.State(), 1, true, "{}"))
	done(c.Publish(tree.Availability(), 1, true, "offline"))
	gone := make(chan struct{}, 9)
	done(c.Subscribe(tree.State(), 1, func(_ paho.Client, m paho.Message) {
		if len(m.Payload()) == 0 {
			gone <- struct{}{}
		}
	}))
	if err := r.house.store.SetSetting("told.uplink", `["`+tree.Base()+`"]`); err != nil {
		t.Fatal(err)
	}
	r.house.openUplink()
	r.run()
	select {
	case <-gone:
	case <-time.After(patience):
		t.Fatal("what was told under the former name stays")
	}
	eventually(t, "the name is not forgotten", func() bool {
		text, _, err := r.house.store.Setting("told.uplink")
		return err == nil && text == `["`+r.house.tree.Base()+`"]`
	})
}

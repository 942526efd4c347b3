package house

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/store"
	"majordome/companion/wire"
)

// TestARenamedTableTakesBack: what the house published at an earlier start under another name is removed from the
// broker.
func TestARenamedTableTakesBack(t *testing.T) {
	ear := newHomeBroker(t)
	tree, err := wire.NewTree("", "house", "before")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file, err := store.Open(filepath.Join(folder, "majordome.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.SetSetting("table.id", "0123456789abcdef"), file.SetSetting("told.uplink", `["`+tree.Base()+`"]`),
		file.Close()); err != nil {
		t.Fatal(err)
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
	done(c.Publish(tree.InfoTopic(), 1, true, `{"software":"majordome","id":"0123456789abcdef"}`))
	done(c.Publish(tree.StateTopic(), 1, true, "{}"))
	done(c.Publish(tree.AvailabilityTopic(), 1, true, "offline"))
	gone := make(chan struct{}, 9)
	done(c.Subscribe(tree.StateTopic(), 1, func(_ paho.Client, m paho.Message) {
		if len(m.Payload()) == 0 {
			gone <- struct{}{}
		}
	}))
	r := startRig(t, func(o *Opts) { o.Config.Uplink, o.Config.Data = "mqtt://"+ear.Addr().String(), folder })
	select {
	case <-gone:
	case <-time.After(patience):
		t.Fatal("what was published under the former name stays")
	}
	eventually(t, "the name is not forgotten", func() bool {
		text, _, err := r.house.Store.Setting("told.uplink")
		return err == nil && text == `["`+r.house.tree.Base()+`"]`
	})
}

package home

import (
	"errors"
	"path"
	"slices"
	"testing"

	"majordome/companion/wire"
)

// TestAnotherTable checks that another table of the house publishes here with its own account, as package uplink needs it, and
// nothing in the place of another table; the programs of the house can read it and send it commands.
func TestAnotherTable(t *testing.T) {
	p := newHouse(t)
	p.commands = true
	if _, err := p.register.Add("own", Table, path.Base(base)); !errors.Is(err, ErrTopic) {
		t.Errorf("the table has an account for itself: %v", err)
	}
	for _, topic := range []string{"", "Red", "red/#", "+"} {
		if _, err := p.register.Add("red", Table, topic); !errors.Is(err, ErrTopic) {
			t.Errorf("a table %q: %v", topic, err)
		}
	}
	p.account("red", Table, "red")
	p.account("maison", HomeAssistant, "")
	other, err := wire.NewTree("", "home", "red")
	if err != nil {
		t.Fatal(err)
	}
	d, red, maison := p.daemon(), p.paho("red", nil), p.paho("maison", nil)
	heard, _ := p.listen(maison, 1, "majordome/#")
	commands, codes := p.listen(red, 1, other.Base()+"/command/+", other.Others(other.Availability()), other.Others(other.State()))
	for topic, code := range codes {
		if code != 1 {
			t.Errorf("red may not hear %s: %#x", topic, code)
		}
	}
	p.say(d, base+"/availability", 1, true, "online")
	for _, topic := range []string{other.State(), base + "/state", "majordome/1/home/blue/state", "homeassistant/device/majordome-home-blue/config", "cmnd/lampe/POWER"} {
		p.say(red, topic, 1, true, "red")
	}
	p.say(maison, other.Base()+"/command/pause", 1, true, "retained")
	p.say(maison, other.Base()+"/command/pause", 1, false, "maison")
	p.say(maison, other.State(), 1, true, "a lie")
	p.say(d, base+"/end", 1, false, "")
	eventually(t, "the end is not heard", func() bool { return slices.Contains(heard.heard(), base+"/end ") })
	want := []string{base + "/availability online", other.State() + " red", other.Base() + "/command/pause retained", other.Base() + "/command/pause maison", base + "/end "}
	if got := heard.heard(); !slices.Equal(got, want) {
		t.Errorf("heard %q, want %q", got, want)
	}
	eventually(t, "red hears no command", func() bool { return slices.Contains(commands.heard(), other.Base()+"/command/pause maison") })
	late, _ := p.listen(p.paho("maison", nil), 1, "majordome/#")
	p.say(d, base+"/last", 1, false, "")
	eventually(t, "the end is not heard", func() bool { return slices.Contains(late.heard(), base+"/last ") })
	if slices.ContainsFunc(late.heard(), func(s string) bool { return s == other.Base()+"/command/pause retained" }) {
		t.Error("a command is kept")
	}
}

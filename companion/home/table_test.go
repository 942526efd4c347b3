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
	if _, err := p.register.AddOrRenewAccount("own", Table, path.Base(base)); !errors.Is(err, ErrTopic) {
		t.Errorf("the table has an account for itself: %v", err)
	}
	for _, topic := range []string{"", "Red", "red/#", "+"} {
		if _, err := p.register.AddOrRenewAccount("red", Table, topic); !errors.Is(err, ErrTopic) {
			t.Errorf("a table %q: %v", topic, err)
		}
	}
	p.addAccount("red", Table, "red")
	p.addAccount("maison", HomeAssistant, "")
	other, err := wire.NewTree("", "home", "red")
	if err != nil {
		t.Fatal(err)
	}
	d, red, maison := p.connectDaemon(), p.connectPaho("red", nil), p.connectPaho("maison", nil)
	heard, _ := p.subscribeTo(maison, 1, "majordome/#")
	commands, codes := p.subscribeTo(red, 1, other.Base()+"/command/+", other.FilterOfAllTables(other.AvailabilityTopic()),
		other.FilterOfAllTables(other.StateTopic()))
	for topic, code := range codes {
		if code != 1 {
			t.Errorf("red may not hear %s: %#x", topic, code)
		}
	}
	p.publishText(d, base+"/availability", 1, true, "online")
	for _, topic := range []string{other.StateTopic(), base + "/state", "majordome/1/home/blue/state",
		"homeassistant/device/majordome-home-blue/config", "cmnd/lampe/POWER"} {
		p.publishText(red, topic, 1, true, "red")
	}
	p.publishText(maison, other.Base()+"/command/pause", 1, true, "retained")
	p.publishText(maison, other.Base()+"/command/pause", 1, false, "maison")
	p.publishText(maison, other.StateTopic(), 1, true, "a lie")
	p.publishText(d, base+"/end", 1, false, "")
	eventually(t, "the end is not heard", func() bool { return slices.Contains(heard.received(), base+"/end ") })
	want := []string{base + "/availability online", other.StateTopic() + " red", other.Base() + "/command/pause retained",
		other.Base() + "/command/pause maison", base + "/end "}
	if got := heard.received(); !slices.Equal(got, want) {
		t.Errorf("heard %q, want %q", got, want)
	}
	eventually(t, "red hears no command", func() bool { return slices.Contains(commands.received(), other.Base()+"/command/pause maison") })
	late, _ := p.subscribeTo(p.connectPaho("maison", nil), 1, "majordome/#")
	p.publishText(d, base+"/last", 1, false, "")
	eventually(t, "the end is not heard", func() bool { return slices.Contains(late.received(), base+"/last ") })
	if slices.ContainsFunc(late.received(), func(s string) bool { return s == other.Base()+"/command/pause retained" }) {
		t.Error("a command is kept")
	}
}

package home

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
)

// TestCommands checks that only an account whose template has commands may send them, under its own name and never retained,
// and only where the owner allows commands.
func TestCommands(t *testing.T) {
	for _, allowed := range []bool{true, false} {
		t.Run(fmt.Sprint(allowed), func(t *testing.T) { runCommands(t, allowed) })
	}
	if tree, err := wire.NewTree("", "home", "salon"); err != nil || tree.Base() != base {
		t.Error("the base is another")
	}
}

func runCommands(t *testing.T, allowed bool) {
	p := newHouse(t)
	p.commands = allowed // set before there are accounts
	p.addAccount("maison", HomeAssistant, "")
	p.addAccount("flows", NodeRED, "")
	p.addAccount("lampe", Tasmota, "salon")
	p.addAccount("look", Observer, "")
	p.addAccount("free", Custom, "# majordome/# majordome/1/home/salon/command/pause")
	d := p.connectDaemon()
	heard, _ := p.subscribeTo(d, 1, base+"/command/#")
	for _, user := range []string{"maison", "flows", "lampe", "look", "free"} {
		c := p.connectPaho(user, nil)
		for i, topic := range []string{"pause", "pause/maison", "pause/flows/retained", "a/b/c", "", "+"} {
			if !strings.Contains(topic, "+") { // which paho does not send
				p.publishText(c, base+"/command/"+topic, byte(i%3), false, user)
			}
		}
		p.publishText(c, base+"/command/light", 1, true, user)
		p.publishText(c, base+"/state", 1, true, "a lie of "+user)
		for _, version := range []string{"311", "5"} { // paho speaks no MQTT 5
			out, err := p.runMosquittoClient("mosquitto_pub", user, "-V", version, "-q", "1", "-t", base+"/command/next", "-m", user)
			if err != nil && version == "311" {
				t.Errorf("%s, %s: %v: %s", user, version, err, out)
			}
		}
		if out, err := p.runMosquittoClient("mosquitto_pub", user, "-t", "cmnd/x", "-m", "x", "--will-topic", base+"/command/pause",
			"--will-payload", "x"); err == nil {
			t.Errorf("%s leaves a command as its last word: %s", user, out)
		}
	}
	p.publishText(d, base+"/command/end", 1, false, "")
	eventually(t, "the end is not heard", func() bool { return slices.Contains(heard.received(), base+"/command/end ") })
	var want []string
	if allowed {
		for _, user := range []string{"maison", "flows"} {
			for _, topic := range []string{"pause/" + user, "light/" + user + "/retained", "next/" + user, "next/" + user} {
				want = append(want, base+"/command/"+topic+" "+user)
			}
		}
	}
	if got := heard.received(); !slices.Equal(got[:len(got)-1], want) {
		t.Errorf("allowed %v: heard %q, want %q", allowed, got, want)
	}
	late, _ := p.subscribeTo(p.connectObserver(), 1, base+"/#")
	p.publishText(d, base+"/end", 1, false, "")
	eventually(t, "the end is not heard", func() bool { return slices.Contains(late.received(), base+"/end ") })
	if all := late.received(); len(all) != 1 {
		t.Errorf("the message is retained: %q", all)
	}
}

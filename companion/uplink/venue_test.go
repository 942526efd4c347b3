package uplink

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/line"
	"majordome/companion/results"
	"majordome/companion/wire"
)

// fakeLink is a connection that records what it is to send, and through which a test sends.
type fakeLink struct {
	opts *line.Opts
	kept map[string][]byte
	sent []message
}

type message struct {
	topic string
	body  []byte
}

func (f *fakeLink) Start() {}

func (f *fakeLink) SetTopics(payloads map[string][]byte) {
	for topic, payload := range payloads {
		f.kept[topic] = payload
	}
}

func (f *fakeLink) StopSendingTopics(...string) {}

func (f *fakeLink) SendUntil(topic string, payload []byte, _ time.Time) bool {
	f.sent = append(f.sent, message{topic, payload})
	return true
}

func (f *fakeLink) Status() line.Status         { return line.Status{} }
func (f *fakeLink) CountTrouble(string, ...any) {}
func (f *fakeLink) Close()                      {}

// newVenueUplink starts the connection of a table to a venue, without a broker.
func newVenueUplink(t *testing.T, set func(*Opts)) (*Uplink, *fakeLink) {
	t.Helper()
	tree, err := wire.NewTree("", "cafe", "t7")
	if err != nil {
		t.Fatal(err)
	}
	f := &fakeLink{kept: map[string][]byte{}}
	o := &Opts{Tree: tree, ID: "1f", Venue: true, NewLink: func(o *line.Opts) (Link, error) { f.opts = o; return f, nil }}
	if set != nil {
		set(o)
	}
	u, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.Close)
	return u, f
}

// TestVenueHearsOnlyTheTable: at a venue a table sends and receives only below its own base.
func TestVenueHearsOnlyTheTable(t *testing.T) {
	b := &fakeTable{}
	u, f := newVenueUplink(t, func(o *Opts) { o.HandleCommand = b.executeCommand })
	u.Publish(&wire.Update{View: playRandomGame(t, "huis-clos", 1, 20)[0]})
	f.opts.Receive("homeassistant/status", []byte("online"), false)
	for topic := range f.kept {
		if !strings.HasPrefix(topic, u.opts.Tree.Base()+"/") {
			t.Errorf("it sends %s", topic)
		}
	}
	for _, filter := range append(f.opts.Filters, f.opts.Topics...) {
		if !strings.HasPrefix(filter, u.opts.Tree.Base()+"/") {
			t.Errorf("it receives or sends %s", filter)
		}
	}
	if u.republishTimer != nil {
		t.Error("Home Assistant has a say at a venue")
	}
	var info Info
	if err := json.Unmarshal(f.kept[u.opts.Tree.InfoTopic()], &info); err != nil || info.ID != "1f" || !info.Commands {
		t.Errorf("info: %+v %v", info, err)
	}
	if len(f.kept[u.opts.Tree.StateTopic()]) == 0 {
		t.Error("no state")
	}
}

// TestVenueRights: only commands that the table grants are executed; the others are omitted, with that reason.
func TestVenueRights(t *testing.T) {
	b := &fakeTable{}
	u, f := newVenueUplink(t, func(o *Opts) { o.HandleCommand, o.Granted = b.executeCommand, []string{"alarm"} })
	f.opts.Receive(u.commandPrefix()+"pause", []byte(`{"id":"1","by":"anna","on":true}`), false)
	f.opts.Receive(u.commandPrefix()+"alarm", []byte(`{"id":"2","by":"anna"}`), false)
	var answers []string
	for _, m := range f.sent {
		var a Answer
		if err := json.Unmarshal(m.body, &a); err != nil || m.topic != u.opts.Tree.Base()+"/answer" {
			t.Fatalf("%s %v", m.topic, err)
		}
		answers = append(answers, a.ID+" "+answerKey(a))
	}
	if got := strings.Join(answers, ", "); got != "1 table.order.denied, 2 done" || strings.Join(b.listAsked(), "; ") != "anna alarm" {
		t.Errorf("answered %s; the table is asked %q", got, b.listAsked())
	}
}

// TestVenueAsksForResults: the commands about results reach their handlers whatever the rights are, are answered, and have an
// allowance of their own, so that they delay no person's command. Other connections do not know them.
func TestVenueAsksForResults(t *testing.T) {
	var asked []int
	var stored []results.Entry
	b := &fakeTable{}
	u, f := newVenueUplink(t, func(o *Opts) {
		o.HandleCommand = b.executeCommand
		o.Results = &ResultHandlers{func(games []int) { asked = append(asked, games...) }, func(all []results.Entry) { stored = all }}
	})
	say := func(command, body string) { f.opts.Receive(u.commandPrefix()+command, []byte(body), false) }
	say("results", `{"id":"1","games":[3,2]}`)
	all := make([]results.Entry, results.MaxIndex)
	for i := range all {
		all[i] = results.Entry{Game: 9_999_999 - i, Hash: "0123abcd"}
	}
	body, _ := json.Marshal(Stored{"2", "console", all})
	say("stored", string(body))
	say("results", `{"id":"3","games":"all"}`)
	for i := range 2 * commandBurst {
		say("results", fmt.Sprintf(`{"id":"x%d","games":[]}`, i))
	}
	say("pause", `{"id":"4","by":"anna","on":true}`)
	if !slices.Equal(asked, []int{3, 2}) || len(stored) != results.MaxIndex || strings.Join(b.listAsked(), "") != "anna pause" {
		t.Errorf("asked %v, %d stored; the table is asked %q", asked, len(stored), b.listAsked())
	}
	got := map[string]string{}
	for _, m := range f.sent {
		var a Answer
		_ = json.Unmarshal(m.body, &a)
		got[a.ID] = answerKey(a)
	}
	if got["1"] != Done || got["2"] != Done || got["3"] != "table.order.malformed" || got["4"] != Done || got["x19"] != "" {
		t.Errorf("answers %v", got)
	}
	index := &results.Index{Table: "1f", Games: []results.Entry{}}
	if u.PublishIndex(index); len(f.kept[u.opts.Tree.Base()+"/results"]) == 0 {
		t.Error("no index")
	}
	u, f = newVenueUplink(t, func(o *Opts) { o.HandleCommand = b.executeCommand })
	say("results", `{"id":"5","games":[3]}`)
	if a := f.sent[0]; !strings.Contains(string(a.body), "table.order.unknown") {
		t.Errorf("%s", a.body)
	}
}

package uplink

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/engine"
)

// fakeTable executes commands for the table, or refuses them, and records them.
type fakeTable struct {
	mu      sync.Mutex
	asked   []string
	refusal *engine.Reject
	wait    bool // if true, replies are collected in late
	late    []func(*engine.Reject)
}

func (b *fakeTable) executeCommand(by, act string, args engine.Args, reply func(*engine.Reject)) {
	b.mu.Lock()
	b.asked = append(b.asked, strings.TrimSuffix(fmt.Sprint(by, " ", act, " ", args), " map[]"))
	no, wait := b.refusal, b.wait
	if wait {
		b.late = append(b.late, reply)
	}
	b.mu.Unlock()
	if !wait {
		reply(no)
	}
}

func (b *fakeTable) listAsked() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.asked)
}

// newTestHandler returns a command handler without a connection.
func newTestHandler(t testing.TB, b *fakeTable) (o *commandHandler, answers *[]Answer, clock *time.Time) {
	t.Helper()
	answers, clock = &[]Answer{}, new(time.Time)
	*clock = time.Unix(1_700_000_000, 0)
	o = &commandHandler{execute: b.executeCommand, sendAnswer: func(a Answer) { *answers = append(*answers, a) },
		count: func(string, ...any) {}, now: func() time.Time { return *clock }, senders: map[string]*sender{}}
	return o, answers, clock
}

func answerKey(a Answer) string {
	if a.Why == nil {
		return a.Result
	}
	return a.Why.Key
}

// TestCommandsAreUnderstood checks what each command asks of the table, and that a malformed one is refused under its id, if
// the id can be read.
func TestCommandsAreUnderstood(t *testing.T) {
	long, doc := strings.Repeat("x", maxCommand), readAsyncAPI(t)
	for _, c := range []struct{ topic, body, want, key string }{
		{"pause", `{"id":"1","on":true}`, "anonymous pause", Done},
		{"pause", `{"id":"1","by":"ha","on":false}`, "ha resume", Done},
		{"alarm", `{"id":"1"}`, "anonymous alarm", Done},
		{"light", `{"id":"1","to":"white"}`, "anonymous light map[to:white]", Done},
		{"countdown", `{"id":"1","seconds":-60}`, "anonymous countdown-add map[seconds:-60]", Done},
		{"countdown", `{"id":"1","seconds":60,"bonus":true}`, "anonymous countdown-add map[bonus:yes seconds:60]", Done},
		{"hint", `{"id":"1","to":"all","text":"Là"}`, "anonymous hint map[text:Là to:all]", Done},
		{"hint", `{"id":"1","to":"display","stock":"a"}`, "anonymous hint map[stock:a text: to:display]", Done},
		{"next", `{"id":"1"}`, "anonymous skip-scene", Done},
		{"next-group", `{"id":"1","sign":"x"}`, "", "table.order.unknown"},
		{"undo", `{"id":"1"}`, "", "table.order.unknown"},
		{"", `{"id":"1"}`, "", "table.order.unknown"},
		{"pause", ``, "", "json"}, {"pause", `ON`, "", "json"}, {"pause", `null`, "", "json"}, {"pause", `[]`, "", "json"},
		{"pause", `{"id":"1","on":true}{}`, "", "json"},
		{"pause", `{"on":true}`, "", "id"}, {"pause", `{"id":1,"on":true}`, "", "id"}, {"pause", `{"id":"a b","on":true}`, "", "id"},
		{"pause", `{"id":"` + strings.Repeat("x", 65) + `","on":true}`, "", "id"},
		{"pause", `{"id":"1"}`, "", "on"}, {"pause", `{"id":"1","on":"true"}`, "", "on"}, {"pause", `{"id":"1","on":null}`, "", "on"},
		{"pause", `{"id":"1","ON":true}`, "", "on"},
		{"pause", `{"id":"1","on":true,"more":1}`, "", "json"},
		{"pause", `{"id":"1","by":"Host\n","on":true}`, "", "by"}, {"pause", `{"id":"1","by":"host.2","on":true}`, "", "by"},
		{"countdown", `{"id":"1","seconds":1.5}`, "", "seconds"}, {"countdown", `{"id":"1","seconds":1e99}`, "", "seconds"},
		{"hint", `{"id":"1","to":"all","text":"` + long + `"}`, "", "size"},
		{"hint", `{"id":"1","text":"x"}`, "", "to"},
		{"pause", "{\"id\":\"1\",\"on\":true,\"x\":" + strings.Repeat("[", 900) + strings.Repeat("]", 900) + "}", "", "json"},
		{"pause", "\xff\xfe{\x00", "", "json"},
	} {
		b := &fakeTable{}
		o, answers, _ := newTestHandler(t, b)
		o.handleCommand(c.topic, []byte(c.body), false, false)
		got := *answers
		if len(got) != 1 || strings.Join(b.listAsked(), "; ") != c.want {
			t.Errorf("%s %.60s: the table is asked %q, answers %v", c.topic, c.body, b.listAsked(), got)
			continue
		}
		a := got[0]
		if _, wrong := doc.Validate("command/"+c.topic, []byte(c.body)); c.key != "size" && (len(wrong) == 0) != (answerKey(a) == Done) {
			t.Errorf("%s %.60s: by the document %q, answered %s", c.topic, c.body, wrong, answerKey(a))
		}
		switch {
		case strings.HasPrefix(c.key, "table.") || c.key == Done:
			if answerKey(a) != c.key || a.ID != "1" || (a.Result == Done) != (c.key == Done) {
				t.Errorf("%s %.60s: %+v %+v", c.topic, c.body, a, a.Why)
			}
		case answerKey(a) != "table.order.malformed" || a.Result != Omitted || !strings.Contains(a.Why.FR, "« "+c.key+" »") &&
			!strings.Contains(a.Why.FR, c.key) || !strings.Contains(a.Why.EN, "“"+c.key+"”"):
			t.Errorf("%s %.60s: %+v, want %s", c.topic, c.body, a.Why, c.key)
		}
		if body, err := json.Marshal(a); err != nil || len(body) > 600 {
			t.Errorf("an answer of %d bytes: %v", len(body), err)
		}
	}
}

// TestCommandsOnce checks that commands with the same id are executed once and answered each time.
func TestCommandsOnce(t *testing.T) {
	b := &fakeTable{wait: true}
	o, answers, clock := newTestHandler(t, b)
	pause := []byte(`{"id":"1","on":true}`)
	o.handleCommand("pause/flows", pause, false, true)
	o.handleCommand("pause/flows", pause, false, true) // before the table has replied
	if len(b.listAsked()) != 1 || len(*answers) != 0 {
		t.Fatalf("%q %v", b.listAsked(), *answers)
	}
	b.late[0](&engine.Reject{Why: engine.NewMsg("table.order.idle")})
	o.handleCommand("pause/flows", pause, false, true)
	if got := *answers; len(b.listAsked()) != 1 || len(got) != 2 || !reflect.DeepEqual(got[0], got[1]) ||
		answerKey(got[0]) != "table.order.idle" || got[0].By != "flows" {
		t.Errorf("%q %+v", b.listAsked(), got)
	}
	b.wait = false
	o.handleCommand("pause/maison", pause, false, true) // the same id from another sender
	if len(b.listAsked()) != 2 {
		t.Error("an id is its sender's")
	}
	for i := range 3 * maxKnown {
		*clock = clock.Add(time.Second)
		o.handleCommand("pause/flows", fmt.Appendf(nil, `{"id":"n%d","on":true}`, i), false, true)
	}
	if s := o.senders["flows"]; len(s.known) != maxKnown || len(s.order) != maxKnown {
		t.Errorf("%d ids are known", len(s.known))
	}
}

// TestCommandsFlood checks that a sender of too many commands gets one refusal, is accepted again later, and takes nothing from
// the other senders where the broker names them; where it does not, another name is not another sender.
func TestCommandsFlood(t *testing.T) {
	for _, named := range []bool{true, false} {
		b := &fakeTable{}
		o, answers, clock := newTestHandler(t, b)
		n := 0
		send := func(by string) {
			n++
			topic, body := "pause", fmt.Sprintf(`{"id":"%d","by":"%s","on":true}`, n, by)
			if named {
				topic += "/" + by
			}
			o.handleCommand(topic, []byte(body), false, named)
		}
		for i := range 1000 {
			send([]string{"a", fmt.Sprint("n", i)}[map[bool]int{true: 0, false: 1}[named]])
		}
		if got := *answers; len(b.listAsked()) != commandBurst || len(got) != commandBurst+1 ||
			answerKey(got[commandBurst]) != "table.order.rate" {
			t.Errorf("%d were obeyed, %d answered", len(b.listAsked()), len(got))
		}
		if send("other"); (len(b.listAsked()) == commandBurst+1) != named {
			t.Errorf("vouched %v: %d are obeyed", named, len(b.listAsked()))
		}
		*clock = clock.Add(commandRefill)
		before := len(b.listAsked())
		send("a")
		send("a")
		if got := len(b.listAsked()) - before; got != 1 {
			t.Errorf("half a second later %d are obeyed", got)
		}
	}
	o, _, _ := newTestHandler(t, &fakeTable{})
	for i := range 10_000 {
		o.handleCommand(fmt.Sprint("pause/n", i), []byte(`{"id":"1","on":true}`), false, true)
	}
	if len(o.senders) > maxSenders {
		t.Errorf("%d senders are remembered", len(o.senders))
	}
}

// FuzzCommand checks that any command is answered at most once, and that the answer quotes nothing but a valid id, command and
// name.
func FuzzCommand(f *testing.F) {
	f.Add("pause/flows", []byte(`{"id":"1","on":true}`), true)
	f.Add("hint", []byte(`{"id":"1","to":"all","text":"x"}`), false)
	f.Fuzz(func(t *testing.T, topic string, body []byte, named bool) {
		b := &fakeTable{}
		o, answers, _ := newTestHandler(t, b)
		o.handleCommand(topic, body, false, named)
		if len(*answers) > 1 || len(b.asked) > len(*answers) {
			t.Fatalf("%d answers, asked %q", len(*answers), b.asked)
		}
		for _, a := range *answers {
			if a.ID != "" && !idPattern.MatchString(a.ID) || a.Command != "" && findCommand(a.Command, false) == nil ||
				!named && !namePattern.MatchString(a.By) {
				t.Fatalf("%+v", a)
			}
		}
	})
}

// TestCommandsOverABroker checks commands over a stock broker: they are answered there, and answers are never retained. A
// retained command is refused at each connection, and what was sent while the connection was cut is not made up for.
func TestCommandsOverABroker(t *testing.T) {
	h := newHouse(t)
	h.start()
	w, at := newFaultyProxy(t, h.at)
	b := &fakeTable{}
	u, err := New(&Opts{URL: "mqtt://" + at, User: "table", Password: "word of the table", Tree: h.tree, Version: "1",
		HandleCommand: b.executeCommand, Timeout: patience, MaxRetry: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.Close)
	connected := func(u *Uplink) { eventually(t, "not connected", func() bool { return u.Status().Connected }) }
	connected(u)

	var mu sync.Mutex
	var answers []Answer
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + h.at).SetClientID("flow").SetUsername("lamp").
		SetPassword("word of the lamp"))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	t.Cleanup(func() { c.Disconnect(10) })
	c.Subscribe(h.tree.Base()+"/answer", 1, func(_ mqtt.Client, m mqtt.Message) {
		var a Answer
		if err := json.Unmarshal(m.Payload(), &a); err != nil || m.Retained() {
			t.Errorf("%q, retained %v: %v", m.Payload(), m.Retained(), err)
		}
		mu.Lock()
		defer mu.Unlock()
		answers = append(answers, a)
	}).WaitTimeout(patience)
	send := func(topic, body string, retained bool) {
		t.Helper()
		if token := c.Publish(h.tree.Base()+"/command/"+topic, 1, retained, body); !token.WaitTimeout(patience) || token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	answered := func(id, key string) {
		t.Helper()
		eventually(t, id+" is not answered "+key, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return slices.ContainsFunc(answers, func(a Answer) bool { return a.ID == id && answerKey(a) == key })
		})
	}
	send("pause", `{"id":"a","by":"flow","on":true}`, false)
	answered("a", Done)
	b.mu.Lock()
	b.refusal = &engine.Reject{Why: engine.NewMsg("table.order.idle")}
	b.mu.Unlock()
	send("pause", `{"id":"b","on":true}`, false)
	answered("b", "table.order.idle")
	w.setMode("cut")
	eventually(t, "the loss is not seen", func() bool { return !u.Status().Connected })
	send("pause", `{"id":"away","on":true}`, false)
	send("light", `{"id":"kept","to":"dark"}`, true)
	w.setMode("kind")
	connected(u)
	answered("kept", "table.order.retained")
	send("next", `{"id":"c"}`, false)
	answered("c", "table.order.idle")
	if got, want := b.listAsked(), []string{"flow pause", "anonymous pause", "anonymous skip-scene"}; !slices.Equal(got, want) {
		t.Errorf("the table was asked %q, want %q", got, want)
	}
}

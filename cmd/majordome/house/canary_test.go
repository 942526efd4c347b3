package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/light"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/huisclos/audit"
)

// tap is a listener that keeps every byte that comes in: all that the daemon's
// own client gives to the broker, before the broker gives it to anybody.
type tap struct {
	net.Listener
	mu  sync.Mutex
	got [][]byte // one stream for each connection
}

func (l *tap) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.got = append(l.got, nil)
	return &tapped{c, l, len(l.got) - 1}, nil
}

type tapped struct {
	net.Conn
	tap *tap
	n   int
}

func (c *tapped) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.tap.mu.Lock()
	defer c.tap.mu.Unlock()
	c.tap.got[c.n] = append(c.tap.got[c.n], b[:n]...)
	return n, err
}

// message is one PUBLISH of MQTT 3.1.1 (section 3.3).
type message struct {
	topic   string
	payload []byte
}

// messages are all whole PUBLISH packets so far.
func (l *tap) messages(t *testing.T) (all []message) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, data := range l.got {
		for len(data) > 1 {
			n, used := 0, 1
			for shift := 0; used < len(data); shift += 7 {
				b := data[used]
				used++
				n |= int(b&0x7f) << shift
				if b < 0x80 {
					break
				}
			}
			if used+n > len(data) {
				break // the rest has not come yet
			}
			kind, qos, body := data[0]>>4, data[0]>>1&3, data[used:used+n]
			data = data[used+n:]
			if kind != 3 {
				continue
			}
			size := int(body[0])<<8 | int(body[1])
			m := message{topic: string(body[2 : 2+size]), payload: body[2+size:]}
			if qos > 0 {
				m.payload = m.payload[2:]
			}
			all = append(all, m)
		}
	}
	return all
}

// notes is a log that can be read while it is written.
type notes struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (n *notes) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.buf.Write(b)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.buf.String()
}

// TestNothingHiddenLeavesTheHouse plays the first round of a game, with cards at
// the readers, refusals, a lost reader and acts of phones, and searches what the
// house lets out for every hidden card and role: each message on each topic of
// the relay, the log at its most talkative, the bytes of the strip, and the
// pages (design 7.2; GEN-002, HC-121). The topic of names carries the labels of
// the whole box and never changes; every other message is searched.
func TestNothingHiddenLeavesTheHouse(t *testing.T) {
	t.Parallel()
	pictures, talk := newFilm(), &notes{}
	r := open(t, func(o *Opts) {
		o.Log = slog.New(slog.NewTextHandler(talk, &slog.HandlerOptions{Level: slog.LevelDebug}))
		o.Strips = []Strip{{Strip: pictures, Layout: light.HuisClos()}}
	})
	ear := &tap{Listener: r.house.own}
	r.house.own = ear
	r.run()
	r.toDeposits(t)
	r.sims[engine.ReaderShow].Unplug(0) // something for the log
	r.until(0, "the reader is lost", lost(engine.ReaderShow, "lost"))
	r.presented("a clue of another hand", tagOf(t, r.own(3).Hand[0].Card))
	r.presented("a card twice over", tagOf(t, r.own(1).Hand[0].Card), tagOf(t, r.own(1).Hand[1].Card))
	r.presented("the first deposit", tagOf(t, r.may(1)))
	for x := engine.Seat(2); x <= 4; x++ {
		if w := r.seat(x, "deposit", engine.Args{"card": string(r.own(x%4 + 1).Hand[0].Card)}); w.OK {
			t.Fatalf("%s deposits what it does not hold", x)
		}
		r.does(x, "deposit", "card", string(r.may(x)))
	}
	told := r.audit(t)
	r.search(t, ear, talk, pictures, told)

	r.does(1, "open")
	for r.public().Phase == "recovery" {
		x := r.public().Active[0]
		u, _ := r.house.loop.Snapshot(engine.At(x))
		o := u.View.Offers[slices.IndexFunc(u.View.Offers, func(o engine.Offer) bool { return o.Act == "recover" || o.Act == "lay" })]
		var args []string
		for _, p := range o.Params {
			args = append(args, p.Name, p.Domain[0])
		}
		r.does(x, o.Act, args...)
	}
	told = r.audit(t)
	r.search(t, ear, talk, pictures, told)
}

// audit is who may know what, from the events on disk.
func (r *rig) audit(t *testing.T) *audit.Auditor {
	t.Helper()
	a := audit.New(string(deck.HuisClos().Start))
	game, ok, err := r.house.store.Current()
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	events, err := r.house.store.Events(game.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := a.Feed(e.Kind, e.Data); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// hidden are the cards that the public has never been shown.
func hidden(t *testing.T, a *audit.Auditor) (ids []string) {
	for _, n := range book(t).Names() {
		if (n.Kind == "clue" || n.Kind == "weapon") && !a.May(engine.Public, string(n.ID)) {
			ids = append(ids, string(n.ID))
		}
	}
	return ids
}

// search looks through everything that has left the house so far.
func (r *rig) search(t *testing.T, ear *tap, talk *notes, pictures *film, a *audit.Auditor) {
	t.Helper()
	secrets := hidden(t, a)
	if len(secrets) < 30 {
		t.Fatalf("only %d cards are hidden", len(secrets))
	}
	find := func(where, text string, words []string) {
		for _, id := range words {
			if strings.Contains(text, id) {
				t.Errorf("%s tells %s: %.300s", where, id, text)
			}
		}
	}
	roles := []string{"role-murderer"} // nobody is dead whose card would lie open
	for _, s := range r.public().Seats {
		if s.Role != "" {
			roles = nil
		}
	}
	names, sizes, count := "", map[int]bool{}, map[string]int{}
	for _, m := range ear.messages(t) {
		count[m.topic]++
		switch {
		case m.topic == r.house.tree.Names():
			if names != "" && names != string(m.payload) {
				t.Error("the names have changed during the game")
			}
			names = string(m.payload)
		case m.topic == r.house.tree.State():
			var u wire.Update
			if err := json.Unmarshal(m.payload, &u); err != nil {
				t.Fatal(err)
			}
			for i := range u.View.Places {
				u.View.Places[i].Weapon = "" // printed on the box
			}
			text, err := json.Marshal(u)
			if err != nil {
				t.Fatal(err)
			}
			find("the public state", string(text), append(roles, secrets...))
			if u.View.Me != nil || len(u.View.Custody) > 0 {
				t.Error("the public is told what a seat or the host knows")
			}
		default: // availability, and sealed bytes
			find(m.topic, string(m.payload), append([]string{"role-", "murderer", "deposit", `"rule":"`}, secrets...))
			if strings.HasSuffix(m.topic, "/view") && len(m.payload) > 0 {
				sizes[len(m.payload)] = true
			}
		}
	}
	if len(count) < 8 || names == "" || count[r.house.tree.State()] < 20 {
		t.Errorf("too little was heard: %v", count)
	}
	if len(sizes) != 1 {
		t.Errorf("sealed views have the sizes %v", sizes)
	}
	find("the log", talk.String(), append([]string{"murderer", "innocent", "clue-", "weapon-"}, secrets...))
	if !strings.Contains(talk.String(), "reader lost") {
		t.Error("the log is not this house's")
	}
	pictures.mu.Lock()
	var strip bytes.Buffer
	for _, px := range pictures.all {
		for _, c := range px {
			strip.Write([]byte{c.R, c.G, c.B})
		}
	}
	pictures.mu.Unlock()
	find("the strip", strip.String(), secrets)
	for _, page := range []string{"/", "/display", "/host", "/bench", "/bench/events", "/nowhere"} {
		res, err := http.Get(r.house.URL() + page)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		_ = res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		find(page, string(body)+fmt.Sprint(res.Header), secrets)
	}
}

// TestLightSeesThePublicViewAlone: two public updates that are equal give equal
// pictures, and a cue is made of nothing else: the same game seen by each seat
// with its own secrets in the update gives the light of the public one.
func TestLightSeesThePublicViewAlone(t *testing.T) {
	l := light.HuisClos()
	film := func(c light.Cue) []devices.RGB {
		s, err := light.NewStage(l, l.Len(), calmly())
		if err != nil {
			t.Fatal(err)
		}
		s.Set(c, 0)
		return s.Frame(time.Minute)
	}
	r := deposits(t, nil)
	public, _ := r.house.loop.Snapshot(engine.Public)
	want := film(cue(public))
	for x := engine.Seat(1); x <= 4; x++ {
		own, _ := r.house.loop.Snapshot(engine.At(x))
		if got := film(cue(own)); !slices.Equal(got, want) {
			t.Errorf("the light sees what %s knows", x)
		}
	}
}

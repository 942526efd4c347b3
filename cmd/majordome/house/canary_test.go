package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/config/configtest"
	"majordome/cmd/majordome/health"
	"majordome/cmd/majordome/lamps"
	"majordome/cmd/majordome/logs"
	"majordome/cmd/majordome/network/hotspot/hotspottest"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/light"
	"majordome/devices/logtest"
	"majordome/engine"
	"majordome/engine/cluedo"
	cluedoaudit "majordome/engine/cluedo/audit"
	"majordome/engine/huisclos"
	"majordome/engine/huisclos/audit"
)

// tap is a listener that records every byte it receives: everything that the daemon's own client gives to the broker,
// before the broker delivers it.
type tap struct {
	net.Listener
	mu   sync.Mutex
	got  [][]byte      // one stream for each connection
	more chan struct{} // closed by the next bytes
}

// tapLoopback puts a tap on the listener for the house's own client. It must be called before the house runs.
func tapLoopback(h *House) *tap {
	l := &tap{Listener: h.Network.Loopback, more: make(chan struct{})}
	h.Network.Loopback = l
	return l
}

// newBytes returns a channel that is closed when more bytes have arrived.
func (l *tap) newBytes() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.more
}

func (l *tap) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.got = append(l.got, nil)
	return &tappedConn{c, l, len(l.got) - 1}, nil
}

type tappedConn struct {
	net.Conn
	tap *tap
	n   int
}

func (c *tappedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.tap.mu.Lock()
	defer c.tap.mu.Unlock()
	c.tap.got[c.n] = append(c.tap.got[c.n], b[:n]...)
	close(c.tap.more)
	c.tap.more = make(chan struct{})
	return n, err
}

// message is one PUBLISH of MQTT 3.1.1 (section 3.3).
type message struct {
	topic   string
	payload []byte
}

// messages returns all whole PUBLISH packets so far.
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
				break // the rest has not arrived yet
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

// wifiPassword is the password of this machine's own Wi-Fi. Only its screen and the host are shown it.
const wifiPassword = "correct-horse"

// spied is a house whose whole output is recorded: each message on each topic of the relay, the log at its most
// detailed level and the bytes of the strip.
type spied struct {
	*rig
	ear      *tap
	home     *tap // of the broker of the house
	venue    *tap // of the broker of the venue
	devices  *tap // of a client of the broker for the devices of the house
	talk     *logtest.Buffer
	pictures *film
	hook     hooked

	commanded int // how often programs have commanded
}

// startSpied runs a house with all its output recorded.
func startSpied(t *testing.T, change func(*Opts)) *spied {
	t.Helper()
	s := &spied{talk: &logtest.Buffer{}, pictures: newFilm(), home: newHomeBroker(t), venue: newHomeBroker(t)}
	s.rig = openRig(t, func(o *Opts) {
		o.Config.Uplink, o.Config.Venue = "mqtt://"+s.home.Addr().String(), "mqtt://"+s.venue.Addr().String()
		o.Config.Home, o.Config.Commands = "127.0.0.1:0", "both"
		o.Config.Hook, o.Config.Secret, o.Config.Plain = s.hook.serve(t), configtest.WriteTempFile(t, "a secret of the house"), true
		o.Config.HotspotPassword, o.Hotspot = wifiPassword, hotspottest.New(t)
		hotspottest.WriteStatus(t, o.Hotspot, "shown", "Majordome\n"+wifiPassword+"\n")
		o.LogTail = &logs.Tail{}
		o.Log = slog.New(slog.NewTextHandler(io.MultiWriter(s.talk, o.LogTail), &slog.HandlerOptions{Level: slog.LevelDebug}))
		o.Strips = []config.Strip{{Strip: s.pictures, Layout: light.DefaultLayout(7)}}
		heard := o.Public
		o.Public = func(u wire.Update) { s.waitRelayed(u.Rev); heard(u) }
		if change != nil {
			change(o)
		}
	})
	s.ear = tapLoopback(s.house)
	s.run()
	s.devices = observeHome(t, s.house)
	s.mustHostAct("secrets", engine.Args{"on": "yes"})
	return s
}

// showSecretsToDevice connects a device of the host that plays no seat and unlocks the secrets on it. It fails unless
// they arrive there.
func (s *spied) showSecretsToDevice(t *testing.T) {
	t.Helper()
	key := s.addHostDevice()
	from := s.mark()
	s.mustHostAct("unlock-secrets", nil)
	told := s.waitUpdate(from, "that somebody sees the secrets", func(u wire.Update) bool { return u.Overseen != nil })
	topic := s.house.tree.ViewTopic(engine.Host)
	for _, m := range s.ear.messages(t) {
		if u, err := seal.OpenView(key, topic, m.payload); m.topic == topic && err == nil && u.Rev == told.Rev && len(u.View.Secrets) > 3 {
			return
		}
	}
	t.Fatal("they do not come to that device")
}

// waitRelayed waits until the relay has sent a public state of this revision or later. A relay that falls behind sends
// only the newest of several states, so the house waits here for each one.
func (s *spied) waitRelayed(rev uint64) {
	for end := time.After(patience); ; {
		more := s.ear.newBytes()
		for _, m := range s.ear.messages(s.t) {
			var u wire.Update
			if m.topic == s.house.tree.StateTopic() && json.Unmarshal(m.payload, &u) == nil && u.Rev >= rev {
				return
			}
		}
		select {
		case <-more:
		case <-end:
			s.t.Errorf("the relay has not sent revision %d", rev)
			return
		}
	}
}

// TestNothingHiddenLeavesTheHouse plays with cards at the readers, refusals, a lost reader and acts of phones. It
// searches the house's whole output, the pages included, for every hidden card and role (design 7.2; GEN-002, HC-121,
// C8-081, C8-140). The topic of names carries the labels of the whole box and never changes; every other message is
// searched.
func TestNothingHiddenLeavesTheHouse(t *testing.T) {
	t.Run("huis-clos", aRoundOfHuisClos)
	t.Run("cluedo-2008", aHypothesisOfCluedo)
}

// aRoundOfHuisClos plays the first round of a game to its end.
func aRoundOfHuisClos(t *testing.T) {
	t.Parallel()
	s := startSpied(t, nil)
	s.playToDeposits(t)
	s.showSecretsToDevice(t)
	s.sims[engine.ReaderShow].Unplug(0) // so that the log has an entry
	s.waitUpdate(0, "the reader is lost", hasReaderState(engine.ReaderShow, "lost"))
	s.presentAtUrn("a clue of another hand", tagOf(t, s.ownView(3).Hand[0].Card))
	s.presentAtUrn("a card twice over", tagOf(t, s.ownView(1).Hand[0].Card), tagOf(t, s.ownView(1).Hand[1].Card))
	s.presentAtUrn("the first deposit", tagOf(t, s.depositableCard(1)))
	for x := engine.Seat(2); x <= 4; x++ {
		if w := s.actAsSeat(x, "deposit", engine.Args{"card": string(s.ownView(x%4 + 1).Hand[0].Card)}); w.OK {
			t.Fatalf("%s deposits what it does not hold", x)
		}
		s.mustAct(x, "deposit", "card", string(s.depositableCard(x)))
	}
	look := func() {
		t.Helper()
		told := audit.New(string(huisclos.DefaultDeck().Start))
		s.feedStoredEvents(t, told.ApplyEvent)
		secrets := unseenCards(huisClosBook(t), told.HasSeen, "clue", "weapon")
		if !slices.ContainsFunc(s.publicView().Seats, func(x engine.SeatView) bool { return x.Role != "" }) {
			secrets = append(secrets, "role-murderer") // no one is dead whose card would be face up
		}
		s.searchHouse(t, secrets, false)
		s.search(t, secrets, func(v *engine.View) {
			for i := range v.Places {
				v.Places[i].Weapon = "" // printed on the box
			}
		})
	}
	look()
	s.mustAct(1, "open")
	for s.publicView().Phase == "recovery" {
		x := s.publicView().Active[0]
		u, _ := s.house.Loop.Snapshot(engine.SeatViewer(x))
		o := u.View.Offers[slices.IndexFunc(u.View.Offers, func(o engine.Offer) bool { return o.Act == "recover" || o.Act == "lay" })]
		var args []string
		for _, p := range o.Params {
			args = append(args, p.Name, p.Domain[0])
		}
		s.mustAct(x, o.Act, args...)
	}
	look()
}

// aHypothesisOfCluedo plays a Power, a hypothesis with a wrong card, a foreign tag and the card that is shown, a note
// sheet, a false answer, event cards that are drawn and played, and a lost reader.
func aHypothesisOfCluedo(t *testing.T) {
	t.Parallel()
	var s *spied
	f := startRefutationIn(t, func(t *testing.T, change func(*Opts)) *rig { s = startSpied(t, change); return s.rig }, nil)
	u, _ := s.house.Loop.Snapshot(engine.SeatViewer(3))
	if w := s.actAsSeat(3, wire.ActNote, engine.Args{"marks": "9z", "rev": fmt.Sprint(u.Rev)}); !w.OK {
		t.Fatalf("a note: %+v", w.Reject)
	}
	if w := s.actAsSeat(2, "none", nil); w.OK {
		t.Fatal("a seat denies the card that it holds")
	}
	f.checkProtocol(t)
	s.showSecretsToDevice(t)
	f.playEventCards(t)
	s.sims[engine.ReaderShow].Unplug(0)
	s.waitUpdate(0, "the reader is lost", hasReaderState(engine.ReaderShow, "lost"))

	b, err := cluedo.New(cluedo.DefaultDeck("cluedo-2008"))
	if err != nil {
		t.Fatal(err)
	}
	var mystery []string
	for _, n := range b.Names() {
		if n.Kind == "suspect" || n.Kind == "weapon" || n.Kind == "room" {
			mystery = append(mystery, string(n.ID))
		}
	}
	told := cluedoaudit.New(mystery)
	s.feedStoredEvents(t, told.ApplyEvent)
	secrets := unseenCards(b, told.HasSeen, "suspect", "weapon", "room", "butler-card")
	s.searchHouse(t, secrets, true)
	s.search(t, secrets, removeSpoken)
}

// removeSpoken removes from a view of Cluedo all that is said aloud or seen on the board: the asker, the pawns and the
// choices may name the same cards as are hidden.
func removeSpoken(v *engine.View) {
	v.Places, v.Offers = nil, nil
	for i := range v.Seats {
		v.Seats[i].Character, v.Seats[i].Place = "", ""
	}
	if c := v.Case; c != nil {
		c.Pawns, c.Tokens, c.Reach, c.Hypothesis = nil, nil, nil, nil
	}
	for _, h := range v.Happened {
		if h.Place = ""; h.What == engine.HapAsked || h.What == engine.HapAccused {
			h.Cards = nil
		}
	}
	unsaid := func(m engine.Msg) engine.Msg {
		var pairs []string
		for name, value := range m.Args.Pairs() {
			if name != "character" && name != "suspect" && name != "weapon" && name != "room" {
				pairs = append(pairs, name, value)
			}
		}
		return engine.NewMsg(m.Key, pairs...)
	}
	v.Prompt = unsaid(v.Prompt)
	for i := range v.Log {
		msg := unsaid(*v.Log[i].Msg)
		v.Log[i].Msg = &msg
	}
}

// feedStoredEvents gives the stored events of the game to an audit.
func (s *spied) feedStoredEvents(t *testing.T, feed func(kind string, data []byte) error) {
	t.Helper()
	game, ok, err := s.house.Store.CurrentGame()
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	events, err := s.house.Store.Events(game.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := feed(e.Kind, e.Data); err != nil {
			t.Fatal(err)
		}
	}
}

// unseenCards returns the cards of these kinds that the public has never been shown.
func unseenCards(b engine.Rulebook, may func(engine.Viewer, string) bool, kinds ...engine.ID) (ids []string) {
	for _, n := range b.Names() {
		if slices.Contains(kinds, n.Kind) && !may(engine.Public, string(n.ID)) {
			ids = append(ids, string(n.ID))
		}
	}
	return ids
}

// search looks for secrets in everything that has left the house so far. open removes from a public view the cards that
// are named for all to hear.
func (s *spied) search(t *testing.T, secrets []string, open func(*engine.View)) {
	t.Helper()
	if len(secrets) < 30 {
		t.Fatalf("only %d cards are hidden", len(secrets))
	}
	secrets = append(slices.Clip(secrets), wifiPassword)
	s.searchRelay(t, secrets, open)
	checkAbsent(t, "the log", s.talk.String(),
		append([]string{"murderer", "innocent", "clue-", "weapon-", "suspect-", "butler-", "room-"}, secrets...))
	if !strings.Contains(s.talk.String(), "reader lost") {
		t.Error("the log is not this house's")
	}
	s.pictures.mu.Lock()
	var strip bytes.Buffer
	for _, px := range s.pictures.all {
		for _, c := range px {
			strip.Write([]byte{c.R, c.G, c.B})
		}
	}
	s.pictures.mu.Unlock()
	checkAbsent(t, "the strip", strip.String(), secrets)
	for _, page := range []string{"/", "/display", "/host", "/bench", "/bench/events", "/wifi", "/nowhere"} {
		res, err := http.Get(s.house.Network.URL() + page)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		_ = res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		checkAbsent(t, page, string(body)+fmt.Sprint(res.Header), secrets)
	}
	var asked strings.Builder
	cfg := s.house.opts.Config
	cfg.Listen = s.house.Network.Pages.Addr().String()
	if err := health.WriteBundleWithDaemon(t.Context(), &asked, cfg); err != nil {
		t.Fatal(err)
	}
	fetched := s.officeText("support", nil)
	if !strings.Contains(fetched, "reader lost") {
		t.Error("the bundle has no log")
	}
	for _, bundle := range []string{asked.String(), fetched} {
		bundle = spentLink.ReplaceAllString(bundle, "")
		if !strings.Contains(bundle, `"readers":`) || !strings.Contains(bundle, "\nmajordome_reader_lost_total{role=") ||
			!strings.Contains(bundle, "\nmdns: ") {
			t.Errorf("the bundle is not this house's: %s", bundle)
		}
		checkAbsent(t, "the bundle", bundle,
			append([]string{"Anne", "Bruno", "character-", "murderer", "innocent", "clue-", "weapon-", "#j=", "#host=", "9z", wifiPassword},
				secrets...))
	}
}

// spentLink matches what the log shows of a host's link that no longer opens anything.
var spentLink = regexp.MustCompile(`#j=[\w-]{4}…`)

// checkAbsent reports an error for each of the words that the text contains.
func checkAbsent(t *testing.T, where, text string, words []string) {
	t.Helper()
	for _, id := range words {
		if at := strings.Index(text, id); at >= 0 {
			t.Errorf("%s tells %s: %s", where, id, text[max(0, at-150):min(len(text), at+50)])
		}
	}
}

// searchRelay looks for secrets in the messages of the relay.
func (s *spied) searchRelay(t *testing.T, secrets []string, open func(*engine.View)) {
	t.Helper()
	names, games, sizes, count := map[string]bool{}, map[engine.ID]bool{}, map[int]bool{}, map[string]int{}
	for _, m := range s.ear.messages(t) {
		count[m.topic]++
		switch {
		case m.topic == s.house.tree.NamesTopic():
			names[string(m.payload)] = true
		case m.topic == s.house.tree.StateTopic():
			var u wire.Update
			if err := json.Unmarshal(m.payload, &u); err != nil {
				t.Fatal(err)
			}
			games[u.View.Game] = true
			open(&u.View)
			text, err := json.Marshal(u)
			if err != nil {
				t.Fatal(err)
			}
			checkAbsent(t, "the public state", string(text), secrets)
			if u.View.Me != nil || len(u.View.Custody) > 0 || u.Notes != "" {
				t.Error("the public is shown what a seat or the host knows")
			}
		default: // availability, and sealed bytes
			checkAbsent(t, m.topic, string(m.payload), append([]string{"role-", "murderer", "deposit", `"rule":"`}, secrets...))
			if strings.HasSuffix(m.topic, "/view") && len(m.payload) > 0 {
				sizes[len(m.payload)] = true
			}
		}
	}
	// one state for each step of the house
	if told := s.mark(); len(count) < 7 || len(names) == 0 || told < 10 || count[s.house.tree.StateTopic()] < told {
		t.Errorf("too little was heard: %v", count)
	}
	if len(names) > len(games) {
		t.Error("the names have changed during the game")
	}
	if len(sizes) != 1 {
		t.Errorf("sealed views have the sizes %v", sizes)
	}
}

// TestLightSeesThePublicViewAlone: the lights depend on nothing but the public view. The same game, seen by each seat
// with its own secrets in the update, gives the same picture as the public update.
func TestLightSeesThePublicViewAlone(t *testing.T) {
	l := light.DefaultLayout(7)
	film := func(c light.Cue) []devices.RGB {
		s, err := light.NewStage(l, l.MinStripLen(), calmOpts())
		if err != nil {
			t.Fatal(err)
		}
		s.SetCue(c, 0)
		return s.Frame(time.Minute)
	}
	r := startDeposits(t, nil)
	public, _ := r.house.Loop.Snapshot(engine.Public)
	want := film(lamps.CueOf(public))
	for x := engine.Seat(1); x <= 4; x++ {
		own, _ := r.house.Loop.Snapshot(engine.SeatViewer(x))
		if got := film(lamps.CueOf(own)); !slices.Equal(got, want) {
			t.Errorf("the light sees what %s knows", x)
		}
	}
}

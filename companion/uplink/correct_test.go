package uplink

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/wire"
	"majordome/engine"
)

// houseListener is a client of the house that reads all topics and may write to any.
type houseListener struct {
	t testing.TB
	c mqtt.Client

	mu    sync.Mutex
	last  map[string]string
	times map[string]int
}

func (h *house) connectListener(id string) *houseListener {
	h.t.Helper()
	e := &houseListener{t: h.t, last: map[string]string{}, times: map[string]int{}}
	e.c = mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + h.at).SetClientID(id).SetUsername("lamp").
		SetPassword("word of the lamp"))
	e.waitToken(e.c.Connect())
	h.t.Cleanup(func() { e.c.Disconnect(10) })
	e.waitToken(e.c.Subscribe("#", 1, func(_ mqtt.Client, m mqtt.Message) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.last[m.Topic()] = string(m.Payload())
		e.times[m.Topic()]++
	}))
	return e
}

func (e *houseListener) waitToken(token mqtt.Token) {
	e.t.Helper()
	if !token.WaitTimeout(patience) || token.Error() != nil {
		e.t.Fatal(token.Error())
	}
}

func (e *houseListener) write(topic, payload string, retained bool) {
	e.t.Helper()
	e.waitToken(e.c.Publish(topic, 1, retained, payload))
}

func (e *houseListener) lastPayloads() map[string]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.last)
}

func (e *houseListener) count(topic string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.times[topic]
}

// fullTable starts a table that publishes everything it can.
func (h *house) fullTable(name, id string, former ...wire.Tree) (u *Uplink, cleared func() []string) {
	h.t.Helper()
	return h.patientTable(200*time.Millisecond, time.Second, name, id, former...)
}

// patientTable starts such a table, which waits as long as answer for the answer of a twin, and assumes for as long as lives
// that a twin is alive.
func (h *house) patientTable(answer, lives time.Duration, name, id string, former ...wire.Tree) (u *Uplink, cleared func() []string) {
	h.t.Helper()
	tree, err := wire.NewTree("", "home", name)
	if err != nil {
		h.t.Fatal(err)
	}
	var mu sync.Mutex
	var bases []string
	u, err = New(&Opts{URL: "mqtt://" + h.at, User: "table", Password: "word of the table", Tree: tree, Version: "1.2", Language: "fr",
		HandleCommand: new(fakeTable).executeCommand, ID: id,
		Former: former, OnCleared: func(base string) {
			mu.Lock()
			bases = append(bases, base)
			mu.Unlock()
		}, Timeout: patience, MaxRetry: 300 * time.Millisecond})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(u.Close)
	c := u.corrector
	c.mu.Lock()
	c.settleDelay, c.delay, c.answerWindow, c.twinLifetime = 20*time.Millisecond, 20*time.Millisecond, answer, lives
	c.mu.Unlock()
	u.others.mu.Lock()
	u.others.answerWindow, u.others.twinLifetime = answer, lives
	u.others.mu.Unlock()
	u.PublishNames(engine.Names{{ID: "weapon-1", Text: engine.T("Corde", "Rope")}})
	u.Publish(&wire.Update{View: engine.View{Game: "huis-clos", Phase: "lobby"},
		Table: wire.TableView{Readers: map[string]string{"urn": "ok"}}})
	eventually(h.t, "not connected", func() bool { return u.Status().Connected })
	return u, func() []string { mu.Lock(); defer mu.Unlock(); return slices.Clone(bases) }
}

// TestWhatAnotherWritesIsCorrected checks that, whatever a client of the house writes on the topics of a table, the broker
// retains again what the table published.
func TestWhatAnotherWritesIsCorrected(t *testing.T) {
	h := newHouse(t)
	h.start()
	u, _ := h.fullTable("salon", "1")
	e := h.connectListener("forger")
	tree := u.opts.Tree
	topics := append(formerTopics(tree), tree.StateTopic())
	eventually(t, "not everything was published", func() bool { return len(e.lastPayloads()) >= 6 })
	honest := e.lastPayloads()
	for _, forged := range []string{`{"software":"majordome","schema":1,"id":"2","page":"http://10.0.0.9"}`, "offline", "{}", ""} {
		for _, retained := range []bool{true, false} {
			for _, topic := range topics {
				if forged == "" && strings.HasPrefix(topic, hassPrefix) {
					continue // an empty message there means that the owner has deleted the device
				}
				e.write(topic, forged, retained)
			}
			eventually(t, fmt.Sprintf("%q, retained %t, is not corrected", forged, retained), func() bool {
				return maps.Equal(e.lastPayloads(), honest)
			})
			u.corrector.mu.Lock()
			u.corrector.delay = u.corrector.settleDelay // otherwise it would soon be a minute
			u.corrector.mu.Unlock()
		}
	}
	late := h.connectListener("late")
	eventually(t, "the broker keeps something else", func() bool { return maps.Equal(late.lastPayloads(), honest) })
	if !u.IsDisputed() {
		t.Error("nobody is notified that somebody else writes here")
	}
	u.Close()
	if u.corrector.recordOwnTopicMessage(tree.StateTopic(), []byte("x")); u.corrector.timer != nil && u.corrector.timer.Stop() {
		t.Error("a table that is closed corrects")
	}
}

// TestCorrectionsAreFew checks that a table corrects a client that goes on writing less and less often, not as often as the
// client writes.
func TestCorrectionsAreFew(t *testing.T) {
	said := 0
	c := newCorrector("a")
	c.settleDelay, c.delay, c.answerWindow = time.Millisecond, time.Millisecond, time.Millisecond
	var mu sync.Mutex
	c.expected = func(string) ([]byte, bool) { return []byte("online"), true }
	c.republish = func([]string) { mu.Lock(); said++; mu.Unlock() }
	c.probe, c.isTwinAlive = func() {}, func() bool { return false }
	defer c.close()
	began := time.Now()
	for time.Since(began) < 300*time.Millisecond {
		c.recordOwnTopicMessage("a", []byte("offline"))
		time.Sleep(100 * time.Microsecond)
	}
	took := time.Since(began)
	most := 1
	for wait := time.Millisecond; wait < took; wait *= 2 {
		most++
	}
	mu.Lock()
	defer mu.Unlock()
	if said < 2 || said > most {
		t.Errorf("%d corrections in %v, at most %d", said, took, most)
	}
}

// TestTwinsDoNotFight checks that two tables of one name notice each other and correct nothing, and that one corrects again
// when the other is gone.
func TestTwinsDoNotFight(t *testing.T) {
	h := newHouse(t)
	h.start()
	first, _ := h.patientTable(patience/4, twinLifetime, "salon", "1") // by then a live table has answered on any machine
	second, _ := h.patientTable(patience/4, twinLifetime, "salon", "2")
	alive := func(u *Uplink) bool {
		u.others.mu.Lock()
		defer u.others.mu.Unlock()
		return time.Since(u.others.twinSeen) < calmPeriod
	}
	step := func(u *Uplink, n int) {
		u.Publish(&wire.Update{View: engine.View{Game: "huis-clos", Phase: fmt.Sprint("phase-", n)}})
	}
	n := 0
	eventually(t, "they do not know that the other lives", func() bool {
		n++
		step(first, n)
		step(second, -n)
		time.Sleep(100 * time.Millisecond)
		return alive(first) && alive(second)
	})
	corrections := func() uint64 { return first.Status().Counts["corrected"] + second.Status().Counts["corrected"] }
	before := corrections()
	t.Logf("%d corrections until both knew of each other", before)
	e := h.connectListener("ear")
	for i := range 20 {
		step(first, n+i)
		time.Sleep(20 * time.Millisecond)
		step(second, -n-i)
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(time.Second) // longer than a correction takes
	tree := first.opts.Tree
	if more := corrections() - before; more > 0 || e.count(tree.InfoTopic()) > 8 {
		t.Errorf("%d corrections, and %d times it is said who is speaking", more, e.count(tree.InfoTopic()))
	}
	first.corrector.mu.Lock()
	first.corrector.delay = first.corrector.settleDelay
	first.corrector.mu.Unlock()
	second.Close()
	eventually(t, "a table that is there is published as away", func() bool {
		return e.lastPayloads()[tree.AvailabilityTopic()] == "online" && first.Status().Counts["corrected"] > before
	})
	if !first.HasTwin() || !second.HasTwin() {
		t.Error("nobody is notified of the other")
	}
}

// TestAFormerNameIsTakenBack checks that what a table has retained under a former name is cleared, unless another table has
// that name now.
func TestAFormerNameIsTakenBack(t *testing.T) {
	h := newHouse(t)
	h.start()
	red, _ := h.fullTable("red", "1")
	green, _ := h.fullTable("green", "2")
	e := h.connectListener("ear")
	eventually(t, "not everything was published", func() bool { return len(e.lastPayloads()) >= 12 })
	red.Close()
	eventually(t, "red does not go", func() bool { return e.lastPayloads()[red.opts.Tree.AvailabilityTopic()] == "offline" })
	kept := func(tree wire.Tree) (n int) {
		for _, topic := range formerTopics(tree) {
			if e.lastPayloads()[topic] != "" {
				n++
			}
		}
		return n
	}
	none, err := wire.NewTree("", "cellar", "none")
	if err != nil {
		t.Fatal(err)
	}
	blue, cleared := h.fullTable("blue", "1", red.opts.Tree, green.opts.Tree, none)
	eventually(t, "what was published under the former name stays", func() bool {
		return kept(red.opts.Tree) == 0 && slices.Contains(cleared(), red.opts.Tree.Base()) &&
			slices.Contains(cleared(), green.opts.Tree.Base())
	})
	got := cleared()
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, []string{green.opts.Tree.Base(), red.opts.Tree.Base()}) {
		t.Errorf("cleared are %q", got)
	}
	eventually(t, "this table is not published", func() bool { return kept(blue.opts.Tree) == 6 })
	if n := kept(green.opts.Tree); n != 6 {
		t.Errorf("%d topics of the other table are left", n)
	}
	copied, _ := h.fullTable("copied", "1") // a live table on a copy of the memory card
	_, cleared = h.fullTable("violet", "1", copied.opts.Tree, red.opts.Tree)
	red, _ = h.fullTable("red", "3") // another table takes the name
	h.stop()
	h.start()
	eventually(t, "the line does not come back", func() bool { return blue.Status().Connected && red.Status().Connected })
	late := h.connectListener("late")
	eventually(t, "the other table is cleared", func() bool {
		all := late.lastPayloads()
		return all[red.opts.Tree.InfoTopic()] != "" && all[red.opts.Tree.StateTopic()] != "" && all[hassConfigTopic(copied.opts.Tree)] != ""
	})
	eventually(t, "the name of another is not forgotten", func() bool { return slices.Contains(cleared(), red.opts.Tree.Base()) })
	if e.lastPayloads()[hassConfigTopic(copied.opts.Tree)] == "" || slices.Contains(cleared(), copied.opts.Tree.Base()) {
		t.Error("a table that lives is taken back")
	}
}

// TestAvailabilityIsPublishedAgainForHomeAssistant checks that availability is published again when Home Assistant starts.
func TestAvailabilityIsPublishedAgainForHomeAssistant(t *testing.T) {
	h := newHouse(t)
	h.start()
	u, _ := h.fullTable("salon", "1")
	u.mu.Lock()
	u.hassDelay = func() time.Duration { return 0 }
	u.mu.Unlock()
	e := h.connectListener("hass")
	topic := u.opts.Tree.AvailabilityTopic()
	eventually(t, "availability is not there", func() bool { return e.count(topic) > 0 })
	before := e.count(topic)
	e.write(hassStatusTopic, "online", false)
	eventually(t, "availability is not published again", func() bool {
		return e.count(topic) > before && e.lastPayloads()[topic] == "online"
	})
}

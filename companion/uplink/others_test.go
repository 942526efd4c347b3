package uplink

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/wire"
	"majordome/engine"
)

// otherTable starts another table of the house with a name and an id.
func (h *house) otherTable(name, id string) *Uplink {
	h.t.Helper()
	return h.otherTableWith(name, id, nil)
}

// otherTableWith starts one that calls met when HasOthers has changed.
func (h *house) otherTableWith(name, id string, met func()) *Uplink {
	h.t.Helper()
	tree, err := wire.NewTree("", "home", name)
	if err != nil {
		h.t.Fatal(err)
	}
	u, err := New(&Opts{URL: "mqtt://" + h.at, User: "table", Password: "word of the table", Tree: tree, Version: "1.2", ID: id,
		OnOthersChanged: met,
		Page:            func() string { return "http://10.0.0.7" }, Timeout: patience, MaxRetry: 300 * time.Millisecond})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(u.Close)
	return u
}

func formatOthers(u *Uplink) string {
	var out []string
	for _, o := range u.OtherTables() {
		out = append(out, fmt.Sprintf("%s %v %s %s %d", o.Name, o.Online, o.Info.Page, o.State.Game, len(o.State.Seats)))
	}
	return strings.Join(out, "; ")
}

func (h *house) waitForOthers(u *Uplink, want string) {
	h.t.Helper()
	eventually(h.t, "the others are not heard", func() bool { return formatOthers(u) == want })
}

// TestEachTableListsTheOthers checks that each table lists the others, goes on while the broker is away, and lists them again.
func TestEachTableListsTheOthers(t *testing.T) {
	h := newHouse(t)
	h.start()
	met := make(chan struct{}, 1)
	blue, red := h.otherTableWith("blue", "1", func() { met <- struct{}{} }), h.otherTable("red", "2")
	views := playRandomGame(t, "huis-clos", 3, 100)
	blue.Publish(&wire.Update{View: views[len(views)-1]})
	red.Publish(&wire.Update{View: playRandomGame(t, "cluedo-2008", 3, 100)[0]})
	seats := len(views[len(views)-1].Seats)
	h.waitForOthers(red, fmt.Sprintf("blue true http://10.0.0.7 huis-clos %d", seats))
	h.waitForOthers(blue, "red true http://10.0.0.7 cluedo-2008 0")
	select {
	case <-met:
	case <-time.After(patience):
		t.Error("nobody is notified that there is another table")
	}
	if !blue.HasOthers() || blue.HasTwin() || red.HasTwin() {
		t.Error("two names are one")
	}
	h.stop()
	eventually(t, "the loss is not seen", func() bool { return !blue.Status().Connected })
	blue.Publish(&wire.Update{View: views[0]}) // play goes on
	h.start()
	h.waitForOthers(red, fmt.Sprintf("blue true http://10.0.0.7 huis-clos %d", len(views[0].Seats)))
	blue.Close()
	h.waitForOthers(red, fmt.Sprintf("blue false http://10.0.0.7 huis-clos %d", len(views[0].Seats)))
}

// TestTwoTablesOfOneNameNoticeEachOther checks that two tables of one name both notice it, whichever came first, and
// that a table that restarts is not its own twin.
func TestTwoTablesOfOneNameNoticeEachOther(t *testing.T) {
	h := newHouse(t)
	h.start()
	first := h.otherTable("blue", "1")
	eventually(t, "not connected", func() bool { return first.Status().Connected })
	second := h.otherTable("blue", "2")
	eventually(t, "they do not know of each other", func() bool { return first.HasTwin() && second.HasTwin() })
	first.Close()
	second.Close()
	again := h.otherTable("blue", "1")
	h.waitForOthers(h.otherTable("red", "3"), "blue true http://10.0.0.7  0")
	if again.HasTwin() {
		t.Error("what a table published before its restart counts as another's")
	}
}

// TestLyingTableFillsNoMemoryAndShowsNoWrongAddress checks that a client that may write to the broker can neither fill
// the memory nor show a wrong address.
func TestLyingTableFillsNoMemoryAndShowsNoWrongAddress(t *testing.T) {
	h := newHouse(t)
	h.start()
	var met atomic.Int32
	u := h.otherTableWith("blue", "1", func() { met.Add(1) })
	eventually(t, "not connected", func() bool { return u.Status().Connected })
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + h.at).SetUsername("lamp").SetPassword("word of the lamp"))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	t.Cleanup(func() { c.Disconnect(0) })
	say := func(topic, body string) {
		t.Helper()
		if token := c.Publish(topic, 1, true, body); !token.WaitTimeout(patience) || token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	info := func(page string) string {
		return fmt.Sprintf(`{"software":"majordome","schema":%d,"page":%q}`, Schema, page)
	}
	const site = "majordome/1/home/"
	say(site+"red/availability", "online")
	say(site+"red/state", strings.Repeat("x", 1<<10))
	say(site+"red/info", info("javascript:alert(1)"))
	h.waitForOthers(u, "red true   0")
	say(site+"red/state", `{"game":"`+strings.Repeat("x", maxOtherBytes)+`"}`)
	say(site+"red/info", info("https://user:word@example.com"))
	say(site+"Red Room/info", info("http://10.0.0.8"))
	say(site+"green/info", `{"software":"something else","schema":1}`)
	say("majordome/1/elsewhere/grey/info", info("http://10.0.0.8"))
	say(site+"red/info", info("http://10.0.0.8"))
	h.waitForOthers(u, "red true http://10.0.0.8  0")
	for i := range 40 {
		say(fmt.Sprintf("%st%d/info", site, i), info(""))
	}
	say(site+"red/info", info("http://10.0.0.9"))
	eventually(t, "the last word is not heard", func() bool { return strings.Contains(formatOthers(u), "red true http://10.0.0.9") })
	if n := len(u.OtherTables()); n != MaxOthers { // only red has published that it is online
		t.Errorf("%d tables are kept", n)
	}
	say(site+"red/availability", "")
	eventually(t, "a table that was cleared away stays", func() bool { return !strings.Contains(formatOthers(u), "red") })
	if n := met.Load(); n != 1 {
		t.Errorf("it is notified %d times that there are others", n)
	}
	u.Publish(&wire.Update{View: engine.View{Game: "huis-clos"}})
	if u.Status().Reason != "" {
		t.Error("the line is hurt")
	}
}

// TestRetainedFormerTablesHideNoTable checks that messages that a broker retains of former tables, or of no table, hide
// no table that is online, and that tables that are online give no place to more.
func TestRetainedFormerTablesHideNoTable(t *testing.T) {
	tree, err := wire.NewTree("", "home", "blue")
	if err != nil {
		t.Fatal(err)
	}
	o := newOtherTables(tree, "1", func() {})
	say := func(name, what, body string) {
		if !o.handleMessage("majordome/1/home/"+name+"/"+what, []byte(body), true) {
			t.Fatalf("%s/%s is not heard", name, what)
		}
	}
	info := fmt.Sprintf(`{"software":"majordome","schema":%d}`, Schema)
	for i := range 10_000 {
		name := fmt.Sprintf("old%d", i)
		say(name, "availability", "offline")
		say(name, "info", info)
		say(fmt.Sprintf("rubbish%d", i), "state", "\x00\xff")
	}
	for i := range MaxOthers + 1 {
		name := fmt.Sprintf("there%d", i)
		say(name, "info", info) // in this order, as a table that has just started publishes it
		say(name, "availability", "online")
	}
	say("rubbish", "state", "{}")
	all := o.listShown()
	for _, x := range all {
		if !x.Online || x.Name == fmt.Sprintf("there%d", MaxOthers) {
			t.Errorf("%s is shown", x.Name)
		}
	}
	if len(all) != MaxOthers || len(o.tables) != MaxOthers {
		t.Errorf("%d tables are shown, %d kept", len(all), len(o.tables))
	}
	if n := len(o.listUnshown()); n != maxUnshown {
		t.Errorf("%d more are counted, want no more than %d", n, maxUnshown)
	}
}

// TestTableWithoutAPlaceIsCounted checks that a table without a place is counted, even when a place becomes free later, until its messages
// are cleared; anything that is no table is not counted.
func TestTableWithoutAPlaceIsCounted(t *testing.T) {
	tree, err := wire.NewTree("", "home", "blue")
	if err != nil {
		t.Fatal(err)
	}
	o := newOtherTables(tree, "1", func() {})
	say := func(name, what, body string) { o.handleMessage("majordome/1/home/"+name+"/"+what, []byte(body), true) }
	info := fmt.Sprintf(`{"software":"majordome","schema":%d}`, Schema)
	for _, what := range []string{"availability", "info", "state"} { // in the order in which a broker sends what it retains
		for i := range MaxOthers + 3 {
			say(fmt.Sprintf("t%02d", i), what, map[string]string{"availability": "online", "info": info, "state": "{}"}[what])
		}
	}
	say("rubbish", "info", `{"software":"something else"}`)
	expect := func(shown int, more ...string) {
		t.Helper()
		if got := o.listUnshown(); len(o.listShown()) != shown || strings.Join(got, " ") != strings.Join(more, " ") {
			t.Errorf("%d are shown, more are %v; want %d, and %v", len(o.listShown()), got, shown, more)
		}
	}
	expect(MaxOthers, "t32", "t33", "t34")
	say("t33", "availability", "")
	expect(MaxOthers, "t32", "t34")
	say("t00", "availability", "") // there is a place now, for the next table that publishes anything
	expect(MaxOthers-1, "t32", "t34")
	say("t34", "availability", "online")
	say("t34", "info", info)
	expect(MaxOthers, "t32")
	say("t01", "availability", "offline")
	say("t32", "info", info)
	expect(MaxOthers, "t01")
}

// TestTablesAreListedInNaturalOrder checks that tables with numbers are listed in their natural order, those without a place as well.
func TestTablesAreListedInNaturalOrder(t *testing.T) {
	tree, err := wire.NewTree("", "home", "blue")
	if err != nil {
		t.Fatal(err)
	}
	o := newOtherTables(tree, "1", func() {})
	for _, what := range []string{"availability", "info"} {
		for n := MaxOthers + 11; n > 0; n-- {
			body := map[string]string{"availability": "online", "info": fmt.Sprintf(`{"software":"majordome","schema":%d}`, Schema)}[what]
			o.handleMessage(fmt.Sprintf("majordome/1/home/t%d/%s", n, what), []byte(body), true)
		}
	}
	for i, table := range o.listShown() {
		if want := fmt.Sprintf("t%d", 12+i); table.Name != want {
			t.Errorf("table %d is %s, want %s", i, table.Name, want)
		}
	}
	if got := strings.Join(o.listUnshown(), " "); got != "t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11" {
		t.Errorf("without room are %s", got)
	}
}

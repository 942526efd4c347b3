package console

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/house"
	"majordome/companion/line"
	"majordome/companion/porttest"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/games"
)

const patience = time.Minute

// startMosquitto starts Debian's broker without accounts until the test ends.
func startMosquitto(t *testing.T) (url string) {
	t.Helper()
	const bin = "/usr/sbin/mosquitto"
	if _, err := os.Stat(bin); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("mosquitto is not installed: apt-get install mosquitto")
		}
		t.Skip("SKIPPED, mosquitto is not installed: apt-get install mosquitto")
	}
	at := porttest.FreeAddress(t)
	_, port, _ := net.SplitHostPort(at)
	text := "listener " + port + " 127.0.0.1\nallow_anonymous true\npersistence false\nlog_dest none\n"
	if os.Geteuid() == 0 {
		text += "user root\n"
	}
	conf := filepath.Join(t.TempDir(), "mosquitto.conf")
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "-c", conf)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return "mqtt://" + at
}

// running runs something until the test ends.
func running(t *testing.T, run func(context.Context, func() error) error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- run(ctx, func() error { close(ready); return nil }) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	select {
	case <-ready:
	case err := <-ended:
		ended <- err
		t.Fatal(err)
	case <-time.After(patience):
		t.Fatal("it is not ready")
	}
}

// startTable runs a real table, without readers, with a line to the venue.
func startTable(t *testing.T, engineURL, name string, rights ...string) *house.House {
	t.Helper()
	c := config.Defaults()
	c.Listen, c.MQTT, c.HTTPS, c.Data, c.Table = "127.0.0.1:0", "127.0.0.1:0", "off", t.TempDir(), name
	c.Venue, c.VenueRights = engineURL, rights
	h, err := house.Open(house.Opts{Config: c, Decks: games.KnownGames().DefaultDecks(), Log: slog.New(slog.DiscardHandler),
		Players: map[engine.ID][]house.Player{"huis-clos": {{Name: "Anne", Character: "character-borrow"}}}})
	if err != nil {
		t.Fatal(err)
	}
	running(t, h.Run)
	return h
}

// device is a device of an operator.
type device struct {
	*testing.T
	url    string
	grant  seal.Grant
	epoch  uint64
	number uint64
}

// joinByLink pairs a device by the link of the console, as the page does.
func joinByLink(t *testing.T, c *Console) *device {
	t.Helper()
	links, err := c.IssueLinks(false)
	if err != nil {
		t.Fatal(err)
	}
	at, fragment, ok := strings.Cut(links.Host, "/venue#j=")
	if !ok {
		t.Fatalf("the link is %s", links.Host)
	}
	code, err := seal.ParseCode(fragment)
	if err != nil {
		t.Fatal(err)
	}
	joiner := seal.NewJoiner(code, seal.NewPhone())
	answer, err := http.Post(at+"/join", "application/json", bytes.NewReader(joiner.Body()))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	d := &device{T: t, url: at}
	if d.grant, err = joiner.OpenAnswer(body); err != nil {
		t.Fatalf("%s %s: %v", answer.Status, body, err)
	}
	site, err := http.Get(at + "/venue.json")
	if err != nil {
		t.Fatal(err)
	}
	defer site.Body.Close()
	var said wire.VenueSite
	if err := json.NewDecoder(site.Body).Decode(&said); err != nil {
		t.Fatal(err)
	}
	d.epoch = said.Epoch
	return d
}

// askOffice asks the office of the console.
func (d *device) askOffice(row string, args engine.Args) (a wire.OfficeAnswer) {
	d.Helper()
	body, _ := json.Marshal(wire.OfficeRequest{Row: row, Args: args})
	d.number++
	sealed, err := seal.SealRequest(d.grant.Key, d.epoch, d.number, body)
	if err != nil {
		d.Fatal(err)
	}
	answer, err := http.Post(d.url+"/office", "application/octet-stream", bytes.NewReader(append([]byte{byte(d.grant.Phone)}, sealed...)))
	if err != nil {
		d.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ = io.ReadAll(answer.Body)
	if body, err = seal.OpenAnswer(d.grant.Key, d.number, body); err != nil {
		d.Fatalf("%s: %v", answer.Status, err)
	}
	if err := json.Unmarshal(body, &a); err != nil {
		d.Fatal(err)
	}
	return a
}

// waitTables waits until all conditions hold for the tables on the page; is says of each table what is missing.
func (d *device) waitTables(what string, is func(map[string]wire.VenueTable) bool) {
	d.Helper()
	var last string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		a := d.askOffice("tables", nil)
		var v wire.Venue
		if err := json.Unmarshal(a.Value, &v); err != nil {
			d.Fatalf("%+v: %v", a, err)
		}
		all := map[string]wire.VenueTable{}
		for _, t := range v.All {
			all[t.Name] = t
		}
		if last = string(a.Value); is(all) {
			return
		}
	}
	d.Fatalf("%s: %s", what, last)
}

// act does an act, which must not be refused.
func (d *device) act(args engine.Args) {
	d.Helper()
	if a := d.askOffice("act", args); a.Why != nil {
		d.Fatalf("%v: %+v", args, a.Why)
	}
}

func stateOf(t wire.VenueTable) string {
	if t.Act == nil {
		return ""
	}
	return t.Act.Act + " " + t.Act.State
}

// TestConsole has two real tables and a false one that never answers at a real Mosquitto: an act at one, at all, one that a
// table's rights refuse, and one without an answer. Then a table ends.
func TestConsole(t *testing.T) {
	at := startMosquitto(t)
	c, err := Open(&Opts{Config: Config{Listen: "127.0.0.1:0", Engine: at, Site: "house", Data: t.TempDir()},
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	running(t, c.Run)
	startTable(t, at, "salon")
	startTable(t, at, "bureau", "alarm", "light")
	mute, err := line.New(&line.Opts{URL: at, ClientID: "mute", Will: "majordome/1/house/mute/availability",
		Topics: []string{"majordome/1/house/mute/info"}, Receive: func(string, []byte, bool) {}})
	if err != nil {
		t.Fatal(err)
	}
	mute.SetTopics(map[string][]byte{"majordome/1/house/mute/info": []byte(`{"software":"majordome","schema":1,"commands":true}`)})
	mute.Start()
	t.Cleanup(mute.Close)

	d := joinByLink(t, c)
	d.waitTables("three tables", func(all map[string]wire.VenueTable) bool {
		return len(all) == 3 && all["salon"].Online && all["bureau"].Online && all["mute"].Online && all["salon"].Game == "huis-clos" &&
			all["salon"].Commands && all["bureau"].Commands
	})
	d.act(engine.Args{"tables": "bureau", "act": "pause"})
	d.waitTables("an act that the rights refuse", func(all map[string]wire.VenueTable) bool {
		return stateOf(all["bureau"]) == "pause omitted" && all["bureau"].Act.Why.FR != "" && all["salon"].Act == nil
	})
	d.act(engine.Args{"tables": "salon", "act": "alarm"})
	d.waitTables("an act at one table", func(all map[string]wire.VenueTable) bool {
		return stateOf(all["salon"]) != "alarm pending" && all["salon"].Act.By == ""
	})
	d.act(engine.Args{"tables": "*", "act": "alarm"})
	d.waitTables("an act at all tables", func(all map[string]wire.VenueTable) bool {
		return all["salon"].Act.Round == 3 && all["bureau"].Act.Round == 3 && stateOf(all["mute"]) == "alarm unknown" &&
			stateOf(all["salon"]) != "alarm pending" && stateOf(all["bureau"]) != "alarm pending"
	})
	mute.Close()
	d.waitTables("a table that is away", func(all map[string]wire.VenueTable) bool { return !all["mute"].Online && all["mute"].Since > 0 })
}

// TestOperatorsSignIn checks that a device of a console with accounts sees and does nothing until somebody signs in, and that a
// host may look but not act.
func TestOperatorsSignIn(t *testing.T) {
	c, err := Open(&Opts{Config: Config{Listen: "127.0.0.1:0", Engine: "mqtt://127.0.0.1:1", Site: "house", Data: t.TempDir()},
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	running(t, c.Run)
	d := joinByLink(t, c)
	second := joinByLink(t, c)
	if d.grant.Phone != 1 || second.grant.Phone != 2 {
		t.Errorf("the devices are %d and %d", d.grant.Phone, second.grant.Phone)
	}
	for i, a := range []engine.Args{{"name": "Odile", "role": "owner", "pin": "2580"}, {"name": "Hugo", "role": "host", "pin": "1470"}} {
		if a := d.askOffice("people-set", a); a.Why != nil {
			t.Fatalf("account %d: %+v", i, a.Why)
		}
	}
	for _, row := range []string{"tables", "act", "people-set"} {
		if a := second.askOffice(row, nil); a.Why == nil || a.Why.Key != "table.staff.locked" {
			t.Errorf("%s at a locked device: %+v", row, a)
		}
	}
	if a := second.askOffice("sign-in", engine.Args{"id": "2", "pin": "1470"}); a.Why != nil {
		t.Fatalf("%+v", a.Why)
	}
	if a := second.askOffice("tables", nil); a.Why != nil {
		t.Errorf("a host may not look: %+v", a.Why)
	}
	if a := second.askOffice("act", engine.Args{"tables": "x", "act": "pause"}); a.Why == nil || a.Why.Key != "table.staff.needs.operator" {
		t.Errorf("a host acts: %+v", a)
	}
}

// TestConfigFaults checks that each wrong value is named in both languages.
func TestConfigFaults(t *testing.T) {
	good := "engine: mqtt://192.168.1.5:1883\nsite: cafe\ngroups:\n  étage:\n    - salle-*\n"
	if c, err := parseConfig("venue.yaml", []byte(good)); err != nil || c.Groups["étage"][0] != "salle-*" || c.Listen != ":8090" {
		t.Errorf("%+v %v", c, err)
	}
	for _, key := range []string{"engine: x", "site: Café", "listen: 8090", "lock: -1", "remember: -1", "results: x", "colour: red",
		"groups:\n  a:\n    - '['"} {
		name, _, _ := strings.Cut(key, ":")
		lines := "engine: mqtt://192.168.1.5:1883\n"
		if name == "engine" {
			lines = ""
		}
		if _, err := parseConfig("venue.yaml", []byte(lines+key+"\n")); err == nil || !strings.HasPrefix(err.Error(), "venue.yaml:") {
			t.Errorf("%q: %v", key, err)
		}
	}
}

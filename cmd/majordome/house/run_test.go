package house

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/network"
	"majordome/cmd/majordome/storage"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/light"
	"majordome/engine"
	"majordome/engine/games"
)

// TestRunStartsAndStopsInReverseOrder: the players sit, the first step reaches pages and lights, and systemd is
// notified. A cancel stops everything in reverse order, without an error and with no goroutine left.
func TestRunStartsAndStopsInReverseOrder(t *testing.T) {
	told := listenNotify(t, 60*time.Millisecond)
	before, _ := goroutines()
	steps := &trail{}
	s := &strip{lit: make(chan struct{}), trail: steps}
	var r *rig
	halting := &scanner{trail: steps}
	r = openRig(t, func(o *Opts) {
		o.Readers = []config.Reader{{Role: engine.ReaderUrn, Scanner: halting, Period: time.Millisecond}}
		o.Strips = []config.Strip{{Strip: s, Layout: light.DefaultLayout(7)}}
		o.Bench = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { // a stream that never ends
			_ = http.NewResponseController(w).Flush()
			<-req.Context().Done()
			steps.add("stream ended")
		})
	})
	r.house.entrance.shutdownGrace = patience // so that a stream that is cut only after this time is noticed below
	halting.halt = func() {
		if res, err := http.Get(r.house.Network.URL() + "/display"); err != nil {
			t.Errorf("the pages went before the readers: %v", err)
		} else {
			_ = res.Body.Close()
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- r.house.Run(ctx, func() error { close(ready); return nil }) }()
	<-ready
	r.waitUpdate(0, "four players", func(u wire.Update) bool { return len(u.View.Seats) == 4 && u.View.Seats[0].First })
	<-s.lit
	waitNotify(t, told, "READY=1")
	waitNotify(t, told, "WATCHDOG=1")
	waitNotify(t, told, "WATCHDOG=1")
	res, err := http.Get(r.house.Network.URL() + "/bench/events")
	if err != nil {
		t.Fatal(err)
	}

	stop()
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Errorf("the stream was cut, not ended: %v", err)
	}
	waitNotify(t, told, "STOPPING=1")
	if want := []string{"reader off", "strip dark", "stream ended"}; !slices.Equal(steps.what, want) {
		t.Errorf("stopped in the order %v, want %v", steps.what, want)
	}
	_ = res.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	noGoroutinesLeft(t, before)
}

// TestRestartInTheSameProcessDoesNotStopTheUnit: a table that ends to restart in the same process does not notify
// systemd that it stops, which would then kill it.
func TestRestartInTheSameProcessDoesNotStopTheUnit(t *testing.T) {
	told := listenNotify(t, time.Hour)
	r := openRig(t, nil)
	ended := make(chan error, 1)
	go func() { ended <- r.house.Run(t.Context(), func() error { return nil }) }()
	waitNotify(t, told, "READY=1")
	r.house.Store.RequestRestore("a backup")
	var wish *storage.RestoreError
	if err := <-ended; !errors.As(err, &wish) {
		t.Fatalf("Run: %v", err)
	}
	if _, err := daemon.SdNotify(false, "STATUS=ended"); err != nil {
		t.Fatal(err)
	}
	waitNotify(t, told, "STATUS=ended")
}

// listenNotify listens on the socket that a daemon sends its status to (sd_notify).
func listenNotify(t *testing.T, watchdog time.Duration) <-chan string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", fmt.Sprint(watchdog.Microseconds()))
	t.Setenv("WATCHDOG_PID", fmt.Sprint(os.Getpid()))
	told := make(chan string, 1000)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for buf := make([]byte, 256); ; {
			n, err := c.Read(buf)
			if err != nil {
				return
			}
			if text := string(buf[:n]); text != "WATCHDOG=1" || len(told) < cap(told)/2 { // the test may not be reading
				told <- text
			}
		}
	}()
	t.Cleanup(func() { _ = c.Close(); <-done })
	return told
}

// waitNotify skips watchdog messages until the wanted message comes.
func waitNotify(t *testing.T, told <-chan string, want string) {
	t.Helper()
	late := time.After(patience)
	for {
		select {
		case got := <-told:
			if got == want {
				return
			}
			if got != "WATCHDOG=1" {
				t.Fatalf("systemd was notified of %q before %q", got, want)
			}
		case <-late:
			t.Fatalf("systemd was not notified of %q", want)
		}
	}
}

// TestRunFails: a part that fails ends the others and is named in the error, and READY is not sent after it.
func TestRunFails(t *testing.T) {
	told := listenNotify(t, time.Hour)
	r := openRig(t, nil)
	err := r.house.Run(context.Background(), func() error { return errBroken })
	if !errors.Is(err, errBroken) {
		t.Errorf("Run: %v", err)
	}
	waitNotify(t, told, "STOPPING=1")
}

// TestRestart: the game goes on at the same point, and no player sits down twice.
func TestRestart(t *testing.T) {
	data := t.TempDir()
	here := func(o *Opts) { o.Config.Data = data }
	t.Run("first", func(t *testing.T) { startRoles(t, here) })
	t.Run("second", func(t *testing.T) {
		r := startRig(t, here)
		u, _ := r.house.Loop.Snapshot(engine.Public)
		if u.View.Phase != "roles" || len(u.View.Seats) != 4 || u.Epoch != 2 {
			t.Errorf("phase %s, %d seats, epoch %d", u.View.Phase, len(u.View.Seats), u.Epoch)
		}
	})
}

// TestCardLeftOnAReaderOverARestartIsNotPresented: a card left on a reader counts as no presentation when the daemon starts again,
// neither a card that was accepted, which would be an alarm (GEN-E13), nor one that the daemon has never seen. Lifted
// and put down again, it counts.
func TestCardLeftOnAReaderOverARestartIsNotPresented(t *testing.T) {
	data := t.TempDir()
	here := func(o *Opts) { o.Config.Data = data }
	mine := tagOf(t, "role-murderer")
	again := func(t *testing.T, lies devices.UID) *rig {
		r := openRig(t, here)
		r.placeTags(engine.ReaderShow, lies)
		r.run()
		r.eyes[engine.ReaderShow].waitReady(t, engine.ReaderShow)
		r.house.Loop.IsResponsive(t.Context(), patience)
		if s := r.signals(0, engine.ReaderShow); len(s) > 0 {
			t.Errorf("the card that lay there is answered: %v", s)
		}
		r.sims[engine.ReaderShow].RemoveTag(lies)
		return r
	}
	t.Run("accepted", func(t *testing.T) {
		r := startRoles(t, here)
		for _, card := range []devices.UID{mine, tagOf(t, "role-innocent-1")} {
			r.presentAccepted(engine.ReaderShow, func() { r.placeTags(engine.ReaderShow, card) })
			r.sims[engine.ReaderShow].RemoveTag(card)
		}
	})
	t.Run("and it lies there still", func(t *testing.T) { again(t, mine) })
	t.Run("laid while the daemon was away", func(t *testing.T) {
		next := tagOf(t, "role-innocent-2")
		r := again(t, next)
		u := r.presentAccepted(engine.ReaderShow, func() { r.placeTags(engine.ReaderShow, next) })
		if !u.View.Seats[2].Done {
			t.Error("Chloé has not drawn")
		}
	})
}

// TestLevelsOfSensing: with a reader in the urn only, or with no reader, the table runs and asks for no card where
// there is no reader (GEN-024).
func TestLevelsOfSensing(t *testing.T) {
	for _, there := range [][]string{{}, {engine.ReaderUrn}} {
		r := startRoles(t, func(o *Opts) {
			o.Readers = slices.DeleteFunc(o.Readers, func(x config.Reader) bool { return !slices.Contains(there, x.Role) })
		})
		r.mustHostAct("draw-roles", nil)
		r.mustHostAct("deal", nil)
		r.house.Loop.IsResponsive(t.Context(), patience) // all answers have also been published
		u, _ := r.house.Loop.Snapshot(engine.Public)
		if u.View.Phase != "pick" || len(u.View.Readers) != 0 || len(u.Table.Readers) != len(there) {
			t.Errorf("%v: phase %s, waits at %v, readers %v", there, u.View.Phase, u.View.Readers, u.Table.Readers)
		}
		if len(u.View.Active) == 0 {
			t.Fatal("nobody is to act")
		}
		active, _ := r.house.Loop.Snapshot(engine.SeatViewer(u.View.Active[0]))
		if !slices.ContainsFunc(active.View.Offers, func(o engine.Offer) bool { return o.Act == "keep" }) {
			t.Errorf("%v: seat %d cannot declare what it keeps: %v", there, u.View.Active[0], active.View.Offers)
		}
	}
}

// TestEveryFaultAtOnce: both addresses are in use and the folder is missing; all three faults are reported.
func TestEveryFaultAtOnce(t *testing.T) {
	before, _ := goroutines()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := testConfig(t)
	c.Listen, c.MQTT, c.Data = taken.Addr().String(), taken.Addr().String(), filepath.Join(c.Data, "nowhere")
	h, err := Open(Opts{Config: c, Decks: games.KnownGames().DefaultDecks(), Log: discardLog()})
	if h != nil || err == nil {
		t.Fatal("opened")
	}
	for _, want := range []string{"listen: address " + c.Listen + " is in use", "mqtt: address " + c.MQTT + " is in use", "missing"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not named in: %v", want, err)
		}
	}
	var address *network.AddressError
	if !errors.As(err, &address) || !strings.Contains(address.Text().FR, "déjà prise") {
		t.Errorf("no word in French: %v", err)
	}
	var file *store.Error
	if !errors.As(err, &file) || file.Trouble != store.Missing {
		t.Errorf("the folder is not named: %v", err)
	}
	_ = taken.Close()
	noGoroutinesLeft(t, before)
}

// TestLoopbackOpensNothingElse: a table that listens on loopback opens all its ports there only.
func TestLoopbackOpensNothingElse(t *testing.T) {
	for _, mqtt := range []string{config.Defaults().MQTT, ":0"} {
		r := startRig(t, func(o *Opts) { o.Config.MQTT, o.Config.HTTPS, o.Config.Home = mqtt, mqtt, mqtt })
		for name, l := range map[string]net.Listener{
			"pages": r.house.Network.Pages,
			"mqtt":  r.house.Network.MQTT,
			"own":   r.house.Network.Loopback,
			"https": r.house.Network.HTTPS,
			"home":  r.house.Network.Home,
		} {
			if l == nil {
				continue
			}
			if at, err := netip.ParseAddrPort(l.Addr().String()); err != nil || !at.Addr().IsLoopback() {
				t.Errorf("mqtt %q: %s is at %v: %v", mqtt, name, l.Addr(), err)
			}
		}
		for name, on := range map[string]bool{
			"mqtt":  r.house.Network.MQTT != nil,
			"https": r.house.Network.HTTPS != nil,
			"home":  r.house.Network.Home != nil,
		} {
			if on != (mqtt == ":0") {
				t.Errorf("%s %q: served: %v", name, mqtt, on)
			}
		}
	}
}

package uplink

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/line"
	"majordome/companion/wire"
)

// faultyProxy is a proxy between a table and the broker of the house, with the faults of a network and a broker.
type faultyProxy struct {
	to        string
	mu        sync.Mutex
	proxyMode string
	open      []net.Conn
}

// proxyModes are the modes of a faultyProxy.
var proxyModes = []string{"kind", "cut", "refused", "silent", "slow", "flood"}

func newFaultyProxy(t testing.TB, to string) (*faultyProxy, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &faultyProxy{to: to, proxyMode: "kind"}
	t.Cleanup(func() { _ = l.Close(); w.setMode("cut") })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.serve(c)
		}
	}()
	return w, l.Addr().String()
}

func (w *faultyProxy) currentMode() string { w.mu.Lock(); defer w.mu.Unlock(); return w.proxyMode }

// setMode changes the mode and cuts all connections.
func (w *faultyProxy) setMode(how string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.proxyMode = how
	for _, c := range w.open {
		_ = c.Close()
	}
	w.open = nil
}

func (w *faultyProxy) serve(c net.Conn) {
	defer c.Close()
	w.mu.Lock()
	how := w.proxyMode
	w.open = append(w.open, c)
	w.mu.Unlock()
	switch how {
	case "cut":
		return
	case "refused":
		_, _ = io.ReadFull(c, make([]byte, 10))
		_, _ = c.Write([]byte{0x20, 2, 0, 5})
		return
	case "silent": // reads one byte and no more
		_, _ = io.Copy(io.Discard, io.LimitReader(c, 1))
		for w.currentMode() == "silent" {
			time.Sleep(10 * time.Millisecond)
		}
		return
	}
	up, err := net.Dial("tcp", w.to)
	if err != nil {
		return
	}
	defer up.Close()
	w.mu.Lock()
	w.open = append(w.open, up)
	w.mu.Unlock()
	go func() {
		defer c.Close()
		if how == "slow" {
			b := make([]byte, 64)
			for {
				n, err := c.Read(b)
				if err != nil {
					return
				}
				if _, err := up.Write(b[:n]); err != nil {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}
		_, _ = io.Copy(up, c)
		_ = up.Close()
	}()
	if how == "flood" { // after the CONNACK: whole packets that the table never subscribed to
		b := make([]byte, 4)
		if _, err := io.ReadFull(up, b); err != nil {
			return
		}
		_, _ = c.Write(b)
		packet := append([]byte{0x30, 24, 0, 20}, []byte(hassStatusTopic + "xxxxxxxx")[:20]...)
		packet = append(packet, "on"...)
		for {
			if _, err := c.Write(packet); err != nil {
				return
			}
		}
	}
	_, _ = io.Copy(c, up)
}

// TestNoStepWaitsForTheHouse checks that, whatever the network and the broker do, Publish returns at once, and the newest state
// arrives in the end. The figures are in the log; with MAJORDOME_SOAK a step above 50 ms fails, unless the machine itself
// causes half of that.
func TestNoStepWaitsForTheHouse(t *testing.T) {
	h := newHouse(t)
	h.start()
	w, at := newFaultyProxy(t, h.at)
	u, err := New(&Opts{URL: "mqtt://" + at, User: "table", Password: "word of the table", Tree: h.tree, Version: "1", Language: "en",
		HandleCommand: new(fakeTable).executeCommand, Timeout: 300 * time.Millisecond, MaxRetry: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.Close)
	soak := os.Getenv("MAJORDOME_SOAK") != ""
	turns := 12
	if soak {
		turns = 300
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 1))
	all := playRandomGame(t, "huis-clos", 7, 400)
	took := map[string][]time.Duration{}
	var alone MessageBuilder // to measure what the machine itself makes a step wait
	for n := range turns {
		how := proxyModes[n%len(proxyModes)]
		if n >= len(proxyModes) {
			how = proxyModes[dice.IntN(len(proxyModes))]
		}
		w.setMode(how)
		for i := range 200 {
			began := time.Now()
			alone.BuildMessages(&wire.Update{View: all[(n*200+i)%len(all)]})
			took["nobody"] = append(took["nobody"], time.Since(began))
			began = time.Now()
			u.Publish(&wire.Update{View: all[(n*200+i)%len(all)]})
			took[how] = append(took[how], time.Since(began))
			if i%50 == 0 {
				time.Sleep(time.Duration(dice.IntN(20)) * time.Millisecond) // the pace of a game, not of a test that waits
			}
		}
	}
	slices.Sort(took["nobody"])
	busy := took["nobody"][len(took["nobody"])-1] // the longest wait that this machine itself causes
	for how, d := range took {
		slices.Sort(d)
		t.Logf("%-8s %6d steps: median %v, 99 %% %v, longest %v", how, len(d), d[len(d)/2], d[len(d)*99/100], d[len(d)-1])
		if soak && d[len(d)-1] > max(50*time.Millisecond, 2*busy) {
			t.Errorf("%s: a step waited %v", how, d[len(d)-1])
		}
	}
	w.setMode("kind")
	eventually(t, "the line does not come back", func() bool { return u.Status().Connected })
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + h.at).SetClientID("late").SetUsername("lamp").
		SetPassword("word of the lamp"))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	t.Cleanup(func() { c.Disconnect(10) })
	var mu sync.Mutex
	var got string
	c.Subscribe(h.tree.StateTopic(), 1, func(_ mqtt.Client,
		m mqtt.Message) {
		mu.Lock()
		defer mu.Unlock()
		got = string(m.Payload())
	}).WaitTimeout(patience)
	eventually(t, "the newest state is not there", func() bool { mu.Lock(); defer mu.Unlock(); return got == string(u.retainedState()) })
	if s := u.Status(); s.Reason != "" && s.Reason != line.Broken {
		t.Error(fmt.Sprint(s))
	}
}

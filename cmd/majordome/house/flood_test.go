package house

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/cmd/majordome/config/configtest"
	"majordome/companion/home"
	"majordome/companion/wire"
	"majordome/engine"
)

// TestTheGameWaitsForNoProgram: no step waits for programs that send commands without pause, some of them nonsense, at
// both brokers, nor for a web address that hangs. The log has the figures. In a soak test, with the machine to itself,
// a step over 50 ms fails.
func TestTheGameWaitsForNoProgram(t *testing.T) {
	hung := make(chan struct{})
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hung }))
	t.Cleanup(func() { close(hung); hook.CloseClientConnections(); hook.Close() })
	own, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serveHomeBroker(t, own)
	r := startRig(t, func(o *Opts) {
		o.Public = nil // a rig's record of each step would be most of the heap
		o.Config.Home, o.Config.Commands, o.Config.Uplink = "127.0.0.1:0", "both", "mqtt://"+own.Addr().String()
		o.Config.Hook, o.Config.Secret, o.Config.Plain = hook.URL, configtest.WriteTempFile(t, "a secret of the house"), true
	})
	soak := os.Getenv("MAJORDOME_SOAK") != ""
	steps := map[bool]int{false: 100, true: 3000}[soak]
	play := func() (took []time.Duration) {
		for i := range steps {
			began := time.Now()
			if err := r.house.hostActs.performAct(1, "box-check", engine.Args{"on": []string{"yes", "no"}[i%2]}); err != nil {
				t.Fatal(err)
			}
			took = append(took, time.Since(began))
			time.Sleep(time.Millisecond) // the pace of a game is slower
		}
		slices.Sort(took)
		return took
	}
	word, err := r.house.smartHome.Accounts.AddOrRenewAccount("flows", home.NodeRED, "")
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	took := map[string][]time.Duration{"alone": play()}
	for _, where := range []string{"/elsewhere/", "/command/"} { // the same load twice; only the second topic reaches the house
		end := startFlood(t, word, r.house.tree.Base()+where, r.house.Network.Home.Addr().String(), own.Addr().String())
		took[where] = play()
		sent = end()
	}
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	for name, d := range took {
		t.Logf("%-12s %d steps: median %v, 99 %% %v, longest %v", name, len(d), d[len(d)/2], d[len(d)*99/100], d[len(d)-1])
	}
	t.Logf("%d commands; heap %d KiB; %v, %v", sent, memory.HeapAlloc>>10, r.house.smartHome.Status().Uplink.Counts,
		r.house.smartHome.Status().Home.Counts)
	if longest := took["/command/"][steps-1]; soak && longest > 50*time.Millisecond {
		t.Errorf("a step waited %v", longest)
	}
	if counts := r.house.smartHome.Status().Uplink.Counts; counts["commands"] == 0 {
		t.Error("no flood was turned away")
	}
	g, ok, err := r.house.Store.CurrentGame()
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	rows, err := r.house.Store.Events(g.ID)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range rows {
		if strings.HasPrefix(e.Cause, wire.ByProgram) {
			n++
		}
	}
	if n > 1000 { // 2 a second from each of two senders
		t.Errorf("%d events were written", n)
	}
}

// floodEnv is the environment variable of a sender: its broker, its password, its topic.
const floodEnv = "MAJORDOME_FLOOD"

// TestFlood is one sending program of TestTheGameWaitsForNoProgram, in a process of its own: it sends until its input
// ends, and prints how many messages it has sent.
func TestFlood(t *testing.T) {
	if os.Getenv(floodEnv) == "" {
		t.Skip("a part of TestTheGameWaitsForNoProgram")
	}
	with := strings.Fields(os.Getenv(floodEnv))
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + with[0]).SetUsername("flows").SetPassword(with[1]))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	defer c.Disconnect(0)
	stop := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(stop)
	}()
	for i := 0; ; i++ {
		body := []string{fmt.Sprintf(`{"id":"%d-%d","by":"n%d","to":"dark"}`, os.Getpid(), i, i), `{"id":"1","to":"game"}`,
			strings.Repeat("[", 2000), strings.Repeat("x", 5000), "", "\x00\xff"}[i%6]
		token := c.Publish(with[2]+[]string{"light", "pause", "hint", "none"}[i%4], byte(i%2), i%9 == 0, body)
		select {
		case <-stop:
			fmt.Printf("sent %d\n", i)
			return
		case <-token.Done():
		case <-time.After(patience):
			t.Fatal("the broker does not answer")
		}
	}
}

// startFlood runs two programs at each broker that send below a topic without pause; end stops them and returns the
// number of messages.
func startFlood(t *testing.T, word, below string, brokers ...string) (end func() int) {
	t.Helper()
	var senders []func() int
	for n := range 2 * len(brokers) {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFlood$")
		c.Env = append(os.Environ(), floodEnv+"="+strings.Join([]string{brokers[n%len(brokers)], word, below}, " "))
		var said bytes.Buffer
		c.Stdout, c.Stderr = &said, &said
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		senders = append(senders, func() (n int) {
			in.Close()
			if err := c.Wait(); err != nil {
				t.Errorf("%v: %s", err, &said)
			}
			if _, err := fmt.Sscanf(said.String(), "sent %d", &n); err != nil {
				t.Errorf("%v: %s", err, &said)
			}
			return n
		})
	}
	return func() (all int) {
		for _, end := range senders {
			all += end()
		}
		return all
	}
}

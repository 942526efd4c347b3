package line

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"majordome/companion/porttest"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// patience is the longest wait for a condition on a slow machine.
const patience = time.Minute

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// fakeBroker is a broker that a test makes as faulty as it likes.
type fakeBroker struct {
	t  testing.TB
	at string

	mu               sync.Mutex
	connectionStarts []time.Time
	publishTopics    []string // topics of PUBLISH packets, in their order
}

// newFakeBroker starts a broker that answers the CONNECT of each connection and then calls handle; n counts the connections
// from 1.
func newFakeBroker(t testing.TB, handle func(c *client, n int)) *fakeBroker {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &fakeBroker{t: t, at: l.Addr().String()}
	f.serve(l, func(c *client, n int) {
		if p, err := packets.ReadPacket(c); err != nil || p.(*packets.ConnectPacket) == nil {
			return
		}
		if c.send([]byte{packets.Connack << 4, 2, 0, 0}) == nil {
			handle(c, n)
		}
	})
	return f
}

func (f *fakeBroker) serve(l net.Listener, handle func(c *client, n int)) {
	f.t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			f.mu.Lock()
			f.connectionStarts = append(f.connectionStarts, time.Now())
			n := len(f.connectionStarts)
			f.mu.Unlock()
			go func() {
				defer conn.Close()
				handle(&client{Conn: conn, f: f}, n)
			}()
		}
	}()
}

func (f *fakeBroker) connectionTimes() []time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.connectionStarts)
}

func (f *fakeBroker) publishedTopics() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.publishTopics)
}

// client is one connection to a fakeBroker.
type client struct {
	net.Conn
	f *fakeBroker
}

func (c *client) send(b []byte) error {
	_, err := c.Write(b)
	return err
}

var errEnough = errors.New("the broker has heard enough")

// serveUntil answers as a broker does, until ends returns true for a packet.
func (c *client) serveUntil(ends func(packets.ControlPacket) bool) error {
	for {
		p, err := packets.ReadPacket(c)
		if err != nil {
			return err
		}
		if ends != nil && ends(p) {
			return errEnough
		}
		switch p := p.(type) {
		case *packets.PublishPacket:
			c.f.mu.Lock()
			c.f.publishTopics = append(c.f.publishTopics, p.TopicName)
			c.f.mu.Unlock()
			err = c.send([]byte{packets.Puback << 4, 2, byte(p.MessageID >> 8), byte(p.MessageID)})
		case *packets.SubscribePacket:
			a := packets.NewControlPacket(packets.Suback).(*packets.SubackPacket)
			a.MessageID, a.ReturnCodes = p.MessageID, make([]byte, len(p.Topics))
			err = a.Write(c)
		case *packets.PingreqPacket:
			err = c.send([]byte{packets.Pingresp << 4, 0})
		}
		if err != nil {
			return err
		}
	}
}

// startLine starts a line to an address; change may be nil.
func startLine(t testing.TB, url string, change func(*Opts)) *Line {
	t.Helper()
	o := &Opts{URL: url, ClientID: "test", Will: "t/availability", Topics: []string{"t/info", "t/names", "t/state"},
		Filters: []string{"u/a", "u/b"}, Receive: func(string, []byte, bool) {}, Timeout: patience, MaxRetry: time.Hour}
	if change != nil {
		change(o)
	}
	l, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	l.Start()
	return l
}

// startMosquitto starts Debian's broker, without authentication, in a folder of the test.
func startMosquitto(t testing.TB, more string) (at string) {
	t.Helper()
	const bin = "/usr/sbin/mosquitto"
	if _, err := os.Stat(bin); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("mosquitto is not installed: apt-get install mosquitto")
		}
		t.Skip("SKIPPED, mosquitto is not installed: apt-get install mosquitto")
	}
	at = porttest.FreeAddress(t)
	_, port, _ := net.SplitHostPort(at)
	text := "listener " + port + " 127.0.0.1\nallow_anonymous true\npersistence false\nlog_dest none\n" + more
	if os.Geteuid() == 0 {
		text += "user root\n"
	}
	conf := filepath.Join(t.TempDir(), "mosquitto.conf")
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "-c", conf)
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	eventually(t, "mosquitto does not listen", func() bool {
		c, err := net.Dial("tcp", at)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	return at
}

package e2e_test

import (
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"majordome/companion/porttest"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// TestHostileHouse checks the services that the daemon itself calls, the owner's broker and web address: they may
// answer with endless data, and the daemon stays within the memory of its unit, with a game under way.
// MAJORDOME_HOSTILE=FILE tests another binary.
func TestHostileHouse(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: the hostile suite takes the whole machine")
	}
	claim := []byte{0x30, 0xff, 0xff, 0xff, 0x7f, 0, 1, 'x'}
	for _, c := range []struct {
		name   string
		key    string
		url    func(t *testing.T) string
		reason string // counted in /metrics
		times  int
	}{
		{"a broker that claims 268 MB in its first answer", "uplink", func(t *testing.T) string {
			return "mqtt://" + serveBytes(t, 10, append([]byte{0x20}, claim[1:]...), make([]byte, 1<<10))
		}, `majordome_uplink_dropped_total{reason="oversize"}`, 2},
		{"a broker that claims 268 MB in a message", "uplink", func(t *testing.T) string {
			return "mqtt://" + serveBytes(t, 10, append([]byte{0x20, 2, 0, 0}, claim...), make([]byte, 1<<10))
		}, `majordome_uplink_dropped_total{reason="oversize"}`, 2},
		{"a broker that sends messages of QoS 2 for ever", "uplink", func(t *testing.T) string {
			all := []byte{0x20, 2, 0, 0}
			for id := range 1 << 8 {
				all = append(append(all, 0x34, 0x85, 0x80, 2, 0, 1, 'x', byte(id>>8), byte(id+1)), make([]byte, 32<<10)...)
			}
			return "mqtt://" + serveBytes(t, 10, all, all)
		}, `majordome_uplink_dropped_total{reason="malformed"}`, 2},
		{"a broker behind headers without an end", "uplink", func(t *testing.T) string {
			return "ws://" + serveBytes(t, 10, []byte("HTTP/1.1 101 Switching Protocols\r\n"),
				[]byte("X-A: "+strings.Repeat("a", 1<<20)+"\r\n")) + "/mqtt"
		}, `majordome_uplink_dropped_total{reason="connect"}`, 2},
		{"Mosquitto that keeps 100 MB", "uplink", func(t *testing.T) string { return "mqtt://" + largeMosquitto(t) },
			`majordome_uplink_dropped_total{reason="oversize"}`, 2},
		{"a web address with headers without an end", "hook", func(t *testing.T) string {
			return "http://" + serveBytes(t, 10, []byte("HTTP/1.1 200 OK\r\n"), []byte("X-A: "+strings.Repeat("a", 1<<20)+"\r\n")) + "/"
		}, `majordome_hook_calls_total{result="failed"}`, 2},
		{"a web address with an answer without an end", "hook", func(t *testing.T) string {
			return "http://" + serveBytes(t, 10, []byte("HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n"), make([]byte, 1<<20)) + "/"
		}, `majordome_hook_calls_total{result="done"}`, 2},
		{"a web address with first answers without an end", "hook", func(t *testing.T) string {
			return "http://" + serveBytes(t, 10, nil, []byte(strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 1<<10))) + "/"
		}, `majordome_hook_calls_total{result="failed"}`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			more := []string{c.key + ": " + c.url(t)}
			if c.key == "hook" {
				secret := filepath.Join(t.TempDir(), "secret")
				if err := os.WriteFile(secret, []byte("a secret of the house\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				more = append(more, "secret: "+secret, "plain: true")
			}
			v := startVictim(t, netip.AddrFrom4([4]byte{127, 0, 0, 1}), more...)
			newSiege(t, v, netip.MustParsePrefix("127.200.0.0/16")) // a game is dealt
			for end := time.Now().Add(patience); metricValue(v.pages, c.reason) < c.times; time.Sleep(50 * time.Millisecond) {
				if !v.alive() {
					t.Fatal("the daemon has died")
				}
				if time.Now().After(end) {
					t.Fatalf("%s is not counted %d times", c.reason, c.times)
				}
			}
			if p := v.peaks(); p.rss > mostMemory || !v.alive() {
				t.Errorf("%.1f MiB of memory, at most %d; alive: %t", mib(p.rss), mostMemory>>20, v.alive())
			} else {
				t.Logf("%.1f MiB of memory at most", mib(p.rss))
			}
		})
	}
}

// metricValue returns the value of one line of /metrics; 0 when the line is missing.
func metricValue(pages, name string) int {
	res, err := http.Get("http://" + pages + "/metrics")
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	if m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\d+)$`).FindSubmatch(body); m != nil {
		n, _ := strconv.Atoi(string(m[1]))
		return n
	}
	return 0
}

// serveBytes starts a server that reads the first bytes of each connection, writes first, and then writes again
// without end until the client closes.
func serveBytes(t *testing.T, hears int, first, again []byte) (at string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.ReadFull(c, make([]byte, hears))
				go func() { _, _ = io.Copy(io.Discard, c) }()
				_, err := c.Write(first)
				for err == nil {
					_, err = c.Write(again)
				}
			}()
		}
	}()
	return l.Addr().String()
}

// largeMosquitto starts an honest broker that retains a message of 100 MB on a topic of the tables.
func largeMosquitto(t *testing.T) (at string) {
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
	conf := filepath.Join(t.TempDir(), "mosquitto.conf")
	text := "listener " + port + " 127.0.0.1\nallow_anonymous true\npersistence false\nlog_dest none\n"
	if os.Geteuid() == 0 {
		text += "user root\n"
	}
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "-c", conf)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	device := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + at).SetClientID("device").SetConnectRetry(true).
		SetConnectRetryInterval(50 * time.Millisecond))
	if token := device.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	defer device.Disconnect(100)
	if token := device.Publish("majordome/1/house/lamp/state", 1, true, make([]byte, 100<<20)); !token.WaitTimeout(patience) ||
		token.Error() != nil {
		t.Fatal(token.Error())
	}
	return at
}

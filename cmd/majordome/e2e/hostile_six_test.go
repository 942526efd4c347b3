package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"majordome/companion/seal"
)

// The networks of the IPv6 attack.
var (
	table6 = netip.MustParseAddr("2001:db8:0:1::1")
	home6  = netip.MustParsePrefix("2001:db8:0:1::/64") // of the table and its players
	far6   = netip.MustParsePrefix("2001:db8:77:100::/64")
	site6  = netip.MustParsePrefix("2001:db8:77:100::/56") // 256 networks
	other6 = netip.MustParsePrefix("2001:db8:88:1::/64")
)

const inNamespace = "MAJORDOME_E2E_NAMESPACE"

// TestHostileIPv6 attacks the real binary, which listens on [::] under the limits of its unit, from thousands of IPv6
// addresses: of one network (/64), of the 256 networks of a site (/56), and of the table's own. It runs in a network
// namespace in which every address of 2001:db8::/32 belongs to this machine.
func TestHostileIPv6(t *testing.T) { hostileIPv6(t) }

// BenchmarkHostileIPv6 runs TestHostileIPv6, and requires backWithin and joinWithin.
func BenchmarkHostileIPv6(b *testing.B) { hostileIPv6(b) }

func hostileIPv6(t testing.TB) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: the hostile suite takes the whole machine")
	}
	if os.Getenv(inNamespace) == "" {
		rerunInNamespace(t)
		return
	}
	lan(t)
	v := startVictim(t, table6)
	h := newSiege(t, v, home6)
	before := h.heading()
	browseAtOnce(t, v.pages, "of one network", func(int) netip.Addr { return newAddress(home6) })
	_, port, _ := net.SplitHostPort(v.pages)
	browseAtOnce(t, "localhost:"+port, "of the link", linkLocal)

	h.joinAfterBurst()
	drops := 5
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		drops = 100
	}
	for _, p := range []phase{
		{where: "a /64", from: []netip.Prefix{far6}},
		{where: "a /56", from: []netip.Prefix{site6}},
		// There a new phone competes with thousands of attackers of its own network; a phone that has a seat is
		// known.
		{where: "the home's /64", from: []netip.Prefix{home6}, within: 3 * joinWithin},
	} {
		p.name, p.attacks, p.fill, p.drops, p.joins = "all at once", attacks, time.Second, drops, 1
		if h.endure(p); t.Failed() {
			return
		}
	}
	h.settled(before)
}

// rerunInNamespace runs the calling test again in a new network namespace.
func rerunInNamespace(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: a network namespace needs root")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run, bench := "^"+t.Name()+"$", "^$"
	if _, timed := t.(*testing.B); timed {
		run, bench = bench, run
	}
	cmd := exec.CommandContext(t.Context(), "unshare", "--net", self, "-test.run", run, "-test.bench", bench, "-test.benchtime", "1x",
		"-test.v", "-test.timeout", "60m")
	cmd.Env = append(os.Environ(), inNamespace+"=1")
	if os.Getenv("MAJORDOME_HOSTILE") == "" {
		cmd.Env = append(cmd.Env, "MAJORDOME_HOSTILE="+binary)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("in the namespace: %v", err)
	}
	t.Logf("in the namespace:\n%s", out)
}

// lan gives the namespace a network with link-local addresses for all devices of the table.
func lan(t testing.TB) {
	t.Helper()
	ip := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			t.Fatalf("ip %v: %v: %s", args, err, out)
		}
	}
	ip("link", "set", "lo", "up")
	ip("link", "add", "home", "type", "veth", "peer", "name", "far")
	ip("link", "set", "far", "up")
	ip("link", "set", "home", "up")
	ip("addr", "add", table6.String()+"/64", "dev", "home", "nodad")
	for i := -1; i < devices; i++ {
		ip("addr", "add", linkLocal(i).WithZone("").String()+"/64", "dev", "home", "nodad")
	}
	ip("-6", "route", "add", "local", "2001:db8::/32", "dev", "lo")
	if err := os.WriteFile("/proc/sys/net/ipv6/ip_nonlocal_bind", []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// devices counts ten phones, the host's page and a display.
const devices = 12

// linkLocal returns the link-local address of a device of the table; -1 for the table itself.
func linkLocal(i int) netip.Addr {
	return netip.AddrFrom16([16]byte{0: 0xfe, 1: 0x80, 14: 1, 15: byte(2 + i)}).WithZone("home")
}

// browseAtOnce opens the page on all devices of the table at the same moment, each over six connections as browsers
// do, and uses all of them again after a pause: they are all in one network, and none may lose a connection or an
// answer because of another.
func browseAtOnce(t testing.TB, pages, where string, from func(i int) netip.Addr) {
	t.Helper()
	var all sync.WaitGroup
	start := time.Now()
	for i := range devices {
		all.Go(func() {
			if err := browse(pages, from(i)); err != nil {
				t.Errorf("%s: device %d: %v", where, i, err)
			}
		})
	}
	all.Wait()
	t.Logf("%d devices %s opened the page in %v", devices, where, time.Since(start))
}

const perBrowser = 6

func browse(pages string, from netip.Addr) error {
	var lost atomic.Int64
	c := &http.Client{Timeout: patience, Transport: &http.Transport{MaxConnsPerHost: perBrowser, MaxIdleConnsPerHost: perBrowser,
		DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
			if from.Zone() != "" { // as a name such as majordome.local may resolve to it
				_, port, _ := net.SplitHostPort(to)
				to = net.JoinHostPort(linkLocal(-1).String(), port)
			}
			c, err := dialFrom(from).DialContext(ctx, network, to)
			if err != nil {
				return nil, err
			}
			return &cutCounter{c, &lost}, nil
		}}}
	defer c.CloseIdleConnections()
	ask := func(path string) error {
		res, err := c.Get("http://" + pages + path)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("GET %s: %s", path, res.Status)
		}
		_, err = io.Copy(io.Discard, res.Body)
		return err
	}
	for round := range 2 {
		time.Sleep(time.Duration(round) * 1500 * time.Millisecond) // the connections look idle now, and must not be cut for that
		var wg sync.WaitGroup
		failed := make([]error, 4*perBrowser)
		for i := range failed {
			wg.Go(func() { failed[i] = ask([]string{"/", largest(), "/table.json"}[i%3]) })
		}
		wg.Wait()
		if i := slices.IndexFunc(failed, func(err error) bool { return err != nil }); i >= 0 {
			return failed[i]
		}
	}
	if n := lost.Load(); n > 0 {
		return fmt.Errorf("%d connections were cut", n)
	}
	return nil
}

// cutCounter counts a connection when the other side ends it. The number of connections that a client opens says
// less: net/http gives one up on its own where it has to wait.
type cutCounter struct {
	net.Conn
	lost *atomic.Int64
}

func (c *cutCounter) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil && !errors.Is(err, net.ErrClosed) {
		c.lost.Add(1)
	}
	return n, err
}

// joinAfterBurst sends 700 wrong joins from as many addresses of one network in 0.2 s. A phone of another network
// then joins without one refusal.
func (h *siege) joinAfterBurst() {
	h.t.Helper()
	body := seal.NewJoiner(seal.NewCode(), seal.NewPhone()).Body()
	var all sync.WaitGroup
	start := time.Now()
	for range 700 {
		all.Go(func() {
			c, err := dialFrom(newAddress(far6)).Dial("tcp", h.v.pages)
			if err != nil {
				return
			}
			defer c.Close()
			fmt.Fprintf(c, "POST /join HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", h.v.pages,
				len(body), body)
		})
	}
	all.Wait()
	sent := time.Since(start)
	p, took, err := h.joinFourth(newAddress(other6))
	if err != nil || len(p.refused) > 0 {
		h.t.Errorf("after 700 joins from one network in %v a phone of another: %v, refused %v", sent, err, p.refused)
		return
	}
	h.t.Logf("700 joins from one /64 in %v, then a phone of another joined in %v", sent, took)
	p.drop()
}

package network

import (
	"context"
	"net"
	"net/netip"
	"testing"
)

func ifaceOf(name string, addrs ...string) iface {
	i := iface{name: name, up: true}
	for _, a := range addrs {
		i.addrs = append(i.addrs, netip.MustParseAddr(a))
	}
	return i
}

// TestChoosePhoneAddress: phones are sent to an address that they can reach, and are not given another without need.
func TestChoosePhoneAddress(t *testing.T) {
	lo := ifaceOf("lo", "127.0.0.1", "::1")
	down := ifaceOf("eth1", "192.168.9.9")
	down.up = false
	for _, c := range []struct {
		all          []iface
		before, want string
		lonely       bool
	}{
		{nil, "", "127.0.0.1", true},
		{[]iface{lo, down}, "", "127.0.0.1", true},
		{[]iface{lo, ifaceOf("wlan0", "fe80::1%wlan0")}, "", "127.0.0.1", true},
		{[]iface{lo, ifaceOf("docker0", "172.17.0.1"), ifaceOf("wlan0", "192.168.1.5")}, "", "192.168.1.5", false},
		{[]iface{lo, ifaceOf("br-0a1b2c", "172.18.0.1"), ifaceOf("veth1", "10.1.0.1"), ifaceOf("virbr0", "192.168.122.1"),
			ifaceOf("podman0", "10.88.0.1"),
			ifaceOf("cni0", "10.42.0.1"), ifaceOf("tailscale0", "100.64.0.1"), ifaceOf("wlan0", "10.0.0.7")}, "", "10.0.0.7", false},
		{[]iface{lo, ifaceOf("br0", "192.168.1.8")}, "", "192.168.1.8", false}, // a bridge made by the owner
		{[]iface{lo, ifaceOf("docker0", "172.17.0.1"), ifaceOf("eth0", "fd00::5", "fe80::1%eth0")}, "", "fd00::5", false},
		{[]iface{lo, ifaceOf("eth0", "2001:db8::5", "192.168.1.5")}, "", "192.168.1.5", false},
		{[]iface{lo, ifaceOf("eth0", "169.254.3.4"), ifaceOf("docker0", "172.17.0.1")}, "", "169.254.3.4", false},
		{[]iface{lo, ifaceOf("eth0", "169.254.3.4"), ifaceOf("wlan0", "192.168.1.5")}, "169.254.3.4", "192.168.1.5", false},
		{[]iface{lo, ifaceOf("docker0", "172.17.0.1")}, "", "172.17.0.1", false},
		// An address stays in use although an equal one is listed before it; it changes when a better one appears or
		// it disappears.
		{[]iface{lo, ifaceOf("eth0", "10.0.0.1"), ifaceOf("wlan0", "192.168.1.5")}, "192.168.1.5", "192.168.1.5", false},
		{[]iface{lo, ifaceOf("eth0", "10.0.0.1"), ifaceOf("wlan0", "192.168.1.6")}, "192.168.1.5", "10.0.0.1", false},
		{[]iface{lo, ifaceOf("eth0", "10.0.0.1"), ifaceOf("wlan0", "fd00::5")}, "fd00::5", "10.0.0.1", false},
	} {
		before := netip.Addr{}
		if c.before != "" {
			before = netip.MustParseAddr(c.before)
		}
		if got, lonely := choosePhoneAddress(c.all, before); got.String() != c.want || lonely != c.lonely {
			t.Errorf("%+v after %q: %s, lonely %v, want %s", c.all, c.before, got, lonely, c.want)
		}
	}
}

func TestFindSite(t *testing.T) {
	all := []iface{ifaceOf("lo", "127.0.0.1"), ifaceOf("eth0", "192.168.1.5", "fd00::5")}
	for _, c := range []struct {
		url, ip string
		port    int
		want    site
	}{
		{"", "0.0.0.0", 80, site{url: "http://192.168.1.5"}},
		{"", "::", 8080, site{url: "http://192.168.1.5:8080"}},
		{"", "192.168.1.5", 8080, site{url: "http://192.168.1.5:8080"}},
		{"", "fd00::5", 8080, site{url: "http://[fd00::5]:8080"}},
		{"", "fd00::5", 80, site{url: "http://[fd00::5]"}},
		{"", "192.168.1.6", 80, site{url: "http://192.168.1.6", addressMissing: true}},
		{"", "127.0.0.1", 80, site{url: "http://127.0.0.1"}}, // on purpose: for a proxy, or a test
		{"http://table.local", "0.0.0.0", 80, site{url: "http://table.local"}},
		{"http://table.local", "192.168.1.6", 80, site{url: "http://table.local", addressMissing: true}},
	} {
		got, _ := findPageSite(c.url, &net.TCPAddr{IP: net.ParseIP(c.ip), Port: c.port, Zone: ""}, all, netip.Addr{})
		if got != c.want {
			t.Errorf("%s port %d with url %q: %+v, want %+v", c.ip, c.port, c.url, got, c.want)
		}
	}
	if got, _ := findPageSite("", &net.TCPAddr{IP: net.ParseIP("fe80::1"), Port: 80, Zone: "eth0"}, all,
		netip.Addr{}); got.url != "http://[fe80::1]" {
		t.Errorf("%s contains a zone", got.url)
	}
	if got, _ := findPageSite("", &net.TCPAddr{IP: net.IPv4zero, Port: 80}, nil, netip.Addr{}); !got.noNetwork {
		t.Errorf("a machine without a network is found at %s", got.url)
	}
}

// TestFreebind: the table can listen at an address that this machine does not have (TEST-NET-1 and the documentation
// prefix, RFC 5737 and 3849).
func TestFreebind(t *testing.T) {
	for _, addr := range []string{"192.0.2.77:0", "[2001:db8::77]:0"} {
		l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", addr)
		if err == nil {
			_ = l.Close()
			t.Fatalf("%s is taken without IP_FREEBIND: this test shows nothing here", addr)
		}
		if l, err = listenFreebind(addr, "listen"); err != nil {
			t.Errorf("%s: %v", addr, err)
			continue
		}
		_ = l.Close()
	}
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brutella/dnssd"
)

// browse is a command of this test binary: a phone that looks for pages in its network, and prints those that come
// and go.
func browse() {
	say := func(sign string) func(dnssd.BrowseEntry) {
		return func(e dnssd.BrowseEntry) {
			var ips []string
			for _, ip := range e.IPs {
				ips = append(ips, ip.String())
			}
			slices.Sort(ips)
			fmt.Printf("%s %s.local:%d %s\n", sign, e.Host, e.Port, strings.Join(ips, " "))
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	_ = dnssd.LookupType(ctx, "_http._tcp.local.", say("+"), say("-"))
}

// rival is a command of this test binary: another machine that uses the same name.
func rival() {
	s, err := dnssd.NewService(dnssd.Config{Name: "Majordome", Type: "_http._tcp", Host: "majordome", Port: 99})
	if err != nil {
		panic(err)
	}
	r, err := dnssd.NewResponder()
	if err != nil {
		panic(err)
	}
	if _, err := r.Add(s); err != nil {
		panic(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	_ = r.Respond(ctx)
}

// neighbours returns two machines connected by one cable.
func neighbours(t *testing.T) (n, other namespace) {
	t.Helper()
	n = newNamespace(t)
	other = namespace{t, n.name + "-b"}
	if out, err := exec.Command("ip", "netns", "add", other.name).CombinedOutput(); err != nil {
		t.Fatalf("ip netns add: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", other.name).Run() })
	other.ip("link", "set", "lo", "up")
	n.ip("link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", other.name)
	for at, addrs := range map[namespace][]string{n: {"192.168.77.5/24", "fd00:5::5/64"}, other: {"192.168.77.9/24", "fd00:5::9/64"}} {
		at.ip("link", "set", "eth0", "up")
		for _, a := range addrs {
			at.addr("eth0", a)
		}
		at.ip("route", "add", "default", "dev", "eth0") // for multicast
	}
	return n, other
}

// TestFoundByName checks that a phone finds the table by its name, over IPv4 and IPv6; under its numbered name when
// another machine has the name; at its new address when that changes; and not when it has gone.
func TestFoundByName(t *testing.T) {
	n, other := neighbours(t)
	s := n.serve("listen: \":8080\"")
	s.waitForLine("Ready.")
	phone := other.start(other.command("browse"))
	line := phone.waitForLine("+ majordome.local:8080")
	for _, ip := range []string{"192.168.77.5", "fd00:5::5"} {
		if !strings.Contains(line, ip) {
			line = phone.waitForLine("+ majordome.local:8080", ip)
		}
	}
	answers := func(name, want string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			out, err := other.command("fetch", "http://192.168.77.5:8080/display", name).CombinedOutput()
			if err == nil && bytes.HasPrefix(out, []byte(want)) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("asked as %s it answers %s, %v; want %s", name, out, err, want)
			}
		}
	}
	answers("majordome.local", "200")
	answers("majordome-7.local", "421") // a name that it does not have

	n.ip("addr", "del", "192.168.77.5/24", "dev", "eth0")
	n.addr("eth0", "192.168.77.6/24")
	n.ip("route", "replace", "default", "dev", "eth0")
	phone.waitForLine("+ majordome.local:8080", "192.168.77.6")

	other.start(other.command("rival"))
	named := phone.waitForLine("+ majordome-2.local") // the name of one of the two
	if strings.Contains(named, ":8080") {
		n.addr("eth0", "192.168.77.5/24")
		answers("majordome-2.local", "200")
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	phone.waitForLine("- ", ":8080")
}

// TestFoundThroughAvahi checks that avahi, where it runs, answers for the table in addition to the machine's own
// name, and that a name that another machine has gets a number.
func TestFoundThroughAvahi(t *testing.T) {
	for _, program := range []string{"dbus-daemon", "avahi-daemon"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("SKIPPED: %s is missing: apt install dbus avahi-daemon", program)
		}
	}
	n, other := neighbours(t)
	dir := t.TempDir()
	bus, conf, busConf := filepath.Join(dir, "bus"), filepath.Join(dir, "avahi.conf"), filepath.Join(dir, "bus.conf")
	for name, text := range map[string]string{
		busConf: `<busconfig><type>system</type><listen>unix:path=` + bus +
			`</listen><auth>EXTERNAL</auth><policy context="default"><allow user="*"/><allow own="*"/>` +
			`<allow send_type="method_call"/><allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>`,
		conf: "[server]\nhost-name=pi\nuse-ipv6=yes\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path="+bus)
	n.start(exec.CommandContext(t.Context(), "dbus-daemon", "--config-file="+busConf, "--nofork", "--nopidfile",
		"--print-address=1")).waitForLine("unix:path=")
	// ip gives it a mount namespace: its pid file goes into a /run of its own.
	avahi := exec.CommandContext(t.Context(), "ip", "netns", "exec", n.name, "sh", "-c",
		`mount -t tmpfs none /run && mkdir /run/avahi-daemon && exec avahi-daemon -f "$0" --no-chroot --no-drop-root --no-rlimits`, conf)
	n.start(avahi).waitForLine("Server startup complete")
	n.serve("listen: \":8080\"").waitForLine("Ready.")
	phone := other.start(other.command("browse"))
	phone.waitForLine("+ majordome.local:8080", "192.168.77.5")
	other.start(other.command("rival"))
	phone.waitForLine("+ majordome-2.local")
}

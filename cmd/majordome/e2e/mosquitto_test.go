package e2e_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/porttest"
	"majordome/companion/wire"
	"majordome/devices/randtest"
	"majordome/engine"
)

// needMosquitto skips a test where Mosquitto is not installed; in CI the test fails.
func needMosquitto(t testing.TB) {
	t.Helper()
	if _, err := os.Stat("/usr/sbin/mosquitto"); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatal("mosquitto is not installed: apt-get install mosquitto")
	}
	t.Skip("SKIPPED, mosquitto is not installed: apt-get install mosquitto")
}

// processesWith returns the running processes that have a text in their command line. One that has ended and is not yet reaped has no
// command line.
func processesWith(t testing.TB, text string) (ids []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		if line, err := os.ReadFile(name); err == nil && bytes.Contains(line, []byte(text)) {
			ids = append(ids, filepath.Base(filepath.Dir(name)))
		}
	}
	return ids
}

// writeHomeConfig writes the configuration of a table that serves the devices of a house at an address; its data is beside it.
func writeHomeConfig(t testing.TB, config, home string) {
	t.Helper()
	text := fmt.Sprintf("listen: %q\nmqtt: \"off\"\ndata: %q\nhome: %q\n", porttest.FreeAddress(t), filepath.Dir(config), home)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestMosquittoIsMissing serves the devices of a house where Mosquitto is not installed: the table plays, and the host's page and check
// have the command that installs it.
func TestMosquittoIsMissing(t *testing.T) {
	t.Parallel()
	without := []string{"unshare", "--mount", "--map-root-user", "sh", "-c", `mount -t tmpfs none /usr/sbin && exec "$@"`, "sh"}
	if out, err := exec.Command(without[0], append(without[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no folder can be hidden here: %v: %s", err, out)
	}
	for _, name := range []string{"/usr/bin/mosquitto", "/usr/local/bin/mosquitto", "/usr/local/sbin/mosquitto"} {
		if _, err := os.Stat(name); err == nil {
			t.Skipf("SKIPPED: %s is there", name)
		}
	}
	const line = "sudo apt install mosquitto"
	config := filepath.Join(t.TempDir(), "majordome.yaml")
	writeHomeConfig(t, config, porttest.FreeAddress(t))
	cmd, ready := startCommand(t, append(without, binary, "serve", "--config", config)...)
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	ready()
	host := join(t, hostLink(t, config), engine.Host)
	var told wire.Finding
	host.waitFor("what the page says of the broker", func(u wire.Update) bool {
		i := slices.IndexFunc(u.Machine, func(f wire.Finding) bool { return f.About == "home" })
		if i >= 0 {
			told = u.Machine[i]
		}
		return i >= 0
	})
	if !strings.HasSuffix(told.Fix.FR, line) || !strings.HasSuffix(told.Fix.EN, line) || told.Help == "" {
		t.Errorf("the page says %+v", told)
	}
	out, err := exec.Command(without[0], append(without[1:], binary, "check", "--config", config)...).CombinedOutput()
	if err == nil || strings.Count(string(out), line) != 2 { // in both languages
		t.Errorf("check says %v: %s", err, out)
	}
}

// TestNoMosquittoIsLeft kills a table that serves the devices of a house at random moments of its start: no Mosquitto outlives it. A
// second daemon with the same data is refused, and leaves the Mosquitto of the first alone.
func TestNoMosquittoIsLeft(t *testing.T) {
	t.Parallel()
	needMosquitto(t)
	dir := t.TempDir()
	config := filepath.Join(dir, "majordome.yaml")
	writeHomeConfig(t, config, porttest.FreeAddress(t))
	child := filepath.Join(dir, "mosquitto", "mosquitto.conf")
	sockets := func() (names []string) {
		names, _ = filepath.Glob(filepath.Join(dir, "mosquitto", "*.sock"))
		return names
	}
	t.Cleanup(func() {
		for _, id := range processesWith(t, child) {
			if pid, err := strconv.Atoi(id); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	waitForNone := func(when time.Duration) {
		t.Helper()
		for end := time.Now().Add(patience); len(processesWith(t, dir)) > 0; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("killed after %v it leaves processes: %v", when, processesWith(t, dir))
			}
		}
	}
	began := time.Now()
	first, ready := startServe(t, config)
	ready()
	start := time.Since(began)
	waitForMosquitto := func() []string {
		for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
			if ids := processesWith(t, child); len(ids) == 1 {
				return ids
			}
			if time.Now().After(end) {
				t.Fatal("no Mosquitto runs")
			}
		}
	}
	runs := waitForMosquitto()
	if out, err := exec.Command(binary, "serve", "--config", config).CombinedOutput(); err == nil {
		t.Errorf("a second daemon has served: %s", out)
	}
	if len(sockets()) != 1 || !slices.Equal(processesWith(t, child), runs) {
		t.Errorf("a second daemon has disturbed the Mosquitto of the first: %v", sockets())
	}
	_ = first.Process.Kill()
	_ = first.Wait()
	waitForNone(0)
	dice := randtest.NewRand(t)
	times, alive := 12, 0
	if os.Getenv("MAJORDOME_SOAK") != "" {
		times = 200
	}
	for i := range times {
		cmd := exec.Command(binary, "serve", "--config", config)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		when := time.Duration(dice.Int64N(int64(start)))
		if i%2 == 0 { // in the start of Mosquitto, which follows its configuration
			for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
				if _, err := os.Stat(child); err == nil {
					break
				}
			}
			when = time.Duration(dice.Int64N(int64(30 * time.Millisecond)))
		}
		time.Sleep(when)
		alive += len(processesWith(t, child))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		waitForNone(when)
		_ = os.Remove(child)
	}
	t.Logf("killed %d times within %v of the start, %d times with a Mosquitto", times, start, alive)
}

// makeAccount makes an account of a device on the host's page, and returns its password.
func makeAccount(t *testing.T, host *phone, name, kind, topic string) string {
	t.Helper()
	var made wire.HomeMade
	a := host.office("home-add", engine.Args{"name": name, "kind": kind, "topic": topic})
	if err := json.Unmarshal(a.Value, &made); err != nil || made.Word == "" {
		t.Fatalf("no account %s: %+v %v", name, a, err)
	}
	return made.Word
}

// connectDevice connects a device of the house with an account.
func connectDevice(t *testing.T, home, user, word string, change func(*mqtt.ClientOptions)) mqtt.Client {
	t.Helper()
	o := mqtt.NewClientOptions().AddBroker("tcp://" + home).SetUsername(user).SetPassword(word).SetClientID(rand.Text())
	if change != nil {
		change(o)
	}
	c := mqtt.NewClient(o)
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatalf("%s does not come in: %v", user, token.Error())
	}
	t.Cleanup(func() { c.Disconnect(0) })
	return c
}

func publishRetained(t *testing.T, c mqtt.Client, topic, text string) {
	t.Helper()
	if token := c.Publish(topic, 1, true, text); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(topic, token.Error())
	}
}

// hearRetained waits for the retained message on a topic.
func hearRetained(t *testing.T, c mqtt.Client, topic string) string {
	t.Helper()
	heard := make(chan string, 1)
	c.Subscribe(topic, 1, func(_ mqtt.Client, m mqtt.Message) {
		select {
		case heard <- string(m.Payload()):
		default:
		}
	})
	select {
	case text := <-heard:
		return text
	case <-time.After(patience):
		t.Fatal("nothing is retained on ", topic)
		return ""
	}
}

// TestHomeUnderTheLimits serves a full house under the limits of the unit: sixteen accounts with all their connections, one of them with
// nearly as many subscriptions as it may have, a crowd of strangers at the port, and 6 MiB that wait for a program that is away. All come
// in, and the daemon and its Mosquitto stay within descriptors and memory.
func TestHomeUnderTheLimits(t *testing.T) {
	needMosquitto(t)
	home := porttest.FreeAddress(t)
	v := startVictim(t, netip.MustParseAddr("127.0.0.1"), fmt.Sprintf("home: %q", home))
	child := &victim{t: t, pid: childOf(t, v.pid)}
	host := join(t, v.host, engine.Host)
	host.waitFor("its view", func(wire.Update) bool { return true })
	var crowd []net.Conn
	t.Cleanup(func() {
		for _, c := range crowd {
			_ = c.Close()
		}
	})
	for i := range 1000 {
		from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 1, byte(i/200), byte(1+i%200))}}
		if c, err := from.DialContext(t.Context(), "tcp", home); err == nil {
			crowd = append(crowd, c)
		}
	}
	program := makeAccount(t, host, "maison", "home-assistant", "")
	large := connectDevice(t, home, "maison", program, nil)
	for i := range 12 { // 4,800, as a very large house has
		all := map[string]byte{}
		for j := range 400 {
			all[fmt.Sprintf("homeassistant/sensor/%d/%d/config", i, j)] = 1
		}
		if token := large.SubscribeMultiple(all, nil); !token.WaitTimeout(patience) || token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	away := connectDevice(t, home, "maison", program, func(o *mqtt.ClientOptions) { o.SetClientID("away").SetCleanSession(false) })
	if token := away.Subscribe("zigbee2mqtt/wait", 1, nil); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	away.Disconnect(250)
	z := connectDevice(t, home, "pont", makeAccount(t, host, "pont", "zigbee2mqtt", "zigbee2mqtt"), nil)
	const messages, size = 6, 1<<20 - 100
	for range messages {
		if token := z.Publish("zigbee2mqtt/wait", 1, false, make([]byte, size)); !token.WaitTimeout(patience) || token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	for i := range 14 {
		name := fmt.Sprint("lampe", i)
		word := makeAccount(t, host, name, "tasmota", name)
		for range 2 {
			publishRetained(t, connectDevice(t, home, name, word, nil), "tele/"+name+"/LWT", "Online")
		}
	}
	if text := hearRetained(t, large, "tele/lampe13/LWT"); text != "Online" {
		t.Errorf("heard %q", text)
	}
	waited := make(chan int, 99)
	connectDevice(t, home, "maison", program, func(o *mqtt.ClientOptions) {
		o.SetClientID("away").SetCleanSession(false)
		o.SetDefaultPublishHandler(func(_ mqtt.Client, m mqtt.Message) { waited <- len(m.Payload()) })
	})
	for range messages {
		select {
		case n := <-waited:
			if n != size {
				t.Errorf("a message of %d bytes", n)
			}
		case <-time.After(patience):
			t.Fatal("not all comes that waited")
		}
	}
	if now := childOf(t, v.pid); now != child.pid {
		t.Errorf("Mosquitto was started again: %d, before %d", now, child.pid)
	}
	c, p := child.measureUse(), v.peaks()
	t.Logf("%d strangers; daemon %.1f MiB, %d files, %d threads; Mosquitto %.1f MiB, %d files; with the kernel's %.1f of %.0f MiB",
		len(crowd), mib(p.rss), p.files, p.threads, mib(c.rss), c.files, mib(v.charged()), mib(v.limits.memory))
	if c.rss > 64<<20 || c.files > 128 {
		t.Errorf("Mosquitto has %.1f MiB and %d files", mib(c.rss), c.files)
	}
	if p.rss > mostMemory || p.files >= int64(v.limits.files) || p.threads > int64(v.limits.tasks) {
		t.Errorf("the daemon had %.1f MiB, %d files, %d threads", mib(p.rss), p.files, p.threads)
	}
	if v.charged() > v.limits.memory*9/10 {
		t.Errorf("together they take %.1f MiB", mib(v.charged()))
	}
}

// childOf returns the process id of the Mosquitto that a daemon has started.
func childOf(t *testing.T, daemon int) int {
	t.Helper()
	for _, id := range processesWith(t, "mosquitto/mosquitto.conf") {
		text, _ := os.ReadFile(filepath.Join("/proc", id, "status"))
		if strings.Contains(string(text), fmt.Sprintf("\nPPid:\t%d\n", daemon)) {
			pid, _ := strconv.Atoi(id)
			return pid
		}
	}
	t.Fatal("the daemon has no Mosquitto")
	return 0
}

// TestHomeUnderSystemd installs the package beside Debian's own Mosquitto, and serves the devices of a house in the sandbox of the unit.
// Debian's service keeps running; what is retained survives a restart, and a kill if it was written before; and there is always one
// Mosquitto of the table.
func TestHomeUnderSystemd(t *testing.T) {
	if soaked(0, 1) == 0 || os.Getuid() != 0 {
		t.Skip("SKIPPED: a machine is installed for it, by root: make soak")
	}
	listen, home := porttest.FreeAddress(t), porttest.FreeAddress(t)
	config := fmt.Sprintf("listen: %q\nmqtt: \"off\"\nhome: %q\n", listen, home)
	m := boot(t, map[string]string{"etc/majordome/majordome.yaml": config}, "mosquitto")
	m.host("../../../systemd/deb/build", runtime.GOARCH, "0.0.1", m.root)
	before := m.mustRun("systemctl", "show", "-p", "ActiveState,MainPID", "mosquitto")
	m.install("majordome_0.0.1_" + runtime.GOARCH + ".deb")
	if after := m.mustRun("systemctl", "show", "-p", "ActiveState,MainPID", "mosquitto"); after != before {
		t.Errorf("Debian's own Mosquitto was\n%sand is\n%s", before, after)
	}
	host := joinHost(t, regexp.MustCompile(`http\S+/host#j=\S+`).FindString(m.mustRun("majordome", "host")))
	word := makeAccount(t, host, "lampe", "free", "tele/#")
	publishRetained(t, connectDevice(t, home, "lampe", word, nil), "tele/lampe/LWT", "Online")
	const child = "/var/lib/majordome/mosquitto/mosquitto.conf"
	checkChild := func() {
		t.Helper()
		look := connectDevice(t, home, "lampe", word, func(o *mqtt.ClientOptions) { o.SetConnectRetry(true) })
		if text := hearRetained(t, look, "tele/lampe/LWT"); text != "Online" {
			t.Errorf("heard %q", text)
		}
		look.Disconnect(0)
		ids := processesWith(t, child)
		if len(ids) != 1 {
			t.Fatalf("the table has the Mosquittos %v", ids)
		}
		status, err := os.ReadFile(filepath.Join("/proc", ids[0], "status"))
		if err != nil || !strings.Contains(string(status), "NoNewPrivs:\t1\n") || !strings.Contains(string(status), "Seccomp:\t2\n") {
			t.Errorf("it is not in the sandbox of the unit: %v\n%s", err, status)
		}
	}
	checkChild()
	m.mustRun("systemctl", "restart", "majordome")
	checkChild()
	m.mustRun("systemctl", "kill", "--signal=KILL", "--kill-who=main", "majordome")
	checkChild()
	m.mustRun("systemctl", "stop", "majordome")
	if ids := processesWith(t, child); len(ids) > 0 {
		t.Errorf("after a stop these are left: %v", ids)
	}
}

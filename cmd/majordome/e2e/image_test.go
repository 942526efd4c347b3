package e2e_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"majordome/companion/porttest"
	"majordome/devices/logtest"
	"majordome/devices/randtest"
	"majordome/engine"
)

// bootPatience is longer than a start takes in an emulated machine while all other tests run.
const bootPatience = 30 * time.Minute

// card is an SD card with the image on it, in an emulated machine that is no Pi: the kernel and the initramfs come
// from its boot partition, which a Pi's firmware would start.
type card struct {
	t       *testing.T
	file    string
	boot    string // its boot partition, as mtools name it
	dir     string
	key     ssh.Signer
	console *logtest.Buffer
	qemu    *exec.Cmd
	ended   chan error
	web     string // the addresses of this machine that lead to its ports
	shell   string
	more    []string // QEMU arguments of other devices that are plugged in
	log     string   // file that records all writes to its disk; "": none
}

// newCard writes the image to a card of 4 GB, and the files of an owner to its boot partition.
func newCard(t *testing.T, image string) *card {
	t.Helper()
	c := &card{t: t, dir: t.TempDir(), web: porttest.FreeAddress(t), shell: porttest.FreeAddress(t)}
	c.file = filepath.Join(c.dir, "card.img")
	c.boot = c.file + "@@4M"
	c.host("cp", "--sparse=always", image, c.file)
	c.host("truncate", "-s", "4G", c.file)
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	if c.key, err = ssh.NewSignerFromKey(private); err != nil {
		t.Fatal(err)
	}
	c.write("authorized_keys", ssh.MarshalAuthorizedKey(key))
	for _, name := range []string{"vmlinuz", "initrd.img", "cmdline.txt"} {
		c.host("mcopy", "-n", "-i", c.boot, "::/"+name, filepath.Join(c.dir, name))
	}
	return c
}

// write puts a file on the boot partition, as any computer can.
func (c *card) write(name string, text []byte) {
	c.t.Helper()
	from := filepath.Join(c.dir, name)
	if err := os.WriteFile(from, text, 0o600); err != nil {
		c.t.Fatal(err)
	}
	c.host("mcopy", "-o", "-i", c.boot, from, "::/"+name)
}

func (c *card) host(tool string, args ...string) string {
	c.t.Helper()
	out, err := exec.Command(tool, args...).CombinedOutput()
	if err != nil {
		c.t.Fatalf("%s %s: %v\n%s", tool, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// start gives it power, waits for its first page, and logs how long that took.
func (c *card) start(when string) {
	c.t.Helper()
	line, err := os.ReadFile(filepath.Join(c.dir, "cmdline.txt"))
	if err != nil {
		c.t.Fatal(err)
	}
	// With a tenth of a processor, next to all other tests, its systemd must not give up on slow starts.
	const patient = " systemd.default_timeout_start_sec=1800 systemd.default_device_timeout_sec=1800"
	disk := []string{"-drive", "file=" + c.file + ",format=raw,if=none,id=card"}
	if c.log != "" {
		disk = []string{"-blockdev", "driver=file,node-name=under,filename=" + c.file, "-blockdev",
			"driver=file,node-name=log,filename=" + c.log, "-blockdev", "driver=blklogwrites,node-name=card,file=under,log=log"}
	}
	c.console = &logtest.Buffer{}
	c.qemu = exec.Command("qemu-system-aarch64", slices.Concat(c.more, disk,
		[]string{"-device", "virtio-blk-pci,drive=card", "-M", "virt", "-accel", "tcg,thread=multi", "-cpu", "cortex-a53", "-smp",
			"2", "-m", "1024",
			"-display", "none", "-monitor", "none", "-qmp", "unix:" + c.monitor() + ",server=on,wait=off", "-serial", "stdio", "-no-reboot",
			"-kernel", filepath.Join(c.dir, "vmlinuz"), "-initrd", filepath.Join(c.dir, "initrd.img"),
			"-append", strings.TrimSpace(string(line)) + " console=ttyAMA0 systemd.show_status=1" + patient,
			"-netdev", "user,id=net,hostfwd=tcp:" + c.web + "-:80,hostfwd=tcp:" + c.shell + "-:22", "-device",
			"virtio-net-pci,netdev=net"})...)
	c.qemu.Stdout, c.qemu.Stderr = c.console, c.console
	began := time.Now()
	if err := c.qemu.Start(); err != nil {
		c.t.Fatal(err)
	}
	ended, qemu := make(chan error, 1), c.qemu
	c.ended = ended
	go func() { ended <- qemu.Wait() }()
	c.t.Cleanup(func() { _ = qemu.Process.Kill() })
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		res, err := client.Get("http://" + c.web + "/")
		if err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				load, _ := os.ReadFile("/proc/loadavg")
				c.t.Logf("%s: a page after %.0f s, %.0f s of a processor; load %.14s", when, time.Since(began).Seconds(),
					c.computed(), load)
				return
			}
			err = errors.New(res.Status)
		}
		select {
		case ended := <-c.ended:
			c.t.Fatalf("the machine has ended (%v):\n%s", ended, c.console)
		case <-time.After(100 * time.Millisecond): // until the next try
		}
		if time.Since(began) > bootPatience {
			c.t.Fatalf("no page: %v\n%s", err, c.console)
		}
	}
}

// computed returns the processor time that this machine has spent on it, in seconds.
func (c *card) computed() float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.qemu.Process.Pid))
	if err != nil {
		c.t.Fatal(err)
	}
	of := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.ParseFloat(of[11], 64)
	system, _ := strconv.ParseFloat(of[12], 64)
	return (user + system) / 100
}

// cutPower takes the power away.
func (c *card) cutPower() {
	_ = c.qemu.Process.Kill()
	<-c.ended
}

// powerOff shuts the system down and waits for its end.
func (c *card) powerOff() {
	c.t.Helper()
	_, _ = c.runShell("poweroff")
	select {
	case <-c.ended:
	case <-time.After(bootPatience):
		c.t.Fatalf("the machine does not power off:\n%s", c.console)
	}
}

// runShell runs a line in a shell of the owner's.
func (c *card) runShell(line string) (string, error) {
	conn, err := ssh.Dial("tcp", c.shell, &ssh.ClientConfig{User: "root", Auth: []ssh.AuthMethod{ssh.PublicKeys(c.key)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: patience}) // #nosec G106: this test has made that machine
	if err != nil {
		return "", err
	}
	defer conn.Close()
	s, err := conn.NewSession()
	if err != nil {
		return "", err
	}
	out, err := s.CombinedOutput(line)
	return string(out), err
}

func (c *card) mustRunShell(line string) string {
	c.t.Helper()
	out, err := c.runShell(line)
	if err != nil {
		c.t.Fatalf("%s: %v\n%s\n%s", line, err, out, c.console)
	}
	return strings.TrimSpace(out)
}

// builtImages are the images that this process has built, by variant. Building one takes minutes, and a card is a copy
// of it. Tests that use one are not parallel.
var builtImages = map[string]string{}

// image builds the image, which must be smaller than so many MB when compressed, or returns the one that the
// environment names or an earlier test has built.
func image(t *testing.T, named string, under int64, variant ...string) string {
	t.Helper()
	if named := os.Getenv(named); named != "" {
		return named
	}
	name := strings.Join(append([]string{"majordome_0.0.1_arm64"}, variant...), "_") + ".img"
	if made, ok := builtImages[name]; ok {
		return made
	}
	dir, err := os.MkdirTemp(filepath.Dir(binary), "image-") // TestMain removes it
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"../../../systemd/deb/build", "arm64", "0.0.1", dir},
		append([]string{"../../../systemd/image/build", filepath.Join(dir, "majordome_0.0.1_arm64.deb"), dir}, variant...),
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", args[0], err, out)
		}
	}
	made := filepath.Join(dir, name)
	if info, err := os.Stat(made + ".xz"); err != nil || info.Size() > under*1e6 {
		t.Errorf("%v, or it is over %d MB", err, under)
	}
	builtImages[name] = made
	return made
}

// TestImageBoots goes from an empty card to the first page, in an emulated machine. No login by password works, the
// data partition uses the whole card, acknowledged acts survive a power cut while another is written, and a game
// survives a restart.
func TestImageBoots(t *testing.T) {
	const named = "MAJORDOME_IMAGE"
	if soaked(0, 1) == 0 || os.Getuid() != 0 && os.Getenv(named) == "" {
		t.Skip("SKIPPED: an image is built and started for it, by root: make soak")
	}
	seed := randtest.NewSeed(t)
	dice := rand.New(rand.NewPCG(seed, 2))
	c := newCard(t, image(t, named, 250))
	c.start("first start")

	const mounted = "for at in / /run/card /boot/firmware /data; do findmnt -no FSTYPE $at; done | tr '\\n' ' '"
	if got := c.mustRunShell(mounted); got != "overlay squashfs vfat ext4" {
		t.Errorf("mounted are %s", got)
	}
	if got, err := strconv.Atoi(c.mustRunShell("df --output=size -BM /data | tr -dc 0-9")); err != nil || got < 3300 {
		t.Errorf("on a card of 4 GB the data partition has %d MB, %v", got, err)
	}
	_, _ = c.runShell("systemctl is-system-running --wait")
	if got := c.mustRunShell("systemctl --failed --plain --no-legend"); got != "" {
		t.Errorf("failed: %s", got)
	}
	t.Logf("%s", c.mustRunShell("systemd-analyze; systemd-analyze blame | head -n 12; systemd-analyze critical-chain majordome.service"))
	// udev has half a minute, which is too short where the machine gets a tenth of a processor: logged, not checked.
	t.Logf("the daemon says of its pins: %q", c.mustRunShell("journalctl -o cat -u majordome | grep gpiochip || true"))
	if got := c.mustRunShell("cat /run/card/etc/machine-id /run/card/var/lib/dbus/machine-id 2>/dev/null || true"); got != "" {
		t.Errorf("each card says that it is machine %s", got)
	}
	if got := c.mustRunShell("cut -d: -f2 /etc/shadow | sort -u | tr '\\n' ' '"); strings.Trim(got, "!* ") != "" {
		t.Errorf("somebody has a password: %s", got)
	}
	const service = "ls /usr/sbin/mosquitto /usr/lib/*/mosquitto_dynamic_security.so >/dev/null && systemctl is-enabled mosquitto || true"
	if got := c.mustRunShell(service); got != "masked" {
		t.Errorf("Mosquitto is missing, or runs as a service of its own: %q", got)
	}
	if got := c.mustRunShell("hostname"); got != "majordome" {
		t.Errorf("the machine is called %s", got)
	}
	link := regexp.MustCompile(`/host#j=\S+`).FindString(c.mustRunShell("majordome host"))
	host := joinHost(t, "http://"+c.web+link)

	sit := func(seat int, name string) engine.Args {
		who := []string{"character-borrow", "character-worms", "character-peely", "character-lecomte"}[seat-1]
		return engine.Args{"seat": engine.Seat(seat).String(), "name": name, "character": who}
	}
	host.mustSend("sit", sit(1, "Anne1"))
	last := 2 + dice.IntN(8)
	for n := 2; n <= last; n++ {
		host.mustSend("rise", engine.Args{"seat": engine.Seat(1).String()})
		host.mustSend("sit", sit(1, fmt.Sprintf("Anne%d", n)))
	}
	host.send("sit", sit(2, "Bert"))
	time.Sleep(time.Duration(dice.IntN(300)) * time.Millisecond) // at any moment of the write
	c.cutPower()
	c.start("after a cut of the power")
	lobby := reloadView(t, host)
	if !strings.Contains(lobby, fmt.Sprintf(`"Anne%d"`, last)) {
		t.Fatalf("seed %d: Anne%d was acknowledged, and after the cut there stands\n%s", seed, last, lobby)
	}

	if !strings.Contains(lobby, `"Bert"`) { // the cut came first
		host.mustSend("sit", sit(2, "Bert"))
	}
	host.mustSend("sit", sit(3, "Chloé"))
	host.mustSend("sit", sit(4, "David"))
	host.mustSend("first", engine.Args{"seat": engine.Seat(1).String()})
	host.mustSend("begin", nil)
	game := reloadView(t, host)
	c.powerOff()
	c.start("after a restart")
	if got := reloadView(t, host); got != game {
		t.Fatalf("the game was\n%s\nand is\n%s", game, got)
	}
	if got := c.mustRunShell(mounted); got != "overlay squashfs vfat ext4" {
		t.Errorf("after the cut, mounted are %s", got)
	}
	c.powerOff()
}

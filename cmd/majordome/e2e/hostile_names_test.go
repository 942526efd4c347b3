package e2e_test

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// TestHostileNames floods the network with multicast DNS answers, some of which claim the name of the table. The
// daemon stays within the memory of its unit, and its pages answer.
func TestHostileNames(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: the hostile suite takes the whole machine")
	}
	if os.Getenv(inNamespace) == "" {
		rerunInNamespace(t)
		return
	}
	lan(t)
	var all *net.UDPConn
	for end := time.Now().Add(patience); all == nil; time.Sleep(50 * time.Millisecond) { // until the kernel has verified its address
		var err error
		if all, err = net.DialUDP("udp6", nil, &net.UDPAddr{IP: net.ParseIP("ff02::fb"), Port: 5353, Zone: "far"}); err != nil &&
			time.Now().After(end) {
			t.Fatal(err)
		}
	}
	defer all.Close()
	const attack = 65 * time.Second // a responder that still probes after a minute gives up (RFC 6762 section 9)
	sent, over := 0, make(chan struct{})
	packets := [][]byte{claimNames(t, 110, 1), claimNames(t, 1, 300), claimNames(t, 110, 1), questions(t, 3000)}
	go func() {
		defer close(over)
		for end := time.Now().Add(attack); time.Now().Before(end); sent++ {
			_, _ = all.Write(packets[sent%len(packets)])
			if sent%len(packets) == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	v := startVictim(t, table6)
	before := v.measureUse()
	<-over
	if !v.alive() {
		t.Fatalf("the daemon has died after %d packets", sent)
	}
	p := v.peaks()
	const watched = 5 * time.Second
	took := v.processor()
	time.Sleep(watched)
	took = v.processor() - took
	t.Logf("%d packets: %.1f MiB before, %.1f at most, %d threads; afterwards %v of the processor in %v", sent, mib(before.rss), mib(p.rss),
		p.threads, took, watched)
	if p.rss > mostMemory {
		t.Errorf("%.1f MiB of memory, at most %d", mib(p.rss), mostMemory>>20)
	}
	if took > watched/4 {
		t.Errorf("nobody asks for anything, and it takes %v of the processor in %v", took, watched)
	}
	if !isFound(t) {
		t.Error("nobody finds the table by a name")
	}
	_, port, _ := net.SplitHostPort(v.pages)
	if metricValue("127.0.0.1:"+port, "majordome_ok") != 1 {
		t.Error("the pages do not answer")
	}
}

// claimNames returns an answer in which another machine owns the first names of the table, each with so many
// addresses.
func claimNames(t *testing.T, names, addrs int) []byte {
	t.Helper()
	b := dnsmessage.NewBuilder(nil, dnsmessage.Header{Response: true, Authoritative: true})
	b.EnableCompression()
	if err := b.StartAnswers(); err != nil {
		t.Fatal(err)
	}
	at := netip.MustParseAddr("2001:db8:0:1::bad").As16()
	for n := range names {
		name := "majordome.local."
		if n > 0 {
			name = fmt.Sprintf("majordome-%d.local.", n+1)
		}
		for i := range addrs {
			at[14] = byte(i)
			h := dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName(name), Class: dnsmessage.ClassINET, TTL: 120}
			if err := b.AAAAResource(h, dnsmessage.AAAAResource{AAAA: at}); err != nil {
				t.Fatal(err)
			}
		}
	}
	packet, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return packet
}

// isFound asks for the names of the table as a phone does, until one is answered.
func isFound(t *testing.T) bool {
	t.Helper()
	c, err := net.ListenUDP("udp6", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	answer := make([]byte, 9000)
	for end := time.Now().Add(2 * patience); time.Now().Before(end); {
		for n := range 9 {
			name := "majordome.local."
			if n > 0 {
				name = fmt.Sprintf("majordome-%d.local.", n+1)
			}
			m := dnsmessage.Message{Questions: []dnsmessage.Question{{Name: dnsmessage.MustNewName(name), Type: dnsmessage.TypeAAAA,
				Class: dnsmessage.ClassINET}}}
			body, err := m.Pack()
			if err != nil {
				t.Fatal(err)
			}
			_, _ = c.WriteToUDP(body, &net.UDPAddr{IP: net.ParseIP("ff02::fb"), Port: 5353, Zone: "far"})
			_ = c.SetReadDeadline(time.Now().Add(500 * time.Millisecond))
			if size, _, err := c.ReadFromUDP(answer); err == nil && m.Unpack(answer[:size]) == nil && len(m.Answers) > 0 {
				return true
			}
		}
	}
	return false
}

// questions returns a packet with so many questions for the table's names and services.
func questions(t *testing.T, n int) []byte {
	t.Helper()
	b := dnsmessage.NewBuilder(nil, dnsmessage.Header{})
	b.EnableCompression()
	if err := b.StartQuestions(); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		name := []string{"majordome.local.", "_http._tcp.local.", strings.Repeat("a", 60) + ".local."}[i%3]
		err := b.Question(dnsmessage.Question{Name: dnsmessage.MustNewName(name), Type: dnsmessage.TypeALL, Class: dnsmessage.ClassINET})
		if err != nil {
			t.Fatal(err)
		}
	}
	packet, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return packet
}

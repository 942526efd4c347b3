package mdns

import (
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

const patience = time.Minute

var (
	ourIdentity = identity{"majordome", 80}
	ours        = []netip.Addr{netip.MustParseAddr("192.168.77.5"), netip.MustParseAddr("fd00:5::5")}
	knownAddrs  = map[netip.Addr]bool{ours[0]: true, ours[1]: true}
	other       = []netip.Addr{netip.MustParseAddr("192.168.77.9")}
)

func newQuery(name string, kind dnsmessage.Type, class dnsmessage.Class, times int) []byte {
	m := dnsmessage.Message{Header: dnsmessage.Header{ID: 7}}
	for range times {
		m.Questions = append(m.Questions, dnsmessage.Question{Name: dnsmessage.MustNewName(name), Type: kind, Class: class})
	}
	b, err := m.Pack()
	if err != nil {
		panic(err)
	}
	return b
}

// TestAnswers checks that each question gets its answers, and one about other names none.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name string
		kind dnsmessage.Type
		want string // kinds of the answers
	}{
		{"majordome.local.", dnsmessage.TypeA, "A AAAA"},
		{"MAJORDOME.Local.", dnsmessage.TypeALL, "A AAAA"},
		{"_http._tcp.local.", dnsmessage.TypePTR, "PTR SRV TXT A AAAA"},
		{"Majordome._http._tcp.local.", dnsmessage.TypeSRV, "SRV TXT A AAAA"},
		{"_services._dns-sd._udp.local.", dnsmessage.TypePTR, "PTR"},
		{"majordome.local.", dnsmessage.TypeMX, ""},
		{"majordome-2.local.", dnsmessage.TypeA, ""},
		{"_ipp._tcp.local.", dnsmessage.TypePTR, ""},
	} {
		for _, legacy := range []bool{false, true} {
			h, ok := ourIdentity.parsePacket(newQuery(c.name, c.kind, dnsmessage.ClassINET|topBit, 1), knownAddrs)
			if !ok {
				t.Fatalf("%s is not read", c.name)
			}
			var m dnsmessage.Message
			if body := ourIdentity.buildAnswer(h, ours, legacy, false); body == nil {
				if c.want != "" {
					t.Errorf("%s %v is not answered", c.name, c.kind)
				}
				continue
			} else if err := m.Unpack(body); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range m.Answers {
				got = append(got, strings.TrimPrefix(a.Header.Type.String(), "Type"))
				if pointer := a.Header.Type == dnsmessage.TypePTR; (a.Header.Class&topBit != 0) != (!legacy && !pointer) {
					t.Errorf("%s: the class of %v is %x", c.name, a.Header.Type, uint16(a.Header.Class))
				}
			}
			if strings.Join(got, " ") != c.want || (len(m.Questions) == 1) != legacy || (m.ID == 7) != legacy || !m.Response ||
				!m.Authoritative {
				t.Errorf("%s, legacy %t: %q, want %q; %+v", c.name, legacy, got, c.want, m.Header)
			}
		}
	}
}

// TestAnswersAndProbesShowTheOwnerOfAName checks that answers and probes show who owns a name; a goodbye and our own packets take no name.
func TestAnswersAndProbesShowTheOwnerOfAName(t *testing.T) {
	they := identity{"majordome", 99}
	all := they.announcementQuestions()
	for name, c := range map[string]struct {
		packet []byte
		taken  bool
		probed int
	}{
		"another has it":     {they.buildAnswer(all, other, false, false), true, 0},
		"another says bye":   {they.buildAnswer(all, other, false, true), false, 0},
		"we say it":          {ourIdentity.buildAnswer(ourIdentity.announcementQuestions(), ours, false, false), false, 0},
		"another's own name": {identity{"pi", 80}.buildAnswer(identity{"pi", 80}.announcementQuestions(), other, false, false), false, 0},
		"another probes":     {they.buildProbe(other), false, 1},
		"we probe":           {ourIdentity.buildProbe(ours), false, 0},
		"the service alone": {identity{"x", 80}.buildAnswer(
			parsedPacket{questions: []question{{"X._http._tcp.local.", dnsmessage.TypeSRV, false}}}, nil, false, false), false, 0},
	} {
		h, ok := ourIdentity.parsePacket(c.packet, knownAddrs)
		if !ok || h.nameTaken != c.taken || len(h.probedAddrs) != c.probed {
			t.Errorf("%s: %+v", name, h)
		}
	}
	if !losesProbeTo(other, ours[:1]) || losesProbeTo(ours[:1], other) || losesProbeTo(ours, ours) {
		t.Error("of two that probe, the wrong one wins")
	}
}

// TestOnePacketIsBounded checks that of thousands of questions or records only few are read.
func TestOnePacketIsBounded(t *testing.T) {
	h, ok := ourIdentity.parsePacket(newQuery("majordome.local.", dnsmessage.TypeA, dnsmessage.ClassINET, 600), knownAddrs)
	if !ok || len(h.questions) != maxQuestions {
		t.Errorf("%d questions are read", len(h.questions))
	}
	var m dnsmessage.Message
	for range 400 {
		m.Authorities = append(m.Authorities,
			dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName("majordome.local."),
				Class: dnsmessage.ClassINET, TTL: 9}, Body: &dnsmessage.AResource{A: [4]byte{1}}})
	}
	body, err := m.Pack()
	if err != nil {
		t.Fatal(err)
	}
	if h, _ := ourIdentity.parsePacket(body, knownAddrs); len(h.probedAddrs) > maxRecords {
		t.Errorf("%d records are read", len(h.probedAddrs))
	}
}

// FuzzRead checks that any packet is read without harm, and that an answer is a valid packet.
func FuzzRead(f *testing.F) {
	f.Add(newQuery("majordome.local.", dnsmessage.TypeA, dnsmessage.ClassINET, 3))
	f.Add(ourIdentity.buildAnswer(ourIdentity.announcementQuestions(), other, false, false))
	f.Add(ourIdentity.buildProbe(other))
	f.Fuzz(func(t *testing.T, packet []byte) {
		h, ok := ourIdentity.parsePacket(packet, knownAddrs)
		if !ok {
			return
		}
		if len(h.questions) > 4*maxQuestions || len(h.probedAddrs) > maxRecords {
			t.Errorf("%d questions, %d records", len(h.questions), len(h.probedAddrs))
		}
		if body := ourIdentity.buildAnswer(h, ours, true, false); body != nil {
			var m dnsmessage.Message
			if err := m.Unpack(body); err != nil || len(body) > maxPacket {
				t.Errorf("an answer of %d bytes: %v", len(body), err)
			}
		}
	})
}

// newSilent returns a responder without sockets.
func newSilent() *Responder {
	r := &Responder{opts: Opts{Name: "majordome", Port: 80}, stop: make(chan struct{}), done: make(chan struct{}), pause: firstPause,
		budget: newBudget(time.Now()),
		net: &network{packets: make(chan packet, maxWaiting), interfaces: []net.Interface{{Index: 1}},
			refreshed: time.Now().Add(time.Hour), addrsByIndex: map[int][]netip.Addr{1: ours}}}
	r.probeName(1)
	return r
}

// TestNumbers checks that each name that another machine owns is followed by the next number, after longer and longer
// pauses, and that the name goes back to the one without a number after 9.
func TestNumbers(t *testing.T) {
	r := newSilent()
	for range probeCount + 2 {
		r.sendNextPacket()
	}
	var names []string
	var pauses []time.Duration
	for range 12 {
		they := identity{r.Name(), 99}
		pauses = append(pauses, r.handlePacket(packet{data: they.buildAnswer(they.announcementQuestions(), other, false, false), iface: 1}))
		names = append(names, r.Name())
	}
	if names[0] != "majordome-2" || names[7] != "majordome-9" || names[8] != "majordome" {
		t.Errorf("the names are %q", names)
	}
	if pauses[0] != firstPause || pauses[11] != maxPause || !slices.IsSorted(pauses) {
		t.Errorf("the pauses are %v", pauses)
	}
	if r.ownsName {
		t.Error("a name that is only probed for is taken for ours")
	}
}

// TestCloseIsShort checks that a responder that is busy with a stranger's packets ends at once.
func TestCloseIsShort(t *testing.T) {
	r := newSilent()
	go r.run()
	over := make(chan struct{})
	go func() {
		for {
			select {
			case r.net.packets <- packet{data: newQuery("majordome.local.", dnsmessage.TypeA, dnsmessage.ClassINET, 500), iface: 1}:
			case <-over:
				return
			}
		}
	}()
	defer close(over)
	closed := make(chan struct{})
	go func() { r.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(patience):
		t.Fatal("the responder waits for ever")
	}
}

package mdns

import (
	"bytes"
	"net/netip"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// Limits of what is read of one packet.
const (
	maxQuestions = 16
	maxRecords   = 64
)

// Lifetimes of records in seconds (RFC 6762 section 10). topBit is a bit of the class: in a record it
// replaces all other records of the name, in a question it requests an answer only to the sender.
const (
	hostTTL    = 120
	serviceTTL = 75 * 60
	topBit     = 1 << 15
)

const (
	serviceType = "_http._tcp.local."
	allServices = "_services._dns-sd._udp.local."
)

// identity is the host and port that a responder answers for.
type identity struct {
	host string // without .local
	port uint16
}

func (id identity) hostName() string { return id.host + ".local." }

// instanceName returns the service name shown to people, with the number of the host name.
func (id identity) instanceName() string {
	return strings.ToUpper(id.host[:1]) + id.host[1:] + "." + serviceType
}

// question is a question about this machine.
type question struct {
	name    string
	kind    dnsmessage.Type
	unicast bool
}

// parsedPacket is the part of a packet that is about this machine.
type parsedPacket struct {
	id          uint16
	response    bool
	questions   []question
	nameTaken   bool         // a response gives one of our names to another machine
	probedAddrs []netip.Addr // addresses that a question claims for our host name
}

// parsePacket returns the part of a packet that is about id; own are the addresses of this machine. ok is
// false if it is no DNS packet.
func (id identity) parsePacket(packet []byte, own map[netip.Addr]bool) (h parsedPacket, ok bool) {
	var p dnsmessage.Parser
	head, err := p.Start(packet)
	if err != nil || head.OpCode != 0 || head.RCode != dnsmessage.RCodeSuccess {
		return h, false
	}
	h.id, h.response = head.ID, head.Response
	for n := 0; ; n++ {
		q, err := p.Question()
		if err == dnsmessage.ErrSectionDone {
			break
		}
		if err != nil || n == maxQuestions {
			return h, err == nil && !h.response // the rest after so many questions is not read
		}
		for _, name := range []string{id.hostName(), id.instanceName(), serviceType, allServices} {
			if strings.EqualFold(q.Name.String(), name) {
				h.questions = append(h.questions, question{name, q.Type, q.Class&topBit != 0})
			}
		}
	}
	left := maxRecords
	id.recordConflicts(&h, own, &left, p.AnswerHeader, p.SkipAnswer, &p)
	if p.SkipAllAnswers() == nil {
		id.recordConflicts(&h, own, &left, p.AuthorityHeader, p.SkipAuthority, &p)
	}
	return h, true
}

// recordConflicts notes in parsed the records of other machines that have our names. It reads at most *left records and
// subtracts them.
func (id identity) recordConflicts(parsed *parsedPacket, own map[netip.Addr]bool, left *int,
	next func() (dnsmessage.ResourceHeader, error), skip func() error, p *dnsmessage.Parser,
) {
	for ; *left > 0; *left-- {
		head, err := next()
		if err != nil {
			return
		}
		name, at := head.Name.String(), netip.Addr{}
		switch isHost := strings.EqualFold(name, id.hostName()); {
		case isHost && head.Type == dnsmessage.TypeA:
			r, err := p.AResource()
			if err != nil {
				return
			}
			at = netip.AddrFrom4(r.A)
		case isHost && head.Type == dnsmessage.TypeAAAA:
			r, err := p.AAAAResource()
			if err != nil {
				return
			}
			at = netip.AddrFrom16(r.AAAA)
		case strings.EqualFold(name, id.instanceName()) && head.Type == dnsmessage.TypeSRV:
			r, err := p.SRVResource()
			if err != nil {
				return
			}
			parsed.nameTaken = parsed.nameTaken || parsed.response && head.TTL > 0 && !strings.EqualFold(r.Target.String(), id.hostName())
			continue
		default:
			if skip() != nil {
				return
			}
			continue
		}
		if head.TTL == 0 || own[at] {
			continue // a goodbye, or our own
		}
		if parsed.response {
			parsed.nameTaken = true
		} else {
			parsed.probedAddrs = append(parsed.probedAddrs, at)
		}
	}
}

// losesProbeTo reports whether another machine that probes for our name at the same time wins, because its data
// is lexicographically later (RFC 6762 section 8.2).
func losesProbeTo(theirs, ours []netip.Addr) bool {
	last := func(all []netip.Addr) (b []byte) {
		for _, a := range all {
			if x := a.AsSlice(); bytes.Compare(x, b) > 0 {
				b = x
			}
		}
		return b
	}
	return bytes.Compare(last(theirs), last(ours)) > 0
}

// sectionWriter writes records into a section of a packet.
type sectionWriter struct {
	b   *dnsmessage.Builder
	ttl func(uint32) uint32
	err error
}

func (r *sectionWriter) addRecord(name string, class dnsmessage.Class, ttl uint32, write func(dnsmessage.ResourceHeader) error) {
	if r.err != nil {
		return
	}
	n, err := dnsmessage.NewName(name)
	if err == nil {
		err = write(dnsmessage.ResourceHeader{Name: n, Class: class, TTL: r.ttl(ttl)})
	}
	r.err = err
}

// addHost adds the addresses of the host.
func (r *sectionWriter) addHost(id identity, addrs []netip.Addr, class dnsmessage.Class) {
	for _, a := range addrs {
		r.addRecord(id.hostName(), class, hostTTL, func(h dnsmessage.ResourceHeader) error {
			if a.Is4() {
				return r.b.AResource(h, dnsmessage.AResource{A: a.As4()})
			}
			return r.b.AAAAResource(h, dnsmessage.AAAAResource{AAAA: a.As16()})
		})
	}
}

// addService adds the host and port of the service, and says that its pages begin at the root.
func (r *sectionWriter) addService(id identity, class dnsmessage.Class) {
	r.addRecord(id.instanceName(), class, hostTTL, func(h dnsmessage.ResourceHeader) error {
		target, err := dnsmessage.NewName(id.hostName())
		if err != nil {
			return err
		}
		return r.b.SRVResource(h, dnsmessage.SRVResource{Target: target, Port: id.port})
	})
	r.addRecord(id.instanceName(), class, serviceTTL, func(h dnsmessage.ResourceHeader) error {
		return r.b.TXTResource(h, dnsmessage.TXTResource{TXT: []string{"path=/"}})
	})
}

// addPointer adds a pointer between two names.
func (r *sectionWriter) addPointer(from, to string) {
	r.addRecord(from, dnsmessage.ClassINET, serviceTTL, func(h dnsmessage.ResourceHeader) error {
		target, err := dnsmessage.NewName(to)
		if err != nil {
			return err
		}
		return r.b.PTRResource(h, dnsmessage.PTRResource{PTR: target})
	})
}

const uniqueClass = dnsmessage.ClassINET | topBit

// buildAnswer returns a response to some questions, nil if there is nothing to answer. If legacy, the asker
// does not know multicast DNS (RFC 6762 section 6.7), and the response repeats its questions and its id. If
// goodbye, all records get the lifetime 0.
func (id identity) buildAnswer(query parsedPacket, addrs []netip.Addr, legacy, goodbye bool) []byte {
	head, class := dnsmessage.Header{Response: true, Authoritative: true}, dnsmessage.Class(uniqueClass)
	if legacy {
		head.ID, class = query.id, dnsmessage.ClassINET
	}
	b := dnsmessage.NewBuilder(nil, head)
	b.EnableCompression()
	r := &sectionWriter{b: &b, ttl: func(t uint32) uint32 { return t }}
	if goodbye {
		r.ttl = func(uint32) uint32 { return 0 }
	}
	if legacy {
		r.err = b.StartQuestions()
		for _, q := range query.questions {
			if n, err := dnsmessage.NewName(q.name); err == nil && r.err == nil {
				r.err = b.Question(dnsmessage.Question{Name: n, Type: q.kind, Class: dnsmessage.ClassINET})
			}
		}
	}
	if r.err == nil {
		r.err = b.StartAnswers()
	}
	var host, service, pointer, types bool
	for _, q := range query.questions {
		all := q.kind == dnsmessage.TypeALL
		host = host || q.name == id.hostName() && (all || q.kind == dnsmessage.TypeA || q.kind == dnsmessage.TypeAAAA)
		service = service || q.name == id.instanceName() && (all || q.kind == dnsmessage.TypeSRV || q.kind == dnsmessage.TypeTXT)
		pointer = pointer || q.name == serviceType && (all || q.kind == dnsmessage.TypePTR)
		types = types || q.name == allServices && (all || q.kind == dnsmessage.TypePTR)
	}
	if !host && !service && !pointer && !types {
		return nil
	}
	if types {
		r.addPointer(allServices, serviceType)
	}
	if pointer {
		r.addPointer(serviceType, id.instanceName())
	}
	if pointer || service {
		r.addService(id, class)
	}
	if !types || host || service || pointer {
		r.addHost(id, addrs, class)
	}
	packet, err := b.Finish()
	if r.err != nil || err != nil {
		return nil
	}
	return packet
}

// announcementQuestions returns the questions that an announcement answers.
func (id identity) announcementQuestions() parsedPacket {
	return parsedPacket{questions: []question{
		{name: id.hostName(), kind: dnsmessage.TypeALL}, {name: serviceType, kind: dnsmessage.TypePTR}}}
}

// buildProbe returns a packet that asks whether another machine has our names, and which addresses would have
// them here (RFC 6762 section 8.1).
func (id identity) buildProbe(addrs []netip.Addr) []byte {
	b := dnsmessage.NewBuilder(nil, dnsmessage.Header{})
	b.EnableCompression()
	r := &sectionWriter{b: &b, ttl: func(t uint32) uint32 { return t }}
	r.err = b.StartQuestions()
	for _, name := range []string{id.hostName(), id.instanceName()} {
		if n, err := dnsmessage.NewName(name); err == nil && r.err == nil {
			r.err = b.Question(dnsmessage.Question{Name: n, Type: dnsmessage.TypeALL, Class: dnsmessage.ClassINET})
		}
	}
	if r.err == nil {
		r.err = b.StartAuthorities()
	}
	r.addHost(id, addrs, dnsmessage.ClassINET)
	packet, err := b.Finish()
	if r.err != nil || err != nil {
		return nil
	}
	return packet
}

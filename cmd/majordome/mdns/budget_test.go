package mdns

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
)

// flood is a machine that asks without end.
type flood struct {
	rate int // questions a second
	from func(n int) netip.AddrPort
}

// countAnswers counts for ten seconds the answers to an honest machine, which asks once a second from a new socket
// each, and the answers to the floods.
func countAnswers(honest netip.Addr, floods ...flood) (good, bad int) {
	begin := time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC)
	b := newBudget(begin)
	const steps = 6000 // in a second
	for step := range 10 * steps {
		now := begin.Add(time.Duration(step) * time.Second / steps)
		for _, f := range floods {
			if step%(steps/f.rate) == 0 && b.chargeAnswer(f.from(step), now) {
				bad++
			}
		}
		if step%steps == steps/2 && b.chargeAnswer(netip.AddrPortFrom(honest, uint16(40000+step/steps)), now) {
			good++
		}
		if len(b.ports) > maxAskers || len(b.addrs) > maxAskers {
			panic("too many askers are remembered")
		}
	}
	return good, bad
}

// TestAFloodTakesNothingFromOthers checks that an honest machine gets an answer each time, whatever one or a few
// other machines ask; the total stays bounded.
func TestAFloodTakesNothingFromOthers(t *testing.T) {
	honest := netip.MustParseAddr("192.168.77.9")
	at := func(addr string) func(int) netip.AddrPort {
		return func(int) netip.AddrPort { return netip.MustParseAddrPort(addr) }
	}
	ports := func(addr string) func(int) netip.AddrPort {
		return func(n int) netip.AddrPort { return netip.AddrPortFrom(netip.MustParseAddr(addr), uint16(n)) }
	}
	machines := func(n int) netip.AddrPort {
		return netip.MustParseAddrPort(fmt.Sprintf("[fe80::%x]:5353", 1+n/2%20))
	}
	for what, floods := range map[string][]flood{
		"nobody":                              nil,
		"30 a second":                         {{30, at("192.168.77.5:50000")}},
		"3000 a second":                       {{3000, at("192.168.77.5:50000")}},
		"3000 a second from the same address": {{3000, at("192.168.77.9:50000")}},
		"3000 a second from every port":       {{3000, ports("192.168.77.5")}},
		"three machines": {
			{3000, ports("192.168.77.5")},
			{3000, ports("192.168.77.6")},
			{30, at("192.168.77.7:5353")},
		},
		"twenty machines": {{3000, machines}},
	} {
		good, bad := countAnswers(honest, floods...)
		if good != 10 {
			t.Errorf("%s: %d of 10 are answered", what, good)
		}
		if most := 11*(allRate+reservedRate) - good; bad > most {
			t.Errorf("%s: the floods get %d answers, at most %d are right", what, bad, most)
		}
	}
}

// TestAskersAreBounded checks that a machine with ever new addresses gets no more than the total, and causes no more
// memory.
func TestAskersAreBounded(t *testing.T) {
	_, bad := countAnswers(netip.MustParseAddr("192.168.77.9"), flood{3000, func(n int) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), 5353)
	}})
	if bad > 11*(allRate+reservedRate) {
		t.Errorf("%d answers in ten seconds", bad)
	}
}

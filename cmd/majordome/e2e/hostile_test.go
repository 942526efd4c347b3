package e2e_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/devices/randtest"
	"majordome/engine"
)

// The limits of the daemon under attack.
const (
	mostMemory = 96 << 20
	settleIn   = 4 * time.Minute // memory and descriptors are back by then
)

// The limits for an honest phone under attack, on a machine that does nothing else: BenchmarkHostile requires them.
const (
	backWithin = 2 * time.Second // a dropped seat, the 99th of 100
	joinWithin = 5 * time.Second // a new phone, the slowest
)

// phase is one row of the table of figures.
type phase struct {
	name    string
	attacks []attack
	where   string         // the column "from"
	from    []netip.Prefix // networks of the attackers
	fill    time.Duration  // until the raid has filled the door
	drops   int            // times that a seat is dropped
	joins   int            // new phones
	within  time.Duration  // limit for a new phone to join in a benchmark; 0: joinWithin
}

// addresses returns n IPv4 addresses of this machine.
func addresses(n int) (all []netip.Prefix) {
	for i := range n {
		all = append(all, netip.PrefixFrom(netip.AddrFrom4([4]byte{127, 0, 10, byte(i + 1)}), 32))
	}
	return all
}

// phaseOf returns a phase of attacks from n IPv4 addresses.
func phaseOf(name string, attacks []attack, n, drops, joins int) phase {
	return phase{name: name, attacks: attacks, where: strconv.Itoa(n), from: addresses(n), fill: 3 * time.Second,
		drops: drops, joins: joins}
}

// TestHostile attacks the real binary, under the limits that its unit sets, with all attacks at once, from one
// address and from 64, while three phones and the host play.
//
// MAJORDOME_SOAK=1 makes it 100 drops, and runs each attack separately, too. MAJORDOME_HOSTILE=FILE attacks another
// binary. The figures are in the log (-v).
func TestHostile(t *testing.T) { hostile(t) }

// BenchmarkHostile runs TestHostile, and requires backWithin and joinWithin.
func BenchmarkHostile(b *testing.B) { hostile(b) }

func hostile(t testing.TB) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: the hostile suite takes a minute of the whole machine")
	}
	phases := []phase{phaseOf("all at once", attacks, 1, 20, 2), phaseOf("all at once", attacks, 64, 20, 2),
		phaseOf("floods", floods, 64, 20, 2)}
	soak := os.Getenv("MAJORDOME_SOAK") == "1"
	if soak {
		phases = []phase{phaseOf("all at once", attacks, 1, 100, 5), phaseOf("all at once", attacks, 64, 100, 5),
			phaseOf("floods", floods, 1, 100, 5), phaseOf("floods", floods, 64, 100, 5)}
		for _, a := range slices.Concat(attacks, floods) {
			phases = append(phases, phaseOf(a.name, []attack{a}, 64, 30, 2))
		}
	}
	v := startVictim(t, netip.AddrFrom4([4]byte{127, 0, 0, 1}))
	h := newSiege(t, v, netip.MustParsePrefix("127.200.0.0/16"))
	before := h.heading()
	for _, p := range phases {
		h.endure(p)
		if t.Failed() {
			return
		}
	}
	if told := strings.Count(v.log.String(), "door under pressure"); soak && told == 0 {
		t.Error("minutes under pressure, and the log is silent")
	}
	h.settled(before)
}

// settled waits until memory and descriptors are back at their values before the attack.
func (h *siege) settled(before sample) {
	t, v, more := h.t, h.v, int64(16<<20)
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		more = 8 << 20 // once the door has had a minute without pressure
	}
	start := time.Now()
	for {
		s := v.measureUse()
		if s.files <= before.files+2 && s.rss <= before.rss+more {
			t.Logf("%-45s %-15s %-11s %10.1f %6d %7d   after %.0f s", "afterwards", "", takenPlaces(v.pages), mib(s.rss), s.files,
				s.threads, time.Since(start).Seconds())
			t.Logf("the control group was charged for %.1f MiB at most", mib(v.charged()))
			return
		}
		if time.Since(start) > settleIn || !v.alive() {
			t.Fatalf("%v after the attack the daemon has %.1f MiB and %d files, before it %.1f MiB and %d", settleIn, mib(s.rss), s.files,
				mib(before.rss), before.files)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// heading logs the head of the table of figures, and the daemon's use at rest.
func (h *siege) heading() (before sample) {
	h.settleMemory()
	h.v.peaks()
	before = h.v.measureUse()
	h.t.Logf("%-45s %-15s %-11s %10s %6s %7s %9s %9s %9s %6s %9s %10s", "attack", "from", "places", "memory MiB", "files", "threads",
		"back p50", "back p99", "join ms", "acts", "act p99", "office p99")
	h.t.Logf("%-45s %-15s %-11s %10.1f %6d %7d", "none", "", takenPlaces(h.v.pages), mib(before.rss), before.files, before.threads)
	return before
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }

// siege is a table with its players, and the notes that they have written.
type siege struct {
	t       testing.TB
	v       *victim
	host    *plainPhone
	phones  []*plainPhone // seats 1 to 3
	homes   netip.Prefix  // the network of honest phones
	written []int         // by seat: the last note that was accepted
}

// homeAddr returns a new address for an honest phone.
func (h *siege) homeAddr() netip.Addr { return newAddress(h.homes) }

// newSiege seats four players, lets three phones join, and begins a game.
func newSiege(t testing.TB, v *victim, homes netip.Prefix) *siege {
	h := &siege{t: t, v: v, homes: homes, written: make([]int, 3)}
	limit := time.Now().Add(patience)
	var err error
	if h.host, err = joinPlain(v.pages, v.host, engine.Host, h.homeAddr(), limit); err != nil {
		t.Fatalf("the host cannot join: %v", err)
	}
	must := func(act string, args engine.Args) {
		t.Helper()
		if r, err := h.host.act(act, args, limit); err != nil || !r.OK {
			t.Fatalf("host: %s %v: %v %+v", act, args, err, r.Reject)
		}
	}
	for i, who := range []string{"character-borrow", "character-worms", "character-peely", "character-lecomte"} {
		seat := engine.Seat(i + 1)
		must("sit", engine.Args{"seat": seat.String(), "name": fmt.Sprintf("P%d", i+1), "character": who})
	}
	must("first", engine.Args{"seat": engine.Seat(1).String()})
	for s := engine.Seat(1); s <= 3; s++ {
		p, err := joinPlain(v.pages, h.link(s), engine.SeatViewer(s), h.homeAddr(), limit)
		if err != nil {
			t.Fatalf("%s cannot join: %v", s, err)
		}
		h.phones = append(h.phones, p)
	}
	must("begin", nil)
	must("draw-roles", nil)
	must("deal", nil)
	return h
}

// link waits for the open invitation of a seat on the host's page, and returns its link.
func (h *siege) link(s engine.Seat) (url string) {
	h.t.Helper()
	err := h.host.waitForView(time.Now().Add(patience), func(u wire.Update) bool {
		if u.Seq < h.host.seq { // from before the last invitation
			return false
		}
		for _, i := range u.Desk.Invites {
			if i.Seat == s && !i.Joined {
				url = i.URL
			}
		}
		return url != ""
	})
	if err != nil {
		h.t.Fatalf("no link for %s: %v", s, err)
	}
	return url
}

// settleMemory waits until the daemon's memory has not changed for half a second.
func (h *siege) settleMemory() {
	last, since := h.v.measureUse(), time.Now()
	for limit := since.Add(patience); time.Since(since) < 500*time.Millisecond; time.Sleep(50 * time.Millisecond) {
		if s := h.v.measureUse(); s.rss != last.rss {
			last, since = s, time.Now()
		}
		if time.Now().After(limit) {
			h.t.Fatal("the daemon's memory does not come to rest")
		}
	}
}

// figures are the results of one phase.
type figures struct {
	phase
	places string
	peak   sample
	drops  []time.Duration // from each drop until the view was there again
	joined time.Duration   // the slowest new phone
	// offices are the times from each request of the host to the office to its answer.
	offices []time.Duration
	acts    []time.Duration // from each act to its answer
	failed  error
}

// endure plays on during one phase and checks its results.
func (h *siege) endure(p phase) {
	r := &raid{pages: h.v.pages, mqtt: h.v.mqtt, from: p.from, seed: randtest.NewSeed(h.t)}
	ctx, cancel := context.WithCancel(context.Background())
	var raid, players sync.WaitGroup
	defer func() { cancel(); raid.Wait() }()
	raid.Go(func() { r.run(ctx, p.attacks) })
	time.Sleep(p.fill) // the raid fills the door; a binary without /metrics gives no sign of it
	f, stop, acts, lost := &figures{phase: p}, make(chan struct{}), make([][]time.Duration, 2), make([]error, 2)
	for i := range acts {
		players.Go(func() { acts[i], lost[i] = h.writeNotes(i, stop) })
	}
	h.dropSeat(f)
	for range p.joins {
		took, err := h.newcomer()
		f.joined, f.failed = max(f.joined, took), errors.Join(f.failed, err)
	}
	for range 5 {
		start := time.Now()
		if a, err := h.host.office(wire.OfficeRows, start.Add(patience)); err != nil || a.Why != nil {
			f.failed = errors.Join(f.failed, fmt.Errorf("the host asks the office in vain: %w %+v", err, a.Why))
		}
		f.offices = append(f.offices, time.Since(start))
	}
	f.places = takenPlaces(h.v.pages)
	if code, err := misdirected(h.v.pages); err == nil && code != 421 {
		f.failed = errors.Join(f.failed, fmt.Errorf("a foreign Host is answered %d", code))
	}
	close(stop)
	players.Wait()
	f.acts, f.failed = slices.Concat(acts...), errors.Join(f.failed, errors.Join(lost...))
	f.peak = h.v.peaks()
	h.checkFigures(f)
}

// writeNotes writes notes on seat i+1 until stop, and then waits until the last note is in the view. When a note is
// refused because of a newer view, it is written again, as the page does.
func (h *siege) writeNotes(i int, stop <-chan struct{}) (took []time.Duration, err error) {
	phone, n := h.phones[i], h.written[i]
	for {
		select {
		case <-stop:
			if len(took) == 0 {
				return nil, fmt.Errorf("seat %d has done nothing", i+1)
			}
			limit := time.Now().Add(patience)
			for stands := false; !stands; {
				if phone.ws == nil {
					if err := phone.reconnect(limit); err != nil {
						return took, fmt.Errorf("seat %d after note %d: %w", i+1, n, err)
					}
				}
				err := phone.waitForView(limit, func(u wire.Update) bool { return u.Notes == fmt.Sprintf("note-%d", n) })
				if stands = err == nil; !stands && time.Now().After(limit) {
					return took, fmt.Errorf("note %d of seat %d: %w", n, i+1, err)
				} else if !stands {
					phone.drop()
				}
			}
			return took, nil
		default:
			phone.listen(1100 * time.Millisecond) // GEN-007: one note a second
		}
		start := time.Now()
		limit := start.Add(patience)
		n++
		h.written[i] = n
		write := func() (wire.Reply, error) {
			return phone.act(wire.ActNote, engine.Args{"marks": fmt.Sprintf("note-%d", n)}, limit)
		}
		reply, err := write()
		for err == nil && !reply.OK && reply.Reject.Why.Key == "table.note.other" { // a newer view is on its way
			phone.listen(1100 * time.Millisecond)
			reply, err = write()
		}
		if err != nil || !reply.OK && reply.Reject.Why.Key != "table.note.wait" { // it was sent twice, and the first one is stored
			return took, errors.Join(err, fmt.Errorf("note %d of seat %d: %+v", n, i+1, reply.Reject))
		}
		took = append(took, time.Since(start))
	}
}

// dropSeat disconnects seat 3 again and again and lets it reconnect.
func (h *siege) dropSeat(f *figures) {
	for range f.phase.drops {
		start := time.Now()
		h.phones[2].drop()
		if err := h.phones[2].reconnect(start.Add(patience)); err != nil {
			f.failed = errors.Join(f.failed, fmt.Errorf("a dropped seat does not come back: %w", err))
			return
		}
		f.drops = append(f.drops, time.Since(start))
		time.Sleep(300 * time.Millisecond) // the seat is used for a while
	}
}

// checkFigures logs the row of a phase and reports each limit that it exceeds.
func (h *siege) checkFigures(f *figures) {
	t, v, p99 := h.t, h.v, nthOf(f.drops, 99)
	t.Logf("%-45s %-15s %-11s %10.1f %6d %7d %9.0f %9.0f %9.0f %6d %9.0f %10.0f", f.name, f.where, f.places, mib(f.peak.rss),
		f.peak.files, f.peak.threads,
		ms(nthOf(f.drops, 50)), ms(p99), ms(f.joined), len(f.acts), ms(nthOf(f.acts, 99)), ms(nthOf(f.offices, 99)))
	if f.failed != nil {
		t.Error(f.failed)
	}
	switch {
	case !v.alive():
		t.Errorf("the daemon has died")
	case f.peak.rss > mostMemory:
		t.Errorf("%.1f MiB of memory, at most %d", mib(f.peak.rss), mostMemory>>20)
	case f.peak.threads > int64(v.limits.tasks), f.peak.files >= int64(v.limits.files):
		t.Errorf("%d threads and %d files, the unit grants %d and %d", f.peak.threads, f.peak.files, v.limits.tasks, v.limits.files)
	}
	if _, timed := t.(*testing.B); !timed {
		return
	}
	if p99 > backWithin {
		t.Errorf("a dropped seat was back after %v (p99 of %d), want %v", p99, len(f.drops), backWithin)
	}
	if limit := cmp.Or(f.within, joinWithin); f.joined > limit {
		t.Errorf("a new phone had joined after %v, want %v", f.joined, limit)
	}
}

// nthOf returns the p-th percentile; zero for an empty list. It sorts all.
func nthOf(all []time.Duration, p int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[(len(all)*p-1)/100]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// newcomer lets a new phone of the home network take seat 4.
func (h *siege) newcomer() (took time.Duration, err error) {
	p, took, err := h.joinFourth(h.homeAddr())
	if err == nil {
		p.drop()
	}
	return took, err
}

// joinFourth invites to seat 4, and lets a phone at an address join with the link.
func (h *siege) joinFourth(from netip.Addr) (p *plainPhone, took time.Duration, err error) {
	limit := time.Now().Add(patience)
	if h.host.ws == nil {
		if err := h.host.reconnect(limit); err != nil {
			return nil, 0, fmt.Errorf("the host does not come back: %w", err)
		}
	}
	r, err := h.host.act("invite", engine.Args{"seat": engine.Seat(4).String()}, limit)
	if err != nil || !r.OK {
		return nil, 0, fmt.Errorf("the host cannot invite: %w %+v", err, r.Reject)
	}
	link := h.link(4)
	start := time.Now()
	if p, err = joinPlain(h.v.pages, link, engine.SeatViewer(4), from, start.Add(patience)); err != nil {
		return nil, 0, fmt.Errorf("a new phone does not join: %w", err)
	}
	return p, time.Since(start), nil
}

func smallBuffer(_, _ string, raw syscall.RawConn) error {
	return raw.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) })
}

func fileList(files fs.FS) (all []string) {
	_ = fs.WalkDir(files, ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.Contains(path, ".") {
			all = append(all, path)
		}
		return err
	})
	return all
}

func fileSize(files fs.FS, path string) int64 {
	info, err := fs.Stat(files, path)
	if err != nil {
		return 0
	}
	return info.Size()
}

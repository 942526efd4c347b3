package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// What an honest phone may ask under attack, and what the daemon may take.
const (
	backWithin = 2 * time.Second // a dropped seat, the 99th of 100
	joinWithin = 5 * time.Second // a new phone, the slowest
	mostMemory = 96 << 20
	settleIn   = 4 * time.Minute // memory and descriptors are back
)

// phase is one row of the table of figures.
type phase struct {
	name      string
	attacks   []attack
	addresses int
	drops     int // times that a seat is dropped
	joins     int // new phones
}

// TestHostile attacks the real binary, under the limits that its unit sets, with
// everything at once, from one address and from 64, while three phones and the host play.
//
// MAJORDOME_SOAK=1 makes it 100 drops, and each attack alone beside. MAJORDOME_HOSTILE=FILE
// attacks another binary. The figures are in the log (-v).
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: the hostile suite takes a minute of the whole machine")
	}
	phases := []phase{{"all at once", attacks, 1, 20, 2}, {"all at once", attacks, 64, 20, 2}}
	soak := os.Getenv("MAJORDOME_SOAK") == "1"
	if soak {
		phases = []phase{{"all at once", attacks, 1, 100, 5}, {"all at once", attacks, 64, 100, 5}}
		for _, a := range attacks {
			phases = append(phases, phase{a.name, []attack{a}, 64, 30, 2})
		}
	}
	v := startVictim(t)
	h := newSiege(t, v)
	h.rest()
	v.peaks()
	before := v.now()
	t.Logf("%-45s %9s %-11s %10s %6s %7s %9s %9s %9s %6s %9s", "attack", "addresses", "places", "memory MiB", "files", "threads", "back p50", "back p99", "join ms", "acts", "act p99")
	t.Logf("%-45s %9s %-11s %10.1f %6d %7d", "none", "", takenPlaces(v.pages), mib(before.rss), before.files, before.threads)
	for _, p := range phases {
		h.endure(p)
		if t.Failed() {
			return
		}
	}
	if told := strings.Count(v.log.String(), "door under pressure"); soak && told == 0 {
		t.Error("minutes under pressure, and the log is silent")
	}
	more := int64(16 << 20)
	if soak {
		more = 8 << 20 // once the door has seen a calm minute
	}
	start := time.Now()
	for {
		s := v.now()
		if s.files <= before.files+2 && s.rss <= before.rss+more {
			t.Logf("%-45s %9s %-11s %10.1f %6d %7d   after %.0f s", "afterwards", "", takenPlaces(v.pages), mib(s.rss), s.files, s.threads, time.Since(start).Seconds())
			return
		}
		if time.Since(start) > settleIn || !v.alive() {
			t.Fatalf("%v after the attack the daemon has %.1f MiB and %d files, before it %.1f MiB and %d", settleIn, mib(s.rss), s.files, mib(before.rss), before.files)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }

// siege is a table with its players, and what they did.
type siege struct {
	t       *testing.T
	v       *victim
	host    *plainPhone
	phones  []*plainPhone // seats 1 to 3
	guests  int           // addresses that honest phones have taken
	written []int         // by seat: the last note that was accepted
}

// home is the next address of an honest phone.
func (h *siege) home() net.IP {
	h.guests++
	return net.IPv4(127, 0, 200, byte(h.guests))
}

// newSiege seats four players, lets three phones join, and begins a game.
func newSiege(t *testing.T, v *victim) *siege {
	h := &siege{t: t, v: v, written: make([]int, 3)}
	limit := time.Now().Add(patience)
	var err error
	if h.host, err = joins(v.pages, v.host, engine.Host, h.home(), limit); err != nil {
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
		p, err := joins(v.pages, h.link(s), engine.At(s), h.home(), limit)
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

// link is the open invitation of a seat, from the host's page.
func (h *siege) link(s engine.Seat) (url string) {
	h.t.Helper()
	err := h.host.sees(time.Now().Add(patience), func(u wire.Update) bool {
		if u.Seq < h.host.seq { // of before the last invitation
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

// rest waits until the daemon has nothing to do.
func (h *siege) rest() { time.Sleep(2 * time.Second) } // its memory comes to rest, there is no other sign

// endure plays on during one phase and judges it.
func (h *siege) endure(p phase) {
	t, v := h.t, h.v
	r := &raid{pages: v.pages, mqtt: v.mqtt}
	for i := range p.addresses {
		r.from = append(r.from, net.IPv4(127, 0, 10, byte(i+1)))
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	defer func() { cancel(); wg.Wait() }()
	wg.Go(func() { r.run(ctx, p.attacks) })
	time.Sleep(3 * time.Second) // the raid fills the door; there is no sign on old binaries
	acts, stop := make([][]time.Duration, 2), make(chan struct{})
	lost := make([]error, 3)
	var players sync.WaitGroup
	for i, phone := range h.phones[:2] {
		players.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					phone.listen(1100 * time.Millisecond) // GEN-007: one note a second
				}
				n, start := h.written[i]+1, time.Now()
				reply, err := phone.act(wire.ActNote, engine.Args{"marks": fmt.Sprintf("note-%d", n)}, time.Now().Add(10*time.Second))
				if err != nil || !reply.OK && reply.Reject.Why.Key != "table.note.wait" { // said twice, and kept the first time
					lost[i] = errors.Join(err, fmt.Errorf("note %d of seat %d: %+v", n, i+1, reply.Reject))
					return
				}
				h.written[i] = n
				acts[i] = append(acts[i], time.Since(start))
			}
		})
	}
	began := time.Now()
	drops := make([]time.Duration, 0, p.drops)
	var failed error
	for range p.drops {
		start := time.Now()
		h.phones[2].drop()
		if err := h.phones[2].back(start.Add(15 * time.Second)); err != nil {
			failed = errors.Join(failed, fmt.Errorf("a dropped seat does not come back: %w", err))
		}
		drops = append(drops, time.Since(start))
		if !v.alive() || time.Since(began) > time.Minute && failed != nil {
			break
		}
		time.Sleep(300 * time.Millisecond) // the seat is used for a while
	}
	slowest := time.Duration(0)
	for range p.joins {
		if took, err := h.newcomer(); err != nil {
			failed = errors.Join(failed, err)
		} else {
			slowest = max(slowest, took)
		}
	}
	places := takenPlaces(v.pages)
	if code, err := misdirected(v.pages); err == nil && code != 421 {
		failed = errors.Join(failed, fmt.Errorf("a foreign Host is answered %d", code))
	}
	close(stop)
	players.Wait()
	peak := v.peaks()
	for i, p := range h.phones[:2] { // what was answered stands
		want := fmt.Sprintf("note-%d", h.written[i])
		if p.ws == nil && lost[i] == nil {
			lost[i] = p.back(time.Now().Add(10 * time.Second))
		}
		if lost[i] == nil {
			lost[i] = p.sees(time.Now().Add(10*time.Second), func(u wire.Update) bool { return h.written[i] == 0 || u.Notes == want })
		}
	}
	all := slices.Concat(acts...)
	p99 := nthOf(drops, 99)
	t.Logf("%-45s %9d %-11s %10.1f %6d %7d %9.0f %9.0f %9.0f %6d %9.0f", p.name, p.addresses, places, mib(peak.rss), peak.files, peak.threads,
		ms(nthOf(drops, 50)), ms(p99), ms(slowest), len(all), ms(nthOf(all, 99)))
	if failed = errors.Join(failed, errors.Join(lost...)); failed != nil {
		t.Error(failed)
	}
	switch {
	case !v.alive():
		t.Errorf("the daemon has died")
	case peak.rss > mostMemory:
		t.Errorf("%.1f MiB of memory, at most %d", mib(peak.rss), mostMemory>>20)
	case peak.threads > int64(v.limits.tasks), peak.files >= int64(v.limits.files):
		t.Errorf("%d threads and %d files, the unit grants %d and %d", peak.threads, peak.files, v.limits.tasks, v.limits.files)
	}
	if p99 > backWithin {
		t.Errorf("a dropped seat was back after %v (p99 of %d), want %v", p99, len(drops), backWithin)
	}
	if slowest > joinWithin {
		t.Errorf("a new phone had joined after %v, want %v", slowest, joinWithin)
	}
	for i := range acts {
		if len(acts[i]) == 0 && lost[i] == nil {
			t.Errorf("seat %d has done nothing", i+1)
		}
	}
}

// nthOf is the p-th percentile; zero of none. It sorts all.
func nthOf(all []time.Duration, p int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[(len(all)*p-1)/100]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// newcomer gives seat 4 a new link and lets a phone that was never there take it.
func (h *siege) newcomer() (took time.Duration, err error) {
	limit := time.Now().Add(20 * time.Second)
	if h.host.ws == nil {
		if err := h.host.back(limit); err != nil {
			return 0, fmt.Errorf("the host does not come back: %w", err)
		}
	}
	r, err := h.host.act("invite", engine.Args{"seat": engine.Seat(4).String()}, limit)
	if err != nil || !r.OK {
		return 0, fmt.Errorf("the host cannot invite: %w %+v", err, r.Reject)
	}
	link := h.link(4)
	start := time.Now()
	p, err := joins(h.v.pages, link, engine.At(4), h.home(), start.Add(15*time.Second))
	if err != nil {
		return 0, fmt.Errorf("a new phone does not join: %w", err)
	}
	took = time.Since(start)
	p.drop()
	return took, nil
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

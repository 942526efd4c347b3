package house

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/lineread"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/plugtest"
	"majordome/devices/randtest"
	"majordome/engine"
)

// drawUID returns a random number as a phone or a bank card draws at each activation (ISO/IEC 14443-3, 6.5.4).
func drawUID(t *testing.T, rng *rand.Rand) devices.UID {
	t.Helper()
	u, err := devices.MakeUID([]byte{0x08, byte(rng.Uint32()), byte(rng.Uint32()), byte(rng.Uint32())})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// wakePhone places a phone with a number of its own at a reader, and waits until the reader has seen it. sleep takes it
// away.
func (r *rig) wakePhone(role string, rng *rand.Rand) (sleep func()) {
	r.t.Helper()
	u := drawUID(r.t, rng)
	r.placeTags(role, u)
	r.eyes[role].waitUntil(r.t, "the phone is seen at "+role, func() bool { return slices.Contains(r.eyes[role].arrived, u) })
	return func() { r.sims[role].RemoveTag(u) }
}

// countStrayNotices counts, for the host at 0 and each seat, the steps that first show a notice of a stray tag, and
// those that show it to the public.
func (r *rig) countStrayNotices(from int) (heard seatCounts, public int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := map[uint64]bool{}
	for i, u := range r.updates[from:] {
		if u.Notice != nil && u.Notice.Rule == "GEN-E14" {
			public++
		}
		for x, own := range r.views[from+i] {
			n := own.Notice
			if n != nil && n.Rule == "GEN-E14" && !seen[n.N<<4|uint64(x)] {
				seen[n.N<<4|uint64(x)] = true
				heard[x]++
			}
		}
	}
	return heard, public
}

// seatCounts are the counts of the host, at 0, and of seats 1 to 4.
type seatCounts [5]int

// TestAPhoneAtTheUrn: a phone wakes again and again at the slot. On its own it causes nothing public. Each card that
// falls next to it counts, no later than the window of all cards. The host and the seat whose turn it is are notified,
// each once a minute.
func TestAPhoneAtTheUrn(t *testing.T) {
	t.Parallel()
	runPhoneAtUrn(t, nil, nil)
}

// runPhoneAtUrn is that test for readers that may be connected elsewhere; ready changes the rig before the first tag.
func runPhoneAtUrn(t *testing.T, change func(*Opts), ready func(*rig)) {
	rng := randtest.NewRand(t)
	r := startDeposits(t, change)
	if ready != nil {
		ready(r)
	}
	began, from := time.Now(), r.mark()
	for range 4 {
		r.wakePhone(engine.ReaderUrn, rng)()
	}
	r.waitUpdate(from, "the host is notified", func(wire.Update) bool { heard, _ := r.countStrayNotices(from); return heard[0] > 0 })
	for x := engine.Seat(1); x <= 4; x++ {
		sleep := r.wakePhone(engine.ReaderUrn, rng)
		mark, card := r.mark(), tagOf(t, r.depositableCard(x))
		laid := time.Now()
		r.placeTags(engine.ReaderUrn, card)
		u := r.waitSignal(mark, engine.ReaderUrn, "accepted")
		if took := time.Since(laid); took < gatherTime {
			t.Errorf("%s: answered after %v (GEN-003)", x, took)
		}
		if u.View.Urn != int(x) {
			t.Errorf("%s: %d cards count", x, u.View.Urn)
		}
		sleep()
		sleep = r.wakePhone(engine.ReaderUrn, rng)
		r.sims[engine.ReaderUrn].RemoveTag(card)
		sleep()
		r.eyes[engine.ReaderUrn].waitEmpty(t, engine.ReaderUrn) // the slot is free for the next player
	}
	if s := r.signals(from, engine.ReaderUrn); !slices.Equal(s, []string{"accepted", "accepted", "accepted", "accepted"}) {
		t.Errorf("the reader answers %v", s)
	}
	heard, public := r.countStrayNotices(from)
	most := 1 + int(time.Since(began)/time.Minute)
	if public > 0 || heard[0] < 1 || heard[1] < 1 || slices.Max(heard[:]) > most {
		t.Errorf("told of the phone: all %d times, host and seats %v, want 1 to %d of host and seat 1", public, heard, most)
	}
}

// TestAPhoneBesideTheAnswer: the card that answers is next to a phone on the reader of the table; it counts, and only
// once.
func TestAPhoneBesideTheAnswer(t *testing.T) {
	t.Parallel()
	rng := randtest.NewRand(t)
	f := startRefutation(t, nil)
	from := f.mark()
	sleep := f.wakePhone(engine.ReaderShow, rng)
	began := time.Now()
	f.placeTags(engine.ReaderShow, f.tags[f.right])
	f.waitCardShown(from, began)
	for range 3 {
		sleep()
		sleep = f.wakePhone(engine.ReaderShow, rng)
	}
	sleep()
	f.checkShownOnlyToAsker()
	if s := f.signals(from, engine.ReaderShow); len(s) > 0 {
		t.Errorf("the reader answers %v", s)
	}
	if heard, public := f.countStrayNotices(from); public > 0 || heard[0] < 1 || heard[2] < 1 || heard[1]+heard[3] > 0 {
		t.Errorf("told of the phone: all %d times, host and seats %v", public, heard)
	}
}

// TestAWrongCardBesideAPhone: it is refused in public like a card on its own, and its seat reads the reason.
func TestAWrongCardBesideAPhone(t *testing.T) {
	t.Parallel()
	rng := randtest.NewRand(t)
	f := startRefutation(t, nil)
	defer f.wakePhone(engine.ReaderShow, rng)()
	from := f.mark()
	f.placeTags(engine.ReaderShow, f.tags[f.wrong])
	u := f.waitSignal(from, engine.ReaderShow, "again")
	if own := f.updateFor(u, 2); own.Notice == nil || !own.Notice.Private || own.Notice.Rule == "GEN-E14" || own.Notice.Rule == "GEN-E06" {
		t.Errorf("seat 2 reads %+v", own.Notice)
	}
}

// TestAPhoneBesideAPawn: a pawn that is put down in a room next to a phone moves there.
func TestAPhoneBesideAPawn(t *testing.T) {
	t.Parallel()
	const role = "place-salon"
	rng := randtest.NewRand(t)
	sim := mfrc522sim.NewRealtime(nil)
	r := startRig(t, func(o *Opts) {
		dev, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
		if err != nil {
			t.Fatal(err)
		}
		o.Readers = append(o.Readers, config.Reader{Role: role, Scanner: dev, Period: config.PollPeriod(role)})
		o.Game, o.Tags["cluedo-2008"] = "cluedo-2008", map[devices.UID]engine.ID{uid(t, 1): engine.PawnID("suspect-leblanc")}
		o.Players["cluedo-2008"] = []Player{{"Anne", "suspect-leblanc"}, {"Bruno", "suspect-olive"}, {"Chloé", "suspect-rose"}}
	})
	r.sims[role] = sim
	r.mustHostAct("begin", nil)
	r.mustHostAct("deal", nil)
	r.mustHostAct("first", engine.Args{"seat": "seat-1"})
	from := r.mark()
	sleep := r.wakePhone(role, rng)
	r.placeTags(role, uid(t, 1))
	sleep()
	defer r.wakePhone(role, rng)()
	r.waitSignal(from, role, "accepted")
	if s := r.signals(from, role); !slices.Equal(s, []string{"accepted"}) {
		t.Errorf("the reader answers %v", s)
	}
	if heard, public := r.countStrayNotices(from); public > 0 || heard[0] < 1 || heard[1] < 1 || heard[2]+heard[3] > 0 {
		t.Errorf("told of the phone: all %d times, host and seats %v", public, heard)
	}
}

// TestAPhoneAtAnEnrolment: the card next to a phone is enrolled, and the host reads why the phone is not. Nothing of it
// is public.
func TestAPhoneAtAnEnrolment(t *testing.T) {
	t.Parallel()
	rng := randtest.NewRand(t)
	r := startRig(t, func(o *Opts) { o.Tags = nil })
	r.openEnrolment(wire.EnrolCards)
	from := r.mark()
	sleep := r.wakePhone(engine.ReaderShow, rng)
	eventually(t, "the host does not read why", func() bool { return r.enrolment().Last == "unfit" })
	r.placeTags(engine.ReaderShow, uid(t, 1))
	eventually(t, "the card is not enrolled", func() bool { return r.enrolment().Tagged == 1 })
	sleep()
	if answers := r.signals(from, engine.ReaderShow); r.enrolment().Tagged != 1 || len(answers) > 0 {
		t.Errorf("%+v, answers %v", r.enrolment(), answers)
	}
}

// TestPhoneAtAReaderTestIsNoCard: the host reads that a phone is at the reader; it is not counted as a card.
func TestPhoneAtAReaderTestIsNoCard(t *testing.T) {
	t.Parallel()
	r := startRig(t, nil)
	r.setTrial("yes")
	phone := drawUID(t, randtest.NewRand(t))
	r.placeTags(engine.ReaderUrn, phone, uid(t, 1))
	eventually(t, "not both are in the meter", func() bool {
		m, _ := r.meterOf(engine.ReaderUrn)
		return len(m.Tags) == 2 && m.Cards == 1
	})
	if m, _ := r.meterOf(engine.ReaderUrn); len(m.Strays) != 1 || !strings.Contains(m.Strays[0].EN, phone.String()) ||
		!strings.Contains(m.Strays[0].EN, "a bank card") || m.Noisy != 0 {
		t.Errorf("%+v", m)
	}
}

// TestAPhoneAtASerialReader: a reader that prints one tag at a time reports card and phone alternately. The card
// counts, once.
func TestAPhoneAtASerialReader(t *testing.T) {
	t.Parallel()
	rng := randtest.NewRand(t)
	socket := plugtest.New(t, "usb-reader")
	far := socket.Plug()
	dev, err := lineread.New(socket.Path, nil)
	if err == nil {
		err = dev.Probe() // from now on no printed line gets lost
	}
	if err != nil {
		t.Fatal(err)
	}
	r := startRoles(t, func(o *Opts) { o.Readers[1].Scanner = dev })
	r.eyes[engine.ReaderShow].waitReady(t, engine.ReaderShow)
	say := func(text string) {
		if _, err := far.WriteString(text); err != nil {
			t.Error(err)
		}
	}
	scan := func(u devices.UID) { say("SCAN\tuid=" + u.String() + "\n") }
	from := r.mark()
	say("\nREMOVE\n")
	for i, card := range []engine.ID{"role-murderer", "role-innocent-1", "role-innocent-2"} {
		mark := r.mark()
		scan(drawUID(t, rng))
		eventually(t, "the seat is not notified of the phone", func() bool { heard, _ := r.countStrayNotices(from); return heard[i+1] > 0 })
		for range 3 { // alternately
			scan(tagOf(t, card))
			scan(drawUID(t, rng))
		}
		if u := r.waitSignal(mark, engine.ReaderShow, "accepted"); !u.View.Seats[i].Done {
			t.Errorf("%s counts for another", card)
		}
		say("REMOVE\n")
		r.eyes[engine.ReaderShow].waitEmpty(t, engine.ReaderShow)
	}
	if s := r.signals(from, engine.ReaderShow); !slices.Equal(s, []string{"accepted", "accepted", "accepted"}) {
		t.Errorf("the reader answers %v", s)
	}
	if heard, public := r.countStrayNotices(from); public > 0 || heard[0] < 1 || heard[1] < 1 || heard[2] < 1 {
		t.Errorf("told of the phone: all %d times, host and seats %v", public, heard)
	}
}

package seed_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/master"
	"majordome/companion/master/mastertest"
	"majordome/companion/master/seed"
	"majordome/companion/proof"
	"majordome/companion/wire"
	"majordome/engine"
)

// table is a lobby with phones that add to the seed of the next game.
type table struct {
	*mastertest.Table
	t       *testing.T
	secrets byte
	joint   *proof.Joint // of the game that has begun
	begun   int
	said    []engine.Msg // in passing notices
}

// newTable returns a lobby in which the phones of seats 1 to n are online.
func newTable(t *testing.T, n int) *table {
	x := &table{t: t}
	x.Table = mastertest.New(func(m master.Table) []master.Part {
		return []master.Part{seed.New(recorder{m, x}, func() proof.Salt { x.secrets++; return proof.Salt{x.secrets} })}
	})
	x.View.Phase, x.View.Seats = engine.PhaseLobby, nil
	x.Marks = map[wire.Handset]string{}
	for seat := range engine.Seat(n) {
		h := wire.FirstPhoneOf(engine.SeatViewer(seat + 1))
		x.Online, x.Marks[h] = append(x.Online, h), h.String()
		x.View.Seats = append(x.View.Seats, engine.SeatView{Seat: seat + 1})
	}
	x.DecideAct = func(act string, _ engine.Args) *engine.Reject { // as the loop does it
		if joint, wait := x.seedPart().JointSeed("host", nil); act == "begin" && !wait {
			x.joint, x.begun = joint, x.begun+1
			x.View.Phase = "playing"
		}
		return nil
	}
	x.shownSeed()
	return x
}

func (x *table) seedPart() *seed.Seed { return x.Parts[0].(*seed.Seed) }

// shownSeed returns what all see of the exchange; nil if there is nothing.
func (x *table) shownSeed() *wire.Seed {
	u := wire.Update{View: x.View}
	x.seedPart().ShowPublic(&u)
	if u.Proof == nil {
		return nil
	}
	return u.Proof.Seed
}

// begin presses the key of the host.
func (x *table) begin() {
	if joint, wait := x.seedPart().JointSeed("host", nil); !wait {
		x.joint, x.begun = joint, x.begun+1
		x.View.Phase = "playing"
	}
}

func partOf(seat engine.Seat) proof.Salt { return proof.Salt{100 + byte(seat)} }

func (x *table) commit(seat engine.Seat) *engine.Reject {
	return x.DoAct(mastertest.PhoneActor(seat), seed.ActCommit, "hash", proof.HashPart(partOf(seat)).String())
}

func (x *table) open(seat engine.Seat) *engine.Reject {
	return x.DoAct(mastertest.PhoneActor(seat), seed.ActOpen, "part", partOf(seat).Text())
}

func (x *table) mustDo(r *engine.Reject) {
	x.t.Helper()
	if r != nil {
		x.t.Errorf("refused: %v", r)
	}
}

// recorder is the master.Table of the part, which remembers the sentences of passing notices.
type recorder struct {
	master.Table
	x *table
}

func (r recorder) StartPassingNotice(said engine.Msg) *wire.Notice {
	r.x.said = append(r.x.said, said)
	return r.Table.StartPassingNotice(said)
}

// TestAGameWaitsForThePartsOfPhones: all parts are in the seed, and the game begins with the last.
func TestAGameWaitsForThePartsOfPhones(t *testing.T) {
	x := newTable(t, 2)
	if s := x.shownSeed(); s == nil || s.Table != proof.HashSecret(proof.Salt{1}).String() || s.Open || len(s.Phones) > 0 {
		t.Fatalf("shown is %+v", s)
	}
	x.mustDo(x.commit(2))
	x.mustDo(x.commit(1))
	if x.open(1) == nil {
		t.Error("a part is opened before the game begins")
	}
	x.begin()
	if s := x.shownSeed(); !s.Open || len(s.Phones) != 2 || x.begun != 0 {
		t.Fatalf("shown is %+v", s)
	}
	x.begin() // pressed twice
	x.mustDo(x.open(1))
	if x.begun != 0 {
		t.Fatal("the game does not wait for the second phone")
	}
	x.mustDo(x.open(2))
	if x.begun != 1 || x.joint == nil || x.joint.Secret != (proof.Salt{1}) || len(x.joint.Phones) != 2 || !x.joint.Phones[1].Opened {
		t.Fatalf("begun %d times with %v", x.begun, x.joint)
	}
	if len(x.said) > 0 || x.shownSeed() != nil {
		t.Errorf("said is %v, shown is %+v", x.said, x.shownSeed())
	}
	x.PassTime(time.Minute)
	if x.begun != 1 {
		t.Error("the game has begun twice")
	}
	x.View.Phase = engine.PhaseLobby // undone
	if s := x.shownSeed(); s.Table != proof.HashSecret(proof.Salt{2}).String() || len(s.Phones) > 0 {
		t.Errorf("after an undone beginning shown is %+v", s)
	}
}

// TestPhonesThatAreLeftOut: a phone that does not open its part, is not bound or has gone delays nobody longer than two seconds, and all
// learn its seat.
func TestPhonesThatAreLeftOut(t *testing.T) {
	x := newTable(t, 5)
	for _, seat := range []engine.Seat{1, 2, 4} {
		x.mustDo(x.commit(seat)) // seat 3 is not bound; seat 5 has never joined
	}
	delete(x.Marks, x.Online[4])
	x.Online = slices.Delete(x.Online, 3, 4) // seat 4 sleeps
	x.begin()
	x.mustDo(x.open(1))
	x.PassTime(seed.MaxWait - time.Millisecond)
	if x.begun != 0 {
		t.Fatal("the game does not wait two seconds")
	}
	x.PassTime(time.Millisecond)
	if x.begun != 1 || len(x.joint.Phones) != 2 || !x.joint.Phones[0].Opened || x.joint.Phones[1].Opened {
		t.Fatalf("begun %d times with %v", x.begun, x.joint)
	}
	if want := []engine.Msg{engine.NewMsg("table.seed.without", "seats", "seat-2,seat-3,seat-4")}; !reflect.DeepEqual(x.said, want) {
		t.Errorf("said is %v", x.said)
	}
	if x.open(2) == nil {
		t.Error("a part is taken after the game has begun")
	}
}

// TestAGameWithoutPhonesBeginsAtOnce: nobody waits if no phone is bound, or none of those is there.
func TestAGameWithoutPhonesBeginsAtOnce(t *testing.T) {
	for what, x := range map[string]*table{
		"no phone": newTable(t, 0), "a phone that is not bound": newTable(t, 1), "a phone that sleeps": newTable(t, 1),
	} {
		if what == "a phone that sleeps" {
			x.mustDo(x.commit(1))
			x.Online = nil
		}
		if x.begin(); x.begun != 1 || x.joint != nil {
			t.Errorf("%s: begun %d times with %v", what, x.begun, x.joint)
		}
	}
	if x := newTable(t, 0); x.shownSeed() != nil {
		t.Error("a lobby without phones shows an exchange")
	}
}

// TestHostilePhonesOfAnExchange: a wrong part, a second part, the part of another seat and a thousand acts change nothing for the others.
func TestHostilePhonesOfAnExchange(t *testing.T) {
	x := newTable(t, 3)
	hash := func(s proof.Salt) string { return proof.HashPart(s).String() }
	x.mustDo(x.commit(1))
	for n := range 1000 {
		x.mustDo(x.DoAct(mastertest.PhoneActor(3), seed.ActCommit, "hash", hash(proof.Salt{byte(n), byte(n >> 8)})))
	}
	x.mustDo(x.DoAct(mastertest.PhoneActor(3), seed.ActCommit, "hash", hash(partOf(1)))) // that of seat 1
	mustRefuse := func(what string, by master.Actor, act, name, value string) {
		t.Helper()
		if x.DoAct(by, act, name, value) == nil {
			t.Errorf("taken: %s", what)
		}
	}
	for _, bad := range []string{"", "x", strings.ToUpper(hash(proof.Salt{1})), hash(proof.Salt{1}) + "0", strings.Repeat("0", 10_000)} {
		mustRefuse("the hash "+bad, mastertest.PhoneActor(2), seed.ActCommit, "hash", bad)
	}
	mustRefuse("the host", mastertest.Host, seed.ActCommit, "hash", hash(proof.Salt{}))
	mustRefuse("a free seat", mastertest.PhoneActor(4), seed.ActCommit, "hash", hash(proof.Salt{}))
	if s := x.shownSeed(); len(s.Phones) != 2 {
		t.Fatalf("shown is %+v", s)
	}
	x.begin()
	mustRefuse("a late hash", mastertest.PhoneActor(2), seed.ActCommit, "hash", hash(proof.Salt{}))
	mustRefuse("the part of a phone that is not bound", mastertest.PhoneActor(2), seed.ActOpen, "part", partOf(1).Text())
	for n := range 1000 {
		mustRefuse("a wrong part", mastertest.PhoneActor(1), seed.ActOpen, "part", proof.Salt{byte(n), byte(n >> 8), 1}.Text())
	}
	mustRefuse("no part", mastertest.PhoneActor(1), seed.ActOpen, "part", "")
	mustRefuse("the host", mastertest.Host, seed.ActOpen, "part", partOf(1).Text())
	x.mustDo(x.open(1))
	mustRefuse("a second part", mastertest.PhoneActor(1), seed.ActOpen, "part", partOf(2).Text())
	x.PassTime(seed.MaxWait)
	if x.begun != 1 || !x.joint.Phones[0].Opened || x.joint.Phones[1].Opened {
		t.Errorf("begun %d times with %v", x.begun, x.joint)
	}
}

// TestAnotherGameEndsTheExchange: the beginning that waits belongs to the game that is closed. After a restart phones are asked again.
func TestAnotherGameEndsTheExchange(t *testing.T) {
	for what, end := range map[string]func(x *table){
		"another game": func(x *table) { x.seedPart().HandleGameClosing("host") },
		"a restart":    func(x *table) { x.Restart() },
	} {
		x := newTable(t, 1)
		x.mustDo(x.commit(1))
		x.begin()
		end(x)
		if x.PassTime(time.Minute); x.begun != 0 {
			t.Errorf("%s: the game begins", what)
		}
		if s := x.shownSeed(); s.Open || len(s.Phones) > 0 || s.Table != proof.HashSecret(proof.Salt{2}).String() {
			t.Errorf("%s: shown is %+v", what, s)
		}
	}
}

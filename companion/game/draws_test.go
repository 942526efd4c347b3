package game

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/master/seed"
	"majordome/companion/proof"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/script"
)

// partFor returns the part that the phone of a seat adds in one exchange.
func partFor(s *wire.Seed, seat engine.Seat) proof.Salt {
	return proof.Salt{byte(seat)}.SaltFor(s.Table)
}

// answerForPhones does what the phone of each seat with a player does in an exchange: it commits to a part, and opens it if it
// is asked.
func (r *rig) answerForPhones() {
	r.t.Helper()
	r.connectPhones()
	for _, at := range r.last().Public.View.Seats {
		r.answerForPhone(at.Seat)
	}
}

// connectPhones connects the first phone of each seat with a player.
func (r *rig) connectPhones() {
	var online []wire.Handset
	r.desk.phones = nil
	for _, at := range r.last().Public.View.Seats {
		online = append(online, wire.FirstPhoneOf(engine.SeatViewer(at.Seat)))
		r.desk.phones = append(r.desk.phones, wire.SeatPhones{Seat: at.Seat, Phones: []int{1}})
	}
	if !slices.Equal(online, r.core().online) {
		r.core().setMachineState(r.core().readerStates, online, false)
	}
}

func (r *rig) answerForPhone(seat engine.Seat) {
	r.t.Helper()
	p := r.last().Public.Proof
	if p == nil || p.Seed == nil || !r.core().isInLobby() {
		return
	}
	v, part := engine.SeatViewer(seat), partFor(p.Seed, seat)
	hash := proof.HashPart(part).String()
	switch bound := slices.Contains(p.Seed.Phones, v.String()+":-"+hash); {
	case p.Seed.Open && bound:
		r.mustAct(v, seed.ActOpen, "part", part.Text())
	case !p.Seed.Open && !bound:
		r.mustAct(v, seed.ActCommit, "hash", hash)
	}
}

// lobbyWithPhones returns a Cluedo that can begin, with phones that have committed to their parts.
func lobbyWithPhones(t *testing.T, m *memory) *evening {
	e := newEvening(t, games[1], m, 1)
	for i, who := range byKind(e.books[0])["suspect"][:3] {
		e.mustAct(engine.Host, "sit", "seat", engine.Seat(i+1).String(), "name", numberedName("P", i), "character", who)
	}
	e.answerForPhones()
	if s := e.last().Public.Proof.Seed; len(s.Phones) != 3 {
		t.Fatalf("bound are %q", s.Phones)
	}
	return e
}

func isLeftOut(p proof.PhonePart) bool { return !p.Opened }

// lastCommand returns the command that the journal has stored last.
func lastCommand(t *testing.T, m *memory) (c storedCommand) {
	rows := m.events[int64(len(m.games))]
	for _, row := range slices.Backward(rows) {
		if len(row.Command) > 0 {
			if err := json.Unmarshal(row.Command, &c); err != nil {
				t.Fatal(err)
			}
			return c
		}
	}
	return c
}

// TestTheGameBeginsWithThePartsOfAllPhones: by the host or by a button; each update shows the same seed, also after a restart.
func TestTheGameBeginsWithThePartsOfAllPhones(t *testing.T) {
	for what, begin := range map[string]func(e *evening){
		"host":   func(e *evening) { e.mustAct(engine.Host, "begin") },
		"button": func(e *evening) { e.core().pressControl(wire.ControlStart) },
	} {
		m := newMemory()
		e := lobbyWithPhones(t, m)
		if begin(e); !e.core().isInLobby() || !e.last().Public.Proof.Seed.Open {
			t.Fatalf("%s: the game does not wait", what)
		}
		e.answerForPhones()
		s := e.last().Public.Proof.Seed
		if e.core().isInLobby() || len(s.Phones) != 3 || slices.ContainsFunc(e.core().joint.Phones, isLeftOut) ||
			e.core().joint.Public() != s.Public() {
			t.Fatalf("%s: the seed is %+v", what, s)
		}
		secret := e.core().joint.Secret.Text()
		e.mustAct(engine.Host, "deal")
		if c := lastCommand(t, m); c.Draw != 1 || c.Seed != e.core().joint.SeedFor("deal", 1) {
			t.Errorf("%s: the deal is from draw %d", what, c.Draw)
		}
		root := e.last().Public.Proof.Root
		e.start()
		if now := e.last().Public.Proof; now.Root != root || asJSON(t, now.Seed) != asJSON(t, s) || e.core().draws.total() != 1 {
			t.Errorf("%s: after a restart the seed is %+v", what, now.Seed)
		}
		for _, u := range append(e.last().UpdatesToSeal(nil), e.last().Public) {
			if strings.Contains(asJSON(t, u), secret) {
				t.Fatalf("%s: %s is given the secret", what, u.View.Viewer)
			}
		}
	}
}

// TestAPhoneThatKeepsItsPart: a phone that keeps its part to itself delays the game by two seconds, and is named.
func TestAPhoneThatKeepsItsPart(t *testing.T) {
	e := lobbyWithPhones(t, newMemory())
	e.mustAct(engine.Host, "begin")
	e.answerForPhone(1)
	e.answerForPhone(3)
	e.passTime(seed.MaxWait - time.Millisecond)
	if !e.core().isInLobby() {
		t.Fatal("the game has begun too early")
	}
	e.passTime(time.Millisecond)
	n := e.last().Public.Notice
	if e.core().isInLobby() || n == nil || n.Msg.Key != "table.seed.without" || n.Msg.Args[1] != "seat-2" {
		t.Fatalf("the notice is %+v", n)
	}
	if s := e.last().Public.Proof.Seed; !strings.HasPrefix(s.Phones[1], "seat-2:-") {
		t.Errorf("the seed is %+v", s)
	}
}

// TestRestartDuringAnExchange: the lobby stays, and phones add to a seed of a new secret.
func TestRestartDuringAnExchange(t *testing.T) {
	e := lobbyWithPhones(t, newMemory())
	e.mustAct(engine.Host, "begin")
	e.answerForPhone(1)
	was := e.last().Public.Proof.Seed.Table
	e.start()
	e.passTime(time.Minute)
	e.connectPhones()
	e.core().publish(notices{})
	if s := e.last().Public.Proof.Seed; !e.core().isInLobby() || s.Table == was || s.Open || len(s.Phones) > 0 {
		t.Fatalf("after a restart the seed is %+v", s)
	}
	e.addsToSeed = true
	e.answerForPhones()
	e.mustAct(engine.Host, "begin")
	if e.core().isInLobby() || len(e.core().joint.Phones) != 3 {
		t.Error("the game does not begin after a restart")
	}
}

// TestAnUndoneDrawComesAgain plays evenings in which each draw is undone: the next one has the same seed, also after a restart.
func TestAnUndoneDrawComesAgain(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		undone := 0
		for from := range uint64(eveningCount(3, 100)) {
			m := newMemory()
			e := newEvening(t, g, m, from)
			e.addsToSeed = true
			e.seatAndBegin(g.players(from))
			for range 60 {
				last := e.core().lastStep
				e.play()
				c := lastCommand(t, m)
				if e.core().joint == nil || c.Draw == 0 || e.core().lastStep == last || e.core().group.step <= last ||
					e.core().pauseMsg != nil {
					continue
				}
				if e.act(engine.Host, actUndo, "force", yes); e.core().joint == nil {
					continue // of the beginning
				}
				if undone++; undone%3 == 0 {
					e.start()
				}
				if next := e.core().seedOfNextDraw(e.core().joint, c.Act); next.value != c.Seed || next.draw != c.Draw {
					t.Fatalf("seed %d: draw %d comes again as %d, with another seed", from, c.Draw, next.draw)
				}
			}
		}
		if t.Logf("%d draws undone", undone); undone == 0 {
			t.Error("nothing was undone")
		}
	})
}

// TestAnotherDrawChangesNoRoll: an undone roll comes again after a draw of another kind, too, and that draw has nothing of the roll.
func TestAnotherDrawChangesNoRoll(t *testing.T) {
	joint, draws := &proof.Joint{Secret: proof.Salt{1}}, drawCounts(nil).withDraw("roll", 1)
	undone := draws.nextSeed(joint, "roll")
	card := draws.nextSeed(joint, "draw")
	if card.value == undone.value || card.value == joint.SeedFor("roll", 1) {
		t.Error("a card is drawn from the seed of a roll")
	}
	if after := draws.withDraw("draw", card.draw); after.nextSeed(joint, "roll").value != undone.value || after.total() != 2 ||
		draws.total() != 1 {
		t.Errorf("after another draw the roll is %+v, of %d", after.nextSeed(joint, "roll"), after.total())
	}
}

// TestProveChecksTheSeed: an evening with another roll, another secret or another part is found, even by somebody who has noted no code:
// each draw comes from the seed.
func TestProveChecksTheSeed(t *testing.T) {
	m := newMemory()
	e := lobbyWithPhones(t, m)
	e.addsToSeed = true
	e.mustAct(engine.Host, "begin")
	e.mustAct(engine.Host, "deal")
	evening := exportedEvening(t, e.books[0], m)
	right, err := ProveEvening(e.books[0], evening)
	if err != nil || right.Draws != 1 || !slices.Equal(right.Phones, []string{"seat-1", "seat-2", "seat-3"}) {
		t.Fatalf("proved is %+v, %v", right, err)
	}
	begin := slices.IndexFunc(evening.Played, func(p script.PlayedCommand) bool { return p.Joint != "" })
	for what, change := range map[string]func(j *proof.Joint){
		"secret": func(j *proof.Joint) { j.Secret[0] ^= 1 }, "part": func(j *proof.Joint) { j.Phones[1].Part[0] ^= 1 },
		"phone": func(j *proof.Joint) { j.Phones = j.Phones[1:] },
	} {
		j, err := proof.ParseJoint(evening.Played[begin].Joint)
		if err != nil {
			t.Fatal(err)
		}
		change(j)
		wrong := evening
		wrong.Played = slices.Clone(evening.Played)
		wrong.Played[begin].Joint = j.Text()
		var other *SeedError
		if _, err := ProveEvening(e.books[0], wrong); !errors.As(err, &other) || other.N != begin+1 {
			t.Errorf("another %s: %v", what, err)
		}
	}
	wrong := evening
	wrong.Played = slices.Clone(evening.Played)
	wrong.Played[begin].Joint = ""
	if c, err := ProveEvening(e.books[0], wrong); err == nil && slices.Contains(c.Heads, right.Heads[len(right.Heads)-1]) {
		t.Error("an evening without its seed is not found")
	}
}

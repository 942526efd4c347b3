package pair

import (
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// joinOneMore invites one more phone to a seat and redeems the invitation with a phone of that name.
func (h *house) joinOneMore(v engine.Viewer, letter byte) (seal.Code, seal.Grant) {
	h.t.Helper()
	if err := h.desk.InviteFurtherPhone(v); err != nil {
		h.t.Fatal(err)
	}
	if url, joined := h.link(v); url != "" || !joined { // opening this seat's page again must not use the invitation up
		h.t.Errorf("the seat's own link is %q", url)
	}
	s, _ := v.Seat()
	c := codeOf(h.t, h.desk.RefreshInvites([]engine.Seat{s})[0].URL)
	g, status := h.join(c, letter)
	if status != http.StatusOK {
		h.t.Fatal("join: ", status)
	}
	return c, g
}

func (h *house) wantPhones(want ...wire.SeatPhones) {
	h.t.Helper()
	same := func(a, b wire.SeatPhones) bool { return a.Seat == b.Seat && slices.Equal(a.Phones, b.Phones) }
	if got := h.desk.SeatPhones(); !slices.EqualFunc(got, want, same) {
		h.t.Errorf("the phones are %v, want %v", got, want)
	}
}

func phonesAtSeat(s engine.Seat, phones ...int) wire.SeatPhones {
	return wire.SeatPhones{Seat: s, Phones: phones}
}

// A seat has up to four phones. Each has a key of its own, each joining is announced, and a restart changes nothing.
func TestASeatWithSeveralPhones(t *testing.T) {
	h := newHouse(t)
	v := engine.SeatViewer(10)
	if err := h.desk.InviteFurtherPhone(v); !errors.Is(err, ErrNoPhone) {
		t.Errorf("one more where nobody is: %v", err)
	}
	_, first := h.joinSeat(v)
	grants := []seal.Grant{first}
	for i, letter := range []byte("bcd") {
		_, g := h.joinOneMore(v, letter)
		if g.Phone != i+2 || g.Seat != 10 || g.User != "t7-s10"+string(rune('b'+i)) {
			t.Errorf("phone %d is granted %d, %s", i+2, g.Phone, g.User)
		}
		grants = append(grants, g)
	}
	h.wantAnnounced("table.phone.joined", "table.phone.more", "table.phone.more", "table.phone.more")
	if n := h.announced[3].Args.Get("n"); n != "4" {
		t.Errorf("the fourth phone is announced as number %q", n)
	}
	if err := h.desk.InviteFurtherPhone(v); !errors.Is(err, ErrFull) {
		t.Errorf("a fifth phone: %v", err)
	}
	if err := h.desk.InviteFurtherPhone(engine.Host); !errors.Is(err, ErrNoPhone) {
		t.Errorf("one more host: %v", err)
	}
	for round := range uint64(2) {
		h.wantPhones(phonesAtSeat(10, 1, 2, 3, 4))
		for i, g := range grants {
			for n := 1; n <= 4; n++ {
				err := h.connectAs(byte('a'+i), wire.Handset{Viewer: v, N: n}, g.Key, 1+round)
				if (err == nil) != (n == i+1) {
					t.Errorf("the key of phone %d at the place of phone %d: %v", i+1, n, err)
				}
			}
		}
		h.restart()
	}
	if len(h.cut) != 0 {
		t.Errorf("cut off: %v", h.cut)
	}
}

// A single phone can be cut off: its key is invalid, also after a restart, the other phones are unaffected, and its
// number goes to the next phone with another key.
func TestOnePhoneIsCutOffAlone(t *testing.T) {
	h := newHouse(t)
	v := engine.SeatViewer(2)
	_, a := h.joinSeat(v)
	old, b := h.joinOneMore(v, 'b')
	if err := h.desk.EndPhone(wire.FirstPhoneOf(v)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(h.cut, []wire.Handset{wire.FirstPhoneOf(v)}) {
		t.Errorf("cut off: %v", h.cut)
	}
	second := wire.Handset{Viewer: v, N: 2}
	for n := range uint64(2) {
		h.wantPhones(phonesAtSeat(2, 2))
		if err := h.connectFirst(v, a.Key, 5+n); !errors.Is(err, seal.ErrNoKey) {
			t.Errorf("the phone that was cut off: %v", err)
		}
		if err := h.connectAs('b', second, b.Key, 5+n); err != nil {
			t.Errorf("the other phone: %v", err)
		}
		if i := h.desk.RefreshInvites([]engine.Seat{2})[0]; !i.Joined || i.URL != "" || i.Ended {
			t.Errorf("%+v", i)
		}
		h.restart()
	}
	for _, no := range []wire.Handset{wire.FirstPhoneOf(v), {Viewer: v, N: 3}, {Viewer: v, N: 9}, wire.FirstPhoneOf(engine.SeatViewer(3)),
		{}} {
		if err := h.desk.EndPhone(no); !errors.Is(err, ErrNoPhone) {
			t.Errorf("%v is cut off: %v", no, err)
		}
	}
	_, c := h.joinOneMore(v, 'c')
	if c.Phone != 1 {
		t.Errorf("the next phone is number %d", c.Phone)
	}
	if err := h.connectFirst(v, a.Key, 9); !errors.Is(err, seal.ErrPassword) {
		t.Errorf("with the next phone in its place the former key: %v", err)
	}
	// A new link for the seat, as for a lost phone, ends all its phones.
	h.cut = nil
	if cut, err := h.desk.CutAndInvite(v); err != nil || !cut || len(h.cut) != 2 {
		t.Errorf("%v, %v, cut off %v", cut, err, h.cut)
	}
	h.wantPhones()
	if err := h.connectAs('b', second, b.Key, 20); !errors.Is(err, seal.ErrNoKey) {
		t.Errorf("the second phone after a new link: %v", err)
	}
	if _, status := h.join(old, 'b'); status != http.StatusGone {
		t.Errorf("its old code: %d", status)
	}
}

// An invitation for one more phone works like any other: once, for ten minutes, for one phone, and a newer one ends
// it. The phones of the seat stay.
func TestAnInvitationForOneMore(t *testing.T) {
	h := newHouse(t)
	v := engine.SeatViewer(1)
	first, a := h.joinSeat(v)
	h.connectFirst(v, a.Key, 1)
	open := func() seal.Code {
		t.Helper()
		if err := h.desk.InviteFurtherPhone(v); err != nil {
			t.Fatal(err)
		}
		i := h.desk.RefreshInvites([]engine.Seat{1})[0]
		if i.URL == "" || !i.Joined || i.Minutes != 10 {
			t.Fatalf("%+v", i)
		}
		return codeOf(t, i.URL)
	}
	c := open()
	if _, status := h.join(first, 'b'); status != http.StatusGone { // the code of the seat's first phone
		t.Errorf("an old code beside a new one: %d", status)
	}
	newer := open()
	if _, status := h.join(c, 'b'); status != http.StatusGone {
		t.Errorf("a code that a newer one has replaced: %d", status)
	}
	c = newer
	if err := h.connectAs('b', wire.Handset{Viewer: v, N: 2}, a.Key, 2); !errors.Is(err, seal.ErrPassword) {
		t.Errorf("the first key at a place that nobody has taken: %v", err)
	}
	h.restart()
	h.now = h.now.Add(InvitationTime)
	if _, status := h.join(c, 'b'); status != http.StatusGone {
		t.Errorf("after its time: %d", status)
	}
	if i := h.desk.RefreshInvites([]engine.Seat{1})[0]; i.URL != "" || !i.Joined || i.Ended {
		t.Errorf("after its time: %+v", i)
	}
	c = open()
	h.desk.EndSeatLinks()
	if _, status := h.join(c, 'b'); status != http.StatusGone {
		t.Errorf("after the deal: %d", status)
	}
	c = open() // requested after the deal
	g, status := h.join(c, 'b')
	if status != http.StatusOK || g.Phone != 2 {
		t.Fatalf("%d, %+v", status, g)
	}
	if again, status := h.join(c, 'b'); status != http.StatusOK || again.User != g.User { // asks again, as if the answer was lost
		t.Errorf("the same phone again: %d", status)
	}
	if _, status := h.join(c, 'c'); status != http.StatusGone {
		t.Errorf("another phone with the same code: %d", status)
	}
	h.wantPhones(phonesAtSeat(1, 1, 2))
	if err := h.connectFirst(v, a.Key, 7); err != nil {
		t.Errorf("the first phone: %v", err)
	}
}

// Two phones with one code at the same moment: one of them joins the seat.
func TestTwoJoinWithOneCodeForOneMore(t *testing.T) {
	h := newHouse(t)
	v := engine.SeatViewer(4)
	h.joinSeat(v)
	if err := h.desk.InviteFurtherPhone(v); err != nil {
		t.Fatal(err)
	}
	c := codeOf(t, h.desk.RefreshInvites([]engine.Seat{4})[0].URL)
	in := make(chan int)
	for _, letter := range []byte("bc") {
		go func() {
			_, status := h.join(c, letter)
			in <- status
		}()
	}
	if got := []int{<-in, <-in}; !slices.Contains(got, http.StatusOK) || !slices.Contains(got, http.StatusGone) {
		t.Errorf("answered %v", got)
	}
	h.wantPhones(phonesAtSeat(4, 1, 2))
}

// GEN-011: a seat that its player leaves loses all its phones; the next player of the seat has none of them.
func TestASeatThatIsLeftLosesAllItsPhones(t *testing.T) {
	h := newHouse(t)
	_, a := h.joinSeat(engine.SeatViewer(2))
	_, b := h.joinOneMore(engine.SeatViewer(2), 'b')
	h.desk.RefreshInvites([]engine.Seat{1})
	if len(h.cut) != 2 {
		t.Errorf("cut off: %v", h.cut)
	}
	h.desk.RefreshInvites([]engine.Seat{1, 2})
	h.wantPhones()
	if err := h.connectFirst(engine.SeatViewer(2), a.Key, 2); err == nil {
		t.Error("the first phone reads the new player's seat")
	}
	if err := h.connectAs('b', wire.Handset{Viewer: engine.SeatViewer(2), N: 2}, b.Key, 2); err == nil {
		t.Error("the second phone reads the new player's seat")
	}
}

// A phone may be cut off and invited again as often as the host likes: no data grows, and the other phone is
// unaffected.
func TestAHundredRejoins(t *testing.T) {
	h := newHouse(t)
	v := engine.SeatViewer(6)
	_, a := h.joinSeat(v)
	second := wire.Handset{Viewer: v, N: 2}
	for n := range uint64(100) {
		_, b := h.joinOneMore(v, 'b')
		if err := h.connectAs('b', second, b.Key, uint64(time.Now().UnixMilli())); err != nil || b.Phone != 2 {
			t.Fatalf("time %d: phone %d, %v", n, b.Phone, err)
		}
		if err := h.connectFirst(v, a.Key, n+1); err != nil {
			t.Fatalf("time %d: the first phone: %v", n, err)
		}
		h.wantPhones(phonesAtSeat(6, 1, 2))
		if err := h.desk.EndPhone(second); err != nil {
			t.Fatal(err)
		}
		if n%25 == 0 {
			h.restart()
		}
	}
	h.wantPhones(phonesAtSeat(6, 1))
	if keys, codes, err := h.store.KeysAndInvitations(); err != nil || len(keys) != 1 || len(codes) > 101 {
		t.Errorf("%d keys, %d codes, %v", len(keys), len(codes), err)
	}
}

// When the change cannot be recorded, no phone is added and none is removed.
func TestPhonesOnABrokenStore(t *testing.T) {
	h := newHouse(t)
	v := engine.SeatViewer(3)
	_, a := h.joinSeat(v)
	_, b := h.joinOneMore(v, 'b')
	_ = h.store.Close()
	if h.desk.InviteFurtherPhone(v) == nil || h.desk.EndPhone(wire.FirstPhoneOf(v)) == nil || len(h.cut) != 0 {
		t.Errorf("changed without a record; cut off %v", h.cut)
	}
	h.wantPhones(phonesAtSeat(3, 1, 2))
	if err := errors.Join(h.connectFirst(v, a.Key, 1), h.connectAs('b', wire.Handset{Viewer: v, N: 2}, b.Key, 1)); err != nil {
		t.Errorf("with a broken store a phone does not come back: %v", err)
	}
}

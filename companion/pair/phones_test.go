package pair

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// wantAnnounced checks what was announced to all, and that the words exist in both languages.
func (h *house) wantAnnounced(want ...string) {
	h.t.Helper()
	got := []string{}
	for _, m := range h.announced {
		got = append(got, m.Key)
		for _, l := range words.Langs {
			if book, err := words.Open(l); err != nil || !book.HasKey(m.Key) {
				h.t.Errorf("%q has no words in %s", m.Key, l)
			}
		}
	}
	if !slices.Equal(got, want) {
		h.t.Errorf("told %v, want %v", got, want)
	}
}

// joinSeat redeems the invitation of a seat with a phone named a.
func (h *house) joinSeat(v engine.Viewer) (seal.Code, seal.Grant) {
	h.t.Helper()
	url, _ := h.link(v)
	c := codeOf(h.t, url)
	g, status := h.join(c, 'a')
	if status != http.StatusOK {
		h.t.Fatal("join: ", status)
	}
	return c, g
}

// A second phone with a used code shows that the code has leaked: the code opens nothing, and the attempt is
// announced, once.
func TestASecondPhoneWithTheSameCodeIsAnnounced(t *testing.T) {
	h := newHouse(t)
	c, g := h.joinSeat(engine.SeatViewer(3))
	h.wantAnnounced("table.phone.joined")
	for range 3 {
		if _, status := h.join(c, 'b'); status != http.StatusGone {
			t.Errorf("the same code by another phone: %d", status)
		}
	}
	h.wantAnnounced("table.phone.joined", "table.phone.tried")
	h.now = h.now.Add(retryNewsEvery - time.Second)
	h.join(c, 'b')
	h.wantAnnounced("table.phone.joined", "table.phone.tried")
	h.now = h.now.Add(time.Second) // the first attempt may have been a replay, made to use the announcement up
	h.join(c, 'b')
	h.join(c, 'b')
	h.wantAnnounced("table.phone.joined", "table.phone.tried", "table.phone.tried")
	h.announced = h.announced[:2]
	if h.announced[1].Args.Get("seat") != "seat-3" {
		t.Errorf("told %v", h.announced[1])
	}
	// A phone that knows only the id, which was sent in clear, cannot cause that announcement.
	other, _ := h.joinSeat(engine.SeatViewer(4))
	if _, err := h.desk.Redeem(other.PublicID(), seal.NewJoiner(seal.NewCode(), seal.NewPhone()).Request(), ""); !errors.Is(err, ErrUsed) {
		t.Error(err)
	}
	h.wantAnnounced("table.phone.joined", "table.phone.tried", "table.phone.joined")
	if err := h.connectFirst(engine.SeatViewer(3), g.Key, 1); err != nil {
		t.Error("the first phone pays for it:", err)
	}
	c, _ = h.joinSeat(engine.Host)
	h.join(c, 'b')
	h.wantAnnounced("table.phone.joined", "table.phone.tried", "table.phone.joined", "table.phone.joined.host", "table.phone.tried.host")
}

// The same after a restart: the used code is recognised by its proof, and the attempt is announced.
func TestAUsedCodeIsAnnouncedAfterARestartToo(t *testing.T) {
	h := newHouse(t)
	c, g := h.joinSeat(engine.SeatViewer(3))
	host, _ := h.joinSeat(engine.Host)
	h.restart()
	if _, err := h.desk.Redeem(c.PublicID(), seal.NewJoiner(seal.NewCode(), seal.NewPhone()).Request(), ""); !errors.Is(err, ErrUsed) {
		t.Error("a device that only knows the id:", err)
	}
	h.wantAnnounced("table.phone.joined", "table.phone.joined.host")
	for range 2 { // announced once, as without a restart
		for _, c := range []seal.Code{c, host} {
			if _, status := h.join(c, 'b'); status != http.StatusGone {
				t.Errorf("the used code after a restart: %d", status)
			}
		}
	}
	h.wantAnnounced("table.phone.joined", "table.phone.joined.host", "table.phone.tried", "table.phone.tried.host")
	if err := h.connectFirst(engine.SeatViewer(3), g.Key, 1); err != nil {
		t.Error("the first phone pays for it:", err)
	}
	if err := h.invite(engine.SeatViewer(3)); err != nil { // gives the seat another key: the former code is harmless
		t.Fatal(err)
	}
	h.restart()
	if _, status := h.join(c, 'b'); status != http.StatusGone || len(h.announced) != 4 {
		t.Errorf("a code of a former key: %d, announced %v", status, h.announced[4:])
	}
}

// A phone repeats its request until it gets the answer. Once it has connected, the same request is a replay.
func TestAReplayedJoinIsAnnounced(t *testing.T) {
	h := newHouse(t)
	c, g := h.joinSeat(engine.SeatViewer(1))
	if _, status := h.join(c, 'a'); status != http.StatusOK {
		t.Fatalf("the answer was lost, and is not given again: %d", status)
	}
	if err := h.connectFirst(engine.SeatViewer(1), g.Key, 1); err != nil {
		t.Fatal(err)
	}
	if _, status := h.join(c, 'a'); status != http.StatusGone {
		t.Errorf("a recording is answered: %d", status)
	}
	h.wantAnnounced("table.phone.joined", "table.phone.tried")
}

// A key that was copied from a phone's storage is of no use to another phone: it is not let in, and this is reported; one
// answer of the seat or the host ends it.
func TestASecondPhoneWithTheKeyAsks(t *testing.T) {
	at := engine.SeatViewer(2)
	one := wire.FirstPhoneOf(at)
	h := newHouse(t)
	_, g := h.joinSeat(at)
	if err := h.connectAs('b', one, g.Key, 1<<60); !errors.Is(err, ErrPhone) {
		t.Fatalf("before the first phone has connected: %v", err)
	}
	asked := h.changed
	if !slices.Equal(h.desk.ContestedViewers(), []engine.Viewer{at}) {
		t.Errorf("asking %v", h.desk.ContestedViewers())
	}
	// Further attempts, also under other names, cause no further report and do not use up the first phone's counter.
	for i, letter := range []byte("bbcd") {
		if err := h.connectAs(letter, one, g.Key, 1<<61+uint64(i)); !errors.Is(err, ErrPhone) {
			t.Errorf("try %d: %v", i, err)
		}
	}
	if h.changed != asked || asked != 2 {
		t.Errorf("told %d times, and %d times later", asked, h.changed-asked)
	}
	if err := h.connectFirst(at, g.Key, 5); err != nil {
		t.Errorf("the first phone is locked out: %v", err)
	}
	h.restart() // the open question is lost, the owner of the key is not
	if len(h.desk.ContestedViewers()) != 0 || !errors.Is(h.desk.RefuseSecondPhone(at), ErrNoPhone) {
		t.Error("asking after a restart")
	}
	if err := h.connectAs('b', one, g.Key, 6); !errors.Is(err, ErrPhone) {
		t.Errorf("after a restart: %v", err)
	}
	if err := h.desk.RefuseSecondPhone(at); err != nil || len(h.desk.ContestedViewers()) != 0 {
		t.Fatal(err)
	}
	for i, letter := range []byte("bbc") {
		if err := h.connectAs(letter, one, g.Key, 1<<62+uint64(i)); !errors.Is(err, ErrPhone) || len(h.desk.ContestedViewers()) > 0 {
			t.Errorf("turned away, %d: %v, asking %v", i, err, h.desk.ContestedViewers())
		}
		h.restart()
	}
	if err := h.connectFirst(at, g.Key, 1<<62); err != nil {
		t.Errorf("the first phone: %v", err)
	}
}

// GEN-E12: a player whose phone has died gets a code from the host and plays on without asking the old phone, which
// is cut off.
func TestANewInvitationAsksNobody(t *testing.T) {
	h := newHouse(t)
	at := engine.SeatViewer(1)
	_, old := h.joinSeat(at)
	if err := h.connectFirst(at, old.Key, 1); err != nil {
		t.Fatal(err)
	}
	_ = h.connectAs('x', wire.FirstPhoneOf(at), old.Key, 2)
	_ = h.desk.RefuseSecondPhone(at)
	if cut, err := h.desk.CutAndInvite(at); err != nil || !cut || len(h.cut) != 1 {
		t.Fatal(cut, err)
	}
	url, _ := h.link(at)
	g, _ := h.join(codeOf(t, url), 'b')
	if err := h.connectAs('b', wire.FirstPhoneOf(at), g.Key, 1); err != nil {
		t.Error("the new phone has to ask:", err)
	}
	if err := h.connectFirst(at, old.Key, 9); !errors.Is(err, seal.ErrPassword) {
		t.Error("the old one is still in:", err)
	}
	if cut, err := h.desk.CutAndInvite(engine.SeatViewer(5)); err != nil || cut {
		t.Error("a phone is cut off where none was:", cut, err)
	}
}

// An invitation ends after ten minutes, also over a restart, and the host's page shows the minutes that are left.
func TestInvitationsEnd(t *testing.T) {
	h := newHouse(t)
	one := h.desk.RefreshInvites([]engine.Seat{1})[0]
	host, _ := h.link(engine.Host)
	c := codeOf(t, one.URL)
	if one.Minutes != 10 || one.Ended {
		t.Errorf("%+v", one)
	}
	began := h.now
	for i := range 9 { // NextChange comes when one minute less is left
		at, ok := h.desk.NextInviteChange()
		if !ok || at != began.Add(time.Duration(i+1)*time.Minute) {
			t.Fatalf("wake %d: %v after the beginning, %v", i, at.Sub(began), ok)
		}
		h.now = at
		if got := h.desk.RefreshInvites([]engine.Seat{1})[0]; got.Minutes != 9-i || got.URL != one.URL {
			t.Fatalf("%d minutes later: %+v", i+1, got)
		}
	}
	h.restart()
	h.now = began.Add(InvitationTime - time.Nanosecond)
	if got := h.desk.RefreshInvites([]engine.Seat{1})[0]; got.URL != one.URL {
		t.Errorf("just before the end: %+v", got)
	}
	h.now = began.Add(InvitationTime)
	if got := h.desk.RefreshInvites([]engine.Seat{1})[0]; got.URL != "" || !got.Ended || got.Joined || got.Minutes != 0 {
		t.Errorf("at the end: %+v", got)
	}
	if _, ok := h.desk.NextInviteChange(); ok {
		t.Error("nothing is open, and it will wake")
	}
	if _, status := h.join(c, 'a'); status != http.StatusGone {
		t.Errorf("an old link: %d", status)
	}
	if err := h.invite(engine.SeatViewer(1)); err != nil {
		t.Fatal(err)
	}
	if got := h.desk.RefreshInvites([]engine.Seat{1})[0]; got.URL == "" || got.URL == one.URL || got.Minutes != 10 {
		t.Errorf("a new one: %+v", got)
	}
	if again, _ := h.link(engine.Host); again != host {
		t.Error("the host's link has ended: nobody at the table could make it again")
	}
}

// A timer never fires exactly on time. Until RefreshInvites is called again, NextChange stays at the moment when its
// last answer became wrong, so that a later look still finds it due.
func TestNextChangeStaysDueUntilItIsRead(t *testing.T) {
	h := newHouse(t)
	seats := []engine.Seat{1, 2}
	if _, ok := h.desk.NextInviteChange(); ok {
		t.Error("nothing is announced, and it will wake")
	}
	h.desk.RefreshInvites(seats[:1])
	h.now = h.now.Add(20 * time.Second) // the second seat's minutes end later
	h.desk.RefreshInvites(seats)
	for left := 9; left >= 0; left-- {
		at, ok := h.desk.NextInviteChange()
		h.now = at.Add(time.Millisecond)
		if late, still := h.desk.NextInviteChange(); !ok || !still || late != at {
			t.Fatalf("%d minutes left: due at %v, a millisecond later at %v, %v", left, at, late, still)
		}
		got := h.desk.RefreshInvites(seats)[0]
		if got.Minutes != left || got.Ended != (left == 0) {
			t.Fatalf("due with %d minutes left: %+v", left, got)
		}
		if next, ok := h.desk.NextInviteChange(); !ok || !next.After(h.now) {
			t.Fatalf("told, and due again: %v, %v", next, ok)
		}
		h.now = h.now.Add(20 * time.Second)
		h.desk.RefreshInvites(seats)
	}
	if _, ok := h.desk.NextInviteChange(); ok {
		t.Error("all have ended, and it will wake")
	}
}

// A code that was printed is never printed again, and codes printed before are invalid. The log shows only the first
// letters of a used code.
func TestNoCodeIsPrintedTwice(t *testing.T) {
	h := newHouse(t)
	shown := map[string]bool{}
	var last string
	for range 3 {
		url, err := h.desk.IssueNewLink(engine.Host)
		if err != nil || url == "" || shown[url] {
			t.Fatalf("%q again, %v", url, err)
		}
		if last != "" {
			if _, status := h.join(codeOf(t, last), 'b'); status != http.StatusGone {
				t.Errorf("a link printed before: %d", status)
			}
		}
		shown[url], last = true, url
		h.restart()
	}
	var log bytes.Buffer
	h.desk.opts.Log = slog.New(slog.NewTextHandler(&log, nil))
	c := codeOf(t, last)
	if _, status := h.join(c, 'a'); status != http.StatusOK {
		t.Fatal(status)
	}
	if url, err := h.desk.IssueNewLink(engine.Host); url != "" || err != nil {
		t.Errorf("the host has joined, and is given %q", url)
	}
	if said := log.String(); strings.Contains(said, c.Link()) || !strings.Contains(said, c.Link()[:4]+"…") {
		t.Errorf("the log says %s", said)
	}
}

// A board without a battery-backed clock starts with any date.
func TestTimeLeftIsNeverMoreThanThatOfANewOne(t *testing.T) {
	h := newHouse(t)
	h.desk.RefreshInvites([]engine.Seat{1})
	h.now = h.now.Add(-1000 * time.Hour)
	h.restart()
	if got := h.desk.RefreshInvites([]engine.Seat{1})[0]; got.Minutes != 10 {
		t.Errorf("%+v", got)
	}
}

// At the deal the seats become secret: links that were left open are invalid.
func TestTheDealEndsInvitations(t *testing.T) {
	h := newHouse(t)
	_, g := h.joinSeat(engine.SeatViewer(1))
	all := h.desk.RefreshInvites([]engine.Seat{1, 2})
	host, _ := h.link(engine.Host)
	h.desk.EndSeatLinks()
	for range 2 {
		if got := h.desk.RefreshInvites([]engine.Seat{1, 2}); got[1].URL != "" || !got[1].Ended || got[0].Ended {
			t.Errorf("%+v", got)
		}
		if _, status := h.join(codeOf(t, all[1].URL), 'b'); status != http.StatusGone {
			t.Errorf("an open link after the deal: %d", status)
		}
		h.restart()
	}
	if err := h.connectFirst(engine.SeatViewer(1), g.Key, 1); err != nil {
		t.Error("a seated phone:", err)
	}
	if again, _ := h.link(engine.Host); again != host {
		t.Error("the host's link has ended")
	}
	if url, _ := h.link(engine.SeatViewer(2)); url == "" || url == all[1].URL { // a link that is asked for
		t.Errorf("no new link: %q", url)
	}
}

// A key from before phones had names belongs to the next phone that has it.
func TestAPhoneFromBeforeKeepsItsSeat(t *testing.T) {
	h := newHouse(t)
	_, g := h.joinSeat(engine.SeatViewer(1))
	for _, record := range []string{"{}", "not JSON"} {
		if err := h.store.SetSetting(store.SettingPhones, record); err != nil {
			t.Fatal(err)
		}
		h.restart()
		if err := h.connectAs('o', wire.FirstPhoneOf(engine.SeatViewer(1)), g.Key, uint64(time.Now().UnixNano())); err != nil {
			t.Errorf("%s: %v", record, err)
		}
		if err := h.connectAs('p', wire.FirstPhoneOf(engine.SeatViewer(1)), g.Key, uint64(time.Now().UnixNano())); !errors.Is(err,
			ErrPhone) {
			t.Errorf("%s: another one: %v", record, err)
		}
	}
}

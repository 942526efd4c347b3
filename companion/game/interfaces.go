package game

import (
	"time"

	"majordome/companion/master"
	"majordome/companion/master/seats"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Journal stores games on disk; *store.Store implements it. A step may be on disk even if Append or Begin
// returns an error, so the loop then reads the game again.
type Journal interface {
	Current() (game store.Game, ok bool, err error)
	Events(game int64) ([]store.Event, error)
	Begin(book engine.ID, first []store.Event) (store.Game, error)
	Append(game int64, events []store.Event, result *store.Result) error
	// Notes returns the note sheets of a game; a new game has none.
	Notes(game int64) (map[engine.Seat]string, error)
	SetNotes(game int64, seat engine.Seat, marks string) error
	// Setting returns a setting of this table, chosen by the host.
	Setting(name string) (value string, ok bool, err error)
	SetSetting(name, value string) error
	// Results returns the results of finished games, the newest first.
	Results(limit int) ([]store.Result, error)
	CheckWritable() error
}

// Publisher publishes steps. The loop's goroutine calls Publish, in order. Publish must not block and must not
// change the step.
type Publisher interface{ Publish(Step) }

// Desk gives seats to phones; *pair.Desk implements it. The loop's goroutine calls it.
type Desk interface {
	seats.Desk
	// NextChange returns when time makes the last answer of SyncInvites outdated, which may be past; false for
	// never.
	NextChange() (at time.Time, ok bool)
	// EndSeatLinks ends the open links of all seats.
	EndSeatLinks()
	// Mark identifies the phone that has joined as h, among all that ever do; "" if none has.
	Mark(h wire.Handset) string
}

// People knows the accounts signed in on the host's devices; *staff.Accounts implements it. It does not wait
// for the disk.
type People interface {
	// PersonAt returns the person signed in on a device: one without a role while it is locked, an owner
	// without a name if there are no accounts.
	PersonAt(h wire.Handset) wire.Person
	// PeopleByDevice returns PersonAt of each device, by its number, at one moment, and a number that rises
	// with each change; nil if there are no accounts.
	PeopleByDevice() (who []wire.Person, drawing uint64)
	// Touch notes that a device is in use.
	Touch(h wire.Handset)
}

// Clock is the clock of the loop.
type Clock interface {
	Now() time.Time
	After(time.Duration) <-chan time.Time
}

type systemClock struct{}

func (systemClock) Now() time.Time                         { return time.Now() }
func (systemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Tag is one NFC tag that came into the field of a reader.
type Tag = master.Tag

// Reading is one reading of a reader. Without tags it is a tag that could not be read.
type Reading struct {
	Tags          []Tag // tags that have just come
	OthersPresent bool  // tags of earlier readings may still be in the field
	FoundAtStart  bool  // the tags were on the reader when it first answered: no one presents them now
}

// Step holds the updates of all viewers after one input. Those of the host's devices depend on the people
// signed in, too (HostUpdates).
type Step struct {
	Epoch, Rev uint64
	Public     wire.Update
	Host       wire.Update
	// Story is the JSON of a wire.Story, the same for all viewers, once the phones know that the game is over;
	// nil before.
	Story []byte

	rights   rights
	hold     *wire.Hold           // with the name of the author, which only some devices may see
	overseer *master.OverseerView // what one device of the host sees as overseer; nil if none does
	shared   wire.Update          // what the updates of seats and guests have in common
	private  []privateUpdate      // seats in table order, then guests
}

// privateUpdate holds the parts of an update that differ from one seat or guest to the next.
type privateUpdate struct {
	part   *engine.ViewerPart // without the offers; shared, read-only
	offers []engine.Offer     // of the game, the loop and the parts
	seat   engine.Seat
	seq    uint64
	seqs   []uint64
	notice *wire.Notice // nil: the notice for all viewers
	hint   *wire.Hint
	notes  string
	guest  *wire.Guest
}

// mergeInto completes the common update u for this seat or guest.
func (o *privateUpdate) mergeInto(u wire.Update) wire.Update {
	u.View.SetPart(o.part)
	u.View.Offers = o.offers
	u.Seq, u.Seqs, u.Hint, u.Notes, u.Guest = o.seq, o.seqs, o.hint, o.notes, o.guest
	if o.notice != nil {
		u.Notice = o.notice
	}
	return u
}

// SeatUpdates returns the updates of the seats in table order, then those of guests. Each names its viewer.
func (s Step) SeatUpdates() []wire.Update {
	all := make([]wire.Update, 0, len(s.private)+wire.MaxHosts+1) // with room for those of the host and of the public
	for i := range s.private {
		all = append(all, s.private[i].mergeInto(s.shared))
	}
	return all
}

// SealedUpdates returns the updates that must be encrypted: SeatUpdates and HostUpdates.
func (s Step) SealedUpdates(people People) []wire.Update {
	return append(s.SeatUpdates(), s.HostUpdates(people)...)
}

// UpdateFor returns the update of one viewer; ok is false for a seat without a player or guest.
func (s Step) UpdateFor(v engine.Viewer) (u wire.Update, ok bool) {
	switch {
	case v == engine.Public:
		return s.Public, true
	case v.IsHost():
		return s.Host, true
	}
	for i := range s.private {
		if engine.SeatViewer(s.private[i].seat) == v {
			return s.private[i].mergeInto(s.shared), true
		}
	}
	return wire.Update{}, false
}

// showEarlierStep gives the host and the seats the views of the step before the scene, with nothing to do in
// the game. The rest of the update stays current. publish then adds the acts of the loop.
func (s *Step) showEarlierStep(before *engine.Views) {
	then := before.Public
	then.Active, then.Readers = []engine.Seat{}, []engine.ReaderView{}
	for _, u := range []*wire.Update{&s.Host, &s.shared} {
		u.View, u.Left, u.Waited = then, 0, 0
	}
	still := func(p engine.ViewerPart) *engine.ViewerPart {
		p.Prompt, p.Rule, p.Offers = engine.NewMsg("table.scene"), "", []engine.Offer{}
		return &p
	}
	s.Host.View.SetPart(still(before.Host))
	for i := range s.private {
		o := &s.private[i]
		if was, ok := before.ViewOf(engine.SeatViewer(o.seat)); ok {
			o.part = still(was.ViewerPart())
			o.offers = o.part.Offers
		}
	}
	s.Story = nil
}

package game

import (
	"time"

	"majordome/companion/master"
	"majordome/companion/master/seats"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Journal is where games are on disk; *store.Store is one. An error of Append
// or Begin may mean that the step is on disk all the same: the loop reads the
// game again before it goes on.
type Journal interface {
	Current() (game store.Game, ok bool, err error)
	Events(game int64) ([]store.Event, error)
	Begin(book engine.ID, first []store.Event) (store.Game, error)
	Append(game int64, events []store.Event, result *store.Result) error
	// Notes are the note sheets of a game; a new game has none.
	Notes(game int64) (map[engine.Seat]string, error)
	SetNotes(game int64, seat engine.Seat, marks string) error
	// Setting is what the host has chosen for this table.
	Setting(name string) (value string, ok bool, err error)
	SetSetting(name, value string) error
	// Results are those of finished games, the newest first.
	Results(limit int) ([]store.Result, error)
	Check() error
}

// Publisher shows steps. Publish is called by the loop's goroutine, in order,
// and must not block; what it is given must not be changed.
type Publisher interface{ Publish(Step) }

// Desk hands out seats; *pair.Desk is one. It is called by the loop's goroutine.
type Desk interface {
	seats.Desk
	// Wake is when what Invites last told stops being true by itself, which may be
	// past; false: never.
	Wake() (at time.Time, ok bool)
	// Dealt ends all open links of seats.
	Dealt()
	// Mark tells the phone that has joined as h from each other, before it and after it; "": none has.
	Mark(h wire.Handset) string
}

// People knows the accounts signed in on the host's devices; *staff.Accounts is one. It waits for no disk.
type People interface {
	// Who returns who is signed in on a device: nobody, without a role, while it is locked; where there are no accounts an owner without a
	// name.
	Who(h wire.Handset) wire.Person
	// Drawn returns Who of each device, by its number, at one moment, and a number that rises with each change. Nil: there are no accounts.
	Drawn() (who []wire.Person, drawing uint64)
	// Touch notes that a device is used.
	Touch(h wire.Handset)
}

// Clock is the time of the loop.
type Clock interface {
	Now() time.Time
	After(time.Duration) <-chan time.Time
}

type systemClock struct{}

func (systemClock) Now() time.Time                         { return time.Now() }
func (systemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Tag is one NFC tag that came into a reader's field.
type Tag = master.Tag

// Seen is one reading. Without tags it is a tag that could not be read.
type Seen struct {
	Tags   []Tag // that have just come
	Beside bool  // others, of earlier readings, may still lie there
	Found  bool  // they lay there when the reader was first heard: nobody presents them
}

// Step is what every viewer sees after one input; of the devices of the host, until the next one (Hosts).
type Step struct {
	Epoch, Rev uint64
	Public     wire.Update
	Host       wire.Update
	// Story is the JSON of a wire.Story once the phones know that the game is over, for
	// everybody; nil before.
	Story []byte

	rights rights
	hold   *wire.Hold       // with the name of who has stopped the game
	secret *master.Overseen // by one device of the host; nil: by none
	shared wire.Update      // by the seats and guests
	own    []own            // in table order, then guests
}

// own is what the update of a seat or a guest has of its own.
type own struct {
	part   *engine.Part   // but for the offers; nobody may change it
	offers []engine.Offer // with those of the loop
	seat   engine.Seat
	seq    uint64
	seqs   []uint64
	notice *wire.Notice // nil: that of all
	hint   *wire.Hint
	notes  string
	guest  *wire.Guest
}

// of is a whole update.
func (o *own) of(u wire.Update) wire.Update {
	u.View.Become(o.part)
	u.View.Offers = o.offers
	u.Seq, u.Seqs, u.Hint, u.Notes, u.Guest = o.seq, o.seqs, o.hint, o.notes, o.guest
	if o.notice != nil {
		u.Notice = o.notice
	}
	return u
}

// Seats are the updates of the seats in table order, then those of guests; each names its viewer.
func (s Step) Seats() []wire.Update {
	all := make([]wire.Update, 0, len(s.own)+wire.MaxHosts+1) // with room for those of the host and of the public
	for i := range s.own {
		all = append(all, s.own[i].of(s.shared))
	}
	return all
}

// Sealed are the updates that must be sealed: Seats and Hosts.
func (s Step) Sealed(people People) []wire.Update { return append(s.Seats(), s.Hosts(people)...) }

// Of is the update of one viewer; ok is false for a seat where nobody sits.
func (s Step) Of(v engine.Viewer) (u wire.Update, ok bool) {
	switch {
	case v == engine.Public:
		return s.Public, true
	case v.IsHost():
		return s.Host, true
	}
	for i := range s.own {
		if engine.At(s.own[i].seat) == v {
			return s.own[i].of(s.shared), true
		}
	}
	return wire.Update{}, false
}

// behind gives all but the public the views of an earlier step: nothing can be done in the
// game meanwhile, and all that is not the game is as it is now. The acts of the loop
// are added by publish, from what is shown.
func (s *Step) behind(before *engine.Views) {
	then := before.Public
	then.Active, then.Readers = []engine.Seat{}, []engine.ReaderView{}
	for _, u := range []*wire.Update{&s.Host, &s.shared} {
		u.View, u.Left, u.Waited = then, 0, 0
	}
	still := func(p engine.Part) *engine.Part {
		p.Prompt, p.Rule, p.Offers = engine.Say("table.scene"), "", []engine.Offer{}
		return &p
	}
	s.Host.View.Become(still(before.Host))
	for i := range s.own {
		o := &s.own[i]
		if was, ok := before.Of(engine.At(o.seat)); ok {
			o.part = still(was.Part())
			o.offers = o.part.Offers
		}
	}
	s.Story = nil
}

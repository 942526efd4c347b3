package mastertest

import (
	"log/slog"
	"maps"
	"slices"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// Actors in a test.
var (
	Host    = ActorAt(wire.FirstPhoneOf(engine.Host))
	Tablet  = ActorAt(wire.Handset{Viewer: engine.Host, N: 2}) // the second of the host's devices
	Button  = master.Actor{Author: "button"}
	Program = master.Actor{Author: wire.ByProgram + "door"}
)

// PhoneActor returns the first phone of a seat as an actor.
func PhoneActor(seat engine.Seat) master.Actor {
	return ActorAt(wire.FirstPhoneOf(engine.SeatViewer(seat)))
}

// ActorAt returns a phone or a device of the host as an actor without an account.
func ActorAt(h wire.Handset) master.Actor { return master.Actor{Handset: h, Author: h.String()} }

// Devices are the phones, readers and lights of the table, with the people at them.
type Devices struct {
	Online []wire.Handset
	Marks  map[wire.Handset]string      // of all phones that have joined
	People map[wire.Handset]wire.Person // signed in on devices of the host; nil: there are no accounts, and all may do everything
	States map[string]string            // of the readers, by their roles
	Tags   []engine.ID                  // cards that have a tag
	Hands  []engine.Holding
	Light  string // the override of the light; "": the room has no lights

	Discarded   int            // how often DiscardReadings was called
	CountsReset []wire.Handset // phones in Marks that count their acts from 1 again
}

// ReaderStates implements master.Table, as the methods below do.
func (d *Devices) ReaderStates() map[string]string { return d.States }
func (d *Devices) ReaderName(role string) string   { return role }
func (d *Devices) IsOnline(h wire.Handset) bool    { return slices.Contains(d.Online, h) }
func (d *Devices) PhoneMark(h wire.Handset) string { return d.Marks[h] }
func (d *Devices) Secrets() []engine.Holding       { return d.Hands }
func (d *Devices) Enrolled() []engine.ID           { return d.Tags }
func (d *Devices) Log() *slog.Logger               { return slog.New(slog.DiscardHandler) }
func (d *Devices) DiscardReadings()                { d.Discarded++ }

func (d *Devices) PersonAt(h wire.Handset) wire.Person {
	if d.People == nil {
		return wire.Person{Role: wire.RoleOwner}
	}
	return d.People[h]
}

func (d *Devices) SeatsOnline() (all []engine.Seat) {
	for _, h := range d.Online {
		if seat, ok := h.Seat(); ok {
			all = append(all, seat)
		}
	}
	return all
}

func (d *Devices) SeatPhones() (all []wire.SeatPhones) {
	for seat := engine.Seat(1); seat <= engine.MaxSeats; seat++ {
		s := wire.SeatPhones{Seat: seat}
		for n := 1; n <= wire.MaxPhones; n++ {
			if d.Marks[wire.Handset{Viewer: engine.SeatViewer(seat), N: n}] != "" {
				s.Phones = append(s.Phones, n)
			}
		}
		if len(s.Phones) > 0 {
			all = append(all, s)
		}
	}
	return all
}

func (d *Devices) ResetActCounts(selects func(wire.Handset) bool) {
	for h := range maps.Keys(d.Marks) {
		if selects(h) {
			d.CountsReset = append(d.CountsReset, h)
		}
	}
}

func (d *Devices) Lights() master.Lights {
	if d.Light == "" {
		return nil
	}
	return lights{d}
}

// lights are the lights of the room.
type lights struct{ devices *Devices }

func (l lights) SetOverride(to string) { l.devices.Light = to }
func (l lights) Override() string      { return l.devices.Light }

// Package health finds what is wrong with the computer (Monitor) and the devices (Devices) of a running table, and reports the health of
// all its parts (Report): a Status as JSON, its metrics, and a bundle for a person who helps from afar. This machine, and the addresses in
// the key metrics, may read both pages:
//
//	GET /healthz   JSON of Status; 503 when a part does not work
//	GET /metrics   the same and all counts, in the text format of Prometheus 0.0.4
//
// What may leak: nothing that depends on a secret. The frames of a strip depend only on the public light. Counts that change for some cards
// only are left out, or counted only outside of games (see readers.Counters): frames, collisions and bad readings of a reader (a private
// refusal looks like a bad reading, GEN-003), its scans a second (a long number takes longer to read), acts and refusals of the table, and
// every count by seat. The lines of a serial reader are counted only until the game begins, unless it has never read a card. Sizes of the
// store are in whole MiB, because its bytes would show how long the name of a hidden card is.
package health

import (
	"maps"
	"slices"
	"time"

	"majordome/cmd/majordome/manual"
	"majordome/companion/game"
	"majordome/companion/store"
	"majordome/companion/wire"
)

// Status is the answer to GET /healthz.
type Status struct {
	OK      bool              `json:"ok"`
	Uptime  int64             `json:"uptime_s"`
	Table   bool              `json:"table"`           // the loop answers within a second
	Store   bool              `json:"store"`           // the game is not paused
	Relay   bool              `json:"relay"`           // connected, and nothing denied
	Uplink  *bool             `json:"uplink"`          // connected to the broker of the house; null: there is none. Its loss stops no game
	UpLeft  int               `json:"uplink_left_out"` // messages left out of this line because it broke after them; see line.Suspect
	Venue   *bool             `json:"venue"`           // connected to the broker of the venue; as uplink
	VenLeft int               `json:"venue_left_out"`  // as uplink_left_out
	VenWait int               `json:"venue_waiting"`   // results that the venue has not confirmed
	Home    *bool             `json:"home"`            // connected to the broker of the house's devices; as uplink
	InLeft  int               `json:"home_left_out"`   // as uplink_left_out
	Readers map[string]string `json:"readers"`         // role -> "ok", "lost", "missing" or "unread"; no lost device stops a game
	Lines   map[string]Lines  `json:"lines"`           // role of a serial reader -> counts of its lines
	Faults  []DeviceFault     `json:"faults"`          // faults of devices, in words
	Nodes   map[string]bool   `json:"nodes"`           // port -> connected
	Strips  map[string]bool   `json:"strips"`          // number in the configuration, from 1 on -> accepts frames
	Clocks  map[string]bool   `json:"clocks"`          // number -> accepts the hour
	Buttons map[string]bool   `json:"buttons"`         // number -> can be pressed; control cards are not included
	Files   Files             `json:"files"`
	Door    Door              `json:"door"`
	Machine Machine           `json:"machine"` // the computer of the table; its troubles stop no game
	Help    map[string]string `json:"help"`    // part that does not work, or kind of trouble -> argument of majordome help
}

// Files are the sizes and ages of the store's files.
type Files struct {
	Size    int64  `json:"store_mib"`
	Log     int64  `json:"log_mib"`
	Former  int    `json:"former"`
	Backups int    `json:"backups"`
	Age     *int64 `json:"backup_age_s"` // of the newest backup; null: there is none
}

const mib = 1 << 20

// filesFromUsage converts the figures of a store. It rounds sizes up to whole MiB.
func filesFromUsage(f store.DiskUsage) Files {
	a := Files{Size: (f.Size + mib - 1) / mib, Log: (f.Log + mib - 1) / mib, Former: f.FormerStates, Backups: f.Backups}
	if !f.LastBackup.IsZero() {
		age := max(0, int64(time.Since(f.LastBackup).Seconds()))
		a.Age = &age
	}
	return a
}

// Door has the free places for connections, and the counts of refused and cut ones.
type Door struct {
	Left    map[string]int    `json:"left"` // free places, by kind
	Refused map[string]uint64 `json:"refused"`
	Cut     map[string]uint64 `json:"cut"`
}

// fillDerivedFields fills in OK and Help from the other fields.
func (a *Status) fillDerivedFields() {
	a.OK = a.Table && a.Store && a.Relay
	a.Help = a.helpPlaces()
}

// helpPlaces returns the place in the manual for each part that does not work.
func (a *Status) helpPlaces() map[string]string {
	all := map[string]string{}
	note := func(part string, works bool, place string) {
		if !works {
			all[part] = place
		}
	}
	every := func(states map[string]bool) bool { return !slices.Contains(slices.Collect(maps.Values(states)), false) }
	lost := slices.ContainsFunc(slices.Collect(maps.Values(a.Readers)), func(state string) bool { return state != game.ReaderOK })
	note("table", a.Table, manual.PlaceOfFaultKind("table"))
	note("store", a.Store, manual.PlaceOfFaultKind("paused"))
	note("relay", a.Relay, manual.PlaceOfFaultKind("relay"))
	note("uplink", a.Uplink == nil || *a.Uplink, manual.PlaceOfFaultKind("uplink"))
	note("venue", a.Venue == nil || *a.Venue, manual.PlaceOfFaultKind("venue"))
	note("home", a.Home == nil || *a.Home, manual.PlaceOfFaultKind("home"))
	note("readers", !lost, manual.PlaceOfFaultKind("readers"))
	note("nodes", every(a.Nodes), manual.PlaceOfFaultKind("node"))
	note("strips", every(a.Strips), manual.PlaceOfFaultKind("strips"))
	note("clocks", every(a.Clocks), manual.PlaceOfFaultKind("clocks"))
	note("buttons", every(a.Buttons), manual.PlaceOfFaultKind("buttons"))
	for kind := range a.Machine.Troubles {
		note(kind, false, manual.PlaceOfFaultKind(kind))
	}
	return all
}

const (
	// ReaderMissing is the state of a reader that could not be opened. The table tries it again.
	ReaderMissing = "missing"
	// ReaderUnread is the state of a reader whose lines are not understood, though it printed more than remarks.
	ReaderUnread = "unread"
)

// DeviceFault is a fault of one device, without numbers of cards. Programs on this machine may read it.
type DeviceFault struct {
	wire.Finding
	Role string `json:"role,omitempty"` // of a reader that prints lines
	Port string `json:"port,omitempty"` // of a node
	// MayWork is true if nothing but remarks was printed: a reader that waits for its first card may print only remarks.
	MayWork bool `json:"may_work,omitempty"`
}

// Lines counts what a serial reader has printed since its port was opened.
type Lines struct {
	Understood    uint64 `json:"understood"`
	NotUnderstood uint64 `json:"not_understood"`
	Bytes         uint64 `json:"bytes"`
	NoText        uint64 `json:"bytes_no_text"`
	Last          string `json:"last_not_understood"` // without numbers of cards
}

// Machine is the result of the last check of the table's computer; null means unknown.
type Machine struct {
	Troubles map[string]wire.State `json:"troubles"` // kind (Finding.About) -> warning or fault
	Disk     *uint64               `json:"disk_free_mib"`
	Heat     *float64              `json:"temperature_c"`
	Memory   *uint64               `json:"memory_free_mib"`
	Wear     *int                  `json:"storage_wear_percent"`
}

// bytesToMiB converts bytes to whole MiB, rounded down; exact free space would show how much the last step wrote.
func bytesToMiB(n *uint64) *uint64 {
	if n == nil {
		return nil
	}
	whole := *n / mib
	return &whole
}

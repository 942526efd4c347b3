// Package health says how a table does: a Status for programs, its metrics, and a bundle for somebody who helps from afar. The house fills
// the Status from its parts, and serves both for this machine alone and for whom the key metrics names:
//
//	GET /healthz   JSON of Status; 503 when a part does not work
//	GET /metrics   the same and all Counts, in the text format of Prometheus 0.0.4
//
// What may leak: nothing that depends on a secret. Frames of a strip are those of the public light. Left out, or counted outside of games
// alone (see readers.Counters), are counts that tick for some cards only: frames, collisions and bad readings of a reader (a private refusal
// looks like a bad reading, GEN-003), its scans a second (a long number takes longer to read), acts and refusals of the table, and whatever
// would count by seat. Of a serial reader the lines are counted up to the game, unless it has never read a card. The store is told in whole
// MiB: its bytes would tell how long the name of a hidden card is.
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
	Uplink  *bool             `json:"uplink"`          // the broker of the house hears the table; null: there is none. It stops no game
	UpLeft  int               `json:"uplink_left_out"` // messages that this line does not tell or take, because it broke after them; see line.Suspect
	Home    *bool             `json:"home"`            // the broker for the devices of the house hears it; null: there is none. Likewise
	InLeft  int               `json:"home_left_out"`   // likewise
	Readers map[string]string `json:"readers"`         // role -> "ok", "lost", "missing" or "unread"; one that does not answer stops no game
	Lines   map[string]Lines  `json:"lines"`           // role of a serial reader -> what it prints
	Faults  []DeviceFault     `json:"faults"`          // what is wrong with devices, in words
	Nodes   map[string]bool   `json:"nodes"`           // port -> connected; likewise
	Strips  map[string]bool   `json:"strips"`          // number in the configuration, from 1 on -> takes frames; likewise
	Clocks  map[string]bool   `json:"clocks"`          // likewise -> takes the hour
	Buttons map[string]bool   `json:"buttons"`         // likewise -> can be pressed; control cards are no device
	Files   Files             `json:"files"`
	Door    Door              `json:"door"`
	Machine Machine           `json:"machine"` // the computer of the table; it stops no game by itself
	Help    map[string]string `json:"help"`    // part that does not work, or kind of trouble -> its place in the manual, as majordome help takes it
}

// Files is what the store takes on the disk.
type Files struct {
	Size    int64  `json:"store_mib"`
	Log     int64  `json:"log_mib"`
	Former  int    `json:"former"`
	Backups int    `json:"backups"`
	Age     *int64 `json:"backup_age_s"` // of the newest; null: there is none
}

const mib = 1 << 20

// FilesOf returns those of a store.
func FilesOf(f store.Files) Files {
	a := Files{Size: (f.Size + mib - 1) / mib, Log: (f.Log + mib - 1) / mib, Former: f.Former, Backups: f.Backups}
	if !f.Last.IsZero() {
		age := max(0, int64(time.Since(f.Last).Seconds()))
		a.Age = &age
	}
	return a
}

// Door is what the door lets in and refuses.
type Door struct {
	Left    map[string]int    `json:"left"` // places
	Refused map[string]uint64 `json:"refused"`
	Cut     map[string]uint64 `json:"cut"`
}

// Settle fills what follows from the rest: OK, and Help.
func (a *Status) Settle() {
	a.OK = a.Table && a.Store && a.Relay
	a.Help = a.places()
}

// places are where the manual explains what is wrong.
func (a *Status) places() map[string]string {
	all := map[string]string{}
	note := func(part string, works bool, place string) {
		if !works {
			all[part] = place
		}
	}
	every := func(states map[string]bool) bool { return !slices.Contains(slices.Collect(maps.Values(states)), false) }
	lost := slices.ContainsFunc(slices.Collect(maps.Values(a.Readers)), func(state string) bool { return state != game.ReaderOK })
	note("table", a.Table, manual.Of("table"))
	note("store", a.Store, manual.Of("paused"))
	note("relay", a.Relay, manual.Of("relay"))
	note("uplink", a.Uplink == nil || *a.Uplink, manual.Of("uplink"))
	note("home", a.Home == nil || *a.Home, manual.Of("home"))
	note("readers", !lost, manual.Of("readers"))
	note("nodes", every(a.Nodes), manual.Of("node"))
	note("strips", every(a.Strips), manual.Of("strips"))
	note("clocks", every(a.Clocks), manual.Of("clocks"))
	note("buttons", every(a.Buttons), manual.Of("buttons"))
	for kind := range a.Machine.Troubles {
		note(kind, false, manual.Of(kind))
	}
	return all
}

const (
	// ReaderMissing is the state of a reader that could not be opened, and is tried again.
	ReaderMissing = "missing"
	// ReaderUnread is the state of a reader whose lines are not understood; one that has printed nothing but remarks may work.
	ReaderUnread = "unread"
)

// DeviceFault is what is wrong with one device, for a daemon of this machine to tell: without numbers of cards.
type DeviceFault struct {
	wire.Finding
	Role string `json:"role,omitempty"` // of a reader that prints lines
	Port string `json:"port,omitempty"` // of a node
	// MayWork: nothing was printed but remarks, and a reader that waits for its first card prints nothing else.
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

// Machine is what the last look at the computer of the table has found; null is what nobody knows.
type Machine struct {
	Troubles map[string]wire.State `json:"troubles"` // by About: warning or fault
	Disk     *uint64               `json:"disk_free_mib"`
	Heat     *float64              `json:"temperature_c"`
	Memory   *uint64               `json:"memory_free_mib"`
	Wear     *int                  `json:"storage_wear_percent"`
}

// inMiB is a number of bytes in whole MiB: the room on the disk would tell how much the last step took.
func inMiB(n *uint64) *uint64 {
	if n == nil {
		return nil
	}
	whole := *n / mib
	return &whole
}

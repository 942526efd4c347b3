package room

import (
	"encoding/json"
	"strconv"
	"strings"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
)

// limits of the sheet of a group
const (
	maxTeam   = 40  // bytes of a group's name
	maxGuests = 30  // people
	maxNotes  = 120 // bytes of notes
)

// setTeam keeps the sheet of the group at the table, as a whole.
func (r *Room) setTeam(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	t := wire.Team{Name: strings.TrimSpace(args["name"]), Start: args["start"], Lang: args["lang"], Notes: strings.TrimSpace(args["notes"])}
	guests, err := strconv.Atoi(args["guests"])
	if args["guests"] == "" {
		guests, err = 0, nil
	}
	t.Guests = guests
	switch {
	case err != nil || guests < 0 || guests > maxGuests, !isTime(t.Start), t.Lang != "" && t.Lang != "fr" && t.Lang != "en",
		len(t.Name) > maxTeam || !deck.Printable(t.Name), len(t.Notes) > maxNotes || !deck.Printable(t.Notes):
		return nil, master.Refuse(engine.Unknown, ruleTeam, "table.team.form")
	}
	if no := r.keepTeam(t); no != nil || r.table.InLobby() {
		return nil, no
	}
	return nil, r.recordTeam(by.Author)
}

// isTime reports "" or a time of day.
func isTime(s string) bool {
	h, m, ok := strings.Cut(s, ":")
	hour, bad := strconv.Atoi(h)
	minute, worse := strconv.Atoi(m)
	return s == "" || ok && len(h) == 2 && len(m) == 2 && bad == nil && worse == nil && 0 <= hour && hour < 24 && 0 <= minute && minute < 60
}

func (r *Room) keepTeam(t wire.Team) *engine.Reject {
	text, _ := json.Marshal(t) // texts and a number
	if no := r.table.Set(settingTeam, string(text)); no != nil {
		return no
	}
	r.team = t
	return nil
}

// recordTeam puts who plays beside the game, for its figures, a blank sheet too: another may be there. Notes stay out: they are for the
// evening alone.
func (r *Room) recordTeam(author string) *engine.Reject {
	t := r.team
	t.Notes = ""
	return r.table.Record(author, kindTeam, t)
}

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

// Limits of the sheet of a group.
const (
	maxTeam   = 40  // bytes
	maxGuests = 30  // people
	maxNotes  = 120 // bytes
)

// setTeam replaces the sheet of the group at the table.
func (r *Room) setTeam(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	t := wire.Team{Name: strings.TrimSpace(args["name"]), Start: args["start"], Lang: args["lang"], Notes: strings.TrimSpace(args["notes"])}
	guests, err := strconv.Atoi(args["guests"])
	if args["guests"] == "" {
		guests, err = 0, nil
	}
	t.Guests = guests
	switch {
	case err != nil || guests < 0 || guests > maxGuests, !isTimeOrEmpty(t.Start), t.Lang != "" && t.Lang != "fr" && t.Lang != "en",
		len(t.Name) > maxTeam || !deck.IsPrintable(t.Name), len(t.Notes) > maxNotes || !deck.IsPrintable(t.Notes):
		return nil, master.Refuse(engine.Unknown, ruleTeam, "table.team.form")
	}
	if no := r.saveTeam(t); no != nil || r.table.InLobby() {
		return nil, no
	}
	return nil, r.recordTeam(by.Author)
}

// isTimeOrEmpty reports whether a text is a time of day (20:30) or empty.
func isTimeOrEmpty(s string) bool {
	h, m, ok := strings.Cut(s, ":")
	hour, bad := strconv.Atoi(h)
	minute, worse := strconv.Atoi(m)
	return s == "" || ok && len(h) == 2 && len(m) == 2 && bad == nil && worse == nil && 0 <= hour && hour < 24 && 0 <= minute && minute < 60
}

func (r *Room) saveTeam(t wire.Team) *engine.Reject {
	text, _ := json.Marshal(t) // it cannot fail for strings and a number
	if no := r.table.SetSetting(settingTeam, string(text)); no != nil {
		return no
	}
	r.team = t
	return nil
}

// recordTeam records the sheet with the game, for its figures, even if it is blank, because an older one may be
// recorded. Notes are left out: they are for this evening only.
func (r *Room) recordTeam(author string) *engine.Reject {
	t := r.team
	t.Notes = ""
	return r.table.RecordEvent(author, kindTeam, t)
}

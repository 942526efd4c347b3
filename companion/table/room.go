package table

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
)

// The acts of the host about who plays, and in what room.
const (
	actTeam = "team"      // args name, guests, start (20:30), lang (fr, en), notes: the sheet of the group at the table, as a whole
	actRoom = "room-keep" // in the lobby: house rules, hints, countdown, explanations and language are the room's from now on
)

const (
	settingTeam = "team"
	settingRoom = "room"
	maxTeam     = 40  // bytes of a group's name
	maxGuests   = 30  // people
	maxTold     = 120 // bytes of notes
)

// room is how a room is set for each group. Its JSON is how the store keeps it.
type room struct {
	Lang     string                          `json:"lang,omitempty"`
	Settings map[string]string               `json:"settings"`
	Rules    map[engine.ID]map[string]string `json:"rules"` // of each game that it was kept for
}

// roomSettings are the settings of the table that belong to a room, each with what a new group begins with where the room has kept
// nothing; "": with what is set.
func (c *core) ofRoom() map[string]string {
	all := map[string]string{settingSecrets: no} // what nobody has kept for all groups, each is asked
	eachPart(c.parts, func(r master.Roomer) { maps.Copy(all, r.RoomSettings()) })
	return all
}

// readTeam learns who plays. A store that cannot tell stops no game.
func (c *core) readTeam() {
	c.team = wire.Team{}
	if text, ok, err := c.journal.Setting(settingTeam); err == nil && ok {
		_ = json.Unmarshal([]byte(text), &c.team)
	}
}

func (c *core) setTeam(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	t := wire.Team{Name: strings.TrimSpace(args["name"]), Start: args["start"], Lang: args["lang"], Notes: strings.TrimSpace(args["notes"])}
	guests, err := strconv.Atoi(args["guests"])
	if args["guests"] == "" {
		guests, err = 0, nil
	}
	t.Guests = guests
	switch {
	case err != nil || guests < 0 || guests > maxGuests, !goodStart(t.Start), t.Lang != "" && t.Lang != "fr" && t.Lang != "en",
		len(t.Name) > maxTeam || !deck.Printable(t.Name), len(t.Notes) > maxTold || !deck.Printable(t.Notes):
		return nil, master.Refuse(engine.Unknown, "GEN-E12", "table.team.form")
	}
	if r := c.keepTeam(t); r != nil {
		return nil, r
	}
	if c.inLobby() {
		return nil, nil
	}
	return nil, c.noteTeam(by.Author)
}

// goodStart is "" or a time of day.
func goodStart(s string) bool {
	h, m, ok := strings.Cut(s, ":")
	hour, bad := strconv.Atoi(h)
	minute, worse := strconv.Atoi(m)
	return s == "" || ok && len(h) == 2 && len(m) == 2 && bad == nil && worse == nil && 0 <= hour && hour < 24 && 0 <= minute && minute < 60
}

func (c *core) keepTeam(t wire.Team) *engine.Reject {
	text, _ := json.Marshal(t) // texts and a number
	if r := c.set(settingTeam, string(text)); r != nil {
		return r
	}
	c.team = t
	return nil
}

// noteTeam puts who plays beside the game, for its figures, a blank sheet too: another may be there. Notes stay out: they are for the
// evening alone.
func (c *core) noteTeam(author string) *engine.Reject {
	t := c.team
	t.Notes = ""
	return c.record(author, kindTeam, t)
}

// keepRoom keeps how the table is set.
func (c *core) keepRoom(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if !c.inLobby() {
		return nil, master.Refuse(engine.NotNow, "GEN-010", "table.first.lobby")
	}
	r, _ := c.readRoom()
	r.Lang = c.team.Lang
	for _, name := range slices.Sorted(maps.Keys(c.ofRoom())) {
		value, ok, err := c.journal.Setting(name)
		if err != nil {
			c.pause(err)
			return nil, c.standing()
		}
		if delete(r.Settings, name); ok {
			r.Settings[name] = value
		}
	}
	r.Rules[c.book.ID()] = c.game.look().Public.Switches
	text, err := json.Marshal(r)
	if err == nil {
		err = c.journal.SetSetting(settingRoom, string(text))
	}
	if err != nil {
		c.Log.Error("the room is not kept", "cause", err, "conseil", "les réglages de la salle n’ont pas été enregistrés : vérifiez la carte mémoire")
		return nil, master.Refuse(engine.NotNow, "GEN-010", "table.deck.store")
	}
	return c.passing(engine.Say("table.room.kept")), nil
}

// readRoom is the room as it was kept; false: it never was.
func (c *core) readRoom() (r room, ok bool) {
	text, ok, err := c.journal.Setting(settingRoom)
	ok = err == nil && ok && json.Unmarshal([]byte(text), &r) == nil
	if r.Settings == nil {
		r.Settings = map[string]string{}
	}
	if r.Rules == nil {
		r.Rules = map[engine.ID]map[string]string{}
	}
	return r, ok
}

// roomSettings brings the settings of the room back, for a group that has not chosen any; without a room all stays as it was, but for
// the view of the secrets, which each group allows anew. The sheet
// of the last group is blank again, in the language of the room.
func (c *core) roomSettings() *engine.Reject {
	r, kept := c.readRoom()
	all := c.ofRoom()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value, has := r.Settings[name]
		if !has || !kept {
			value, has = all[name], all[name] != ""
		}
		if !has {
			continue
		}
		if r := c.set(name, value); r != nil {
			return r
		}
	}
	return c.keepTeam(wire.Team{Lang: r.Lang})
}

// roomRules brings the house rules of the room back in a lobby that has just been opened. One that this game does not know any more is
// left as the book has it.
func (c *core) roomRules(author string) {
	r, _ := c.readRoom()
	wanted := r.Rules[c.book.ID()]
	for range len(wanted) { // one may only be offered after another
		before := c.step
		for _, o := range c.game.look().Host.Offers {
			name := o.Fixed["name"]
			value := wanted[name]
			if o.Act != actSwitch || value == "" || c.game.look().Public.Switches[name] == value || len(o.Params) != 1 || !slices.Contains(o.Params[0].Domain, value) {
				continue
			}
			c.play(engine.Command{At: c.now(), By: engine.Host, Act: actSwitch, Args: engine.Args{"name": name, o.Params[0].Name: value}}, author)
			break // what is offered has changed
		}
		if c.step == before {
			return
		}
	}
}

// actSwitch sets a house rule of any game.
const actSwitch = "switch"

// shownTeam is the sheet for the host alone.
func (c *core) shownTeam() *wire.Team {
	t := c.team
	return &t
}

var roomOffers = []engine.Offer{{Act: actTeam, Rule: "GEN-E12", Aside: true}, {Act: actRoom, Rule: "GEN-010", Aside: true}}

// teamSheet are the host's: the sheet at any time, the room in the lobby.
func (c *core) teamSheet(all []engine.Offer) []engine.Offer {
	if c.inLobby() {
		return append(all, roomOffers...)
	}
	return append(all, roomOffers[0])
}

// evening is what stands on the picture of a game that is over.
func (c *core) evening() wire.Evening {
	e := wire.Evening{Team: c.team.Name, Played: c.played - c.began}
	eachPart(c.parts, func(t master.Teller) { t.Tell(&e) })
	return e
}

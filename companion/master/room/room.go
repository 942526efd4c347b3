// Package room is the part for the group at the table and for the settings of the room that each new group
// begins with: house rules, hints, countdown, secrets and language.
package room

import (
	"encoding/json"
	"maps"
	"slices"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the host.
const (
	// ActTeam replaces the sheet of the group: args name, guests, start (20:30), lang (fr, en), notes.
	ActTeam = "team"
	ActKeep = "room-keep" // in the lobby: each later group begins with the current settings
)

const (
	kindTeam = "table.team" // its data is a wire.Team

	settingTeam = "team"
	settingRoom = "room"
	actSwitch   = "switch" // the act of each game by which the host sets a house rule
	ruleTeam    = "GEN-E12"
	ruleKeep    = "GEN-010"
)

// Room is the part.
type Room struct {
	table        master.Table
	team         wire.Team // the sheet: what the host has entered about the group
	recordedName string    // the name of the team in the journal of the game
}

// New returns the part.
func New(t master.Table) *Room { return &Room{table: t} }

// savedRoom holds the settings for each group, as the store has them in JSON.
type savedRoom struct {
	Lang     string                          `json:"lang,omitempty"`
	Settings map[string]string               `json:"settings"`
	Rules    map[engine.ID]map[string]string `json:"rules"` // by the game for which they were saved
}

// LoadSettings implements master.Loader. If the store fails the sheet is blank and the game goes on.
func (r *Room) LoadSettings() {
	r.team = wire.Team{}
	if text, ok, err := r.table.Setting(settingTeam); err == nil && ok {
		_ = json.Unmarshal([]byte(text), &r.team)
	}
}

// EventKinds implements master.Recorder.
func (r *Room) EventKinds() []master.EventKind { return []master.EventKind{{Name: kindTeam}} }

// ResetEvents implements master.Recorder.
func (r *Room) ResetEvents() { r.recordedName = "" }

// ApplyEvent implements master.Recorder.
func (r *Room) ApplyEvent(e store.Event) {
	if t := (wire.Team{}); e.Kind == kindTeam && master.DecodeData(e, &t) {
		r.recordedName = t.Name
	}
}

// Acts implements master.Part.
func (r *Room) Acts() []master.Act {
	return []master.Act{
		{Name: ActTeam, Role: wire.RoleOperator, Do: r.setTeam},
		{Name: ActKeep, Role: wire.RoleOwner, Do: r.saveRoom},
	}
}

var offers = []engine.Offer{{Act: ActTeam, Rule: ruleTeam, Aside: true}, {Act: ActKeep, Rule: ruleKeep, Aside: true}}

// AppendOffers implements master.Offerer: the sheet at any time, the room in the lobby.
func (r *Room) AppendOffers(all []engine.Offer) []engine.Offer {
	if r.table.InLobby() {
		return append(all, offers...)
	}
	return append(all, offers[0])
}

// saveRoom saves the current settings of the table for later groups.
func (r *Room) saveRoom(master.Actor, engine.Args) (*wire.Notice, *engine.Reject) {
	t := r.table
	if !t.InLobby() {
		return nil, master.Refuse(engine.NotNow, ruleKeep, "table.room.lobby")
	}
	saved, _ := r.loadRoom()
	saved.Lang = r.team.Lang
	for name := range t.RoomSettings() {
		value, ok, err := t.Setting(name)
		if err != nil {
			return nil, master.Refuse(engine.NotNow, ruleKeep, "table.deck.store")
		}
		if delete(saved.Settings, name); ok {
			saved.Settings[name] = value
		}
	}
	saved.Rules[t.Book().ID()] = t.PublicView().Switches
	text, _ := json.Marshal(saved) // it cannot fail for strings
	if no := t.SetSetting(settingRoom, string(text)); no != nil {
		return nil, no
	}
	return t.StartPassingNotice(engine.NewMsg("table.room.kept")), nil
}

// loadRoom returns the saved settings; false if none were saved.
func (r *Room) loadRoom() (saved savedRoom, ok bool) {
	text, ok, err := r.table.Setting(settingRoom)
	ok = err == nil && ok && json.Unmarshal([]byte(text), &saved) == nil
	if saved.Settings == nil {
		saved.Settings = map[string]string{}
	}
	if saved.Rules == nil {
		saved.Rules = map[engine.ID]map[string]string{}
	}
	return saved, ok
}

// PrepareNextGroup implements master.GroupListener: it restores the saved settings for a group that has not chosen
// any. Without saved settings all stays as it was, except for settings with a default for each group. The sheet
// becomes blank, in the saved language.
func (r *Room) PrepareNextGroup() *engine.Reject {
	saved, ok := r.loadRoom()
	all := r.table.RoomSettings()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value, has := saved.Settings[name]
		if !has || !ok {
			value, has = all[name], all[name] != ""
		}
		if !has {
			continue
		}
		if no := r.table.SetSetting(name, value); no != nil {
			return no
		}
	}
	return r.saveTeam(wire.Team{Lang: saved.Lang})
}

// HandleLobbyOpened implements master.LobbyListener: it restores the saved house rules. A rule that this game no
// longer has is skipped.
func (r *Room) HandleLobbyOpened(author string, _ []wire.Guest) {
	t := r.table
	saved, _ := r.loadRoom()
	wanted := saved.Rules[t.Book().ID()]
	for range len(wanted) { // one rule may only be offered after another is set
		before := t.LastStep()
		for _, o := range t.HostOffers() {
			name := o.Fixed["name"]
			value := wanted[name]
			if o.Act != actSwitch || value == "" || t.PublicView().Switches[name] == value ||
				len(o.Params) != 1 || !slices.Contains(o.Params[0].Domain, value) {
				continue
			}
			_ = t.PlayAct(author, actSwitch, engine.Args{"name": name, o.Params[0].Name: value})
			break // the offers have changed
		}
		if t.LastStep() == before {
			return
		}
	}
}

// HandleGameBegun implements master.BeginListener.
func (r *Room) HandleGameBegun(author string) {
	if r.team != (wire.Team{}) {
		_ = r.recordTeam(author) // if the journal fails, the game is paused
	}
}

// ShowPublic implements master.PublicShower.
func (r *Room) ShowPublic(u *wire.Update) { u.Table.Team, u.Table.Lang = r.team.Name, r.team.Lang }

// ShowHost implements master.HostShower: the whole sheet.
func (r *Room) ShowHost(to *wire.ForHost) {
	t := r.team
	to.Desk.Team = &t
}

// AddToEvening implements master.EveningAdder.
func (r *Room) AddToEvening(e *wire.Evening) { e.Team = r.team.Name }

// AddToFigures implements master.FiguresAdder.
func (r *Room) AddToFigures(f *wire.GameFigures, _ engine.Millis) { f.Team = r.recordedName }

package house

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"majordome/companion/natural"
	"majordome/companion/office"
	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
)

// settingID is who this table is among those of a house.
const settingID = "table.id"

// identify reads who this table is, or draws it at its first start.
func (h *House) identify() error {
	id, ok, err := h.store.Setting(settingID)
	if err == nil && !ok {
		var drawn [8]byte
		_, _ = rand.Read(drawn[:]) // never fails
		id = hex.EncodeToString(drawn[:])
		err = h.store.SetSetting(settingID, id)
	}
	h.id = id
	return err
}

// tablesRow shows whether there are other tables in the house: then there is something to see on the page of all tables.
func (h *House) tablesRow() office.Row {
	return office.Row{Name: "tables", Role: wire.RoleHost, See: func(office.Call) any {
		return slices.ContainsFunc(h.uplinks(), (*uplink.Uplink).Accompanied)
	}}
}

// tables are this table and the others of the house, as everybody sees them.
func (h *House) tables() []byte {
	out := wire.Tables{V: 1, Now: time.Now().UnixMilli(), Line: "none"}
	own := uplink.Other{Name: h.opts.Config.Table, Online: true, Info: uplink.Info{Page: h.network.Page(), Demo: h.opts.Demo}}
	if u := h.public.Load(); u != nil {
		own.State = uplink.StateOf(u)
	}
	out.All = append(out.All, h.shownTable(&own))
	more := map[string]bool{}
	for _, u := range h.uplinks() {
		for _, name := range u.Unshown() {
			more[name] = true
		}
		if out.Twin = out.Twin || u.Twin(); out.Line != "on" {
			out.Line = map[bool]string{true: "on", false: "off"}[u.Status().Connected]
		}
		for _, o := range u.Others() {
			if !slices.ContainsFunc(out.All, func(t wire.HouseTable) bool { return t.Name == o.Name }) { // by one broker or by both
				out.All = append(out.All, h.shownTable(&o))
			}
		}
	}
	slices.SortFunc(out.All[1:], func(a, b wire.HouseTable) int { return natural.Compare(a.Name, b.Name) }) // of several brokers
	for _, t := range out.All {
		delete(more, t.Name)
	}
	if out.More = len(more); out.More > 0 {
		out.Most = len(out.All) - 1
	}
	body, err := json.Marshal(out)
	if err != nil { // only for a type that JSON cannot hold
		panic("house: " + err.Error())
	}
	return body
}

// maxOtherName is how much is shown of a name that another table tells, in characters.
const maxOtherName = 40

func (h *House) shownTable(o *uplink.Other) wire.HouseTable {
	s := &o.State
	t := wire.HouseTable{Name: o.Name, Online: o.Online, Page: o.Info.Page, Demo: o.Info.Demo, Game: s.Game, Phase: s.Phase, Paused: s.Paused, At: s.Clock.At, Of: s.Clock.Of, Players: len(s.Seats)}
	if i := slices.IndexFunc(h.titles, func(n engine.Name) bool { return n.ID == s.Game }); i >= 0 {
		t.Title = h.titles[i].Text
	}
	on := s.Phase != engine.PhaseLobby && s.Result == nil
	for _, x := range s.Seats[:min(len(s.Seats), int(engine.MaxSeats))] {
		name := x.Name
		if r := []rune(name); len(r) > maxOtherName {
			name = string(r[:maxOtherName])
		}
		if on && slices.Contains(s.Turn, x.Seat) {
			t.Turn = append(t.Turn, name)
		}
		if on && !x.Online {
			t.Away = append(t.Away, name)
		}
		if s.Result != nil && slices.Contains(s.Result.Winners, x.Seat) {
			t.Winners = append(t.Winners, name)
		}
	}
	for role, is := range s.Readers {
		if is == "lost" {
			t.Lost = append(t.Lost, role)
		}
	}
	slices.SortFunc(t.Lost, natural.Compare)
	if c := s.Countdown; c != nil {
		t.Count, t.Left, t.Over = true, c.Left, c.Over
		if at, err := time.Parse(time.RFC3339, c.Ends); err == nil {
			t.Ends = at.UnixMilli()
		}
	}
	return t
}

package smarthome

import (
	"encoding/json"
	"slices"
	"time"

	"majordome/companion/natural"
	"majordome/companion/office"
	"majordome/companion/uplink"
	"majordome/companion/wire"
)

// tablesRow returns an office row that shows whether there are other tables in the house; if so, the page of all tables
// is worth a link.
func (s *SmartHome) tablesRow() office.Row {
	return office.Row{Name: "tables", Role: wire.RoleHost, Show: func(office.Call) any {
		return slices.ContainsFunc(s.brokerConnections(), (*uplink.Uplink).HasOthers)
	}}
}

// EncodeTables returns this table and the others of the house as all players see them, as the JSON of wire.Tables.
func (s *SmartHome) EncodeTables() []byte {
	out := wire.Tables{V: 1, Now: time.Now().UnixMilli(), Line: "none"}
	own := uplink.Other{Name: s.opts.Config.Table, Online: true, Info: uplink.Info{Page: s.opts.Network.DisplayURL(), Demo: s.opts.Demo}}
	if u := s.lastPublic.Load(); u != nil {
		own.State = uplink.StateOf(u)
	}
	out.All = append(out.All, own.HouseTable(s.opts.Titles))
	more := map[string]bool{}
	for _, u := range s.brokerConnections() {
		for _, name := range u.UnshownNames() {
			more[name] = true
		}
		if out.Twin = out.Twin || u.HasTwin(); out.Line != "on" {
			out.Line = map[bool]string{true: "on", false: "off"}[u.Status().Connected]
		}
		for _, o := range u.OtherTables() {
			// a table may be known from both brokers
			if !slices.ContainsFunc(out.All, func(t wire.HouseTable) bool { return t.Name == o.Name }) {
				out.All = append(out.All, o.HouseTable(s.opts.Titles))
			}
		}
	}
	slices.SortFunc(out.All[1:], func(a, b wire.HouseTable) int { return natural.Compare(a.Name, b.Name) }) // from several brokers
	for _, t := range out.All {
		delete(more, t.Name)
	}
	if out.More = len(more); out.More > 0 {
		out.Most = len(out.All) - 1
	}
	body, err := json.Marshal(out)
	if err != nil { // only for a type that JSON cannot encode
		panic("smarthome: " + err.Error())
	}
	return body
}

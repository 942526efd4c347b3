package play

import (
	"fmt"
	"maps"
	"reflect"

	"majordome/engine"
	"majordome/engine/chance"
)

// CheckNeutralRefusal returns an error if the public message of a refusal reveals a secret. The table
// must receive what it would receive for a failed reading, or for an act that names no card
// (GEN-004). A repeated card causes silence (GEN-E04), and the alarm is the same for every card
// (GEN-E13).
func CheckNeutralRefusal(g engine.Game, c engine.Command, r *engine.Reject) error {
	if r.Rule == "GEN-E04" && r.Public.IsEmpty() {
		return nil
	}
	for _, alarm := range []engine.Msg{engine.NewMsg("gen.alarm"), engine.NewMsg("gen.alarm.deal")} {
		if r.Rule == engine.RuleAlarm && reflect.DeepEqual(r.Public, alarm) && reflect.DeepEqual(r.Why, alarm) && r.To == 0 {
			return nil
		}
	}
	want := new(engine.Reject) // an act without a card: only the player who acted receives the reason
	bad := engine.ScanCommand(c.At, c.Args["reader"], nil, 0)
	if c.Act != engine.ActScan {
		bad = c
		bad.Args = maps.Clone(c.Args)
	}
	if c.Args["card"] != "" {
		bad.Args["card"] = "no-card"
	}
	if c.Args["card"] != "" || c.Act == engine.ActScan {
		if _, want = g.Decide(bad, chance.New(1)); want == nil {
			return fmt.Errorf("%s of no card is accepted", c.Act)
		}
	}
	if !reflect.DeepEqual(r.Public, want.Public) {
		return fmt.Errorf("the table can tell the refusal of %s by %s from a bad reading: %+v, not %+v",
			c.Act, r.Rule, r.Public, want.Public)
	}
	return nil
}

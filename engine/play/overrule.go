package play

import (
	"maps"

	"majordome/engine"
	"majordome/engine/chance"
)

// NewRandomOverruler returns an Opts.WantedCommand with which the host overrules the rules in one of
// onceIn choices: by any such act that is offered, with any of its arguments. Run itself never
// chooses such an act.
func NewRandomOverruler(seed uint64, onceIn int) func(engine.Game) (engine.Command, bool) {
	dice := chance.New(seed ^ 0x0e11)
	return func(g engine.Game) (c engine.Command, ok bool) {
		if dice.Intn(onceIn) > 0 {
			return c, false
		}
		var all []engine.Command
		for _, o := range OffersOf(g, engine.Host) {
			if !o.Overrule {
				continue
			}
			EachArgs(o, func(args engine.Args) {
				all = append(all, engine.Command{By: engine.Host, Act: o.Act, Args: maps.Clone(args)})
			})
		}
		if len(all) == 0 {
			return c, false
		}
		return all[dice.Intn(len(all))], true
	}
}

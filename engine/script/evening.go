package script

import (
	"errors"

	"majordome/engine"
)

// ErrNoEvening reports that a script is not one that Export has written.
var ErrNoEvening = errors.New("script: not an exported evening")

// Evening returns the commands of an exported evening, each with its seed, salt and joint seed, and the outcome that it had. Of
// a refusal only code and rule are known. It returns ErrNoEvening for a script that sets up a position or does
// anything else than an exported one.
func (s *Script) Evening() (e Evening, err error) {
	e = Evening{Title: s.Title, Game: s.Game, Players: s.Players}
	if len(s.scenes) != 1 || len(s.scenes[0].given) > 0 {
		return e, ErrNoEvening
	}
	next := PlayedCommand{Reseed: true, Seed: s.scenes[0].seed}
	for _, st := range s.scenes[0].steps {
		switch st.kind {
		case stepSeed:
			next.Reseed, next.Seed = true, st.seed
		case stepSalt:
			next.Salt = st.salt
		case stepJoint:
			next.Joint = st.salt
		case stepClock:
			next.Command.At = st.millis
		case stepCommand:
			played, at := next, next.Command.At
			played.Command = st.command
			played.Command.At = at
			if o := st.outcome; o.line != 0 && !o.accepted {
				played.Reject = &engine.Reject{Code: o.code, Rule: o.rule}
			}
			e.Played = append(e.Played, played)
			next = PlayedCommand{Command: engine.Command{At: at}}
		default:
			return e, ErrNoEvening
		}
	}
	return e, nil
}

package venue

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
)

// AnswerTime is the time in which a table has to answer a command.
const AnswerTime = 5 * time.Second

// Limits of acts.
const (
	maxActs  = 8    // kept of each table
	maxWhy   = 400  // bytes of a reason, in each language
	maxAdded = 3600 // seconds that a countdown is given or loses at once
	maxHint  = 1000 // bytes
)

// Command is a message that makes a table do an act.
type Command struct {
	Topic   string
	Payload []byte
}

// act is an act at one table.
type act struct {
	wire.VenueAct
	id string
	by time.Time // the answer has to come before
}

// errBadAct is the refusal of an act that no table knows.
var errBadAct = wire.NewRefusal("table.unknown")

// Act begins an act of a person at some tables and returns the commands to send, and the number of the act. It is a
// wire.Refusal if the act is none, or if there is no such table. The acts and their arguments:
//
//	pause, resume, alarm, next
//	light      to: white, dark or game
//	countdown  seconds, less than 0 to take time away
//	hint       to: all or display; text
func (v *Venue) Act(now time.Time, by string, tables []string, name string, args engine.Args) (all []Command, round int64, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	id := fmt.Sprintf("%d.%d", v.opts.Start, v.rounds+1)
	command, payload, err := encodeCommand(id, senderName(by), name, args)
	if err != nil {
		return nil, 0, err
	}
	var at []*table
	for _, name := range tables {
		if t := v.tables[name]; t != nil && t.isUnderstood {
			at = append(at, t)
		}
	}
	if len(at) == 0 {
		return nil, 0, errBadAct
	}
	v.rounds++
	for _, t := range at {
		t.acts = append(t.acts, act{wire.VenueAct{Round: v.rounds, Act: name, By: by, State: wire.ActPending}, id, now.Add(AnswerTime)})
		t.acts = t.acts[max(0, len(t.acts)-maxActs):]
		all = append(all, Command{v.CommandTopic(t.row.Name, command), payload})
	}
	return all, v.rounds, nil
}

// Tables returns the names of all tables that are online and execute commands, for an act at all of them.
func (v *Venue) Tables() (all []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for name, t := range v.tables {
		if t.isUnderstood && t.row.Online && t.commands {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// encodeCommand returns the command for an act, and its payload.
func encodeCommand(id, by, act string, args engine.Args) (command string, payload []byte, err error) {
	var x any
	switch command = act; act {
	case "pause":
		x = uplink.Pause{ID: id, By: by, On: true}
	case "resume":
		command, x = "pause", uplink.Pause{ID: id, By: by}
	case "alarm":
		x = uplink.Alarm{ID: id, By: by}
	case "next":
		x = uplink.Next{ID: id, By: by}
	case "light":
		if !slices.Contains([]string{wire.LightWhite, wire.LightDark, wire.LightGame}, args["to"]) {
			return "", nil, errBadAct
		}
		x = uplink.Light{ID: id, By: by, To: args["to"]}
	case "countdown":
		n, err := strconv.Atoi(args["seconds"])
		if err != nil || n < -maxAdded || n > maxAdded || n == 0 {
			return "", nil, errBadAct
		}
		x = uplink.Adjust{ID: id, By: by, Seconds: n}
	case "hint":
		text := strings.TrimSpace(args["text"])
		if args["to"] != "all" && args["to"] != "display" || text == "" || len(text) > maxHint {
			return "", nil, errBadAct
		}
		x = uplink.Advise{ID: id, By: by, To: args["to"], Text: text}
	default:
		return "", nil, errBadAct
	}
	payload, err = json.Marshal(x)
	return command, payload, err
}

// senderName returns the name of a person as the sender of a command, which has only lower-case letters, digits and hyphens.
func senderName(person string) string {
	name := strings.Map(func(r rune) rune {
		if r == ' ' {
			r = '-'
		}
		if r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(person))
	if name = strings.Trim("venue-"+name, "-"); len(name) > 31 {
		name = name[:31]
	}
	return name
}

// handleAnswer notes the answer of the table to an act.
func (t *table) handleAnswer(payload []byte) {
	var a uplink.Answer
	if json.Unmarshal(payload, &a) != nil || a.ID == "" {
		return
	}
	i := slices.IndexFunc(t.acts, func(x act) bool { return x.id == a.ID })
	if i < 0 {
		return
	}
	x := &t.acts[i]
	switch a.Result {
	case uplink.Done:
		x.State, x.Why = wire.ActDone, nil
	case uplink.Omitted:
		x.State, x.Why = wire.ActOmitted, &engine.Text{}
		if a.Why != nil {
			*x.Why = engine.T(cutBytes(a.Why.FR), cutBytes(a.Why.EN))
		}
	}
}

// cutBytes returns a text of at most maxWhy bytes.
func cutBytes(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxWhy)], "") }

// expireActs makes acts unknown for which the answer has not come, and reports whether there was one.
func (t *table) expireActs(now time.Time) (changed bool) {
	for i := range t.acts {
		if a := &t.acts[i]; a.State == wire.ActPending && !now.Before(a.by) {
			a.State, changed = wire.ActUnknown, true
		}
	}
	return changed
}

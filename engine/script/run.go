package script

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/ownfile"
)

// maxFailures is the number of failures that a report keeps.
const maxFailures = 40

// maxDeadlines is the number of deadlines that may come in one wait. More means a rulebook with a deadline
// that does not go away.
const maxDeadlines = 100

// viewState is the view of one viewer at one moment.
type viewState struct {
	view engine.View
	json []byte
}

// moment has the view of each viewer after a step.
type moment map[engine.Viewer]viewState

// savedMoment is a state of the game to which a back line returns.
type savedMoment struct {
	game   engine.Game
	events []engine.Event
	dice   chance.Dice
	clock  engine.Millis
}

// sceneRun plays one scene of a script.
type sceneRun struct {
	script *Script
	scene  *scene
	book   engine.Rulebook
	deck   map[engine.ID]int // index of each id in the deck
	report *Report

	game            engine.Game
	events          []engine.Event // that led to game
	dice            *chance.Dice
	clock           engine.Millis
	marks           map[string]savedMoment
	before, now     moment
	neverSeen       []expectation
	keepsInvariants bool           // the position keeps the invariants of the rules
	reject          *engine.Reject // of the last step
	actor           engine.Viewer
	after           int              // line of the last step, 0 in a position
	line            int              // line being played or checked
	edits           map[int][]string // new text by line number; nil: nothing is rewritten
}

// Run plays a script with the rulebook of its game. A panic of the engine is a failure in the report; Run
// does not panic because of it.
func Run(s *Script, books ...engine.Rulebook) Report { return playScript(s, nil, books) }

func playScript(s *Script, edits map[int][]string, books []engine.Rulebook) Report {
	report := Report{Script: s.Name}
	i := slices.IndexFunc(books, func(b engine.Rulebook) bool { return b.ID() == s.Game })
	if i < 0 {
		var ids []string
		for _, b := range books {
			ids = append(ids, string(b.ID()))
		}
		report.addFailure(Failure{Line: 1, Text: "game " + string(s.Game),
			Notes: []string{formatNote("jeu inconnu ; il y a", "this game is not known; there are", strings.Join(ids, ", "))}})
		return report
	}
	deck, names := map[engine.ID]int{}, engine.NamesUnderHouseRules(books[i], books[i].NewGame().View(engine.Public).Switches)
	for n, name := range append(names, engine.NamesOfPawns(names)...) {
		deck[name.ID] = n
	}
	if reportUnknownIDs(s, deck, &report); len(report.Failures) > 0 {
		return report
	}
	for n := range s.scenes {
		r := &sceneRun{script: s, scene: &s.scenes[n], book: books[i], deck: deck, report: &report,
			marks: map[string]savedMoment{}, edits: edits}
		report.Scenes++
		r.playScene()
	}
	return report
}

// playScene plays the scene to its end, or to the first step after which the rest means nothing.
func (r *sceneRun) playScene() {
	r.line = r.scene.line
	defer func() {
		if cause := recover(); cause != nil {
			r.addFailure("", "", "", formatNote("le moteur a paniqué", "the engine panicked", fmt.Sprint(cause)))
		}
	}()
	r.dice = chance.New(r.scene.seed)
	if !r.setUpPosition() {
		return
	}
	r.keepsInvariants = r.checkInvariants() == nil
	r.updateAndCheckViews()
	r.checkExpectations(r.scene.start)
	for i := range r.scene.steps {
		st := &r.scene.steps[i]
		r.line, r.after, r.reject = st.line, st.line, nil
		if !r.runStep(st) {
			return
		}
		r.updateAndCheckViews()
		r.checkExpectations(st.expect)
	}
	r.checkReplay()
}

// checkReplay checks that all events of the scene, applied together, lead to the same views.
func (r *sceneRun) checkReplay() {
	g := r.book.NewGame().Apply(r.events...)
	for v, was := range r.now {
		if data, _ := json.Marshal(g.View(v)); !bytes.Equal(data, was.json) {
			r.addFailure(v.String(), "", "", "tous les événements d’un coup mènent ailleurs · all events at once lead elsewhere")
		}
	}
}

const impossiblePosition = "cette position ne peut pas être posée · this position cannot be set up"

// setUpPosition sets up the position of the scene and reports whether it could.
func (r *sceneRun) setUpPosition() (isSetUp bool) {
	r.game = r.book.NewGame()
	if len(r.scene.given) == 0 {
		return true
	}
	r.line = r.scene.given[0].Line
	events, err := r.book.BuildPosition(r.scene.given)
	if f := (*ownfile.Fault)(nil); errors.As(err, &f) {
		r.line = cmp.Or(f.Line, r.line)
		r.addFailure("", "", "", impossiblePosition, r.replaceSeatsByNames(f.TextWithoutPlace().FR),
			r.replaceSeatsByNames(f.TextWithoutPlace().EN))
		return false
	}
	if err != nil {
		r.addFailure("", "", "", impossiblePosition+": "+err.Error())
		return false
	}
	return r.applyEvents(events)
}

// applyEvents applies the events of a command together, as the table does, after encoding and decoding each
// one as the store does.
func (r *sceneRun) applyEvents(events []engine.Event) (applied bool) {
	stored := make([]engine.Event, len(events))
	for i, ev := range events {
		kind := ev.Kind()
		data, err := r.book.EncodeEvent(ev)
		if err == nil {
			stored[i], err = r.book.DecodeEvent(kind, data)
		}
		if err != nil {
			r.addFailure("", "", "",
				formatNote("cet événement ne se relit pas", "this event does not survive the store", kind+": "+err.Error()))
			return false
		}
	}
	r.game, r.events = r.game.Apply(stored...), append(r.events, stored...)
	if err := r.checkInvariants(); err != nil && r.keepsInvariants {
		r.addFailure("", "", "", formatNote("un invariant des règles est rompu", "an invariant of the rules is broken", err.Error()))
		return false
	}
	return true
}

// checkInvariants returns the invariant of the rules that the game says is broken; nil if there is none, or
// if the game has no method that checks them.
func (r *sceneRun) checkInvariants() error {
	if g, ok := r.game.(interface{ CheckInvariants() error }); ok {
		return g.CheckInvariants()
	}
	return nil
}

// runStep runs one step and checks its outcome. It returns false if the scene cannot go on.
func (r *sceneRun) runStep(st *step) (goOn bool) {
	r.report.Steps++
	switch st.kind {
	case stepSeed:
		r.dice = chance.New(st.seed)
	case stepSalt, stepJoint:
	case stepClock:
		r.clock = st.millis
	case stepMark:
		r.marks[st.mark] = savedMoment{r.game, slices.Clip(r.events), *r.dice, r.clock}
	case stepBack:
		s := r.marks[st.mark]
		r.game, r.events, r.clock = s.game, s.events, s.clock
		*r.dice = s.dice
	case stepWait:
		return r.runWait(st)
	case stepCommand:
		command := st.command
		command.At = r.clock
		r.actor = command.By
		events, reject := r.game.Decide(command, r.dice)
		r.reject = reject
		return r.checkOutcome(st, events)
	}
	return true
}

// checkOutcome compares the outcome of a command with the expected one, and applies its events. It returns
// false if the scene cannot go on.
func (r *sceneRun) checkOutcome(st *step, events []engine.Event) (goOn bool) {
	want, came := "accepted", outcomeText(r.reject)
	if o := st.outcome; o.line != 0 && !o.accepted {
		want = "refused " + string(o.code) + " " + o.rule
		r.line = o.line
	}
	r.report.Checks++
	if want != came && r.edits != nil {
		r.rewriteOutcome(st, came)
	} else if want != came {
		notes := []string{}
		if r.reject != nil {
			notes = append(notes, formatRow("raison", "why", r.replaceSeatsByNames(messageText(r.reject.Why))),
				formatRow("tous", "public", r.replaceSeatsByNames(messageText(r.reject.Public))))
		}
		r.addFailure("", want, came, notes...)
		return false
	}
	return r.applyEvents(events) // a refusal can have events too: an alarm stops a deal
}

func outcomeText(reject *engine.Reject) string {
	if reject == nil {
		return "accepted"
	}
	return "refused " + string(reject.Code) + " " + reject.Rule
}

// runWait lets the time of the step pass; each deadline comes at its moment. It returns false if the scene
// cannot go on.
func (r *sceneRun) runWait(st *step) (goOn bool) {
	end := r.clock + st.millis
	r.actor = engine.Public
	came := 0
	for ; came <= maxDeadlines; came++ {
		due, ok := earliestDeadline(r.game.Deadlines(), end)
		if !ok {
			break
		}
		r.clock = max(r.clock, due.At)
		events, reject := r.game.Decide(engine.Command{At: r.clock, Act: engine.ActDeadline,
			Args: engine.Args{"id": due.ID}}, r.dice)
		if reject != nil {
			r.reject = reject
			r.addFailure("", "deadline "+due.ID+", accepted", outcomeText(reject))
			return false
		}
		if !r.applyEvents(events) {
			return false
		}
	}
	r.clock = end
	r.report.Checks++
	switch {
	case came > maxDeadlines:
		r.addFailure("", "", "",
			"plus de 100 échéances : l’une d’elles ne s’en va pas · more than 100 deadlines came: one of them does not go away")
		return false
	case came == 0 && st.outcome.accepted:
		r.addFailure("", "une échéance · a deadline", nothing)
		return false
	}
	return true
}

// earliestDeadline returns the earliest deadline up to end; among equals, the first listed.
func earliestDeadline(list []engine.Deadline, end engine.Millis) (due engine.Deadline, ok bool) {
	for _, d := range list {
		if d.At <= end && (!ok || d.At < due.At) {
			due, ok = d, true
		}
	}
	return due, ok
}

// updateAndCheckViews builds the views of all viewers after a step. It checks what is true of every view
// and every offer (doc.go, What every run checks), and the never lines so far.
func (r *sceneRun) updateAndCheckViews() {
	r.before = r.now
	r.now = moment{}
	public := r.game.View(engine.Public)
	viewers := []engine.Viewer{engine.Public, engine.Host}
	for _, s := range public.Seats {
		viewers = append(viewers, engine.SeatViewer(s.Seat))
	}
	for _, v := range viewers {
		view := public
		if v != engine.Public {
			view = r.game.View(v)
		}
		data, err := json.Marshal(view)
		if err != nil {
			r.addFailure(v.String(), "", "", formatNote("la vue ne peut pas être écrite", "the view cannot be marshalled", err.Error()))
		}
		r.now[v] = viewState{view, data}
		for _, problem := range slices.Concat(r.checkView(v, r.now[v]), r.checkOffers(v, view.Offers),
			r.checkAnnouncedRefusals(v, view.Offers)) {
			r.addFailure(v.String(), "", "", problem)
		}
	}
	line := r.line
	for _, e := range r.neverSeen {
		r.line = e.line
		r.checkExpectation(e)
	}
	r.line = line
}

// checkExpectations checks the lines below a step, or those about the position.
func (r *sceneRun) checkExpectations(list []expectation) {
	for _, e := range list {
		r.line = e.line
		switch e.verb {
		case verbDeadlines:
			var ids []string
			for _, d := range r.game.Deadlines() {
				ids = append(ids, d.ID)
			}
			r.report.Checks++
			if d := compareList(e.words, ids); d != nil && !r.rewriteLine(e, []engine.Viewer{engine.Public}, []*difference{d}) {
				r.addFailure("", d.want, d.got, d.notes...)
			}
			continue
		case verbTold:
			if r.reject == nil { // accepted although a refusal was expected: only a rewrite comes here
				if r.edits != nil {
					r.edits[e.line] = nil
				}
				continue
			}
		case verbNever:
			r.neverSeen = append(r.neverSeen, e)
		}
		r.checkExpectation(e)
	}
}

// checkExpectation checks one line for every viewer of its audience. Viewers for whom it fails in the same
// way share one failure.
func (r *sceneRun) checkExpectation(e expectation) {
	viewers, problem := r.audienceViewers(e.who)
	if problem != "" {
		r.addFailure("", "", "", problem)
	}
	differences := make([]*difference, len(viewers))
	for i, v := range viewers {
		r.report.Checks++
		if e.verb == verbTold {
			differences[i] = compareMessage(e.words, []engine.Msg{r.refusalFor(v)})
		} else {
			differences[i] = r.compareView(e, v)
		}
	}
	if r.rewriteLine(e, viewers, differences) {
		return
	}
	type kind struct{ want, came, notes string }
	var kinds []kind
	who := map[kind][]string{}
	for i, v := range viewers {
		d := differences[i]
		if d == nil {
			continue
		}
		k := kind{d.want, d.got, strings.Join(d.notes, "\n    ")}
		if who[k] == nil {
			kinds = append(kinds, k)
		}
		who[k] = append(who[k], v.String())
	}
	for _, k := range kinds {
		r.addFailure(strings.Join(who[k], ", "), r.replaceSeatsByNames(k.want), r.replaceSeatsByNames(k.came),
			r.replaceSeatsByNames(k.notes))
	}
}

// refusalFor returns what the last refusal says to v: the public words to the table, the true reason to the
// seat or host that it concerns, else nothing.
func (r *sceneRun) refusalFor(v engine.Viewer) engine.Msg {
	if r.reject == nil {
		return engine.Msg{}
	}
	to := r.actor
	if r.reject.To.IsValid() {
		to = engine.SeatViewer(r.reject.To)
	}
	switch v {
	case engine.Public:
		return r.reject.Public
	case to:
		return r.reject.Why
	default:
		return engine.Msg{}
	}
}

// audienceViewers returns the members of an audience at this moment, in table order.
func (r *sceneRun) audienceViewers(a audience) (list []engine.Viewer, problem string) {
	if a.public {
		list = append(list, engine.Public)
	}
	if a.host {
		list = append(list, engine.Host)
	}
	taken := r.now[engine.Public].view.Seats
	for _, s := range a.named {
		if !slices.ContainsFunc(taken, func(sv engine.SeatView) bool { return sv.Seat == s }) {
			problem = formatNote("personne n’est assis à", "nobody sits at", s.String())
		}
	}
	for _, sv := range taken {
		if slices.Contains(a.named, sv.Seat) != a.seats {
			list = append(list, engine.SeatViewer(sv.Seat))
		}
	}
	if len(list) == 0 && problem == "" {
		problem = "ce public est vide : la ligne ne vérifierait rien · this audience is empty, so the line would check nothing"
	}
	return list, problem
}

// addFailure adds a failure at the line being checked.
func (r *sceneRun) addFailure(viewer, want, got string, notes ...string) {
	f := Failure{Line: r.line, Text: r.lineText(r.line), Scene: r.scene.title, Viewer: r.replaceSeatsByNames(viewer), Want: want,
		Got: got, Notes: notes}
	if r.after != r.line && r.after > 0 {
		f.After = strconv.Itoa(r.after) + ": " + r.lineText(r.after)
	}
	r.report.addFailure(f)
}

func (r *sceneRun) lineText(line int) string {
	if line < 1 || line > len(r.script.source) {
		return ""
	}
	return strings.TrimSpace(r.script.source[line-1])
}

// replaceSeatsByNames replaces seats by the names of players.
func (r *sceneRun) replaceSeatsByNames(text string) string {
	for i := len(r.script.Players); i > 0; i-- { // seat-10 before seat-1
		text = strings.ReplaceAll(text, engine.Seat(i).String(), r.script.Players[i-1])
	}
	return text
}

package table

import (
	"slices"
	"strconv"

	"majordome/companion/enrol"
	"majordome/companion/wire"
	"majordome/engine"
)

// Tagger keeps which tag is which card. What it has changed the readers know at once. It is called by the loop's goroutine.
type Tagger interface {
	enrol.Shelf
	// List is what a list of wire.Enrol asks for; names are those of the game on the table.
	List(list string, game engine.ID, names engine.Names) enrol.Opts
	// Number is a tag's as readers write it; ok is false for what is none.
	Number(typed string) (uid string, ok bool)
	// Enrolled are the cards that have a tag.
	Enrolled() []engine.ID
	// Apart: there is a reader beside the game for this, and it answers.
	Apart() bool
}

// The acts of an enrolment.
const (
	actEnrol     = "enrol"      // begins one: args list, need, all
	actEnrolEnd  = "enrol-end"  // ends it
	actEnrolPick = "enrol-pick" // asks for a card
	actEnrolDo   = "enrol-do"   // args do: a word of package enrol
	actEnrolFile = "enrol-file" // args do: show or hide the list of all tags; read, take or drop one that was pasted
)

const (
	fileShow = "show"
	fileHide = "hide"
	fileRead = "read"
	fileTake = "take"
	fileDrop = "drop"

	pasteTags = "tags"
)

// maxFile is the longest list of tags that is shown in an update: 300 of them.
const maxFile = 12 << 10

// enrolment is an open session: in the lobby it has all tags of all readers, and none reaches the game; in a game the next
// tag of no card alone.
type enrolment struct {
	*enrol.Session
	list   string
	opts   enrol.Opts
	failed bool // the last change was not kept
	file   string
}

func (c *core) enrol(args engine.Args) (*wire.Notice, *engine.Reject) {
	list := args["list"]
	if c.Tags == nil || !slices.Contains(c.enrolLists(), list) {
		return nil, refuse(engine.NotNow, "GEN-E08", "table.unknown")
	}
	o := c.Tags.List(list, c.book.ID(), c.book.Names())
	o.All, o.Playing, o.Need = args["all"] == yes, list == wire.EnrolSpare, 1
	if args["need"] == "2" {
		o.Need = 2
	}
	s, err := enrol.Open(c.Tags, o)
	if err != nil {
		return nil, c.unkept(err)
	}
	c.endEnrol()
	c.enrolment = &enrolment{Session: s, list: list, opts: o}
	if !o.Playing {
		c.inventory = nil
		clear(c.windows)
	}
	c.enrolling.Store(!o.Playing)
	return nil, nil
}

func (c *core) unkept(err error) *engine.Reject {
	c.Log.Error("the tags are not kept", "cause", err, "conseil", "les puces n’ont pas été enregistrées : vérifiez la carte mémoire")
	return refuse(engine.NotNow, "GEN-E08", "table.enrol.store")
}

// endEnrol ends an enrolment, if one is open.
func (c *core) endEnrol() {
	if c.enrolment != nil {
		c.enrolment = nil
		c.Opts.Enrolled = c.Tags.Enrolled()
	}
	c.enrolling.Store(false)
}

// blank reports that a new box is to be enrolled: in a lobby, with readers, none of its cards has a tag.
func (c *core) blank() bool {
	return c.Tags != nil && c.inLobby() && !slices.ContainsFunc(c.book.Names(), func(n engine.Name) bool { return n.IsCard() && slices.Contains(c.Enrolled, n.ID) })
}

func (c *core) enrolEnd(engine.Args) (*wire.Notice, *engine.Reject) {
	c.endEnrol()
	return nil, nil
}

// enrolled does an act within an enrolment.
func (c *core) enrolled(do func(*enrolment) error) *engine.Reject {
	e := c.enrolment
	if e == nil {
		return refuse(engine.NotNow, "GEN-E08", "table.unknown")
	}
	e.failed, e.file = false, ""
	switch err := do(e); err {
	case nil:
		return nil
	case enrol.ErrNot:
		return refuse(engine.NotNow, "GEN-E08", "table.unknown")
	default:
		return c.unkept(err)
	}
}

func (c *core) enrolPick(args engine.Args) (*wire.Notice, *engine.Reject) {
	return nil, c.enrolled(func(e *enrolment) error { return e.Pick(engine.ID(args["card"])) })
}

func (c *core) enrolDo(args engine.Args) (*wire.Notice, *engine.Reject) {
	return nil, c.enrolled(func(e *enrolment) error { return e.Do(args["do"]) })
}

func (c *core) enrolFile(args engine.Args) (*wire.Notice, *engine.Reject) {
	return nil, c.enrolled(func(e *enrolment) error {
		if e.opts.Playing {
			return enrol.ErrNot
		}
		switch args["do"] {
		case fileShow:
			if e.file = e.Export(); len(e.file) > maxFile {
				e.file = ""
				return enrol.ErrNot
			}
		case fileHide:
		case fileRead:
			e.Read(c.pasted(pasteTags), c.Tags.Number)
		case fileTake:
			return e.Take()
		case fileDrop:
			e.Drop()
		default:
			return enrol.ErrNot
		}
		return nil
	})
}

// enrolLists are those that can be opened now.
func (c *core) enrolLists() []string {
	if !c.inLobby() {
		return []string{wire.EnrolSpare}
	}
	return []string{wire.EnrolCards, wire.EnrolPawns, wire.EnrolControls}
}

// enrolOffers are the host's. In the lobby a session is not in the way of anything but cards.
func (c *core) enrolOffers() []engine.Offer {
	if c.Tags == nil {
		return nil
	}
	o := engine.Offer{Act: actEnrol, Rule: "GEN-E08", Aside: true, Params: []engine.Param{{Name: "list", Kind: "value", Domain: c.enrolLists()}}}
	if c.inLobby() {
		o.Params = append(o.Params, engine.Param{Name: "need", Kind: "value", Domain: []string{"1", "2"}}, engine.Param{Name: "all", Kind: "value", Domain: []string{no, yes}})
	}
	all := []engine.Offer{o}
	e := c.enrolment
	if e == nil {
		return all
	}
	value := func(act, name string, domain ...string) {
		if len(domain) > 0 {
			all = append(all, engine.Offer{Act: act, Rule: "GEN-E08", Aside: true, Params: []engine.Param{{Name: name, Kind: "value", Domain: domain}}})
		}
	}
	var cards []string
	for _, n := range e.opts.Cards {
		cards = append(cards, string(n.ID))
	}
	value(actEnrolPick, "card", cards...)
	value(actEnrolDo, "do", e.May()...)
	if !e.opts.Playing {
		files := []string{fileShow, fileHide, fileRead, fileDrop}
		if r := e.State().Read; r != nil && len(r.Faults) == 0 {
			files = append(files, fileTake)
		}
		value(actEnrolFile, "do", files...)
	}
	return append(all, engine.Offer{Act: actEnrolEnd, Rule: "GEN-E08", Aside: true})
}

// takes gives an open enrolment what a reader has seen, and returns what is left for the game. apart is of the reader beside it.
func (c *core) takes(reader string, tags []Tag, found, apart bool) (left []Tag, all bool) {
	e := c.enrolment
	switch {
	case e == nil:
		return tags, false
	case !e.opts.Playing && (found || len(tags) == 0):
		return nil, true
	case e.opts.Playing && (found || c.scene != nil || c.paused != nil || ofPlace(reader) || !apart && c.Tags.Apart()):
		return tags, false
	}
	var uids []string
	for _, t := range tags[:min(len(tags), maxTags)] {
		if e.opts.Playing && (t.Card != "" || !e.Takes(t.UID)) { // a card is the game's alone
			left = append(left, t)
			continue
		}
		uids = append(uids, t.UID)
	}
	if len(uids) == 0 {
		return tags, false
	}
	e.file = ""
	err := e.Lay(uids)
	if e.failed = err != nil; e.failed {
		c.unkept(err)
	}
	c.publish(notices{public: c.enrolTold(reader)})
	return left, len(left) == 0
}

// enrolTold is what everybody hears of a tag that was laid. It depends on the tag alone, and names no card.
func (c *core) enrolTold(reader string) *wire.Notice {
	n := &wire.Notice{Msg: engine.Say("table.enrol.look"), Rule: "GEN-E08", Signal: signalAgain, Reader: reader}
	switch c.enrolment.State().Last.What {
	case enrol.Kept:
		n.Msg, n.Signal = engine.Say("table.accepted"), signalAccepted
		if c.enrolment.opts.Playing { // a copy is a copy: nobody makes one in silence
			n.Msg = engine.Say("table.enrol.spare")
		}
	case enrol.Same, enrol.Known:
		n.Msg, n.Signal = engine.Say("table.accepted"), signalAccepted
	}
	if c.enrolment.failed {
		n.Msg, n.Signal = engine.Say("table.enrol.look"), signalAgain
	}
	return n
}

// shownEnrol is the enrolment as the host sees it. A game that begins ends one of the lobby, and a new lobby that of a game.
func (c *core) shownEnrol() *wire.Enrol {
	e := c.enrolment
	if e == nil {
		return nil
	}
	if !slices.Contains(c.enrolLists(), e.list) {
		c.endEnrol()
		return nil
	}
	s := e.State()
	u := &wire.Enrol{List: e.list, Need: e.opts.Need, Apart: c.Tags.Apart(), Asked: s.Asked, Next: s.Next, Picked: s.Picked, Of: len(s.Cards), Short: []engine.ID{},
		Last: s.Last.What, Tag: s.Last.UID, Card: s.Last.Card, Unknown: s.Unknown, Conflict: s.Conflict.UID != "", File: e.file}
	if e.failed {
		u.Last = "failed"
	}
	if s.Last.Why != (engine.Text{}) {
		u.Why = &s.Last.Why
	}
	if e.opts.Playing { // who has how many tags says nothing of the game, and is nobody's business in it
		return u
	}
	u.Tags = s.Tags
	for _, n := range s.Cards {
		if n.Tags > 0 {
			u.Tagged++
		}
		if n.Tags < e.opts.Need {
			u.Short = append(u.Short, n.Card)
		}
	}
	if s.Read != nil {
		u.Read = &wire.EnrolRead{New: s.Read.New, Same: s.Read.Same, Moved: s.Read.Moved}
		for _, f := range s.Read.Faults.First(maxFaults) {
			u.Read.Faults = append(u.Read.Faults, wire.FileFault{Line: f.Line, Said: f.Said()})
		}
	}
	return u
}

// maxFaults is how many faults of a text of the host's are sent, and one more that counts the rest.
const maxFaults = 8

// paper is a text of the host's that comes piece by piece.
type paper struct {
	of   string
	text []byte
}

// maxPaper bounds it.
const maxPaper = enrol.MaxList

// paste takes a piece. One that does not follow is refused, and the page begins anew.
func (c *core) paste(args engine.Args) (*wire.Notice, *engine.Reject) {
	if args["at"] == "0" {
		c.paper = paper{of: args["of"]}
	}
	at := len(c.paper.text)
	if args["of"] != c.paper.of || args["at"] != strconv.Itoa(at) {
		return nil, refuse(engine.NotNow, "GEN-E08", "table.paste.again")
	}
	if at+len(args["text"]) > maxPaper {
		c.paper = paper{}
		return nil, refuse(engine.Forbidden, "GEN-E08", "table.paste.long")
	}
	c.paper.text = append(c.paper.text, args["text"]...)
	return nil, nil
}

// pasted is what has come, once.
func (c *core) pasted(of string) (text string) {
	if c.paper.of == of {
		text = string(c.paper.text)
	}
	c.paper = paper{}
	return text
}

package engine

// Views are those of everybody at the table at one moment, and not that of the overseer, which is made
// when it is asked for. What is public they share: nobody may change a list or a map of one.
type Views struct {
	Public View
	Host   Part
	Seats  []Part // of the seats where somebody sits, in table order
}

// Part is what one viewer sees in the place of what all see, or besides.
type Part struct {
	Viewer  string
	Prompt  Msg
	Rule    string
	Log     []Line
	Offers  []Offer
	Case    *Case
	Me      *Own
	Custody []Custody
	Secrets []Holding
}

// Part is what distinguishes v from the view of another viewer at the same moment.
func (v *View) Part() Part {
	return Part{v.Viewer, v.Prompt, v.Rule, v.Log, v.Offers, v.Case, v.Me, v.Custody, v.Secrets}
}

// With is the view of the viewer whose part of it this is.
func (v View) With(p *Part) View {
	v.Become(p)
	return v
}

// Become makes v the view of the viewer whose part of it this is.
func (v *View) Become(p *Part) {
	v.Viewer, v.Prompt, v.Rule, v.Log, v.Offers, v.Case, v.Me, v.Custody, v.Secrets = p.Viewer, p.Prompt, p.Rule, p.Log, p.Offers, p.Case, p.Me, p.Custody, p.Secrets
}

// Overseen is the view of the overseer, of the public one of the same moment.
func (v View) Overseen(secrets []Holding) View {
	v.Viewer, v.Secrets = Overseer.String(), secrets
	return v
}

// Completer is a game that can tell what somebody sees besides the public view of the same moment.
type Completer interface {
	// Complete is the part of View(v).
	Complete(public *View, v Viewer) Part
}

// ViewsOf are the views of g for everybody. What is public is made once, if g is a Completer.
func ViewsOf(g Game) *Views {
	all := &Views{Public: g.View(Public)}
	part := func(v Viewer) Part { view := g.View(v); return view.Part() }
	if c, ok := g.(Completer); ok {
		part = func(v Viewer) Part { return c.Complete(&all.Public, v) }
	}
	all.Host = part(Host)
	all.Seats = make([]Part, len(all.Public.Seats))
	for i, s := range all.Public.Seats {
		all.Seats[i] = part(At(s.Seat))
	}
	return all
}

// Of is the view of v; ok is false for a seat where nobody sits.
func (vs *Views) Of(v Viewer) (view View, ok bool) {
	switch {
	case v == Public:
		return vs.Public, true
	case v.IsHost():
		return vs.Public.With(&vs.Host), true
	case v == Overseer:
		return View{}, false
	}
	for i, s := range vs.Public.Seats {
		if s.Seat == v.seat {
			return vs.Public.With(&vs.Seats[i]), true
		}
	}
	return View{}, false
}

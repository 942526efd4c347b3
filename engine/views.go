package engine

// Views holds the views of all viewers at one moment, except that of the overseer, which is built
// on request. They share their public fields, so no caller may change a list or a map in them.
type Views struct {
	Public View
	Host   Part
	Seats  []Part // one for each taken seat, in table order
}

// ViewerPart holds the fields of a View that differ between viewers.
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

// ViewerPart returns the fields of v that differ between viewers.
func (v *View) Part() Part {
	return Part{v.Viewer, v.Prompt, v.Rule, v.Log, v.Offers, v.Case, v.Me, v.Custody, v.Secrets}
}

// WithPart returns v with the fields of p: the view of the viewer that p was built for.
func (v View) With(p *Part) View {
	v.Become(p)
	return v
}

// SetPart sets the fields of p in v, which becomes the view of the viewer that p was built for.
func (v *View) Become(p *Part) {
	v.Viewer, v.Prompt, v.Rule, v.Log, v.Offers, v.Case, v.Me, v.Custody, v.Secrets =
		p.Viewer, p.Prompt, p.Rule, p.Log, p.Offers, p.Case, p.Me, p.Custody, p.Secrets
}

// OverseerView turns the public view v into the overseer's view of the same moment.
func (v View) Overseen(secrets []Holding) View {
	v.Viewer, v.Secrets = Overseer.String(), secrets
	return v
}

// PartBuilder is a game that can build a viewer's part from the public view of the same moment,
// faster than a whole View.
type Completer interface {
	// BuildPart returns the ViewerPart of View(v).
	Complete(public *View, v Viewer) Part
}

// BuildViews builds the views of g for all viewers. If g is a PartBuilder, it builds the public
// fields only once.
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

// ViewOf returns the view of v; ok is false for a free seat and for the overseer.
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

package engine

// Views holds the views of all viewers at one moment, except that of the overseer, which is built
// on request. They share their public fields, so no caller may change a list or a map in them.
type Views struct {
	Public View
	Host   ViewerPart
	Seats  []ViewerPart // one for each taken seat, in table order
}

// ViewerPart holds the fields of a View that differ between viewers.
type ViewerPart struct {
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
func (v *View) ViewerPart() ViewerPart {
	return ViewerPart{v.Viewer, v.Prompt, v.Rule, v.Log, v.Offers, v.Case, v.Me, v.Custody, v.Secrets}
}

// WithViewerPart returns v with the fields of p: the view of the viewer that p was built for.
func (v View) WithViewerPart(p *ViewerPart) View {
	v.SetViewerPart(p)
	return v
}

// SetViewerPart sets the fields of p in v, which becomes the view of the viewer that p was built for.
func (v *View) SetViewerPart(p *ViewerPart) {
	v.Viewer, v.Prompt, v.Rule, v.Log, v.Offers, v.Case, v.Me, v.Custody, v.Secrets =
		p.Viewer, p.Prompt, p.Rule, p.Log, p.Offers, p.Case, p.Me, p.Custody, p.Secrets
}

// ToOverseerView turns the public view v into the overseer's view of the same moment.
func (v View) ToOverseerView(secrets []Holding) View {
	v.Viewer, v.Secrets = Overseer.String(), secrets
	return v
}

// PartBuilder is a game that can build a viewer's part from the public view of the same moment,
// faster than a whole View.
type PartBuilder interface {
	// BuildPart returns the ViewerPart of View(v).
	BuildPart(public *View, v Viewer) ViewerPart
}

// BuildViews builds the views of g for all viewers.
func BuildViews(g Game) *Views { return BuildViewsFrom(g, g.View(Public)) }

// BuildViewsFrom does the same from the public view of g. If g is a PartBuilder, no public field is built again.
func BuildViewsFrom(g Game, public View) *Views {
	all := &Views{Public: public}
	part := func(v Viewer) ViewerPart { view := g.View(v); return view.ViewerPart() }
	if c, ok := g.(PartBuilder); ok {
		part = func(v Viewer) ViewerPart { return c.BuildPart(&all.Public, v) }
	}
	all.Host = part(Host)
	all.Seats = make([]ViewerPart, len(all.Public.Seats))
	for i, s := range all.Public.Seats {
		all.Seats[i] = part(SeatViewer(s.Seat))
	}
	return all
}

// ViewOf returns the view of v; ok is false for a free seat and for the overseer.
func (vs *Views) ViewOf(v Viewer) (view View, ok bool) {
	switch {
	case v == Public:
		return vs.Public, true
	case v.IsHost():
		return vs.Public.WithViewerPart(&vs.Host), true
	case v == Overseer:
		return View{}, false
	}
	for i, s := range vs.Public.Seats {
		if s.Seat == v.seat {
			return vs.Public.WithViewerPart(&vs.Seats[i]), true
		}
	}
	return View{}, false
}

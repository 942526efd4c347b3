package engine

// Views are those of everybody at the table at one moment. What is public they share:
// nobody may change a list or a map of one.
type Views struct {
	Public, Host View
	Seats        []View // of the seats where somebody sits, in table order
}

// Completer is a game that can make a view out of the public one of the same moment.
type Completer interface {
	// Complete is View(v), with everything that all see taken from public.
	Complete(public View, v Viewer) View
}

// ViewsOf are the views of g for everybody. What is public is made once, if g is a Completer.
func ViewsOf(g Game) Views {
	all := Views{Public: g.View(Public)}
	view := g.View
	if c, ok := g.(Completer); ok {
		view = func(v Viewer) View { return c.Complete(all.Public, v) }
	}
	all.Host = view(Host)
	all.Seats = make([]View, len(all.Public.Seats))
	for i, s := range all.Public.Seats {
		all.Seats[i] = view(At(s.Seat))
	}
	return all
}

// Of is the view of v; ok is false for a seat where nobody sits.
func (vs *Views) Of(v Viewer) (view View, ok bool) {
	switch {
	case v == Public:
		return vs.Public, true
	case v.IsHost():
		return vs.Host, true
	}
	for i, s := range vs.Public.Seats {
		if s.Seat == v.seat {
			return vs.Seats[i], true
		}
	}
	return View{}, false
}

package smarthome

import (
	"context"
	"slices"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/line"
	"majordome/companion/natsline"
	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
)

const aboutVenue = "venue"

// startVenue starts to publish to the broker of the venue what all players see. The table works without it: faults of its
// files are in the log and on the host's page.
func (s *SmartHome) startVenue() {
	c := s.opts.Config
	if c.Venue == "" {
		return
	}
	o := &uplink.Opts{URL: c.Venue, Tree: s.opts.Tree, Version: s.opts.Version, Demo: s.opts.Demo, ID: s.id, Venue: true,
		Page: s.opts.Network.DisplayURL, Log: s.opts.Log.With("part", config.PartRelay)}
	if o.Granted = grantedCommands(c.VenueRights); len(o.Granted) > 0 {
		o.HandleCommand = s.executeLogged
	}
	r := newResultSender(s.id, s.opts.Store)
	o.Results = &uplink.ResultHandlers{HandleAsked: r.handleAsked, HandleStored: r.handleStored}
	if natsline.IsURL(c.Venue) {
		o.NewLink = newNATSLink
	}
	var err error
	if c.VenueAccount != "" {
		o.User, o.Password, err = c.ReadVenueAccount()
	}
	if err == nil {
		o.TLS, err = trustedAuthorities(c)
	}
	if err == nil {
		s.venue, err = uplink.New(o)
	}
	if err == nil {
		s.startResults(r)
	}
	if s.venueErr = err; err != nil {
		s.opts.Log.Error("the venue is told nothing", "error", err, "conseil",
			"rien n’est dit à la salle : voyez les clés venue, venue_account et authority")
	}
}

// newNATSLink makes a connection to a NATS cluster.
func newNATSLink(o *line.Opts) (uplink.Link, error) {
	l, err := natsline.New(o)
	if err != nil {
		return nil, err // a nil *natsline.Line in a Link would not be nil
	}
	return l, nil
}

// grantedCommands returns the commands that the key venue_rights allows: all if it is empty.
func grantedCommands(rights []string) (granted []string) {
	for _, name := range uplink.CommandNames() {
		if len(rights) == 0 || slices.Contains(rights, name) {
			granted = append(granted, name)
		}
	}
	return granted
}

// startResults starts to send results to the venue.
func (s *SmartHome) startResults(r *resultSender) {
	r.publish, r.send = s.venue.PublishIndex, s.venue.SendResult
	r.count = func(err error) {
		s.opts.Log.Warn("the venue is told no results", "error", err, "conseil",
			"les résultats ne se lisent pas, la salle ne les reçoit pas encore : voyez les parties enregistrées")
	}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	s.results = r
	s.senders.Go(func() { r.run(ctx) })
}

// venueFindings returns the faults of the connection to the venue, and of results that wait for it.
func (s *SmartHome) venueFindings() []wire.Finding {
	all := linkFindings(s.opts.Config.Venue, s.venue, s.venueErr, aboutVenue, s.opts.Tree.Base())
	if s.results == nil {
		return all
	}
	if n, tooLong := s.results.countWaiting(time.Now(), s.venue.Status().Connected); tooLong {
		all = append(all, vitals.NewWarning(aboutVenue,
			engine.Tf("Résultats qui attendent la salle : %d.", "Results that wait for the venue: %d.", n),
			engine.T("Ils restent à la table, et partent dès que la console de la salle les demande : voyez si elle tourne.",
				"They stay at the table, and go as soon as the console of the venue asks for them: see whether it runs.")))
	}
	return all
}

package smarthome

import (
	"slices"

	"majordome/cmd/majordome/config"
	"majordome/companion/uplink"
	"majordome/companion/wire"
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
	if s.venueErr = err; err != nil {
		s.opts.Log.Error("the venue is told nothing", "error", err, "conseil",
			"rien n’est dit à la salle : voyez les clés venue, venue_account et authority")
	}
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

// venueFindings returns the faults of the connection to the venue.
func (s *SmartHome) venueFindings() []wire.Finding {
	return linkFindings(s.opts.Config.Venue, s.venue, s.venueErr, aboutVenue, s.opts.Tree.Base())
}

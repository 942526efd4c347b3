package config

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"majordome/devices/light"
	"majordome/devices/node"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// The owner decides the layout of a strip: which LEDs light what. A place is named by its number in the deck, which
// works in every game, or by its id in the deck, which works in each game with a room of that id.

var (
	segmentNames = allowedValues{Text: engine.Tf("clock, urn, show, place-1 à place-%[1]d, ou l’identifiant d’un lieu dans le jeu de "+
		"cartes, comme place-salon, room-salon ou salon pour les deux",
		"clock, urn, show, place-1 to place-%[1]d, or the id of a place in the deck, such as place-salon, room-salon, or salon for both",
		light.MaxPlaces)}
	segmentLEDs = engine.T("des LED et des suites de LED, la première a le numéro 0 : 0-7, 10-8 si le fil va à l’envers, \"3 "+
		"5-6\" avec un trou ; 64 au plus",
		"LEDs and runs of them, the first has the number 0: 0-7, 10-8 for a run that is wired backwards, \"3 5-6\" with a gap; 64 at most")
	segmentName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}$`)
)

// buildLayout returns the positions of the parts on the strip and the rooms of its places; rooms is nil if the places
// are numbered as in the deck.
func (c StripConfig) buildLayout() (l light.Layout, rooms []string) {
	if len(c.Segments) == 0 {
		return light.DefaultLayout(c.Places), nil
	}
	for _, p := range c.segmentParts() {
		switch p.Name {
		case light.PartClock:
			l.Clock = p.Segment
		case light.PartUrn:
			l.Urn = p.Segment
		case light.PartShow:
			l.Show = p.Segment
		default:
			l.Places, rooms = append(l.Places, p.Segment), append(rooms, p.Name)
		}
	}
	return l, rooms
}

// StripParts returns the parts that the strip lights, in the order of its LEDs.
func (c StripConfig) StripParts() []light.Part {
	if len(c.Segments) > 0 {
		return c.segmentParts()
	}
	l := light.DefaultLayout(c.Places)
	return l.PartsWithLEDs()
}

// segmentParts returns the valid segments in the order of their first LEDs.
func (c StripConfig) segmentParts() (all []light.Part) {
	for _, name := range slices.Sorted(maps.Keys(c.Segments)) {
		if s, ok := light.ParseSegment(c.Segments[name]); ok && segmentName.MatchString(name) {
			all = append(all, light.Part{Name: name, Segment: s})
		}
	}
	slices.SortStableFunc(all, func(a, b light.Part) int { return a.Segment[0] - b.Segment[0] })
	return all
}

// CountLEDs returns how many LEDs the strip has.
func (c StripConfig) CountLEDs() int {
	l, _ := c.buildLayout()
	return max(c.Pixels, l.MinStripLen())
}

// checkSegments notes the faults of a strip's segments.
func (k *checker) checkSegments(at string, c *StripConfig) {
	path := func(name string) string { return at + ".segments." + name }
	rooms := 0
	for _, name := range slices.Sorted(maps.Keys(c.Segments)) {
		if name != light.PartClock && name != light.PartUrn && name != light.PartShow {
			rooms++
		}
		if !segmentName.MatchString(name) || hasBadPlaceNumber(name) {
			k.addFault(path(name), engine.Tf("segments : nom inconnu « %s »", "segments: unknown name %q", ownfile.ClipQuote(name)),
				segmentNames.Text)
		} else if _, ok := light.ParseSegment(c.Segments[name]); !ok {
			k.addFault(path(name), engine.Tf("%s : « %s » ne désigne pas de LED", "%s: %q names no LEDs", name,
				ownfile.ClipQuote(c.Segments[name])), segmentLEDs)
		}
	}
	parts := c.segmentParts()
	for _, p := range parts {
		if last := slices.Max(p.Segment); k.hasWrittenValue(at+".pixels") && last >= c.Pixels {
			k.addFault(path(p.Name), engine.Tf("%s : la LED %d, mais le ruban en a %d, numérotées à partir de 0",
				"%s: LED %d, but the strip has %d, numbered from 0", p.Name, last, c.Pixels),
				engine.T("comptez les LED, ou corrigez pixels", "count the LEDs, or mend pixels"))
		}
	}
	for _, clash := range light.FindLEDClashes(parts) {
		k.addFault(path(clash.Part), engine.Tf("%s : la LED %d est déjà à %s", "%s: LED %d belongs to %s already", clash.Part, clash.LED,
			clash.With),
			engine.T("une LED n’éclaire qu’une chose", "an LED lights one thing alone"))
	}
	switch {
	case rooms > light.MaxPlaces:
		k.addFault(at+".segments", engine.Tf("segments : %d lieux", "segments: %d places", rooms), engine.Tf("%d au plus sur un ruban",
			"%d at most on one strip", light.MaxPlaces))
	case len(c.Segments) > 0 && k.hasWrittenValue(at+".places"):
		k.addFault(at+".places", engine.T("places ne va pas avec segments", "places does not go with segments"),
			engine.T("gardez l’un des deux", "keep one of them"))
	}
	if n := c.CountLEDs(); c.Chip == ChipNode && n > node.MaxPixels {
		k.addFault(at, engine.Tf("un ruban de %d LED à un nœud", "a strip of %d LEDs at a node", n), engine.Tf("%d au plus", "%d at most",
			node.MaxPixels))
	} else if k.hasWrittenValue(at+".budget_ma") && c.BudgetMA >= minBudget && c.BudgetMA <= n {
		k.addFault(at+".budget_ma", engine.Tf("budget_ma : %d LED éteintes prennent déjà %d mA",
			"budget_ma: %d LEDs draw %d mA even when they are dark", n, n), engine.T("donnez-en davantage", "give more"))
	}
}

// hasBadPlaceNumber reports whether name is a place number that no deck has.
func hasBadPlaceNumber(name string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(name, engine.ReaderPlace))
	return err == nil && (n < 1 || n > light.MaxPlaces)
}

// ArrangeLamps returns a cue with its lamps in the order of the rooms in the strip's layout.
func (s *Strip) ArrangeLamps(c light.Cue, places []engine.PlaceView) light.Cue {
	if s.Rooms == nil {
		return c
	}
	lamps := c.Places
	c.Places = [light.MaxPlaces]light.Lamp{}
	for slot, room := range s.Rooms {
		for i, p := range places[:min(len(places), light.MaxPlaces)] {
			if IsSegmentOf(room, i, p.Place) {
				c.Places[slot], c.DarkOrder[slot] = lamps[i], uint8(i)
			}
		}
	}
	return c
}

// IsSegmentOf reports whether a segment name means a place of a deck, whose index, from 0, is placeIndex.
func IsSegmentOf(segment string, placeIndex int, place engine.ID) bool {
	_, short, _ := strings.Cut(string(place), "-")
	return segment == light.PlaceName(placeIndex) || segment == string(place) || segment == short
}

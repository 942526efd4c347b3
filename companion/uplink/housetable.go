package uplink

import (
	"slices"
	"time"

	"majordome/companion/natural"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of a table's row, because any client may write to that broker.
const (
	maxShownName = 40 // characters of a name, a reader or an id
	maxShownLost = 16 // lost readers
)

// HouseTable returns what a page shows of another table. titles has the games that this program knows.
func (t *Other) HouseTable(titles []engine.Name) wire.HouseTable {
	now := &t.State
	h := wire.HouseTable{Name: t.Name, Online: t.Online, Page: t.Info.Page, Demo: t.Info.Demo,
		Game: engine.ID(cutShown(string(now.Game))), Phase: cutShown(now.Phase),
		Paused: now.Paused, At: now.Clock.At, Of: now.Clock.Of, Players: len(now.Seats)}
	if i := slices.IndexFunc(titles, func(n engine.Name) bool { return n.ID == now.Game }); i >= 0 {
		h.Title = titles[i].Text
	}
	on := now.Phase != engine.PhaseLobby && now.Result == nil
	for _, x := range now.Seats[:min(len(now.Seats), int(engine.MaxSeats))] {
		name := cutShown(x.Name)
		if on && slices.Contains(now.Turn, x.Seat) {
			h.Turn = append(h.Turn, name)
		}
		if on && !x.Online {
			h.Away = append(h.Away, name)
		}
		if now.Result != nil && slices.Contains(now.Result.Winners, x.Seat) {
			h.Winners = append(h.Winners, name)
		}
	}
	for role, is := range now.Readers {
		if is == "lost" {
			h.Lost = append(h.Lost, cutShown(role))
		}
	}
	slices.SortFunc(h.Lost, natural.Compare)
	h.Lost = h.Lost[:min(len(h.Lost), maxShownLost)]
	if c := now.Countdown; c != nil {
		h.Count, h.Left, h.Over = true, c.Left, c.Over
		if at, err := time.Parse(time.RFC3339, c.Ends); err == nil {
			h.Ends = at.UnixMilli()
		}
	}
	return h
}

// cutShown returns a text with at most maxShownName characters.
func cutShown(text string) string {
	if r := []rune(text); len(r) > maxShownName {
		return string(r[:maxShownName])
	}
	return text
}

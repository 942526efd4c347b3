package store

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"majordome/engine"
)

// Kinds of loss. Each has a sentence in the word catalogues, table.lost.<kind>.
const (
	LostSteps      = "steps"  // a game ends too early: From is the first missing step
	LostGame       = "game"   // a whole game
	LostFile       = "file"   // the store is gone; an empty one has replaced it
	LostUnreadable = "unread" // nothing in the store can be read; an empty one has replaced it
	LostOther      = "other"  // this is not the store that was used last
	LostMark       = "mark"   // the mark is gone, so the last steps may be missing
	// Damaged or missing rows of one table; each kind has its own advice.
	LostGames       = "games"
	LostResults     = "results"
	LostDecks       = "decks"
	LostTags        = "tags"
	LostKeys        = "keys"
	LostInvitations = "invitations"
	LostNotes       = "notes"
	LostFigures     = "figures"
	LostSettings    = "settings"
)

var lostKinds = []string{LostSteps, LostGame, LostFile, LostUnreadable, LostOther, LostMark, LostGames, LostResults,
	LostDecks, LostTags, LostKeys, LostInvitations, LostNotes, LostFigures, LostSettings}

// maxListedGames is the number of damaged games that are listed one by one, newest first; the others are only
// counted. There is at most one loss of each other kind.
const maxListedGames = 8

// maxLosses is the number of losses that are read from the store.
const maxLosses = 1000

// Loss is something that was acknowledged and is not in the store any more.
type Loss struct {
	Kind string    `json:"kind"`
	Game int64     `json:"game,omitempty"`
	Book engine.ID `json:"book,omitempty"`
	// From and To are the first and the last missing step; To is 0 if it is unknown.
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"`
	// Since is the time of the last event that is still there, Until that of the last missing one, in
	// milliseconds; 0 if unknown.
	Since int64 `json:"since,omitempty"`
	Until int64 `json:"until,omitempty"`
	// N is the number of rows, 0 if it is unknown.
	N int64 `json:"n,omitempty"`
}

// Msg says in the reader's language what is missing and what to do about it.
func (l Loss) Msg() engine.Msg {
	number := func(n int64) string {
		if n == 0 {
			return "?"
		}
		return strconv.FormatInt(n, 10)
	}
	switch l.Kind {
	case LostSteps, LostGame:
		key := "table.lost." + l.Kind
		if l.Since == 0 {
			key += ".none"
		}
		return engine.NewMsg(key, "game", strconv.FormatInt(l.Game, 10), "from", number(l.From), "to", number(l.To),
			"since", formatMoment(l.Since), "until", formatMoment(l.Until))
	case LostMark:
		return engine.NewMsg("table.lost.mark")
	case LostFile, LostUnreadable, LostOther:
		key := "table.lost." + l.Kind
		if l.To == 0 { // no game, or a game without steps
			key += ".none"
		}
		return engine.NewMsg(key, "game", number(l.Game), "to", number(l.To), "until", formatMoment(l.Until))
	}
	return engine.NewMsg("table.lost."+l.Kind, "n", number(l.N))
}

// formatMoment writes a time in a form that is read the same way in both languages.
func formatMoment(ms int64) string {
	if ms == 0 {
		return "?"
	}
	return time.UnixMilli(ms).Format("2006-01-02 15:04:05")
}

// Losses lists the losses found at this and earlier starts that no one has accepted yet, the open game first.
func (s *Store) Losses() []Loss {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.losses)
}

// AcceptLosses accepts the losses: the table continues with the remaining data. The former state of the file stays
// next to it, under its own number.
func (s *Store) AcceptLosses() error {
	was := s.Losses()
	err := s.writeInTx("accept the losses", func(tx *sql.Tx) error {
		s.losses = nil // before the mark is built, because that contains the losses too
		_, err := tx.Exec("DELETE FROM losses")
		return err
	})
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.losses = was
	}
	return err
}

// saveLosses adds losses to those that wait to be accepted.
func saveLosses(tx *sql.Tx, losses []Loss) error {
	for _, l := range losses {
		data, err := json.Marshal(l)
		if err != nil {
			return err
		}
		_, err = tx.Exec("INSERT INTO losses (data) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM losses WHERE data = ?)", data, data)
		if err != nil {
			return err
		}
	}
	return nil
}

// readLosses returns the losses that wait to be accepted.
func readLosses(q querier) ([]Loss, error) {
	losses, err := queryAll(q, func(rows *sql.Rows) (l Loss, err error) {
		var data []byte
		if err := rows.Scan(&data); err != nil {
			return l, err
		}
		if json.Unmarshal(data, &l) != nil || !slices.Contains(lostKinds, l.Kind) { // a damaged entry: its content is unknown
			l = Loss{Kind: LostMark}
		}
		return l, nil
	}, "SELECT data FROM losses ORDER BY n LIMIT ?", maxLosses)
	return mergeLosses(losses), err
}

// mergeLosses sorts losses for display, newest game first. It omits none: games beyond maxListedGames are
// counted in one loss, and so are several losses of another kind.
func mergeLosses(losses []Loss) (merged []Loss) {
	losses = slices.Clone(losses)
	slices.SortStableFunc(losses, func(a, b Loss) int { return cmp.Or(cmp.Compare(b.Game, a.Game), cmp.Compare(b.To, a.To)) })
	games, index := 0, map[string]int{}
	for _, l := range losses {
		if l.Kind == LostSteps || l.Kind == LostGame {
			if games++; games <= maxListedGames {
				merged = append(merged, l)
				continue
			}
			l = Loss{Kind: LostGames, N: 1}
		}
		at, ok := index[l.Kind]
		if !ok {
			index[l.Kind] = len(merged)
			merged = append(merged, l)
			continue
		}
		if t := &merged[at]; t.N == 0 || l.N == 0 { // unknown plus something is unknown
			t.N = 0
		} else {
			t.N += l.N
		}
	}
	return merged
}

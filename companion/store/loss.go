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

// What can be missing; each has a sentence in the word catalogues, table.lost.<kind>.
const (
	LostSteps  = "steps"  // a game breaks off: From is the first step that is missing
	LostGame   = "game"   // a whole game
	LostFile   = "file"   // the store itself is gone; an empty one stands in its place
	LostUnread = "unread" // nothing in the store can be read; an empty one stands in its place
	LostOther  = "other"  // the store is not the one that was last played on
	LostMark   = "mark"   // nobody can tell whether the last steps are missing
	// Rows of one shelf that are damaged or gone; each has advice of its own.
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

var lostKinds = []string{LostSteps, LostGame, LostFile, LostUnread, LostOther, LostMark, LostGames, LostResults, LostDecks, LostTags, LostKeys, LostInvitations, LostNotes, LostFigures, LostSettings}

// maxGames is how many games that break off are told one by one, the newest; the
// others are counted. Of every other kind there is one loss.
const maxGames = 8

// maxRead is how many losses are read.
const maxRead = 1000

// Loss is one thing that was acknowledged and is not in the store any more.
type Loss struct {
	Kind string    `json:"kind"`
	Game int64     `json:"game,omitempty"`
	Book engine.ID `json:"book,omitempty"`
	// From and To are the first and the last step that are missing; To is 0 when
	// nobody knows.
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"`
	// Since is when the last thing happened that is still there, and Until when the
	// last that is not; 0: unknown. Milliseconds.
	Since int64 `json:"since,omitempty"`
	Until int64 `json:"until,omitempty"`
	// N is how many rows, 0 when nobody knows.
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
		return engine.Say(key, "game", strconv.FormatInt(l.Game, 10), "from", number(l.From), "to", number(l.To),
			"since", moment(l.Since), "until", moment(l.Until))
	case LostMark:
		return engine.Say("table.lost.mark")
	case LostFile, LostUnread, LostOther:
		key := "table.lost." + l.Kind
		if l.To == 0 { // no game, or none with a step
			key += ".none"
		}
		return engine.Say(key, "game", number(l.Game), "to", number(l.To), "until", moment(l.Until))
	}
	return engine.Say("table.lost."+l.Kind, "n", number(l.N))
}

// moment is a time as it is read in both languages.
func moment(ms int64) string {
	if ms == 0 {
		return "?"
	}
	return time.UnixMilli(ms).Format("2006-01-02 15:04:05")
}

// Losses are what this and earlier starts have found missing and nobody has
// accepted yet, the open game first.
func (s *Store) Losses() []Loss {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.losses)
}

// GoOn accepts the losses: the table goes on with what is there. The former state
// of the file stays beside it, under its own number.
func (s *Store) GoOn() error {
	was := s.Losses()
	err := s.write("accept the losses", func(tx *sql.Tx) error {
		s.losses = nil // before the mark is made, which has them, too
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

// keepLosses adds losses to those that wait to be accepted.
func keepLosses(tx *sql.Tx, losses []Loss) error {
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

// readLosses are those that wait.
func readLosses(q querier) ([]Loss, error) {
	losses, err := query(q, func(rows *sql.Rows) (l Loss, err error) {
		var data []byte
		if err := rows.Scan(&data); err != nil {
			return l, err
		}
		if json.Unmarshal(data, &l) != nil || !slices.Contains(lostKinds, l.Kind) { // damaged: nobody knows what it said
			l = Loss{Kind: LostMark}
		}
		return l, nil
	}, "SELECT data FROM losses ORDER BY n LIMIT ?", maxRead)
	return gathered(losses), err
}

// gathered are losses as they are told, the newest game first. None is left out: what
// is one too many is counted with others of its kind.
func gathered(losses []Loss) (told []Loss) {
	losses = slices.Clone(losses)
	slices.SortStableFunc(losses, func(a, b Loss) int { return cmp.Or(cmp.Compare(b.Game, a.Game), cmp.Compare(b.To, a.To)) })
	games, of := 0, map[string]int{}
	for _, l := range losses {
		if l.Kind == LostSteps || l.Kind == LostGame {
			if games++; games <= maxGames {
				told = append(told, l)
				continue
			}
			l = Loss{Kind: LostGames, N: 1}
		}
		at, ok := of[l.Kind]
		if !ok {
			of[l.Kind] = len(told)
			told = append(told, l)
			continue
		}
		if t := &told[at]; t.N == 0 || l.N == 0 { // a file that is gone up to a later step is gone up to an earlier one
			t.N = 0
		} else {
			t.N += l.N
		}
	}
	return told
}

// Package records shows the host what was played at this table: the minutes of the current game, and
// figures of all games. It also removes the names of guests from old games.
//
// What may leak: minutes and figures contain public facts and the host's commands. During a scene
// they would reveal how a game ends, so both are refused then.
package records

import (
	"log/slog"

	"majordome/cmd/majordome/library"
	"majordome/companion/game"
	"majordome/companion/office"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Opts are the parameters of Records.
type Opts struct {
	Store *store.Store
	Decks *library.Library
	Table Table
	Days  int                         // days until the names of guests are removed; 0: never
	Hints map[string][]wire.StockHint // prepared hints by game
	Log   *slog.Logger
}

// Table is the loop of the table.
type Table interface {
	IsInScene() bool
	ReaderMinutes() (saw []game.MinutesLine, begun bool)
	Snapshot(engine.Viewer) (wire.Update, bool)
}

// Records builds minutes and figures from the games in the store. It is safe for concurrent use.
type Records struct{ opts Opts }

// New returns Records.
func New(o Opts) *Records { return &Records{o} }

// OfficeRows returns the rows of this package for the office.
func (r *Records) OfficeRows() []office.Row { return []office.Row{r.minutesRow(), r.figuresRow()} }

// Package records tells the host what has been played at this table: the minutes of the current game, and figures of all games. It forgets
// the names of guests when their time is over.
//
// What may leak: minutes and figures have public facts and the acts of the host, and would tell how a game ends: during a scene both are
// refused.
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
	Days  int                         // after which the names of guests are forgotten; 0: never
	Hints map[string][]wire.StockHint // that stand ready, by game
	Log   *slog.Logger
}

// Table is the loop of the table.
type Table interface {
	InScene() bool
	ReaderMinutes() (saw []game.Minute, begun bool)
	Snapshot(engine.Viewer) (wire.Update, bool)
}

// Records are safe for concurrent use.
type Records struct{ opts Opts }

// New makes Records.
func New(o Opts) *Records { return &Records{o} }

// Rows are those of the office.
func (r *Records) Rows() []office.Row { return []office.Row{r.minutesRow(), r.figuresRow()} }

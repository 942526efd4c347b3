// Package dial shows the clock of the game in digits or with a hand, on chips that periph has drivers for: four
// or six digits at a TM1637, four at a HT16K33, eight at a MAX7219, and a hand on a stepper at a Pololu Tic.
//
//	d, err := dial.NewHT16K33(bus, 0)
//	err = dial.RunDial(ctx, d, hours, nil)   shows the newest hour until ctx ends, then nothing
//
// What may leak: nothing; the clock of the game is public.
//
// The digits are the round and the last round, "05:12". Without a game the dial is dark; in a game without a
// limit it shows only the round. A hand shows the round as a share of one turn. None of these chips can report
// that its display works. A chip that fails on the bus is tried again, and shows the newest hour when it is
// back.
package dial

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"periph.io/x/conn/v3"
)

// Hour is the time on the clock of the game.
type Hour struct {
	Round     int // counted from 1; 0: none yet
	LastRound int // 0: no limit; both 0: no game
}

// Dial is a display of the clock.
type Dial interface {
	conn.Resource
	ShowHour(Hour) error
}

// refresh is the time between two writes. A write repairs what interference changed, and a Tic stops after one
// second without a command.
const refresh = 400 * time.Millisecond

// RunDial shows the newest of hours until ctx ends, then halts the dial. A lost dial is logged once, as is its
// return. Run returns an error only if a working dial cannot be halted.
func RunDial(ctx context.Context, d Dial, hours <-chan Hour, log *slog.Logger) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	var now Hour
	lost := false
	for {
		select {
		case <-ctx.Done():
			if err := d.Halt(); err != nil && !lost { // a lost dial cannot be switched off
				return fmt.Errorf("dial: %s: %w", d, err)
			}
			return nil
		case now = <-hours:
		case <-tick.C:
		}
		switch err := d.ShowHour(now); {
		case err != nil && !lost:
			log.Error("dial: lost, trying on", "dial", d.String(), "err", err,
				"conseil", "l’horloge ne répond plus : regardez ses fils ; on réessaie")
			lost = true
		case err == nil && lost:
			log.Info("dial: is back", "dial", d.String(), "conseil", "l’horloge répond de nouveau")
			lost = false
		}
	}
}

// digitsOrDark returns the four digits of an hour, -1 for a dark one.
func (h Hour) digitsOrDark() (d [4]int) {
	two := func(n int) (int, int) {
		n = min(max(n, 0), 99)
		return n / 10, n % 10
	}
	d = [4]int{-1, -1, -1, -1}
	if h != (Hour{}) {
		d[0], d[1] = two(h.Round)
	}
	if h.LastRound > 0 {
		d[2], d[3] = two(h.LastRound)
	}
	return d
}

package house

import (
	"sync/atomic"

	"majordome/devices/dial"
)

// faces tells the clocks where the game stands; who is behind gets the newest.
type faces []chan dial.Hour

func newFaces(n int) (all faces) {
	for range n {
		all = append(all, make(chan dial.Hour, 1))
	}
	return all
}

func (all faces) show(h dial.Hour) {
	for _, c := range all {
		select {
		case <-c:
		default:
		}
		c <- h // the table's goroutine alone sends
	}
}

// watchedDial is a clock that remembers whether it took the last hour.
type watchedDial struct {
	dial.Dial
	lost atomic.Bool
}

func watched(clocks []dial.Dial) (all []*watchedDial) {
	for _, d := range clocks {
		all = append(all, &watchedDial{Dial: d})
	}
	return all
}

func (d *watchedDial) Show(h dial.Hour) error {
	err := d.Dial.Show(h)
	d.lost.Store(err != nil)
	return err
}

package doctor

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"majordome/devices"
	"majordome/devices/meter"
	"majordome/devices/presence"
	"majordome/engine"
)

// WatchPeriod is the time between two snapshots while a person looks for the place of a coil. A card that is read each time fills the bar.
const WatchPeriod = 10 * time.Millisecond

// redrawPeriod is the period at which the bars are drawn again.
const redrawPeriod = 250 * time.Millisecond

// WatchedReader is a reader to watch.
type WatchedReader struct {
	Name         engine.Text
	Scanner      devices.Scanner
	IsMeasurable bool // each snapshot scans the field, so there is a rate to measure
}

// Screen prints events line by line and, on a terminal, bars below them that are redrawn. Its methods are safe
// for concurrent use.
type Screen struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	bars     []string
	drawn    int // lines of bars on the terminal
}

// NewScreen returns an empty screen.
func NewScreen(w io.Writer, terminal bool) *Screen { return &Screen{w: w, terminal: terminal} }

// PrintLine writes a line in both languages.
func (s *Screen) PrintLine(t engine.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.eraseBars()
	fmt.Fprintf(s.w, "%s · %s\n", t.FR, t.EN)
	s.drawBars()
}

// SetBars replaces the bars.
func (s *Screen) SetBars(lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.eraseBars()
	s.bars = lines
	s.drawBars()
}

func (s *Screen) eraseBars() {
	if s.drawn > 0 {
		fmt.Fprintf(s.w, "\x1b[%dA\x1b[J", s.drawn) // up, and erase all below (ECMA-48)
		s.drawn = 0
	}
}

func (s *Screen) drawBars() {
	if !s.terminal {
		return
	}
	for _, b := range s.bars {
		fmt.Fprintln(s.w, b)
	}
	s.drawn = len(s.bars)
}

// eventTexts are the texts of a reader's events; %[1]s is the number of the card.
var eventTexts = map[presence.Kind]engine.Text{
	presence.Arrived: {FR: "la carte %[1]s est là", EN: "card %[1]s is there"},
	presence.Left:    {FR: "la carte %[1]s est partie", EN: "card %[1]s has left"},
	presence.Stray: {FR: "%[1]s n’est pas une carte : un téléphone, une carte bancaire ? Éloignez-le ; ce qui est à côté compte",
		EN: "%[1]s is no card: a phone, a bank card? Take it away; what lies beside it counts"},
	presence.NoiseBegan: {FR: "quelque chose d’illisible", EN: "something unreadable"},
	presence.ReaderLost: {FR: "ne répond pas", EN: "does not answer"},
	presence.ReaderBack: {FR: "répond de nouveau", EN: "answers again"},
}

// WatchReaders prints the events of readers until ctx ends, with a bar for each reader.
func WatchReaders(ctx context.Context, s *Screen, readers []WatchedReader) {
	var all sync.WaitGroup
	meters := make([]*meter.Meter, len(readers))
	for i, r := range readers {
		meters[i] = meter.New(r.Scanner, nil)
		all.Go(func() {
			// It fails only for bad options.
			_ = presence.Watch(ctx, meters[i],
				&presence.WatchOpts{Period: WatchPeriod, Fold: presence.Opts{Strays: true}}, func(e presence.Event) {
					if t, told := eventTexts[e.Kind]; told {
						s.PrintLine(engine.T(r.Name.FR+" : "+fillCardNumber(t.FR, e), r.Name.EN+": "+fillCardNumber(t.EN, e)))
					}
				})
		})
	}
	lines := make([]lineWatch, len(readers))
	tick := time.NewTicker(redrawPeriod)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-tick.C:
			bars := make([]string, len(readers))
			for i, r := range readers {
				bars[i] = FormatBar(r, meters[i].Gauge())
				lines[i].printNewAdvice(s, r)
			}
			s.SetBars(bars)
		}
	}
	all.Wait()
}

func fillCardNumber(text string, e presence.Event) string {
	return strings.ReplaceAll(text, "%[1]s", e.Tag.UID.String())
}

// barLength is the length of a full bar, in characters.
const barLength = 25

// FormatBar returns the line of a reader: how often a card is read, the share of garbled answers, and the cards.
func FormatBar(r WatchedReader, g meter.Gauge) string {
	if g.Lost {
		return fmt.Sprintf("%-24s —", keepNameEnd(r.Name.FR))
	}
	if !r.IsMeasurable {
		return fmt.Sprintf("%-24s %s", keepNameEnd(r.Name.FR), formatTags(g.Tags))
	}
	most := float64(time.Second / WatchPeriod)
	n := min(barLength, int(math.Round(barLength*g.Reads/most)))
	return fmt.Sprintf("%-24s %s%s %3.0f/s  %3.0f %% ✗  %s", keepNameEnd(r.Name.FR),
		strings.Repeat("█", n), strings.Repeat("░", barLength-n), g.Reads, 100*g.Garbled, formatTags(g.Tags))
}

// keepNameEnd keeps the end of a long name, which differs most, so that the bars are aligned.
func keepNameEnd(s string) string {
	if r := []rune(s); len(r) > 24 {
		return "…" + string(r[len(r)-23:])
	}
	return s
}

package doctor

import (
	"context"
	"sync"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/devices/lineread"
	"majordome/engine"
)

// listenTime is the time to listen to a serial reader. A board that restarts when its port is opened takes two seconds to its first line.
const listenTime = 3 * time.Second

// unreadLinesSeverity returns the severity of lines that are not understood.
func unreadLinesSeverity(mayWork bool) State {
	if mayWork {
		return Warning
	}
	return Fault
}

// listenReaders listens to the serial readers of a configuration, all at once, and reports what they print. It sends them nothing.
func (l *examination) listenReaders(ctx context.Context) {
	var all sync.WaitGroup
	heard, errs := make([]lineread.LineStats, len(l.cfg.Readers)), make([]error, len(l.cfg.Readers))
	for i, r := range l.cfg.Readers {
		if r.Chip == config.ChipSerial && l.hasFile(l.realPath(r.Port)) {
			all.Go(func() { heard[i], errs[i] = listenReader(ctx, r) })
		}
	}
	all.Wait()
	for i, r := range l.cfg.Readers {
		if r.Chip != config.ChipSerial || !l.hasFile(l.realPath(r.Port)) {
			continue // another finding reports that it is missing
		}
		h := heard[i]
		advice, bad := h.WithNumbersMasked().Advice() // masked, because findings are part of the bundle
		switch {
		case errs[i] != nil:
			l.addFinding("lines", Fault, prefixReaderName(r, errorText(errs[i])))
		case bad:
			l.addFinding("lines", unreadLinesSeverity(h.HasOnlyRemarks()), prefixReaderName(r, config.AdviceText(advice))).
				withFix("majordome doctor watch montre ce qu’il écrit quand une carte y est posée",
					"majordome doctor watch shows what it prints when a card lies on it")
		case h.Understood > 0:
			l.addFinding("lines", OK, prefixReaderName(r,
				engine.Tf("ce qu’il écrit se comprend (%[1]d lignes)", "what it prints is understood (%[1]d lines)", h.Understood)))
		case h.Bytes > 0:
			l.addFinding("lines", Note, prefixReaderName(r, engine.Tf("n’a écrit aucune ligne entière en %[1]d s",
				"has printed no whole line in %[1]d s", int(listenTime/time.Second)))).
				withFix("posez-y une carte sous majordome doctor watch", "lay a card on it under majordome doctor watch")
		default:
			l.addFinding("lines", Note,
				prefixReaderName(r, engine.Tf("n’a rien écrit en %[1]d s", "has printed nothing in %[1]d s", int(listenTime/time.Second)))).
				withFix("posez-y une carte sous majordome doctor watch", "lay a card on it under majordome doctor watch")
		}
	}
}

// listenReader listens to one reader until it has printed a line that is understood, for at most listenTime.
func listenReader(ctx context.Context, r config.ReaderConfig) (h lineread.LineStats, err error) {
	dev, err := lineread.New(r.Port, &lineread.Opts{Baud: r.Baud})
	if err != nil {
		return h, err
	}
	defer dev.Halt()
	if err := dev.Probe(); err != nil {
		return h, err
	}
	ctx, cancel := context.WithTimeout(ctx, listenTime)
	defer cancel()
	tick := time.NewTicker(WatchPeriod)
	defer tick.Stop()
	for h.Understood == 0 {
		select {
		case <-ctx.Done():
			return h, nil
		case <-tick.C:
		}
		_, _ = dev.Scan(ctx) // LineStats counts what it cannot read
		h = dev.LineStats()
	}
	return h, nil
}

// lineWatch shows lines of a serial reader that are not understood, while a person watches.
type lineWatch struct {
	before lineread.LineStats
	advice string
}

// printNewAdvice prints new advice, else the last line if it is new and a remark. Numbers of cards are shown, because the person who
// watches has the cards in their hand.
func (w *lineWatch) printNewAdvice(s *Screen, r WatchedReader) {
	dev, is := r.Scanner.(interface{ LineStats() lineread.LineStats })
	if !is {
		return
	}
	h := dev.LineStats()
	advice, _ := h.Advice()
	switch {
	case advice.EN != "" && advice.EN != w.advice:
		s.PrintLine(engine.T(r.Name.FR+" : "+advice.FR, r.Name.EN+": "+advice.EN))
	case h.NotUnderstood > w.before.NotUnderstood && advice.EN == "":
		s.PrintLine(engine.T(r.Name.FR+" : une remarque : « "+h.Last+" »", r.Name.EN+": a remark: “"+h.Last+"”"))
	}
	w.before, w.advice = h, advice.EN
}

package house

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"majordome/cmd/majordome/adminsocket"
	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/storage"
	"majordome/engine"
)

// Run starts everything, calls ready once pages and lights show the first view, and
// ends when ctx does or a part fails. It stops the parts in reverse
// order: readers, lights, table, relay, pages, broker, store.
func (h *House) Run(ctx context.Context, ready func() error) (err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var errs []error
	var mu sync.Mutex
	fail := func(err error) {
		if err == nil || errors.Is(err, http.ErrServerClosed) {
			return
		}
		mu.Lock()
		errs = append(errs, err)
		mu.Unlock()
		stop(err)
	}
	serving, keeping, playing, sensing := &routineGroup{}, &routineGroup{}, &routineGroup{}, &routineGroup{}
	h.startServing(serving, fail)
	playing.start(h.Loop.Run)
	keeping.start(func(ctx context.Context) { h.Store.Run(ctx, h.Loop.PauseForFailure) })
	keeping.start(h.health.Monitor.Run)
	keeping.start(h.people.Run)
	keeping.start(h.health.Devices.Run)
	keeping.start(h.records.ForgetNamesHourly)
	keeping.start(h.updates.PollReport)
	keeping.start(func(ctx context.Context) { fail(h.settings.Run(ctx)) })
	playing.start(func(ctx context.Context) { fail(h.Store.WaitRestore(ctx)) })
	playing.start(func(ctx context.Context) { h.lights.Run(ctx, fail) })
	select {
	case <-h.steps.first:
	case <-ctx.Done():
	}
	fail(h.prepareGameAndPlayers(ctx))
	sensing.start(func(ctx context.Context) { h.readers.Run(ctx, fail) })
	h.watchButtons(sensing)
	if ctx.Err() == nil {
		fail(ready())
		sensing.start(h.Network.Run)
		sensing.start(h.watchClaims)
	}
	if ctx.Err() == nil {
		h.notifySystemd(ctx)
	}
	said := daemon.SdNotifyStopping
	var changed *config.ChangedError
	var restore *storage.RestoreError
	// After these errors the table opens again in this process. systemd would kill a daemon that has announced a stop after TimeoutStopSec.
	if why := context.Cause(ctx); errors.As(why, &changed) || errors.As(why, &restore) {
		said = daemon.SdNotifyWatchdog
	}
	_, _ = daemon.SdNotify(false, said)

	sensing.stop()
	fail(h.readers.Halt())
	playing.stop()
	keeping.stop() // after the last step, so that a game that ended with it gets its backup
	fail(h.Close())
	serving.stop()
	return errors.Join(errs...)
}

// startServing lets clients in: pages, MQTT, the admin socket, and the acts that the relay receives.
func (h *House) startServing(serving *routineGroup, fail func(error)) {
	h.entrance.startServing(serving, h.Network, fail)
	if h.Network.Home != nil {
		serving.start(func(context.Context) { fail(h.smartHome.Serve(h.entrance.door.WrapListener(h.Network.Home))) })
	}
	serving.start(func(context.Context) {
		h.adminSocket.Serve(adminsocket.Handlers{Links: h.IssueLinks, NewPIN: h.people.ResetOwnerPIN}, h.opts.Log)
	})
	serving.start(func(ctx context.Context) { h.entrance.door.WatchPressure(ctx, partLogger(h.opts.Log, config.PartDoor)) })
	serving.start(func(context.Context) {
		for in := range h.entrance.relay.Acts() {
			h.attract.RecordUse()
			h.Loop.Act(in.Phone, in.Act, in.Reply)
		}
	})
}

// routineGroup are goroutines that are stopped together.
type routineGroup struct {
	wg     sync.WaitGroup
	cancel []context.CancelFunc
}

func (r *routineGroup) start(part func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = append(r.cancel, cancel)
	r.wg.Go(func() { part(ctx) })
}

func (r *routineGroup) stop() {
	for _, c := range r.cancel {
		c()
	}
	r.wg.Wait()
}

// notifySystemd notifies systemd that the daemon is ready and then, while the table
// loop answers, that it is alive. It returns when ctx ends.
func (h *House) notifySystemd(ctx context.Context) {
	_, _ = daemon.SdNotify(false, daemon.SdNotifyReady) // does nothing without systemd
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil || interval <= 0 {
		<-ctx.Done()
	} else {
		callEvery(ctx, interval/3, func(time.Time) {
			if h.Loop.IsResponsive(ctx, interval/3) {
				_, _ = daemon.SdNotify(false, daemon.SdNotifyWatchdog)
			}
		})
	}
}

// callEvery calls do once a period until ctx ends.
func callEvery(ctx context.Context, period time.Duration, do func(now time.Time)) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			do(now)
		}
	}
}

// prepareGameAndPlayers puts the game of the options on the table, and seats its players if
// there are none.
func (h *House) prepareGameAndPlayers(ctx context.Context) error {
	u, ok := h.Loop.Snapshot(engine.Host)
	if !ok || u.Paused != nil || h.people.IsEnabled() { // the host must decide something first, or has to sign in
		return nil
	}
	game := u.View.Game
	if want := h.opts.Game; want != "" && want != game {
		game = want
		if err := h.hostActs.performAct(1, "new-game", engine.Args{"game": string(want), "seats": "clear"}); err != nil {
			return err
		}
	} else if u.View.Phase != engine.PhaseLobby || len(u.View.Seats) > 0 {
		return nil
	}
	for i, p := range h.opts.Players[game] {
		sit := engine.Args{"seat": engine.Seat(i + 1).String(), "name": p.Name, "character": string(p.Character)}
		if err := h.hostActs.performAct(1, "sit", sit); err != nil {
			return err
		}
	}
	h.waitUntilPublished(ctx)
	u, _ = h.Loop.Snapshot(engine.Host)
	// Some games need a first player.
	if slices.ContainsFunc(u.View.Offers, func(o engine.Offer) bool { return o.Act == "first" }) {
		if err := h.hostActs.performAct(1, "first", engine.Args{"seat": engine.Seat(1).String()}); err != nil {
			return err
		}
	}
	h.waitUntilPublished(ctx)
	return nil
}

// waitUntilPublished waits until the table loop has published what it has answered, even if the
// disk of this machine is slow.
func (h *House) waitUntilPublished(ctx context.Context) {
	for ctx.Err() == nil && !h.Loop.IsResponsive(ctx, time.Second) {
	}
}

// Close closes what Open has opened, in reverse order. Run calls it at its end; call it
// for a House that is not run.
func (h *House) Close() error {
	var errs []error
	if h.smartHome != nil {
		errs = append(errs, h.smartHome.Close())
	}
	errs = append(errs, h.entrance.close())
	if h.Store != nil {
		errs = append(errs, h.Store.Close())
	}
	if h.adminSocket != nil {
		errs = append(errs, h.adminSocket.Close())
	}
	if h.Network != nil {
		errs = append(errs, h.Network.Close())
	}
	return errors.Join(errs...)
}

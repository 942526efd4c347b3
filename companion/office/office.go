package office

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of requests and answers.
const (
	MaxWaiting = 8       // waiting requests of one device
	MaxAnswer  = 4 << 20 // bytes of JSON
	HoldFor    = 20 * time.Second

	bodyWait = 5 * time.Second
	lookPace = 250 * time.Millisecond // the least time between two checks of watched rows
)

// Row is one thing that a host device may show or do.
type Row struct {
	Name string
	Role wire.Role // the least role that may use it
	// Show returns the content of a panel, to be sent as JSON. It has no side effects and is called often.
	Show func(Call) any
	// Do does something and returns a value for the page, to be sent as JSON. A wire.Refusal is sent to the
	// page; any other error is logged and sent as a failure.
	Do func(context.Context, Call) (any, error)
}

// Call is one request by a device that may make it.
type Call struct {
	Device wire.Handset
	Args   engine.Args
}

// RefuseWhileBusy wraps do so that one call runs at a time; a second one meanwhile is refused as busy.
func RefuseWhileBusy(do func(context.Context, Call) (any, error)) func(context.Context, Call) (any, error) {
	var one sync.Mutex
	return func(ctx context.Context, c Call) (any, error) {
		if !one.TryLock() {
			return nil, wire.NewRefusal("table.busy")
		}
		defer one.Unlock()
		return do(ctx, c)
	}
}

// Keys decrypt requests, each once, and encrypt answers; *seal.Ring implements it.
type Keys interface {
	OpenRequest(h wire.Handset, epoch uint64, payload []byte) (number uint64, body []byte, err error)
	SealAnswer(h wire.Handset, epoch, number uint64, body []byte) ([]byte, error)
}

// Opts of an Office. All except Log are required.
type Opts struct {
	Keys  Keys
	Epoch uint64 // number of this start of the daemon
	// Role returns the role of the account signed in on a device; "" while the device is locked.
	Role func(wire.Handset) wire.Role
	Log  *slog.Logger
}

// Office answers POST /office. It is safe for concurrent use.
type Office struct {
	opts Opts
	rows map[string]Row

	mu      sync.Mutex
	changed chan struct{} // closed at the next change
	waiting map[int]int   // number of waiting requests of each device
}

// New returns an office with these rows. It panics if two have the same name, or one does not have exactly one
// of Show and Do.
func New(opts *Opts, rows ...Row) *Office {
	o := &Office{opts: *opts, rows: map[string]Row{}, changed: make(chan struct{}), waiting: map[int]int{}}
	if o.opts.Log == nil {
		o.opts.Log = slog.New(slog.DiscardHandler)
	}
	for _, r := range append(rows, Row{Name: wire.OfficeRows, Show: o.listRows}) {
		if _, twice := o.rows[r.Name]; twice || (r.Show == nil) == (r.Do == nil) {
			panic("office: row " + r.Name + " is listed twice, or has not exactly one of Show and Do")
		}
		o.rows[r.Name] = r
	}
	return o
}

// NotifyChanged lets the office check the watched rows again. It never blocks.
func (o *Office) NotifyChanged() {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.changed)
	o.changed = make(chan struct{})
}

// listRows returns the names of the rows that a device may use, for the row wire.OfficeRows.
func (o *Office) listRows(c Call) any {
	names := []string{}
	for _, name := range slices.Sorted(maps.Keys(o.rows)) {
		if name != wire.OfficeRows && o.refuseLowRole(c.Device, o.rows[name]) == nil {
			names = append(names, name)
		}
	}
	return names
}

// refuseLowRole refuses a row if the role at the device is too low.
func (o *Office) refuseLowRole(h wire.Handset, r Row) error {
	has := o.opts.Role(h)
	switch {
	case has.Includes(r.Role):
		return nil
	case has == "":
		return wire.NewRefusal("table.staff.locked")
	}
	return wire.NewRefusal("table.staff.needs." + string(r.Role))
}

// ServeHTTP answers one request.
func (o *Office) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	device, sealed, status := readRequest(w, r)
	if status != 0 {
		w.WriteHeader(status)
		return
	}
	number, body, err := o.opts.Keys.OpenRequest(device, o.opts.Epoch, sealed)
	if err != nil {
		w.WriteHeader(http.StatusForbidden) // the same for all reasons
		return
	}
	if !o.reserveRequest(device) {
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	defer o.releaseRequest(device)
	var req wire.OfficeRequest
	answer := wire.OfficeAnswer{Why: &engine.Msg{Key: "table.unknown"}}
	if json.Unmarshal(body, &req) == nil && isWithinLimits(req) {
		answer = o.AnswerRequest(r.Context(), device, req)
	}
	text, err := json.Marshal(answer)
	if err == nil && len(text) <= MaxAnswer {
		text, err = o.opts.Keys.SealAnswer(device, o.opts.Epoch, number, text)
	} else if err == nil {
		err = errors.New("office: an answer that is too long")
	}
	if err != nil { // the key is gone, or the row does not work
		o.opts.Log.Error("no answer from the office", "row", req.Row, "error", err, "quoi", "la page de l’hôte n’a pas eu de réponse")
		w.WriteHeader(http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = w.Write(text) // the browser may be gone
}

// readRequest reads a request from the network. A status other than 0 refuses it.
func readRequest(w http.ResponseWriter, r *http.Request) (device wire.Handset, sealed []byte, status int) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyWait)) // fails only in tests
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, seal.MaxOfficeRequest+1))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return device, nil, http.StatusRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return device, nil, http.StatusRequestTimeout
	case err != nil || len(body) == 0:
		return device, nil, http.StatusBadRequest
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the request may now wait for HoldFor
	return wire.Handset{Viewer: engine.Host, N: int(body[0])}, body[1:], 0
}

// isWithinLimits reports whether a request is within its limits.
func isWithinLimits(req wire.OfficeRequest) bool {
	for name, value := range req.Args {
		if len(name) > wire.MaxID || len(value) > wire.MaxOfficeArg {
			return false
		}
	}
	for name := range req.Watch {
		if len(name) > wire.MaxID {
			return false
		}
	}
	return len(req.Args) <= wire.MaxOfficeArgs && len(req.Watch) <= wire.MaxOfficeArgs
}

// reserveRequest counts a request of a device; false if too many wait.
func (o *Office) reserveRequest(h wire.Handset) (reserved bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiting[h.N] >= MaxWaiting {
		return false
	}
	o.waiting[h.N]++
	return true
}

// releaseRequest ends a request for which reserveRequest returned true.
func (o *Office) releaseRequest(h wire.Handset) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting[h.N]--
}

// AnswerRequest does what a decrypted request of a device asks, if the role at the device allows it, and returns the answer.
func (o *Office) AnswerRequest(ctx context.Context, h wire.Handset, req wire.OfficeRequest) wire.OfficeAnswer {
	if len(req.Watch) > 0 {
		return wire.OfficeAnswer{Rows: o.waitForRowChange(ctx, h, req.Watch)}
	}
	call := Call{Device: h, Args: req.Args}
	row, err := o.findRow(h, req.Row)
	switch {
	case err != nil:
		return refusalAnswer(err)
	case row.Show != nil:
		return valueAnswer(row.Show(call))
	}
	value, err := row.Do(ctx, call)
	o.NotifyChanged()
	if err != nil {
		var known *wire.Refusal
		if !errors.As(err, &known) {
			o.opts.Log.Error("the office could not do it", "row", row.Name, "error", err,
				"quoi", "la page de l’hôte a demandé ce qui n’a pas pu se faire")
		}
		return refusalAnswer(err)
	}
	return valueAnswer(value)
}

// findRow returns a row by name; an error refuses it to this device.
func (o *Office) findRow(h wire.Handset, name string) (Row, error) {
	row, ok := o.rows[name]
	if !ok {
		return row, wire.NewRefusal("table.unknown")
	}
	return row, o.refuseLowRole(h, row)
}

// refusalAnswer returns an answer with the message of a wire.Refusal, or a general failure for any other error.
func refusalAnswer(err error) wire.OfficeAnswer {
	var known *wire.Refusal
	if !errors.As(err, &known) {
		known = &wire.Refusal{Why: engine.NewMsg("table.office.failed")}
	}
	return wire.OfficeAnswer{Why: &known.Why}
}

// valueAnswer returns an answer with a value, as JSON.
func valueAnswer(value any) wire.OfficeAnswer {
	text, err := json.Marshal(value)
	if err != nil {
		panic("office: a row that is no JSON: " + err.Error())
	}
	return wire.OfficeAnswer{Value: text}
}

// waitForRowChange returns the rows that differ from seen, as soon as there is one; none after HoldFor or when ctx
// ends.
func (o *Office) waitForRowChange(ctx context.Context, h wire.Handset, seen map[string]string) map[string]wire.OfficeAnswer {
	end := time.NewTimer(HoldFor)
	defer end.Stop()
	if !slices.Contains(slices.Collect(maps.Values(seen)), "") { // a page without a panel is answered at once
		waitLookPace(ctx)
	}
	for {
		o.mu.Lock()
		changed := o.changed
		o.mu.Unlock()
		news := map[string]wire.OfficeAnswer{}
		for name, last := range seen {
			if a := o.rowPanel(h, name); a.Seen != last {
				news[name] = a
			}
		}
		if len(news) > 0 {
			return news
		}
		select {
		case <-changed:
		case <-end.C:
			return nil
		case <-ctx.Done():
			return nil
		}
		waitLookPace(ctx)
	}
}

// waitLookPace waits for lookPace, or until ctx ends.
func waitLookPace(ctx context.Context) {
	select {
	case <-time.After(lookPace):
	case <-ctx.Done():
	}
}

// rowPanel returns the panel of a row for a device, or the refusal. Its Seen changes with the answer: a hash of the
// panel, or the key of the refusal.
func (o *Office) rowPanel(h wire.Handset, name string) (a wire.OfficeAnswer) {
	row, err := o.findRow(h, name)
	if err == nil && row.Show == nil {
		err = wire.NewRefusal("table.unknown")
	}
	if err != nil {
		a = refusalAnswer(err)
		a.Seen = a.Why.Key
		return a
	}
	a = valueAnswer(row.Show(Call{Device: h}))
	sum := sha256.Sum256(a.Value)
	a.Seen = hex.EncodeToString(sum[:8])
	return a
}

package office

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

const epoch = 7

// rig is an office with two devices of the host, behind a real HTTP server.
type rig struct {
	t      *testing.T
	office *Office
	at     string
	ring   *seal.Ring
	keys   map[int]seal.Key
	roles  [wire.MaxHosts + 1]atomic.Value // wire.Role
	shown  atomic.Int64
	done   atomic.Int64
	number atomic.Uint64
	began  chan struct{} // receives when the row slow has begun
	slow   chan struct{} // lets the row slow end
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, ring: seal.NewRing(nil), keys: map[int]seal.Key{}, began: make(chan struct{}, 1), slow: make(chan struct{})}
	for n := 1; n <= 2; n++ {
		r.keys[n] = seal.NewKey()
		if err := r.ring.SetKey(device(n), r.keys[n], 0); err != nil {
			t.Fatal(err)
		}
		r.roles[n].Store(wire.RoleOwner)
	}
	do := func(_ context.Context, c Call) (any, error) {
		switch c.Args["how"] {
		case "refused":
			return nil, wire.NewRefusal("table.scene")
		case "failed":
			return nil, errors.New("CANARY")
		}
		r.done.Add(1)
		return c.Args["how"], nil
	}
	r.office = New(&Opts{Keys: r.ring, Epoch: epoch, Role: func(h wire.Handset) wire.Role {
		if h.N > 2 {
			return ""
		}
		return r.roles[h.N].Load().(wire.Role)
	}},
		Row{Name: "shown", Role: wire.RoleOperator, Show: func(Call) any { return r.shown.Load() }},
		Row{Name: "done", Role: wire.RoleOwner, Do: do},
		Row{Name: "slow", Role: wire.RoleHost,
			Do: RefuseWhileBusy(func(context.Context, Call) (any, error) { r.began <- struct{}{}; <-r.slow; return nil, nil })},
		Row{Name: "sign-in", Do: do})
	server := httptest.NewServer(r.office)
	t.Cleanup(server.Close)
	r.at = server.URL
	return r
}

func device(n int) wire.Handset { return wire.Handset{Viewer: engine.Host, N: n} }

// sealRequest returns a request of a device, sealed as its page seals it.
func (r *rig) sealRequest(n int, req wire.OfficeRequest) (number uint64, payload []byte) {
	r.t.Helper()
	body, err := json.Marshal(req)
	if err != nil {
		r.t.Fatal(err)
	}
	number = r.number.Add(1)
	payload, err = seal.SealRequest(r.keys[n], epoch, number, body)
	if err != nil {
		r.t.Fatal(err)
	}
	return number, append([]byte{byte(n)}, payload...)
}

func (r *rig) post(payload []byte) (status int, answer []byte) {
	res, err := http.Post(r.at, "application/octet-stream", bytes.NewReader(payload))
	if err != nil {
		r.t.Error(err)
		return 0, nil
	}
	defer res.Body.Close()
	var b bytes.Buffer
	_, _ = b.ReadFrom(res.Body)
	return res.StatusCode, b.Bytes()
}

// askOffice sends a request as the page does, and returns the opened answer.
func (r *rig) askOffice(n int, req wire.OfficeRequest) (a wire.OfficeAnswer) {
	r.t.Helper()
	number, payload := r.sealRequest(n, req)
	status, sealed := r.post(payload)
	if status != http.StatusOK {
		r.t.Errorf("%s: %d", req.Row, status)
		return a
	}
	body, err := seal.OpenAnswer(r.keys[n], number, sealed)
	if err == nil {
		err = json.Unmarshal(body, &a)
	}
	if err != nil {
		r.t.Errorf("%s: %v", req.Row, err)
	}
	return a
}

func answerReason(a wire.OfficeAnswer) string {
	if a.Why == nil {
		return ""
	}
	return a.Why.Key
}

// Each row requires its least role and is listed from that role on. A refusal is sent with its sentence; other errors are not quoted.
func TestRows(t *testing.T) {
	r := newRig(t)
	for role, want := range map[wire.Role]struct{ rows, shown, done, signIn string }{
		wire.RoleOwner:    {"done shown sign-in slow", "", "", ""},
		wire.RoleOperator: {"shown sign-in slow", "", "table.staff.needs.owner", ""},
		wire.RoleHost:     {"sign-in slow", "table.staff.needs.operator", "table.staff.needs.owner", ""},
		"":                {"sign-in", "table.staff.locked", "table.staff.locked", ""},
	} {
		r.roles[1].Store(role)
		var rows []string
		err := json.Unmarshal(r.askOffice(1, wire.OfficeRequest{Row: wire.OfficeRows}).Value, &rows)
		if err != nil || strings.Join(rows, " ") != want.rows {
			t.Errorf("%q has the rows %v: %v", role, rows, err)
		}
		for row, key := range map[string]string{"shown": want.shown, "done": want.done, "sign-in": want.signIn} {
			if a := r.askOffice(1, wire.OfficeRequest{Row: row}); answerReason(a) != key || key != "" && a.Value != nil {
				t.Errorf("%q asks for %s: %+v", role, row, a)
			}
		}
	}
	r.roles[1].Store(wire.RoleOwner)
	if a := r.askOffice(1, wire.OfficeRequest{Row: "done", Args: engine.Args{"how": "x"}}); string(a.Value) != `"x"` {
		t.Errorf("%+v", a)
	}
	for how, key := range map[string]string{"refused": "table.scene", "failed": "table.office.failed"} {
		if a := r.askOffice(1, wire.OfficeRequest{Row: "done", Args: engine.Args{"how": how}}); answerReason(a) != key || a.Value != nil {
			t.Errorf("%+v", a)
		}
	}
	many := engine.Args{}
	for range wire.MaxOfficeArgs + 1 {
		many[strings.Repeat("x", len(many))] = ""
	}
	for what, req := range map[string]wire.OfficeRequest{
		"no row": {}, "another": {Row: "x"}, "too many values": {Row: "done", Args: many}, "too many watched": {Watch: many},
		"a long name":          {Watch: map[string]string{strings.Repeat("x", wire.MaxID+1): ""}},
		"one that is too long": {Row: "done", Args: engine.Args{"x": strings.Repeat("x", wire.MaxOfficeArg+1)}},
	} {
		if a := r.askOffice(1, req); answerReason(a) != "table.unknown" {
			t.Errorf("%s: %+v", what, a)
		}
	}
}

// watchRows asks for changes of rows.
func (r *rig) watchRows(n int, seen map[string]string) map[string]wire.OfficeAnswer {
	r.t.Helper()
	return r.askOffice(n, wire.OfficeRequest{Watch: seen}).Rows
}

// A watch request is answered only when one of its rows changes, with the rows that have changed, and when the
// device's role is lost or comes back.
func TestWatchIsAnsweredWhenItsRowsChange(t *testing.T) {
	r := newRig(t)
	seen := map[string]string{"shown": "", wire.OfficeRows: ""}
	first := r.watchRows(1, seen)
	if string(first["shown"].Value) != "0" || first["shown"].Seen == "" || first[wire.OfficeRows].Value == nil || len(first) != 2 {
		t.Fatalf("%+v", first)
	}
	for name, a := range first {
		seen[name] = a.Seen
	}
	next := make(chan map[string]wire.OfficeAnswer)
	wait := func() { next <- r.watchRows(1, seen) }
	go wait()
	select {
	case a := <-next:
		t.Fatalf("answered before there is anything else: %+v", a)
	case <-time.After(50 * time.Millisecond):
	}
	r.office.NotifyChanged() // another row changes
	r.shown.Store(3)
	if a := r.askOffice(2, wire.OfficeRequest{Row: "shown"}); string(a.Value) != "3" {
		t.Errorf("%+v", a)
	}
	r.office.NotifyChanged()
	a := <-next
	if string(a["shown"].Value) != "3" || a["shown"].Seen == seen["shown"] || len(a) != 1 {
		t.Errorf("%+v", a)
	}
	for _, role := range []wire.Role{wire.RoleHost, wire.RoleOwner} {
		for name, a := range a {
			seen[name] = a.Seen
		}
		go wait()
		for r.countWaiting() == 0 {
			time.Sleep(time.Millisecond)
		}
		r.roles[1].Store(role)
		r.office.NotifyChanged()
		a = <-next
		want := map[wire.Role]string{wire.RoleHost: "table.staff.needs.operator"}[role]
		if shown := a["shown"]; answerReason(shown) != want || (shown.Value == nil) != (want != "") || a[wire.OfficeRows].Value == nil {
			t.Errorf("%s: %+v", role, a)
		}
	}
	for _, name := range []string{"done", "no row"} {
		if a := r.watchRows(1, map[string]string{name: ""})[name]; answerReason(a) != "table.unknown" || a.Seen == "" {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// A row that shows something else at each look is answered at intervals, because a page that watches it would
// otherwise ask without a pause.
func TestPace(t *testing.T) {
	looks := 0
	o := New(&Opts{Role: func(wire.Handset) wire.Role { return wire.RoleOwner }},
		Row{Name: "looks", Show: func(Call) any { looks++; return looks }})
	seen, began := map[string]string{"looks": ""}, time.Now()
	for range 3 {
		seen["looks"] = o.AnswerRequest(t.Context(), device(1), wire.OfficeRequest{Watch: seen}).Rows["looks"].Seen
	}
	if took := time.Since(began); took < 2*lookPace || looks != 3 {
		t.Errorf("%d looks in %v", looks, took)
	}
}

// countWaiting returns the number of requests in progress.
func (r *rig) countWaiting() (n int) {
	r.office.mu.Lock()
	defer r.office.mu.Unlock()
	for _, w := range r.office.waiting {
		n += w
	}
	return n
}

// A replay, another device, a missing key, half a request and noise change nothing.
func TestStrangers(t *testing.T) {
	r := newRig(t)
	_, good := r.sealRequest(1, wire.OfficeRequest{Row: "done"})
	if status, _ := r.post(good); status != http.StatusOK || r.done.Load() != 1 {
		t.Fatalf("%d, done %d times", status, r.done.Load())
	}
	seed := rand.Uint64()
	if n, err := strconv.ParseUint(os.Getenv("MAJORDOME_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("repeat with MAJORDOME_SEED=%d", seed)
	dice := rand.New(rand.NewPCG(seed, 0))
	as2 := bytes.Clone(good)
	as2[0] = 2
	bad := map[string][]byte{"recorded": good, "as another device": as2, "half": good[:len(good)/2], "nothing": nil,
		"a device without a key": {3}, "no device": {0}, "a number": {1}}
	for what, payload := range bad {
		status, answer := r.post(payload)
		if status != http.StatusForbidden && (status != http.StatusBadRequest || len(payload) > 0) || len(answer) > 0 {
			t.Errorf("%s: %d %q", what, status, answer)
		}
	}
	for range 300 {
		_, payload := r.sealRequest(1, wire.OfficeRequest{Row: "done"})
		payload[dice.IntN(len(payload))] ^= byte(1 + dice.IntN(255))
		if status, answer := r.post(payload); status != http.StatusForbidden || len(answer) > 0 {
			t.Errorf("changed: %d %q", status, answer)
		}
	}
	if r.done.Load() != 1 {
		t.Errorf("done %d times", r.done.Load())
	}
	if status, _ := r.post(make([]byte, seal.MaxOfficeRequest+2)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("one without an end: %d", status)
	}
	if r.countWaiting() != 0 {
		t.Errorf("%d of them wait", r.countWaiting())
	}
	// An answer can be opened only with the key and the number of its request.
	n, payload := r.sealRequest(1, wire.OfficeRequest{Row: "shown"})
	_, sealed := r.post(payload)
	for what, opened := range map[string]error{
		"another's key":    openAnswer(r.keys[2], n, sealed),
		"another question": openAnswer(r.keys[1], n+1, sealed),
	} {
		if opened == nil {
			t.Errorf("the answer opens with %s", what)
		}
	}
}

func openAnswer(k seal.Key, n uint64, sealed []byte) error {
	_, err := seal.OpenAnswer(k, n, sealed)
	return err
}

// A device that sends a thousand requests at once has at most MaxWaiting of them in progress, and another device is
// served as usual.
func TestAThousandAtOnce(t *testing.T) {
	r := newRig(t)
	first := r.watchRows(1, map[string]string{"shown": ""})["shown"]
	var all sync.WaitGroup
	status := make([]int, 1000)
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 100}}
	defer client.CloseIdleConnections()
	for i := range status {
		_, payload := r.sealRequest(1, wire.OfficeRequest{Watch: map[string]string{"shown": first.Seen}})
		all.Go(func() {
			res, err := client.Post(r.at, "application/octet-stream", bytes.NewReader(payload))
			if err != nil {
				return
			}
			status[i] = res.StatusCode
			res.Body.Close()
		})
	}
	for end := time.Now().Add(time.Minute); r.countWaiting() < MaxWaiting && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	if a := r.askOffice(2, wire.OfficeRequest{Row: "done", Args: engine.Args{"how": "x"}}); string(a.Value) != `"x"` {
		t.Errorf("another device: %+v", a)
	}
	r.shown.Store(1)
	r.office.NotifyChanged()
	all.Wait()
	slices.Sort(status)
	for _, s := range slices.Compact(slices.Clone(status)) { // some numbers may have come too late
		if s != http.StatusOK && s != http.StatusForbidden && s != http.StatusTooManyRequests {
			t.Errorf("status %d", s)
		}
	}
	if status[MaxWaiting-1] != http.StatusOK {
		t.Errorf("fewer than %d are answered", MaxWaiting)
	}
	if r.countWaiting() != 0 {
		t.Errorf("%d wait for ever", r.countWaiting())
	}
}

// RefuseWhileBusy handles one request at a time.
func TestRefuseWhileBusyHandlesOneRequest(t *testing.T) {
	r := newRig(t)
	done := make(chan wire.OfficeAnswer)
	go func() { done <- r.askOffice(1, wire.OfficeRequest{Row: "slow"}) }()
	<-r.began
	if a := r.askOffice(2, wire.OfficeRequest{Row: "slow"}); answerReason(a) != "table.busy" {
		t.Errorf("a second at once: %+v", a)
	}
	close(r.slow)
	if a := <-done; a.Why != nil {
		t.Errorf("%+v", a)
	}
}

package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

func startServer(t *testing.T, r *rig) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(r.table.Handler("secret"))
	t.Cleanup(s.Close)
	return s
}

func sendRequest(t *testing.T, ctx context.Context, s *httptest.Server, method, path, token string, body io.Reader) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", token)
	}
	res, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// TestNothingIsServedWithoutTheToken: the bench shows the face of every card, so nothing is served without its token.
func TestNothingIsServedWithoutTheToken(t *testing.T) {
	s := startServer(t, newRig(t, Opts{Dwell: forever}))
	for _, token := range []string{"", "secret", "Bearer ", "Bearer secre", "Bearer secret2", "Basic secret"} {
		for path, method := range map[string]string{"/bench/events": "GET", "/bench/act": "POST"} {
			res := sendRequest(t, t.Context(), s, method, path, token, strings.NewReader("{}"))
			if text, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusUnauthorized || bytes.Contains(text, []byte("cards")) {
				t.Errorf("%s %s with %q: %s %s", method, path, token, res.Status, text)
			}
		}
	}
}

// TestActs: an act that names nothing on this table is refused and changes nothing.
func TestActs(t *testing.T) {
	r := newRig(t, Opts{Dwell: forever})
	s := startServer(t, r)
	tag := r.card("weapon-corde").Tag
	before, _ := r.table.State()
	for _, body := range []string{
		``, `{`, `[]`, `{"act":"fly"}`, `{"act":"move"}`, `{"act":"move","spot":"urn"}`,
		`{"act":"move","card":"` + tag + `","spot":"pocket"}`,
		`{"act":"move","card":"` + tag + `","spot":"hand:seat-99"}`,
		`{"act":"move","card":"` + tag + `","spot":"weapon-corde"}`,
		`{"act":"move","card":"00000000","spot":"urn"}`,
		`{"act":"move","cards":["` + tag + `","nix"],"spot":"urn"}`,
		`{"act":"flip","card":"nix"}`, `{"act":"pawn","seat":0,"place":"place-salon"}`,
		`{"act":"pawn","seat":1,"place":"box"}`, `{"act":"plug","reader":"oven"}`, `{"act":"unplug"}`,
		`{"act":"flip","card":"` + tag + `","force":true}`,
		`{"act":"flip","card":"` + strings.Repeat("0", maxActBytes) + `"}`,
	} {
		res := sendRequest(t, t.Context(), s, "POST", "/bench/act", "Bearer secret", strings.NewReader(body))
		var reject engine.Reject
		if err := json.NewDecoder(res.Body).Decode(&reject); res.StatusCode != http.StatusBadRequest || err != nil || reject.Why.IsEmpty() {
			t.Errorf("%.80s: %s, %v", body, res.Status, err)
		}
	}
	if after, _ := r.table.State(); !equalBench(before, after) {
		t.Errorf("before\n%v\nafter\n%v", before, after)
	}
	for _, body := range []string{
		`{"act":"move","card":"` + tag + `","spot":"hand:seat-2"}`, `{"act":"flip","card":"` + tag + `"}`,
		`{"act":"pawn","seat":2,"place":"place-salon"}`, `{"act":"unplug","reader":"urn"}`,
	} {
		res := sendRequest(t, t.Context(), s, "POST", "/bench/act", "Bearer secret", strings.NewReader(body))
		if res.StatusCode != http.StatusNoContent {
			t.Errorf("%s: %s", body, res.Status)
		}
	}
	state, _ := r.table.State()
	if c := r.card("weapon-corde"); c.Spot != "hand:seat-2" || !c.Up || len(state.Pawns) != 1 || r.fields["urn"].plugged {
		t.Errorf("the acts have not happened: %+v, %v", c, state.Pawns)
	}
}

// TestRefusalGivesItsReason: a refusal gives its reason, in the words of the part that refuses.
func TestRefusalGivesItsReason(t *testing.T) {
	r := newSeatedRig(t, Opts{Dwell: forever, Pause: forever})
	for range 16 { // as many as fit into the field of the rig
		r.move(wire.SpotSlot, r.cardsAt(wire.SpotBox)[0])
	}
	tag := r.card(r.cardsAt(wire.SpotBox)[0]).Tag
	r.performAct(wire.BenchAct{Act: "deal"})
	r.table.opts.Invite = func(engine.Seat) error {
		return fmt.Errorf("house: invite: %w", &engine.Reject{Code: engine.NotYou, Why: engine.NewMsg("table.staff.locked")})
	}
	r.table.opts.Resume = func() error { return errors.New("house: resume: the table has ended") }
	s := startServer(t, r)
	for body, want := range map[string]string{
		`{"act":"move","card":"` + tag + `","spot":"slot"}`: "ui.bench.crowded",
		`{"act":"deal"}`:            "ui.bench.busy",
		`{"act":"invite","seat":1}`: "table.staff.locked",
		`{"act":"resume"}`:          "ui.bench.refused",
		`{"act":"fly"}`:             "ui.bench.refused",
		`{`:                         "ui.bench.refused",
	} {
		res := sendRequest(t, t.Context(), s, "POST", "/bench/act", "Bearer secret", strings.NewReader(body))
		var no engine.Reject
		if err := json.NewDecoder(res.Body).Decode(&no); err != nil || no.Why.Key != want {
			t.Errorf("%s: %v, %v, want %s", body, no.Why, err, want)
		}
	}
}

func equalBench(a, b wire.Bench) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

// TestStream: a listener gets one state at once and one at each change, and the number of listeners is limited.
func TestStream(t *testing.T) {
	r := newRig(t, Opts{Dwell: forever})
	s := startServer(t, r)
	ctx, cancel := context.WithCancel(t.Context())
	var first *json.Decoder
	for range maxListeners {
		res := sendRequest(t, ctx, s, "GET", "/bench/events", "Bearer secret", nil)
		in := json.NewDecoder(res.Body)
		var b wire.Bench
		if err := in.Decode(&b); err != nil || len(b.Cards) == 0 || res.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%v %v", err, res.Header)
		}
		if first == nil {
			first = in
		}
	}
	if res := sendRequest(t, ctx, s, "GET", "/bench/events", "Bearer secret", nil); res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one listener more: %s", res.Status)
	}
	r.move(wire.SpotUrn, "weapon-corde")
	var b wire.Bench
	if err := first.Decode(&b); err != nil {
		t.Fatal(err)
	}
	cancel()
	for r.table.listeners.Load() > 0 {
		runtime.Gosched()
	}
	if res := sendRequest(t, t.Context(), s, "GET", "/bench/events", "Bearer secret", nil); res.StatusCode != http.StatusOK {
		t.Errorf("after all have left: %s", res.Status)
	}
}

// TestBusyTable: hands, lamps, updates and listeners at once (for the race detector).
func TestBusyTable(t *testing.T) {
	r := newSeatedRig(t, Opts{Dwell: time.Millisecond, File: roomFile(t)})
	table, last := r.table, r.update
	answer := func() {
		table.HandleUpdate(wire.Update{View: last.View, Notice: &wire.Notice{Signal: "again", Reader: engine.ReaderShow}})
	}
	tag := r.card("weapon-corde").Tag
	var wg sync.WaitGroup
	for _, do := range []func(){
		func() { _ = table.PerformAct(wire.BenchAct{Act: "move", Card: tag, Spot: wire.SpotUrn}) },
		func() { _ = table.PerformAct(wire.BenchAct{Act: "flip", Card: tag}) },
		func() { _ = table.PerformAct(wire.BenchAct{Act: "pawn", Seat: 1, Place: "place-salon"}) },
		func() { _ = table.PerformAct(wire.BenchAct{Act: "deal"}) },
		answer,
		table.NotifyChanged,
		func() { table.State() },
	} {
		wg.Go(func() {
			for range 200 {
				do()
			}
		})
	}
	wg.Wait()
	waitState(t, table, "rest", func(b wire.Bench) bool {
		if b.Busy {
			answer() // a table answers each presented card, and the helping hand waits for that
		}
		return !b.Busy
	})
}

// guests is a player of the bench that records what it is asked.
type guests struct {
	state   wire.BenchPlay
	touched int
}

func (g *guests) State() wire.BenchPlay { return g.state }
func (g *guests) HandleManualMove()     { g.touched++ }
func (g *guests) SetState(want wire.BenchPlay) error {
	if want.Speed == 0 {
		return errUnknown
	}
	g.state = want
	return nil
}

// TestThePageStartsAndStopsTheGuests: the page starts and stops the guests. They are notified of each act that touches the table, and of no
// other.
func TestThePageStartsAndStopsTheGuests(t *testing.T) {
	r := newRig(t, Opts{})
	if err := r.table.PerformAct(wire.BenchAct{Act: "play", Play: &wire.BenchPlay{Speed: 1}}); err == nil {
		t.Error("a table without guests plays by itself")
	}
	if b, _ := r.table.State(); b.Play != nil {
		t.Errorf("a table without guests says %+v", b.Play)
	}
	g := &guests{}
	r.table.SetAutoPlayer(g)
	post := func(act string) int {
		t.Helper()
		req := httptest.NewRequest("POST", "/bench/act", strings.NewReader(act))
		req.Header.Set("Authorization", "Bearer T")
		w := httptest.NewRecorder()
		r.table.Handler("T").ServeHTTP(w, req)
		return w.Code
	}
	if code := post(`{"act":"play","play":{"on":true,"speed":2,"game":"huis-clos","seed":7,"mine":[1]}}`); code != http.StatusNoContent {
		t.Errorf("play: %d", code)
	}
	if b, _ := r.table.State(); b.Play == nil || !b.Play.On || b.Play.Seed != 7 {
		t.Errorf("the bench plays %+v", b.Play)
	}
	for _, bad := range []string{`{"act":"play"}`, `{"act":"play","play":{"on":true,"mine":[]}}`} {
		if code := post(bad); code != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, code)
		}
	}
	if !g.state.On {
		t.Error("a refused request has stopped the guests")
	}
	if code := post(`{"act":"invite","seat":1}`); code != http.StatusBadRequest {
		t.Errorf("a bench without invitations: %d", code)
	}
	var invited []engine.Seat
	r.table.opts.Invite = func(s engine.Seat) error { invited = append(invited, s); return nil }
	if code := post(`{"act":"invite","seat":99}`); code != http.StatusBadRequest {
		t.Errorf("invite seat 99: %d", code)
	}
	for seat := range 2 {
		if code := post(fmt.Sprintf(`{"act":"invite","seat":%d}`, seat)); code != http.StatusNoContent {
			t.Errorf("invite %d: %d", seat, code)
		}
	}
	if code := post(`{"act":"resume"}`); code != http.StatusBadRequest {
		t.Errorf("a bench without a table to go on: %d", code)
	}
	resumed := 0
	r.table.opts.Resume = func() error { resumed++; return nil }
	if code := post(`{"act":"resume"}`); code != http.StatusNoContent || resumed != 1 {
		t.Errorf("resume: %d, %d times", code, resumed)
	}
	if !slices.Equal(invited, []engine.Seat{0, 1}) || !g.state.On {
		t.Errorf("invited are %v, guests act: %t", invited, g.state.On)
	}
	if g.touched != 0 {
		t.Errorf("acts that lay no hand on the table count as %d", g.touched)
	}
	if code := post(`{"act":"tidy"}`); code != http.StatusNoContent || g.touched != 1 {
		t.Errorf("a hand on the table: %d, notified %d times", code, g.touched)
	}
}

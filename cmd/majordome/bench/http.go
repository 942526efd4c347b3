package bench

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"majordome/companion/door"
	"majordome/companion/wire"
)

// maxActBytes is the most bytes of one request: a list of all tags of the table fits.
const maxActBytes = 8 << 10

// frameInterval is the shortest time between two states that are sent: fading lamps would otherwise fill the connection.
const frameInterval = 50 * time.Millisecond

// maxListeners is the most streams: twelve tours with two each.
const maxListeners = 24

// Handler serves /bench/events and /bench/act to requests with the token.
func (t *Table) Handler(token string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /bench/events", t.serveEvents)
	mux.HandleFunc("POST /bench/act", t.serveAct)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			http.Error(w, "the bench opens with the link that the demo printed · l’établi s’ouvre par le lien que la démo a affiché",
				http.StatusUnauthorized)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

func (t *Table) serveEvents(w http.ResponseWriter, r *http.Request) {
	defer t.listeners.Add(-1)
	if t.listeners.Add(1) > maxListeners {
		http.Error(w, "too many windows show this table: close one · trop de fenêtres montrent cette table : fermez-en une",
			http.StatusServiceUnavailable)
		return
	}
	door.FromContext(r.Context()).Promote(door.Public, "") // the token proves that this is no stranger
	w.Header().Set("Content-Type", "application/x-ndjson")
	flush := http.NewResponseController(w)
	out := json.NewEncoder(w)
	for {
		state, changed := t.State()
		if out.Encode(state) != nil || flush.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
		select {
		case <-time.After(frameInterval):
		case <-r.Context().Done():
			return
		}
	}
}

func (t *Table) serveAct(w http.ResponseWriter, r *http.Request) {
	var a wire.BenchAct
	in := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxActBytes))
	in.DisallowUnknownFields()
	err := in.Decode(&a)
	if err == nil {
		err = t.PerformAct(a)
	}
	if err == nil && !slices.Contains([]string{"play", "invite", "resume"}, a.Act) && t.player != nil {
		t.player.HandleManualMove()
	}
	if err != nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		no := errUnknown
		_ = errors.As(err, &no)
		_ = json.NewEncoder(w).Encode(no)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

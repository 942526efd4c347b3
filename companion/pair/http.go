package pair

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"time"

	"majordome/companion/door"
	"majordome/companion/seal"
	"majordome/engine"
)

const (
	maxBody = 512
	maxWait = 5 * time.Second // for the whole body
	idSize  = 16              // hex digits
)

type joinRequest struct {
	ID    string `json:"id"`
	Hello string `json:"hello"`           // base64url of a seal.JoinRequest
	Fresh string `json:"fresh,omitempty"` // only to renew a key: a connect password for seal.RenewalClientID
	MAC   string `json:"mac,omitempty"`   // only a page from before X25519 sends it
}

// ServeHTTP answers POST /join. A refusal is a status and an engine.Msg that says what to do. A right proof is
// accepted no matter how many tries from the same address or network have failed.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	from := door.AddressOrNetworkOf(r.RemoteAddr)
	fail := func(status int, key string) {
		if d.failures.isBlocked(from) {
			w.Header().Set("Retry-After", "60")
			status, key = http.StatusTooManyRequests, "table.join.wait"
		} else {
			d.failures.addFailure(from)
		}
		writeRefusal(w, status, key)
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		writeRefusal(w, http.StatusMethodNotAllowed, "table.join.form")
		return
	}
	// The server itself only limits headers; a slow body would hold a connection.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(d.bodyWait)) // fails only with the recorder of a test
	id, request, fresh, status := readJoinRequest(w, r)
	if status != 0 {
		fail(status, "table.join.form")
		return
	}
	sealed, err := seal.OutdatedAnswer(), error(nil)
	if request != nil {
		sealed, err = d.Redeem(id, request, fresh)
	}
	switch {
	case err == nil:
		_ = json.NewEncoder(w).Encode(map[string]string{"box": encodeBox(sealed)})
	case errors.Is(err, ErrUsed):
		d.failures.addFailure(from)
		writeRefusal(w, http.StatusGone, "table.join.used")
	case errors.Is(err, ErrTooSoon):
		writeRefusal(w, http.StatusTooManyRequests, "table.join.wait")
	case errors.Is(err, ErrUnknown):
		fail(http.StatusNotFound, "table.join.unknown")
	default:
		writeRefusal(w, http.StatusServiceUnavailable, "table.join.store")
	}
}

// hasJSONBody reports whether the body is declared as JSON, which a form of another site cannot do.
func hasJSONBody(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// readJoinRequest reads the request; it is nil from a page from before X25519. A status other than 0 refuses it.
func readJoinRequest(w http.ResponseWriter, r *http.Request) (id string, request []byte, fresh string, status int) {
	if !hasJSONBody(r) {
		return "", nil, "", http.StatusUnsupportedMediaType
	}
	var req joinRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&req); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return "", nil, "", http.StatusRequestEntityTooLarge
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return "", nil, "", http.StatusRequestTimeout
		}
		return "", nil, "", http.StatusBadRequest
	}
	if req.Hello == "" && req.MAC != "" {
		return req.ID, nil, "", 0
	}
	request, err := base64.RawURLEncoding.DecodeString(req.Hello)
	if err != nil || len(req.ID) != idSize || !seal.IsJoinRequest(request) {
		return "", nil, "", http.StatusBadRequest
	}
	return req.ID, request, req.Fresh, 0
}

func writeRefusal(w http.ResponseWriter, status int, key string) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(engine.NewMsg(key))
}

const (
	maxFailures   = 20
	forgetFailure = 3 * time.Second
	maxSources    = 256
)

// failureCounts counts failed tries by address (for IPv6 by /64). An address with maxFailures failures has to wait
// forgetFailure for each further try. If 256 addresses have recent failures, new ones share one count.
type failureCounts struct {
	now func() time.Time
	mu  sync.Mutex
	// clearAt has the time when an address will have no failures left.
	clearAt map[netip.Prefix]time.Time
}

func newFailureCounts(now func() time.Time) *failureCounts {
	return &failureCounts{now: now, clearAt: map[netip.Prefix]time.Time{}}
}

// countKeyOf returns the key of an address in clearAt: the address itself, or the zero prefix, which all new addresses
// share while there are too many.
func (t *failureCounts) countKeyOf(from netip.Prefix) netip.Prefix {
	if _, ok := t.clearAt[from]; ok || len(t.clearAt) < maxSources {
		return from
	}
	for a, at := range t.clearAt {
		if !at.After(t.now()) {
			delete(t.clearAt, a)
		}
	}
	if len(t.clearAt) < maxSources {
		return from
	}
	return netip.Prefix{}
}

func (t *failureCounts) isBlocked(from netip.Prefix) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.clearAt[t.countKeyOf(from)].Sub(t.now()) > (maxFailures-1)*forgetFailure
}

func (t *failureCounts) addFailure(from netip.Prefix) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key, now := t.countKeyOf(from), t.now()
	at := t.clearAt[key]
	if at.Before(now) {
		at = now
	}
	t.clearAt[key] = at.Add(forgetFailure)
}

package house

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"majordome/companion/wire"
)

// The bundle by one tap of the host: it is made in the background, waits under a path that was drawn by chance and stands in
// the host's sealed view alone, and is served once. It implements table.Support.
//
//	GET /support/NAME   the text; from then on, and after supportFor, 404
//
// What may leak: to who reads the host's traffic on the way, what a bundle holds, which is no secret of the game. Limits: one is
// made at a time and one waits; it takes at most supportWithin, and maxBundle.
type support struct {
	at, file string                       // where it is served, and under which name it is saved
	text     func(context.Context) string // makes it
	shown    func()                       // something else is to be shown
	keep     time.Duration

	mu     sync.Mutex
	making bool
	name   string // "": none waits
	made   string
	end    *time.Timer
}

const (
	supportPath   = "/support/"
	supportFor    = 3 * time.Minute  // until it is taken back, unfetched
	supportWithin = 30 * time.Second // the doctor reads a few hundred files, and asks health over loopback
)

// Make implements table.Support.
func (s *support) Make() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.making {
		return false
	}
	s.drop()
	s.making = true
	go s.make()
	return true
}

func (s *support) make() {
	ctx, cancel := context.WithTimeout(context.Background(), supportWithin)
	defer cancel()
	text := s.text(ctx)
	s.mu.Lock()
	name := rand.Text()
	s.making, s.name, s.made = false, name, text
	s.end = time.AfterFunc(s.keep, func() { s.take(name) })
	s.mu.Unlock()
	s.shown()
}

// drop forgets what waits. mu is held.
func (s *support) drop() {
	if s.end != nil {
		s.end.Stop()
	}
	s.name, s.made, s.end = "", "", nil
}

// take gives what waits under a name, to the first who asks.
func (s *support) take(name string) (text string, ok bool) {
	s.mu.Lock()
	if s.name != "" && subtle.ConstantTimeCompare([]byte(name), []byte(s.name)) == 1 {
		text, ok = s.made, true
		s.drop()
	}
	s.mu.Unlock()
	if ok {
		s.shown()
	}
	return text, ok
}

// Shown implements table.Support.
func (s *support) Shown() (w wire.Support) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.Making = s.making; s.name != "" {
		w.Path = s.at + s.name
	}
	return w
}

func (s *support) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodGet { // a HEAD takes nothing
		w.Header().Set("Allow", http.MethodGet)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	text, ok := s.take(r.PathValue("name"))
	if !ok {
		http.Error(w, "Ce fichier a déjà été pris, ou il a attendu trop longtemps : demandez-en un autre sur la page de l’hôte.\n"+
			"This file was fetched already, or has waited for too long: ask for another on the host’s page.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Disposition", `attachment; filename="`+s.file+`"`)
	_, _ = w.Write([]byte(text))
}

// openSupport is before the table loop, which shows it.
func (h *House) openSupport() {
	h.support = &support{at: supportPath, file: "majordome.txt", shown: func() { h.loop.Refresh() }, keep: supportFor,
		text: func(ctx context.Context) string {
			var text strings.Builder
			_ = WriteBundle(&text, h.bundle(ctx)...) // a builder takes everything
			return text.String()
		}}
}

// bundle are the parts of one that the daemon makes of itself.
func (h *House) bundle(ctx context.Context) (parts []Part) {
	if h.opts.Facts != nil {
		parts = h.opts.Facts()
	}
	said, _ := json.MarshalIndent(h.health(ctx), "", "  ") // maps and numbers
	return append(parts, Part{"configuration", h.config().Told()}, Part{"healthz", string(said)}, Part{"metrics", h.metricsText(ctx)}, Part{"log", h.opts.Tail.String()})
}

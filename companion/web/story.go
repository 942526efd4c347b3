package web

import (
	"bytes"
	"net/http"
	"sync"
)

// storyHandler serves the story of the evening, and gzips each version of it once.
type story struct {
	of func() []byte

	mu   sync.Mutex
	last sheet
}

func (s *story) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var now []byte
	if s.of != nil {
		now = s.of()
	}
	if now == nil {
		nothing.Answer(w, http.StatusNotFound)
		return
	}
	s.mu.Lock()
	if !bytes.Equal(s.last.plain, now) {
		s.last = newSheet(now)
	}
	sheet := s.last
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Add("Vary", "Accept-Encoding")
	sheet.send(w, r)
}

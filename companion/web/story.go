package web

import (
	"bytes"
	"net/http"
	"sync"
)

// storyHandler serves the story of the evening, and gzips each version of it once.
type storyHandler struct {
	read func() []byte

	mu   sync.Mutex
	last document
}

func (s *storyHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var now []byte
	if s.read != nil {
		now = s.read()
	}
	if now == nil {
		notFound.WriteResponse(w, http.StatusNotFound)
		return
	}
	s.mu.Lock()
	if !bytes.Equal(s.last.plain, now) {
		s.last = newDocument(now)
	}
	sheet := s.last
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Add("Vary", "Accept-Encoding")
	sheet.writeResponse(w, r)
}

// Package wsstream reads and writes the binary messages of a WebSocket as one stream of bytes (RFC 6455), as MQTT needs it
// (MQTT 3.1.1 section 6): a packet may span several messages, and a message may contain several packets.
//
// Limits: a message is never in memory whole. SetReadLimit of the connection limits its size.
package wsstream

import (
	"errors"
	"io"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// ErrText means that the peer sent a text message where only binary ones are allowed.
var ErrText = errors.New("wsstream: text message")

// Stream is a net.Conn over a WebSocket.
type Stream struct {
	*websocket.Conn
	// OnMessage is called at the start of each message; its error ends the stream. It may be nil.
	OnMessage func() error

	message io.Reader  // the message being read; nil between two messages
	writing sync.Mutex // a WebSocket takes one writer at a time
}

// Read continues in the present message, or begins the next one.
func (s *Stream) Read(p []byte) (int, error) {
	for {
		if s.message == nil {
			kind, r, err := s.NextReader()
			if err != nil {
				return 0, err
			}
			if kind != websocket.BinaryMessage {
				return 0, ErrText
			}
			if s.OnMessage != nil {
				if err := s.OnMessage(); err != nil {
					return 0, err
				}
			}
			s.message = r
		}
		n, err := s.message.Read(p)
		if errors.Is(err, io.EOF) {
			s.message, err = nil, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// Write sends p as one binary message.
func (s *Stream) Write(p []byte) (int, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.WriteMessage(websocket.BinaryMessage, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// SetDeadline sets the deadlines of reading and of writing.
func (s *Stream) SetDeadline(t time.Time) error {
	return errors.Join(s.SetReadDeadline(t), s.SetWriteDeadline(t))
}

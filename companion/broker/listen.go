package broker

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gorilla/websocket"

	"majordome/companion/door"
	"majordome/companion/wsstream"
)

const (
	subprotocol = "mqtt"    // for 3.1.1, MQTT 5 section 6.0 and OASIS 3.1.1 section 6
	maxMessage  = 128 << 10 // bytes of one WebSocket message; it may hold several packets
)

// ServeTCP accepts MQTT connections from l, a listener of package door, until Close, which also closes l. It returns nil after Close,
// otherwise the error of Accept.
func (b *Broker) ServeTCP(l net.Listener) error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return l.Close()
	}
	b.listeners[l] = struct{}{}
	b.mu.Unlock()
	for {
		conn, err := l.Accept()
		if err != nil {
			select {
			case <-b.stop:
				return nil
			default:
			}
			return fmt.Errorf("broker: accept: %w", err)
		}
		if !b.beginServing() {
			conn.Close()
			continue
		}
		go func() {
			defer b.wg.Done()
			b.serveConn(conn, newLimiter(b.opts.Rate), door.ConnOf(conn))
		}()
	}
}

// WebSocketHandler returns a handler that serves MQTT over WebSocket; mount it at /mqtt. A page of another origin gets 403, a request
// without sub-protocol mqtt 400.
func (b *Broker) WebSocketHandler() http.Handler { return http.HandlerFunc(b.serveWebSocket) }

func (b *Broker) serveWebSocket(w http.ResponseWriter, r *http.Request) {
	if !b.beginServing() {
		http.Error(w, "La table s’arrête : revenez dans un instant.\nThe table is stopping: come back in a moment.",
			http.StatusServiceUnavailable)
		return
	}
	defer b.wg.Done()
	remote := remoteAddr(r.RemoteAddr)
	if !b.allowsOrigin(r) {
		b.countRefusal("origin", remote)
		http.Error(w, "Les pages d’un autre site n’ont pas accès à cette table.\nPages of another site may not connect to this table.",
			http.StatusForbidden)
		return
	}
	if websocket.IsWebSocketUpgrade(r) && !slices.Contains(websocket.Subprotocols(r), subprotocol) {
		b.countRefusal("subprotocol", remote)
		http.Error(w, "Il manque le sous-protocole mqtt (Sec-WebSocket-Protocol).\n"+
			"The sub-protocol mqtt is missing (Sec-WebSocket-Protocol).", http.StatusBadRequest)
		return
	}
	up := websocket.Upgrader{
		HandshakeTimeout: b.opts.WriteTimeout,
		Subprotocols:     []string{subprotocol},
		CheckOrigin:      func(*http.Request) bool { return true }, // done above
	}
	ws, err := up.Upgrade(w, r, nil) // answers with an error itself
	if err != nil {
		return
	}
	ws.SetReadLimit(maxMessage)
	lim := newLimiter(b.opts.Rate)
	// Control frames never reach the gate, but cost work as well.
	pong := ws.PingHandler()
	ws.SetPingHandler(func(data string) error {
		if err := lim.chargePacket(len(data), false); err != nil {
			return err
		}
		return pong(data)
	})
	ws.SetPongHandler(func(data string) error { return lim.chargePacket(len(data), false) })
	b.serveConn(&wsstream.Stream{Conn: ws, OnMessage: func() error { return lim.chargePacket(0, false) }}, lim, door.ConnOf(ws.NetConn()))
}

// remoteAddr is a remote address of which only the text is known.
type remoteAddr string

func (remoteAddr) Network() string  { return "tcp" }
func (a remoteAddr) String() string { return string(a) }

// allowsOrigin reports whether the page that sends r may connect, by the Origin that browsers add. A client without Origin is not a
// browser; like all others it needs a password.
func (b *Broker) allowsOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(b.opts.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

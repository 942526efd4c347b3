package line

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"majordome/companion/wsstream"
)

// maxHandshake bounds what a server may say until a WebSocket is open, in bytes: TLS with its certificates, and headers of HTTP.
const maxHandshake = 64 << 10

// dial opens a connection to the broker, TLS and WebSocket included, within timeout. A proxy of the environment is not asked.
func dial(address *url.URL, config *tls.Config, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	plain := &net.Dialer{}
	switch address.Scheme {
	case "tcp", "mqtt":
		return plain.DialContext(ctx, "tcp", address.Host)
	case "ssl", "mqtts":
		return (&tls.Dialer{NetDialer: plain, Config: config}).DialContext(ctx, "tcp", address.Host)
	}
	var limited *limitedConn
	ws := websocket.Dialer{HandshakeTimeout: timeout, TLSClientConfig: config, Subprotocols: []string{"mqtt"},
		NetDialContext: func(ctx context.Context, network, host string) (net.Conn, error) {
			conn, err := plain.DialContext(ctx, network, host)
			if err != nil {
				return nil, err
			}
			limited = &limitedConn{Conn: conn}
			limited.left.Store(maxHandshake)
			return limited, nil
		}}
	conn, answer, err := ws.DialContext(ctx, address.String(), nil)
	if err != nil {
		return nil, err
	}
	_ = answer.Body.Close() // of an upgrade it is empty
	limited.open.Store(true)
	return &wsstream.Stream{Conn: conn}, nil
}

// errHandshake reports a server that says too much before a WebSocket is open.
var errHandshake = errors.New("line: the server says too much before the WebSocket is open")

// limitedConn is a connection that ends after maxHandshake bytes were read, unless it is open by then.
type limitedConn struct {
	net.Conn
	left atomic.Int64
	open atomic.Bool
}

// Read fails with errHandshake when the limit is reached.
func (c *limitedConn) Read(p []byte) (int, error) {
	if c.open.Load() {
		return c.Conn.Read(p)
	}
	n, err := c.Conn.Read(p[:min(len(p), 4<<10)])
	if err == nil && c.left.Add(-int64(n)) < 0 {
		return 0, errHandshake
	}
	return n, err
}

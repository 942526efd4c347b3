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

// maxHandshake is the greatest number of bytes a server may send until a WebSocket is open: TLS with its certificates, and HTTP headers.
const maxHandshake = 64 << 10

// dialBroker opens a connection to the broker, including TLS and WebSocket, within timeout. p limits its speed. It ignores proxies of the
// environment.
func dialBroker(address *url.URL, config *tls.Config, timeout time.Duration, p *pace) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	plain := func(ctx context.Context, network, host string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, host)
		if err != nil {
			return nil, err
		}
		return &pacedConn{Conn: conn, pace: p}, nil
	}
	switch address.Scheme {
	case "tcp", "mqtt":
		return plain(ctx, "tcp", address.Host)
	case "ssl", "mqtts":
		conn, err := plain(ctx, "tcp", address.Host)
		if err != nil {
			return nil, err
		}
		return startTLS(ctx, conn, address.Hostname(), config)
	}
	var limited *limitedConn
	ws := websocket.Dialer{HandshakeTimeout: timeout, TLSClientConfig: config, Subprotocols: []string{"mqtt"},
		NetDialContext: func(ctx context.Context, network, host string) (net.Conn, error) {
			conn, err := plain(ctx, network, host)
			if err != nil {
				return nil, err
			}
			limited = &limitedConn{Conn: conn}
			limited.remaining.Store(maxHandshake)
			return limited, nil
		}}
	conn, answer, err := ws.DialContext(ctx, address.String(), nil)
	if err != nil {
		return nil, err
	}
	_ = answer.Body.Close() // the body of an upgrade is empty
	limited.opened.Store(true)
	answerPing := conn.PingHandler()
	conn.SetPingHandler(func(text string) error { return errors.Join(p.chargeAndWait(1, 0), answerPing(text)) })
	conn.SetPongHandler(func(string) error { return p.chargeAndWait(1, 0) })
	return &wsstream.Stream{Conn: conn, OnMessage: func() error { return p.chargeAndWait(1, 0) }}, nil
}

// startTLS starts TLS on a connection, and closes it if that fails. A nil config uses the certificates that this machine trusts.
func startTLS(ctx context.Context, conn net.Conn, host string, config *tls.Config) (net.Conn, error) {
	if config = config.Clone(); config == nil {
		config = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if config.ServerName == "" {
		config.ServerName = host
	}
	c := tls.Client(conn, config)
	if err := c.HandshakeContext(ctx); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return c, nil
}

// errHandshakeSize means that a server sends more than maxHandshake before a WebSocket is open.
var errHandshakeSize = errors.New("line: the server says too much before the WebSocket is open")

// limitedConn is a connection that fails after maxHandshake bytes were read, unless it has been opened by then.
type limitedConn struct {
	net.Conn
	remaining atomic.Int64
	opened    atomic.Bool
}

// Read fails with errHandshakeSize when the limit is reached.
func (c *limitedConn) Read(p []byte) (int, error) {
	if c.opened.Load() {
		return c.Conn.Read(p)
	}
	n, err := c.Conn.Read(p[:min(len(p), 4<<10)])
	if err == nil && c.remaining.Add(-int64(n)) < 0 {
		return 0, errHandshakeSize
	}
	return n, err
}

package e2e_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
	"github.com/gorilla/websocket"

	"majordome/companion/wire"
)

// floods lists further attacks: each follows its protocol up to a point.
var floods = []attack{
	{"pipelined requests", 20, pipelines},
	{"chunked bodies that never end", 30, endlessBody},
	{"packed bodies", 8, packedBody},
	{"TLS, HTTP/2 and noise", 20, otherTongues},
	{"resets and half-closed connections", 30, resets},
	{"WebSocket pings", 10, pings},
	{"WebSocket fragments that never end", 20, fragments},
	{"views asked for again and again", 20, greedyReader},
	{"views asked for and never read", 20, deafReader},
	{"public MQTT that floods topics and packets", 20, floodTopics},
}

// repeats writes the same bytes again and again until the other side ends the connection.
func repeats(ctx context.Context, c net.Conn, what []byte, pause time.Duration) {
	for ctx.Err() == nil {
		_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
		if _, err := c.Write(what); err != nil {
			break
		}
		rest(ctx, pause)
	}
	c.Close()
}

func pipelines(ctx context.Context, r *raid, from netip.Prefix) {
	c := r.dial(ctx, r.pages, from, false)
	if c == nil {
		return
	}
	one := fmt.Sprintf("GET /table.json HTTP/1.1\r\nHost: %s\r\n\r\nGET /nothing?%s HTTP/1.1\r\nHost: %[1]s\r\n\r\n", r.pages,
		strings.Repeat("x", 4000))
	go repeats(ctx, c, bytes.Repeat([]byte(one), 100), 100*time.Millisecond)
	waitForEnd(c)
}

func endlessBody(ctx context.Context, r *raid, from netip.Prefix) {
	c := r.dial(ctx, r.pages, from, false)
	if c == nil {
		return
	}
	path := []string{"/join", "/", "/nothing", "/mqtt"}[r.dice.IntN(4)]
	_, _ = fmt.Fprintf(c,
		"POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", path, r.pages)
	go repeats(ctx, c, append([]byte("4000;"+strings.Repeat("e", 200)+"\r\n"), append(bytes.Repeat([]byte(" "), 0x4000), "\r\n"...)...),
		20*time.Millisecond)
	waitForEnd(c)
}

// bomb is a megabyte of zeros, gzipped.
var bomb = sync.OnceValue(func() string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(make([]byte, 1<<20))
	_ = z.Close()
	return b.String()
})

// packedBody sends a body that is a thousand times as large once it is unpacked.
func packedBody(ctx context.Context, r *raid, from netip.Prefix) {
	c := r.dial(ctx, r.pages, from, false)
	if c == nil {
		return
	}
	one := fmt.Sprintf("POST /join HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"+
		"Content-Length: %d\r\n\r\n%s", r.pages, len(bomb()), bomb())
	go repeats(ctx, c, []byte(one), 200*time.Millisecond)
	waitForEnd(c)
}

func otherTongues(ctx context.Context, r *raid, from netip.Prefix) {
	port := r.pages
	if r.dice.IntN(2) == 0 {
		port = r.mqtt
	}
	c := r.dial(ctx, port, from, false)
	if c == nil {
		return
	}
	switch r.dice.IntN(3) {
	case 0:
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		_ = tls.Client(c, &tls.Config{InsecureSkipVerify: true}).HandshakeContext(ctx) //nolint:gosec // it is to fail
	case 1:
		_, _ = io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
		_, _ = c.Write(bytes.Repeat([]byte{0, 0, 0, 4, 0, 0, 0, 0, 0}, 1000)) // SETTINGS
	default:
		_, _ = c.Write(noise(r.dice, 32<<10))
	}
	waitForEnd(c)
}

// resets closes a connection before it is accepted, or closes only its sending half.
func resets(ctx context.Context, r *raid, from netip.Prefix) {
	for range 10 {
		c := r.dial(ctx, r.pages, from, false)
		if c == nil {
			return
		}
		if r.dice.IntN(4) > 0 {
			c.Close()
			continue
		}
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: "+r.pages+"\r\n")
		_ = c.(*net.TCPConn).CloseWrite()
		waitForEnd(c)
	}
}

// upgraded returns a WebSocket on which nothing was sent yet; nil if the daemon refused it.
func (r *raid) upgraded(ctx context.Context, from netip.Prefix, small bool) *websocket.Conn {
	d := websocket.Dialer{Subprotocols: []string{"mqtt"}, HandshakeTimeout: time.Second,
		NetDialContext: func(ctx context.Context, _, to string) (net.Conn, error) {
			if c := r.dial(ctx, to, from, small); c != nil {
				return c, nil
			}
			return nil, net.ErrClosed
		}}
	ws, _, err := d.DialContext(ctx, "ws://"+r.pages+"/mqtt", nil)
	if err != nil {
		rest(ctx, 50*time.Millisecond)
		return nil
	}
	return ws
}

// frame returns a WebSocket frame of a client, masked with zeros (RFC 6455, 5.2), of at most 125 bytes.
func frame(first byte, body []byte) []byte {
	return append([]byte{first, 0x80 | byte(len(body)), 0, 0, 0, 0}, body...)
}

func pings(ctx context.Context, r *raid, from netip.Prefix) {
	if ws := r.upgraded(ctx, from, false); ws != nil {
		if r.dice.IntN(2) == 0 {
			_ = ws.WriteMessage(websocket.BinaryMessage, publicPacket())
		}
		go repeats(ctx, ws.NetConn(), bytes.Repeat(frame(0x89, noise(r.dice, 125)), 200), 20*time.Millisecond)
		waitForEnd(ws.NetConn())
	}
}

func fragments(ctx context.Context, r *raid, from netip.Prefix) {
	if ws := r.upgraded(ctx, from, false); ws != nil {
		_, _ = ws.NetConn().Write(frame(0x02, publicPacket()[:3])) // a message that goes on
		go repeats(ctx, ws.NetConn(), frame(0x00, nil), time.Millisecond)
		waitForEnd(ws.NetConn())
	}
}

// publicPacket returns the CONNECT packet of a public viewer.
func publicPacket() []byte {
	login := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	login.ProtocolName, login.ProtocolVersion, login.CleanSession, login.Keepalive = "MQTT", 4, true, 120
	login.UsernameFlag, login.Username, login.PasswordFlag, login.Password = true, "public", true, []byte("public")
	login.ClientIdentifier = "public." + hex.EncodeToString(random(4))
	var b bytes.Buffer
	_ = login.Write(&b)
	return b.Bytes()
}

// manyViews returns one SUBSCRIBE that names the public view so many times.
func manyViews(times int) []byte {
	tree, err := wire.NewTree("", "house", "table")
	if err != nil {
		panic(err)
	}
	sub := packets.NewControlPacket(packets.Subscribe).(*packets.SubscribePacket)
	sub.MessageID = 1
	for range times {
		sub.Topics, sub.Qoss = append(sub.Topics, tree.StateTopic()), append(sub.Qoss, 0)
	}
	var b bytes.Buffer
	_ = sub.Write(&b)
	return b.Bytes()
}

func greedyReader(ctx context.Context, r *raid, from netip.Prefix) {
	if c := r.dial(ctx, r.mqtt, from, false); c != nil {
		_, _ = c.Write(publicPacket())
		times, pause := 8, 400*time.Millisecond // 20 a second
		if r.dice.IntN(2) == 0 {
			times, pause = 300, 500*time.Millisecond
		}
		go repeats(ctx, c, manyViews(times), pause)
		waitForEnd(c)
	}
}

func deafReader(ctx context.Context, r *raid, from netip.Prefix) {
	ws := r.upgraded(ctx, from, true)
	if ws == nil {
		return
	}
	defer ws.Close()
	_ = ws.WriteMessage(websocket.BinaryMessage, publicPacket())
	for ctx.Err() == nil { // without reading, only a write shows that the connection has ended
		if ws.WriteMessage(websocket.BinaryMessage, manyViews(8)) != nil {
			return
		}
		rest(ctx, 500*time.Millisecond)
	}
}

func floodTopics(ctx context.Context, r *raid, from netip.Prefix) {
	c := r.dial(ctx, r.mqtt, from, false)
	if c == nil {
		return
	}
	_, _ = c.Write(publicPacket())
	size := []int{0, 100, 19 << 10, 60 << 10}[r.dice.IntN(4)]
	dice := rand.New(rand.NewPCG(r.dice.Uint64(), 0)) // of the goroutine
	go func() {
		for ctx.Err() == nil {
			m := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
			m.TopicName, m.Payload = "majordome/1/house/table/"+hex.EncodeToString(noise(dice, 8)), noise(dice, size)
			if m.Write(c) != nil {
				return
			}
			rest(ctx, 10*time.Millisecond)
		}
	}()
	waitForEnd(c)
}

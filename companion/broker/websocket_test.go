package broker

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"majordome/companion/wsstream"
	"majordome/engine"
)

// TestWebSocketHandshake checks origins and sub-protocols. Browsers send the origin of the page that connects; a page of
// another site may not use a player's network to reach the table.
func TestWebSocketHandshake(t *testing.T) {
	tb := newTable(t, &Opts{Origins: []string{"https://venue.example"}})
	host := strings.TrimSuffix(strings.TrimPrefix(tb.ws, "ws://"), "/mqtt")
	for _, c := range []struct {
		name, origin string
		protocols    []string
		status       int
	}{
		{"same origin", "http://" + host, []string{"mqtt"}, 101},
		{"same origin behind https", "https://" + host, []string{"mqtt"}, 101},
		{"same origin on port 80", "http://Table.local", []string{"mqtt"}, 101},
		{"no browser", "", []string{"mqtt"}, 101},
		{"a page that is allowed", "https://venue.example", []string{"mqtt"}, 101},
		{"several sub-protocols", "", []string{"chat", "mqtt"}, 101},
		{"foreign page", "http://evil.example", []string{"mqtt"}, 403},
		{"foreign page of a similar name", "http://" + host + ".evil.example", []string{"mqtt"}, 403},
		{"sandboxed page", "null", []string{"mqtt"}, 403},
		{"origin that is no URL", "%%", []string{"mqtt"}, 403},
		{"foreign page whose name begins alike", "http://table.local.evil.example", []string{"mqtt"}, 403},
		{"no sub-protocol", "", nil, 400},
		{"MQTT 3.1", "", []string{"mqttv3.1"}, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{}
			if c.origin != "" {
				h.Set("Origin", c.origin)
			}
			if strings.Contains(strings.ToLower(c.origin), "table.local") {
				h.Set("Host", "table.local")
			}
			d := websocket.Dialer{Subprotocols: c.protocols, EnableCompression: true}
			ws, res, err := d.Dial(tb.ws, h)
			if ws != nil {
				defer ws.Close()
			}
			if res == nil || res.StatusCode != c.status {
				t.Fatalf("answer %v, %v; want status %d", res, err, c.status)
			}
			if c.status != 101 {
				text, _ := io.ReadAll(res.Body) // the dialer keeps the first KiB
				fr, en, both := strings.Cut(string(text), "\n")
				if !both || !strings.Contains(fr, map[int]string{403: "d’un autre site", 400: "Il manque"}[c.status]) ||
					!strings.Contains(en, map[int]string{403: "another site", 400: "is missing"}[c.status]) {
					t.Errorf("not French, then English: %q", text)
				}
			}
			if c.status == 101 && ws.Subprotocol() != "mqtt" {
				t.Errorf("sub-protocol %q", ws.Subprotocol())
			}
			if x := res.Header.Get("Sec-WebSocket-Extensions"); x != "" {
				t.Errorf("compression was agreed: %q", x)
			}
		})
	}
	res, err := http.Get("http" + strings.TrimPrefix(tb.ws, "ws"))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusBadRequest {
		t.Errorf("a plain GET is answered %d", res.StatusCode)
	}
	w := httptest.NewRecorder()
	tb.Close()
	tb.WebSocketHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/mqtt", nil))
	if text := w.Body.String(); w.Code != http.StatusServiceUnavailable || !strings.Contains(text, "s’arrête") ||
		!strings.Contains(text, "\nThe table is stopping") {
		t.Errorf("a closed broker: %d, %q", w.Code, text)
	}
	if tb.countReason("origin") != 5 || tb.countReason("subprotocol") != 2 {
		t.Errorf("counted %v", tb.RefusalCounts())
	}
}

func TestWebSocketFrames(t *testing.T) {
	tb := newTable(t, nil)
	l := tb.loginAs(engine.SeatViewer(1))
	join := append(l.packet(), subscribePacket(7, tb.tree.StateTopic())...)
	c := dialWS(t, tb)
	c.send(join) // two packets in one message
	c.want(0x20, 0, 0)
	c.want(0x90, 0, 7, 1)
	for _, b := range pingPacket { // one packet in two messages
		c.send([]byte{b})
	}
	c.want(0xd0)

	text := dialWS(t, tb)
	if err := text.Conn.(*wsstream.Stream).WriteMessage(websocket.TextMessage, tb.loginAs(engine.SeatViewer(2)).packet()); err != nil {
		t.Fatal(err)
	}
	text.wantCut()

	long := dialWS(t, tb).login(tb.loginAsDaemon())
	// At QoS 0, because no one would read the answers.
	long.sendUnchecked(bytes.Repeat(publishPacket(tb.tree.NamesTopic(), make([]byte, maxMessage/3), 0, false), 3))
	long.wantCut()
	c.wantQuiet()
}

// TestWebSocketFrameFlood checks that empty messages, pings and pongs of WebSocket count against the rate limit although they
// never become MQTT packets.
func TestWebSocketFrameFlood(t *testing.T) {
	tb := newTable(t, &Opts{Rate: Rate{Bytes: 1 << 10}}) // 32 frames a second: every machine can send more
	for name, kind := range map[string]int{
		"empty messages": websocket.BinaryMessage,
		"pings":          websocket.PingMessage,
		"pongs":          websocket.PongMessage,
	} {
		t.Run(name, func(t *testing.T) {
			c := dialWS(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
			go func() {
				ws := c.Conn.(*wsstream.Stream)
				for range 20_000 {
					var err error
					if kind == websocket.BinaryMessage {
						err = ws.WriteMessage(kind, nil)
					} else {
						err = ws.WriteControl(kind, nil, time.Now().Add(patience))
					}
					if err != nil {
						return
					}
				}
			}()
			c.wantCut()
		})
	}
}

func TestClosedBrokerAnswers503(t *testing.T) {
	tb := newTable(t, nil)
	if err := tb.Close(); err != nil {
		t.Fatal(err)
	}
	d := websocket.Dialer{Subprotocols: []string{"mqtt"}}
	_, res, err := d.Dial(tb.ws, nil)
	if err == nil || res == nil || res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("answer %v, %v", res, err)
	}
}

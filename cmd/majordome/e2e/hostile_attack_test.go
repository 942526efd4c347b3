package e2e_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"majordome/companion/seal"
	"majordome/companion/web"
)

// largest returns the path of the largest file of the app that the daemon serves. This test and the binary are built
// from the same tree.
var largest = sync.OnceValue(func() string {
	files, _ := web.Files()
	name, most := "", int64(0)
	for _, path := range fileList(files) {
		if n := fileSize(files, path); n > most {
			name, most = strings.TrimSuffix(path, ".gz"), n
		}
	}
	return "/" + name
})

// raid is a set of attackers and the networks from which they come, each time from another address.
type raid struct {
	pages, mqtt string
	from        []netip.Prefix
	seed        uint64
	pace        chan struct{} // a token for each new connection: bounds the raid
	dice        *rand.Rand    // of one raider
}

// attack is one kind of raider. One such raider attacks once, until ctx ends or the daemon cuts it; times of them do
// so at once, again and again.
type attack struct {
	name  string
	times int
	one   func(ctx context.Context, r *raid, from netip.Prefix)
}

// attacks lists all attacks that the daemon must withstand, and how many of each at once.
var attacks = []attack{
	{"asks for the largest asset and never reads", 450, neverReads},
	{"idle or half-sent HTTP", 1100, halfSent},
	{"idle public logins", 62, publicLogin},
	{"wrong joins", 16, wrongJoins},
	{"bodies that drip", 50, dripBody},
	{"noise at the office", 40, officeNoise},
	{"MQTT that announces 268 MB, or is silent", 100, announces},
	{"broken WebSockets", 30, brokenWebSocket},
	{"comes and goes", 8, comesAndGoes},
}

// run keeps up the attacks until ctx ends.
func (r *raid) run(ctx context.Context, all []attack) {
	r.pace = make(chan struct{}, 64)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				for range 8 { // 800 new connections a second in all
					select {
					case r.pace <- struct{}{}:
					default:
					}
				}
			}
		}
	})
	n := 0
	for _, a := range all {
		for range a.times {
			from, one := r.from[n%len(r.from)], *r
			one.dice = rand.New(rand.NewPCG(r.seed, uint64(n)))
			n++
			wg.Go(func() {
				for ctx.Err() == nil {
					a.one(ctx, &one, from)
				}
			})
		}
	}
	wg.Wait()
}

// dial opens one connection when the pace allows; it is closed when ctx ends.
func (r *raid) dial(ctx context.Context, to string, from netip.Prefix, small bool) net.Conn {
	select {
	case <-r.pace:
	case <-ctx.Done():
		return nil
	}
	d := dialFrom(pick(from, r.dice))
	if small {
		d.Control = smallBuffer
	}
	c, err := d.DialContext(ctx, "tcp", to)
	if err != nil {
		rest(ctx, 50*time.Millisecond)
		return nil
	}
	_ = c.(*net.TCPConn).SetLinger(0)
	context.AfterFunc(ctx, func() { c.Close() })
	return c
}

func rest(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// newAddress returns a new address of a network, for an honest caller.
func newAddress(from netip.Prefix) netip.Addr {
	return pick(from, rand.New(rand.NewPCG(rand.Uint64(), 0)))
}

// pick returns a random address of a network.
func pick(from netip.Prefix, dice *rand.Rand) netip.Addr {
	all := from.Addr().AsSlice()
	for i, b := range noise(dice, len(all)) {
		free := byte(0xff >> min(8, max(0, from.Bits()-8*i)))
		all[i] = all[i]&^free | b&free
	}
	a, _ := netip.AddrFromSlice(all)
	return a
}

// noise returns n random bytes.
func noise(dice *rand.Rand, n int) []byte {
	b := make([]byte, 0, n+7)
	for len(b) < n {
		for v, i := dice.Uint64(), 0; i < 8; i++ {
			b = append(b, byte(v>>(8*i)))
		}
	}
	return b[:n]
}

// waitForEnd waits until the other side ends the connection.
func waitForEnd(c net.Conn) {
	_, _ = io.Copy(io.Discard, c)
	c.Close()
}

func neverReads(ctx context.Context, r *raid, from netip.Prefix) {
	c := r.dial(ctx, r.pages, from, true)
	if c == nil {
		return
	}
	defer c.Close()
	request := "GET " + largest() + " HTTP/1.1\r\nHost: " + r.pages + "\r\n\r\n"
	for range 20 { // without reading, only a write shows that the connection has ended
		if _, err := io.WriteString(c, request); err != nil || ctx.Err() != nil {
			return
		}
		rest(ctx, time.Second)
	}
}

func halfSent(ctx context.Context, r *raid, from netip.Prefix) {
	if c := r.dial(ctx, r.pages, from, false); c != nil {
		if r.dice.IntN(2) == 0 {
			_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: "+r.pages+"\r\nX-Half: ")
		}
		waitForEnd(c)
	}
}

func publicLogin(ctx context.Context, r *raid, from netip.Prefix) {
	if c := r.dial(ctx, r.mqtt, from, false); c != nil {
		_, _ = c.Write(publicPacket())
		waitForEnd(c)
	}
}

func wrongJoins(ctx context.Context, r *raid, from netip.Prefix) {
	c := r.dial(ctx, r.pages, from, false)
	if c == nil {
		return
	}
	body := string(seal.NewJoiner(seal.NewCode(), seal.NewPhone()).Body())
	one := fmt.Sprintf("POST /join HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		r.pages, len(body), body)
	go func() {
		for ctx.Err() == nil { // 50 in a burst
			if _, err := c.Write(bytes.Repeat([]byte(one), 50)); err != nil {
				return
			}
			rest(ctx, 500*time.Millisecond)
		}
	}()
	waitForEnd(c)
}

func dripBody(ctx context.Context, r *raid, from netip.Prefix) {
	c := r.dial(ctx, r.pages, from, false)
	if c == nil {
		return
	}
	_, _ = io.WriteString(c, "POST /join HTTP/1.1\r\nHost: "+r.pages+"\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n")
	go func() {
		for ctx.Err() == nil {
			if _, err := io.WriteString(c, " "); err != nil {
				return
			}
			rest(ctx, 500*time.Millisecond)
		}
	}()
	waitForEnd(c)
}

// officeNoise posts to the office as a device of the host would: sealed requests of the largest size, made with no
// valid key, whole or cut in half.
func officeNoise(ctx context.Context, r *raid, from netip.Prefix) {
	c := r.dial(ctx, r.pages, from, false)
	if c == nil {
		return
	}
	noise := make([]byte, 1+seal.MaxOfficeRequest/256*256+seal.Overhead)
	for i := range noise {
		noise[i] = byte(r.dice.IntN(256))
	}
	noise[0], noise[1] = byte(1+r.dice.IntN(3)), 1
	noise = noise[:min(len(noise), seal.MaxOfficeRequest)]
	half := r.dice.IntN(2) == 0
	go func() {
		for ctx.Err() == nil {
			head := fmt.Sprintf("POST /office HTTP/1.1\r\nHost: %s\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n",
				r.pages, len(noise))
			body := noise
			if half {
				body = noise[:len(noise)/2]
			}
			if _, err := c.Write(append([]byte(head), body...)); err != nil {
				return
			}
			if half {
				return
			}
			rest(ctx, 100*time.Millisecond)
		}
	}()
	waitForEnd(c)
}

func announces(ctx context.Context, r *raid, from netip.Prefix) {
	if c := r.dial(ctx, r.mqtt, from, false); c != nil {
		if r.dice.IntN(2) == 0 {
			_, _ = c.Write([]byte{0x10, 0xff, 0xff, 0xff, 0x7f})
		}
		waitForEnd(c)
	}
}

func brokenWebSocket(ctx context.Context, r *raid, from netip.Prefix) {
	select {
	case <-r.pace:
	case <-ctx.Done():
		return
	}
	d := websocket.Dialer{NetDialContext: dialFrom(pick(from, r.dice)).DialContext, Subprotocols: []string{"mqtt"},
		HandshakeTimeout: time.Second}
	ws, _, err := d.DialContext(ctx, "ws://"+r.pages+"/mqtt", nil)
	if err != nil {
		rest(ctx, 50*time.Millisecond)
		return
	}
	context.AfterFunc(ctx, func() { ws.Close() })
	if r.dice.IntN(2) == 0 { // the others send nothing
		_, _ = ws.NetConn().Write([]byte{0xff, 0xff, 0x01, 0x02})
	}
	waitForEnd(ws.NetConn())
}

func comesAndGoes(ctx context.Context, r *raid, from netip.Prefix) {
	if c := r.dial(ctx, r.pages, from, false); c != nil {
		_, _ = io.WriteString(c, "GET /table.json HTTP/1.1\r\nHost: rebind.example\r\n\r\n")
		answer := make([]byte, 64)
		_ = c.SetReadDeadline(time.Now().Add(time.Second))
		_, _ = c.Read(answer)
		c.Close()
	}
}

// misdirected sends one request under a foreign host name.
func misdirected(pages string) (int, error) {
	req, _ := http.NewRequest("GET", "http://"+pages+"/table.json", nil)
	req.Host = "rebind.example"
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	res.Body.Close()
	return res.StatusCode, nil
}

// takenPlaces returns how many places strangers, the public, seats and the host occupy, from /metrics, which only
// this machine may read; "-" when it cannot be read.
func takenPlaces(pages string) string {
	text := ""
	_, port, _ := net.SplitHostPort(pages)
	for range 20 { // this request uses the same door
		res, err := http.Get("http://127.0.0.1:" + port + "/metrics")
		if err == nil {
			body, _ := io.ReadAll(res.Body)
			res.Body.Close()
			text = string(body)
			break
		}
	}
	var all []string
	for _, kind := range []string{"strangers", "public", "seats", "host"} {
		if _, n, ok := strings.Cut(text, `majordome_door_taken{kind="`+kind+`"} `); ok {
			n, _, _ = strings.Cut(n, "\n")
			all = append(all, n)
		}
	}
	return cmp.Or(strings.Join(all, "+"), "-")
}

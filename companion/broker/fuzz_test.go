package broker

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"testing"
	"time"

	"majordome/companion/door"
)

// permissiveAccess is an Access that grants everything that the broker itself allows, so that random packets get as far as they can.
type permissiveAccess struct{}

func (permissiveAccess) Authenticate(string, string, []byte, net.Addr) bool { return true }
func (permissiveAccess) KindOf(string) door.Kind                            { return door.Public }
func (permissiveAccess) CanRead(string, string) bool                        { return true }
func (permissiveAccess) CanWrite(string, string) bool                       { return true }
func (permissiveAccess) CanRetain(string, string) bool                      { return true }

// newBareBroker starts a broker that is fed without sockets.
func newBareBroker(t testing.TB) *Broker {
	b, err := New(permissiveAccess{}, &Opts{Rate: Rate{Messages: 1e9, Bytes: 1e9}, ConnectTimeout: patience, WriteTimeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// playConnection sends raw bytes to the broker as one whole connection and checks that nothing of it is left.
func playConnection(t testing.TB, b *Broker, raw []byte) {
	ours, theirs := net.Pipe()
	if !b.beginServing() {
		t.Fatal("the broker is closed")
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		defer b.wg.Done()
		b.serveConn(theirs, newLimiter(b.opts.Rate), nil)
	}()
	go func() { _, _ = io.Copy(io.Discard, ours) }()
	_ = ours.SetWriteDeadline(time.Now().Add(patience))
	_, _ = ours.Write(raw) // an error means that the broker cut the connection, which it may
	ours.Close()
	select {
	case <-served:
	case <-time.After(patience):
		t.Fatalf("the connection never ended: %x", raw)
	}
	if n := b.RefusalCounts()["crash"]; n != 0 {
		t.Fatalf("a packet that passed the gate made mochi panic: %x", raw)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.conns) != 0 || len(b.byClientID) != 0 || len(b.online) != 0 || b.server.Clients.Len() != 0 {
		t.Fatalf("something of a dead connection is left: %x", raw)
	}
}

func anyLogin() []byte {
	return login{name: "MQTT", level: 4, flags: flagsNormal, keepalive: 30, user: "any", id: "any.00000001", password: "x"}.packet()
}

// corpus returns packets to start from: good ones, bad ones and the killer.
func corpus() [][]byte {
	return [][]byte{
		{}, killer, version5, pingPacket, {typeDisconnect << 4, 0}, {typePuback << 4, 2, 0, 1},
		subscribePacket(1, "a/b", "a/c"), encodePacket(0xa2, append([]byte{0, 2}, encodeString("a/b")...)),
		publishPacket("a/b", []byte("payload"), 0, false), publishPacket("a/b", []byte("payload"), 1, true),
		publishPacket("a/b", nil, 1, true), subscribePacket(1, "#", "$share/g/a", "$SYS/#", ""), {0x30, 0xff, 0xff, 0xff, 0x7f},
	}
}

// FuzzConnection looks for bytes that pass the gate and do harm:
//
//	go test -fuzz FuzzConnection -fuzztime 1m ./companion/broker
func FuzzConnection(f *testing.F) {
	for _, p := range corpus() {
		f.Add(true, p)
	}
	f.Add(false, anyLogin())
	f.Add(false, version5)
	b := newBareBroker(f)
	f.Fuzz(func(t *testing.T, connected bool, raw []byte) {
		if len(raw) > 4<<10 {
			return
		}
		if connected {
			raw = append(anyLogin(), raw...)
		}
		playConnection(t, b, raw)
	})
}

// TestMutatedPackets does the same as FuzzConnection with a bounded number of random mutations, in each test run.
func TestMutatedPackets(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if s, err := strconv.ParseUint(os.Getenv("MAJORDOME_SEED"), 10, 64); err == nil {
		seed = s
	}
	runs := 10_000
	if os.Getenv("MAJORDOME_SOAK") != "" {
		runs = 1_000_000
	}
	t.Logf("repeat with MAJORDOME_SEED=%d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	b, seeds := newBareBroker(t), append(corpus(), anyLogin())
	for range runs {
		var raw []byte
		if rng.IntN(4) > 0 {
			raw = anyLogin()
		}
		for range 1 + rng.IntN(4) {
			raw = append(raw, mutate(rng, seeds[rng.IntN(len(seeds))])...)
		}
		playConnection(t, b, raw)
	}
	t.Log(fmt.Sprint(b.RefusalCounts()))
}

// mutate changes, cuts or repeats some bytes of p.
func mutate(rng *rand.Rand, p []byte) []byte {
	out := append([]byte(nil), p...)
	for range rng.IntN(4) {
		if len(out) == 0 {
			return []byte{byte(rng.Uint32())}
		}
		at := rng.IntN(len(out))
		switch rng.IntN(4) {
		case 0:
			out[at] ^= 1 << rng.IntN(8)
		case 1:
			out[at] = byte(rng.Uint32())
		case 2:
			out = out[:at]
		case 3:
			out = append(out[:at+1:at+1], out[at:]...)
		}
	}
	return out
}

package seal

import (
	"bytes"
	"crypto/ecdh"
	"encoding/base64"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

func topicOf(h wire.Handset) string { return "m/" + h.String() + "/view" }

// newTestRing returns a ring of the host and three seats, and their keys.
func newTestRing(t *testing.T) (*Ring, map[engine.Viewer]Key) {
	t.Helper()
	r, keys := NewRing(nil), map[engine.Viewer]Key{}
	for _, v := range []engine.Viewer{engine.Host, engine.SeatViewer(1), engine.SeatViewer(2), engine.SeatViewer(3)} {
		keys[v] = NewKey()
		if err := r.SetKey(wire.FirstPhoneOf(v), keys[v], 0); err != nil {
			t.Fatal(err)
		}
	}
	return r, keys
}

// TestViewOpensForItsViewerAlone checks that what is sealed for one seat opens only with the key of that seat, on its own topic
// (GEN-002).
func TestViewOpensForItsViewerAlone(t *testing.T) {
	r, keys := newTestRing(t)
	order := []engine.Viewer{engine.SeatViewer(1), engine.SeatViewer(2), engine.SeatViewer(3), engine.Host}
	var updates []wire.Update
	for _, v := range order {
		updates = append(updates, testUpdate(v))
	}
	sealed, err := r.SealViews(7, updates, topicOf)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range sealed {
		if s.Phone.Viewer != order[i] || s.Topic != topicOf(wire.FirstPhoneOf(order[i])) {
			t.Fatalf("payload %d is for %v on %q", i, s.Phone.Viewer, s.Topic)
		}
		for v, k := range keys {
			u, err := OpenView(k, s.Topic, s.Payload)
			if v == s.Phone.Viewer && (err != nil || !reflect.DeepEqual(u, updates[i])) {
				t.Errorf("%v cannot read its own view: %v", v, err)
			}
			if v != s.Phone.Viewer && !errors.Is(err, ErrOpen) {
				t.Errorf("%v opened the view of %v: %v", v, s.Phone.Viewer, err)
			}
		}
		if _, err := OpenView(keys[s.Phone.Viewer], topicOf(wire.FirstPhoneOf(engine.Public)), s.Payload); !errors.Is(err, ErrOpen) {
			t.Errorf("opened on another topic: %v", err)
		}
	}
}

// TestPhonesOfASeat checks that all phones of a seat get the same text, each sealed with its own key for its own topic, and
// that a phone that was cut off opens nothing sealed afterwards, on any topic.
func TestPhonesOfASeat(t *testing.T) {
	r, keys := newTestRing(t)
	at := engine.SeatViewer(2)
	second, fourth := wire.Handset{Viewer: at, N: 2}, wire.Handset{Viewer: at, N: 4}
	own := map[wire.Handset]Key{wire.FirstPhoneOf(at): keys[at], second: NewKey(), fourth: NewKey()}
	for h, k := range own {
		if err := r.SetKey(h, k, 0); err != nil {
			t.Fatal(err)
		}
	}
	for round, left := range [][]wire.Handset{{wire.FirstPhoneOf(at), second, fourth}, {wire.FirstPhoneOf(at), fourth},
		{wire.FirstPhoneOf(at)}} {
		canary := testUpdate(at)
		canary.View.Me.Role = engine.ID(fmt.Sprint("canary-", round))
		sealed := mustValue(r.SealViews(7, []wire.Update{testUpdate(engine.SeatViewer(1)), canary, testUpdate(engine.Host)}, topicOf))
		want := slices.Concat([]wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1))}, left, []wire.Handset{wire.FirstPhoneOf(engine.Host)})
		for i, s := range sealed {
			if i >= len(want) || s.Phone != want[i] || s.Topic != topicOf(want[i]) {
				t.Fatalf("round %d: payload %d is for %v on %q, want %v", round, i, s.Phone, s.Topic, want)
			}
			for h, k := range own {
				for _, topic := range []string{s.Topic, topicOf(h)} {
					u, err := OpenView(k, topic, s.Payload)
					mine := h == s.Phone && topic == s.Topic
					if mine && !reflect.DeepEqual(u, canary) || !mine && !errors.Is(err, ErrOpen) {
						t.Errorf("round %d: %v opens what is for %v: %v", round, h, s.Phone, err)
					}
				}
			}
		}
		if len(sealed) != len(want) {
			t.Errorf("round %d: %d payloads, want %d", round, len(sealed), len(want))
		}
		r.RemoveKey([]wire.Handset{second, fourth, wire.FirstPhoneOf(at)}[round])
	}
	// With the first phone gone, its place gets bytes that no one can open.
	for _, s := range mustValue(r.SealViews(7, []wire.Update{testUpdate(at)}, topicOf)) {
		for h, k := range own {
			if _, err := OpenView(k, s.Topic, s.Payload); !errors.Is(err, ErrOpen) {
				t.Errorf("%v opens a view after all have gone: %v", h, err)
			}
		}
	}
	act := mustValue(SealAct(own[second], topicOf(second), 7, wire.Act{Seq: 1, Act: "x"}))
	_ = r.SetKey(wire.FirstPhoneOf(at), own[wire.FirstPhoneOf(at)], 0)
	if _, err := r.OpenAct(second, topicOf(second), 7, act); !errors.Is(err, ErrNoKey) {
		t.Error("a phone that was cut off acts:", err)
	}
	if _, err := r.OpenAct(wire.FirstPhoneOf(at), topicOf(wire.FirstPhoneOf(at)), 7, act); !errors.Is(err, ErrOpen) {
		t.Error("a phone that was cut off acts as another:", err)
	}
	for _, h := range []wire.Handset{{Viewer: at, N: 5}, {Viewer: at}, {Viewer: engine.Host, N: wire.MaxHosts + 1}} {
		if err := r.SetKey(h, NewKey(), 0); !errors.Is(err, ErrViewer) {
			t.Errorf("%v has a key: %v", h, err)
		}
	}
}

// TestAllViewsHaveOneSize checks that the size of a message does not reveal that a player learned something (mqtt.md 4.3).
func TestAllViewsHaveOneSize(t *testing.T) {
	r, _ := newTestRing(t)
	fill := func(n int) wire.Update {
		u := testUpdate(engine.SeatViewer(2))
		now, _ := json.Marshal(u)
		u.View.Phase += strings.Repeat("x", n-len(now))
		return u
	}
	for _, n := range []int{2000, 8192 - 4, 8192 - 3, ViewSize - 4} {
		sealed, err := r.SealViews(7, []wire.Update{testUpdate(engine.SeatViewer(1)), fill(n), testUpdate(engine.Host)}, topicOf)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sealed {
			if len(s.Payload) != 26624+Overhead {
				t.Errorf("a view of %d bytes in the step: %v gets %d bytes, want %d", n, s.Phone.Viewer, len(s.Payload), 26624+Overhead)
			}
		}
	}
	if sealed, err := r.SealViews(7, []wire.Update{testUpdate(engine.SeatViewer(1)), fill(ViewSize - 3)}, topicOf); !errors.Is(err,
		ErrTooLarge) || sealed != nil {
		t.Errorf("a view above the size: %v, %d payloads", err, len(sealed))
	}
	long := fill(ViewSize - 600)
	long.View.Case = &engine.Case{Past: []engine.Heard{{N: 1, Cards: []engine.ID{engine.ID(strings.Repeat("x", 700))}}}}
	if sealed, err := r.SealViews(7, []wire.Update{long}, topicOf); err != nil || len(sealed) != 1 {
		t.Errorf("a view above the size by its hypotheses: %v, %d payloads", err, len(sealed))
	}
}

func TestSealViewsRefuses(t *testing.T) {
	r, _ := newTestRing(t)
	public, other, nobody := testUpdate(engine.Public), testUpdate(engine.SeatViewer(1)), testUpdate(engine.SeatViewer(1))
	other.Epoch = 8
	nobody.View.Viewer = "seat-99"
	for name, u := range map[string]wire.Update{"the public": public, "another epoch": other, "no viewer": nobody} {
		sealed, err := r.SealViews(7, []wire.Update{testUpdate(engine.SeatViewer(2)), u}, topicOf)
		if !errors.Is(err, ErrViewer) || sealed != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := r.SetKey(wire.FirstPhoneOf(engine.Public), NewKey(), 0); !errors.Is(err, ErrViewer) {
		t.Errorf("the public got a key: %v", err)
	}
	if err := r.SetKey(wire.FirstPhoneOf(engine.SeatViewer(4)), Key{}, 0); !errors.Is(err, ErrNoKey) {
		t.Errorf("no key was taken for a key: %v", err)
	}
}

// TestSeatWithoutKeyGetsBytesNobodyOpens checks that a seat without an invited player gets the same traffic as the others.
func TestSeatWithoutKeyGetsBytesNobodyOpens(t *testing.T) {
	r, keys := newTestRing(t)
	sealed, err := r.SealViews(7, []wire.Update{testUpdate(engine.SeatViewer(9)), testUpdate(engine.SeatViewer(1))}, topicOf)
	if err != nil || len(sealed[0].Payload) != len(sealed[1].Payload) {
		t.Fatalf("%v", err)
	}
	for _, k := range keys {
		if _, err := OpenView(k, sealed[0].Topic, sealed[0].Payload); !errors.Is(err, ErrOpen) {
			t.Error(err)
		}
	}
}

func TestOpenActRefuses(t *testing.T) {
	r, keys := newTestRing(t)
	at, topic := engine.SeatViewer(1), "m/up"
	act := wire.Act{ID: "a", Seq: 5, Act: "move", Args: engine.Args{"place": "place-salon"}}
	good := mustValue(SealAct(keys[at], topic, 7, act))
	if got, err := r.OpenAct(wire.FirstPhoneOf(at), topic, 7, good); err != nil || !reflect.DeepEqual(got, act) {
		t.Fatalf("%+v, %v", got, err)
	}
	flip := func(i int) []byte { b := bytes.Clone(good); b[i] ^= 1; return b }
	forge := func(number uint64, body string) []byte {
		e, _ := newPhoneKeys(keys[at])
		return mustValue(sealFrame(e.up, newNonce(), 7, number, topic, []byte(body), ActSize))
	}
	big := act
	big.Args = engine.Args{}
	for i := range wire.MaxArgs + 1 {
		big.Args[fmt.Sprint(i)] = "x"
	}
	for _, c := range []struct {
		name    string
		viewer  engine.Viewer
		topic   string
		epoch   uint64
		payload []byte
		want    error
	}{
		{"another seat's act", engine.SeatViewer(2), topic, 7, good, ErrOpen},
		{"a viewer without key", engine.SeatViewer(9), topic, 7, good, ErrNoKey},
		{"another topic", at, "m/other", 7, good, ErrOpen},
		{"an earlier epoch", at, topic, 8, good, ErrEpoch},
		{"another version", at, topic, 7, flip(0), ErrFormat},
		{"a changed epoch", at, topic, 7, flip(8), ErrOpen},
		{"a changed seq", at, topic, 7, flip(16), ErrOpen},
		{"a changed nonce", at, topic, 7, flip(headerSize), ErrOpen},
		{"a changed body", at, topic, 7, flip(len(good) - 1), ErrOpen},
		{"cut short", at, topic, 7, good[:len(good)-1], ErrFormat},
		{"empty", at, topic, 7, nil, ErrFormat},
		{"128 kB", at, topic, 7, make([]byte, 128<<10), ErrFormat},
		{"seq inside differs from seq outside", at, topic, 7, forge(6, `{"id":"a","seq":5,"act":"move"}`), ErrContent},
		{"not JSON", at, topic, 7, forge(5, `secret`), ErrContent},
		{"no act", at, topic, 7, forge(5, `{"id":"a","seq":5}`), ErrContent},
		{"too many arguments", at, topic, 7, mustValue(SealAct(keys[at], topic, 7, big)), ErrContent},
		{"its own view", at, topicOf(wire.FirstPhoneOf(at)), 7,
			mustValue(r.SealViews(7, []wire.Update{testUpdate(at)}, topicOf))[0].Payload, ErrFormat},
	} {
		a, err := r.OpenAct(wire.FirstPhoneOf(c.viewer), c.topic, c.epoch, c.payload)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if a.Act != "" || (err != nil && strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: something came out: %+v, %v", c.name, a, err)
		}
	}
	big.Args = engine.Args{"a": strings.Repeat("x", ActSize)}
	if _, err := SealAct(keys[at], topic, 7, big); !errors.Is(err, ErrTooLarge) {
		t.Errorf("an act above its class: %v", err)
	}
}

// TestNewKeyCutsOffTheOldOne checks that a changed key cuts off the old phone in both directions.
func TestNewKeyCutsOffTheOldOne(t *testing.T) {
	r, keys := newTestRing(t)
	at, topic := engine.SeatViewer(1), "m/up"
	old := keys[at]
	fresh := NewKey()
	_ = r.SetKey(wire.FirstPhoneOf(at), fresh, 0)
	if _, err := r.OpenAct(wire.FirstPhoneOf(at), topic, 7,
		mustValue(SealAct(old, topic, 7, wire.Act{Seq: 1, Act: "x"}))); !errors.Is(err, ErrOpen) {
		t.Error("the old phone may still act:", err)
	}
	s := mustValue(r.SealViews(7, []wire.Update{testUpdate(at)}, topicOf))[0]
	if _, err := OpenView(old, s.Topic, s.Payload); !errors.Is(err, ErrOpen) {
		t.Error("the old phone still reads:", err)
	}
	if err := r.AcceptConnect(wire.FirstPhoneOf(at), "c", mustValue(ConnectPassword(old, "c", 1))); !errors.Is(err, ErrPassword) {
		t.Error("the old phone still connects:", err)
	}
	r.RemoveKey(wire.FirstPhoneOf(at))
	if r.HasKey(wire.FirstPhoneOf(at)) || r.AcceptConnect(wire.FirstPhoneOf(at), "c", mustValue(ConnectPassword(fresh, "c", 1))) == nil {
		t.Error("a dropped key still serves")
	}
}

// TestConnectPasswordsAreUsedOnce checks that a password overheard on the Wi-Fi cannot be used again (mqtt.md 4.3, 4).
func TestConnectPasswordsAreUsedOnce(t *testing.T) {
	var kept []uint64
	r := NewRing(&RingOpts{OnCounter: func(_ wire.Handset, n uint64) { kept = append(kept, n) }})
	k, at := NewKey(), engine.SeatViewer(1)
	_ = r.SetKey(wire.FirstPhoneOf(at), k, 99)
	_ = r.SetKey(wire.FirstPhoneOf(engine.SeatViewer(2)), NewKey(), 0)
	pass := func(id string, n uint64) string { return mustValue(ConnectPassword(k, id, n)) }
	for _, c := range []struct {
		name, id, password string
		viewer             engine.Viewer
		want               error
	}{
		{"counter already stored before a restart", "t-s1.a", pass("t-s1.a", 99), at, ErrReplay},
		{"another client id", "t-s1.b", pass("t-s1.a", 100), at, ErrPassword},
		{"another seat", "t-s1.a", pass("t-s1.a", 100), engine.SeatViewer(2), ErrPassword},
		{"no such seat", "t-s1.a", pass("t-s1.a", 100), engine.SeatViewer(3), ErrNoKey},
		{"garbage", "t-s1.a", strings.Repeat("!", 54), at, ErrPassword},
		{"empty", "t-s1.a", "", at, ErrPassword},
		{"long", "t-s1.a", strings.Repeat("A", 1000), at, ErrPassword},
		{"right", "t-s1.a", pass("t-s1.a", 100), at, nil},
		{"the same again", "t-s1.a", pass("t-s1.a", 100), at, ErrReplay},
		{"an older one", "t-s1.c", pass("t-s1.c", 50), at, ErrReplay},
		{"the next", "t-s1.a", pass("t-s1.a", 101), at, nil},
	} {
		if err := r.AcceptConnect(wire.FirstPhoneOf(c.viewer), c.id, c.password); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if !reflect.DeepEqual(kept, []uint64{100, 101}) {
		t.Errorf("counters kept: %v", kept)
	}
}

func TestRingFromManySides(t *testing.T) {
	r, keys := newTestRing(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			at := engine.SeatViewer(engine.Seat(i%3 + 1))
			for n := range uint64(20) {
				_, _ = r.SealViews(7, []wire.Update{testUpdate(at)}, topicOf)
				_ = r.AcceptConnect(wire.FirstPhoneOf(at), "c", mustValue(ConnectPassword(keys[at], "c", n)))
				_ = r.SetKey(wire.FirstPhoneOf(at), keys[at], 0)
				_ = r.HasKey(wire.FirstPhoneOf(at))
			}
		})
	}
	wg.Wait()
}

// TestSecretsPrintAsMasks checks the invariant that a key or an invitation code is never printed, logged or marshalled.
func TestSecretsPrintAsMasks(t *testing.T) {
	k, c := testKey('A'), Code{b: (*[codeSize]byte)(byteRun('A', codeSize))}
	plain := string(byteRun('A', 8))
	for name, v := range map[string]any{
		"key": k, "disk": k.ForStore(), "code": c, "code on disk": c.ForStore(),
		"grant": Grant{Seat: 1, User: "u", Key: k}, "pointer": &k, "in a struct": struct{ K Key }{k},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%q", "%d"} {
			out := fmt.Sprintf(verb, v)
			if strings.Contains(out, plain) || strings.Contains(out, "4142") || strings.Contains(out, "65 66") ||
				!strings.Contains(out, Mask) {
				t.Errorf("%s printed with %s: %q", name, verb, out)
			}
		}
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		if strings.Contains(log.String(), plain) || strings.Contains(log.String(), "QUJD") {
			t.Errorf("%s logged: %s", name, log.String())
		}
		if out, err := json.Marshal(v); err == nil {
			t.Errorf("%s marshalled to %s", name, out)
		}
		if err := gob.NewEncoder(&bytes.Buffer{}).Encode(v); err == nil {
			t.Errorf("%s went into gob", name)
		}
	}
	if reflect.TypeFor[Key]().Comparable() || reflect.TypeFor[Code]().Comparable() || reflect.TypeFor[Disk]().Comparable() {
		t.Error("secrets can be compared with ==")
	}
}

func TestDiskFormComesBack(t *testing.T) {
	k := NewKey()
	raw := mustValue(k.ForStore().Value())
	var d Disk
	if err := d.Scan(raw); err != nil || !bytes.Equal(d.ForMemory().b[:], k.b[:]) {
		t.Fatal(err)
	}
	if _, err := (Disk{}).Value(); !errors.Is(err, ErrNoKey) {
		t.Error("an absent key was stored:", err)
	}
	for _, bad := range []any{nil, "text", []byte{1, 2}, int64(4)} {
		if err := d.Scan(bad); err == nil {
			t.Errorf("read a key from %T", bad)
		}
	}
	c := NewCode()
	var cd CodeDisk
	if err := cd.Scan(mustValue(c.ForStore().Value())); err != nil || cd.ForMemory().PublicID() != c.PublicID() {
		t.Fatal(err)
	}
	if err := cd.Scan(nil); err != nil || !cd.ForMemory().IsZero() {
		t.Error("NULL is no code:", err)
	}
}

// The answer to a joining opens for the phone that sent the request: neither with the code and a recording of both, nor for another
// request of the same phone.
func TestJoinBoxOpensForItsRequestAlone(t *testing.T) {
	c, k, p := NewCode(), NewKey(), NewPhone()
	j := NewJoiner(c, p)
	r := mustValue(c.OpenJoin(j.Request()))
	if !bytes.Equal(r.Nonce, p.Nonce()) {
		t.Error("the request has another nonce")
	}
	box := mustValue(r.SealGrant(Grant{Seat: 2, User: "t-s2", Key: k}))
	for range 2 { // a lost answer is sent again
		if g, err := j.OpenGrant(box); err != nil || g.Seat != 2 || !bytes.Equal(g.Key.b[:], k.b[:]) {
			t.Fatal(err)
		}
	}
	if _, err := NewJoiner(c, p).OpenGrant(box); !errors.Is(err, ErrOpen) {
		t.Error("opened for another request:", err)
	}
	thief := c.newHandshake() // has code and recording, and no private key
	mustValue(thief.readFirst(j.Request()[1:]))
	if _, err := thief.readSecond(NewJoiner(c, p).key, box[1:]); !errors.Is(err, ErrOpen) {
		t.Error("the code and a recording open it:", err)
	}
	if _, err := j.OpenGrant(box[:10]); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
	if _, err := NewCode().OpenJoin(j.Request()); !errors.Is(err, ErrOpen) {
		t.Error("a request is opened with another code:", err)
	}
	for i := range j.Request() {
		bad := bytes.Clone(j.Request())
		bad[i] ^= 1
		want := ErrOpen
		if i == 0 {
			want = ErrFormat
		}
		if _, err := c.OpenJoin(bad); !errors.Is(err, want) {
			t.Errorf("byte %d of the request changed: %v", i, err)
		}
	}
	for i := range box {
		bad := bytes.Clone(box)
		bad[i] ^= 1
		if _, err := j.OpenGrant(bad); err == nil {
			t.Errorf("byte %d of the answer changed, and it opens", i)
		}
	}
	if r, err := c.OpenJoin(newJoiner(c, p, mustValue(ecdh.X25519().NewPrivateKey(byteRun(1, keySize)))).Request()); err != nil {
		t.Error(err)
	} else if r.phoneKey = make([]byte, PublicKeySize); true { // a key of low order
		if _, err := r.SealGrant(Grant{Seat: 2, User: "t-s2", Key: k}); err == nil {
			t.Error("a secret that all can compute is used")
		}
	}
	if got := mustValue(ParseCode(c.Link())); got.PublicID() != c.PublicID() {
		t.Error("the link gives another code")
	}
	for _, bad := range []string{"", "AAAA", strings.Repeat("A", 23), "!!!"} {
		if _, err := ParseCode(bad); err == nil {
			t.Errorf("%q is taken for a code", bad)
		}
	}
}

// FuzzOpen checks that nothing that comes over the network panics or opens without the key.
func FuzzOpen(f *testing.F) {
	k := testKey(0)
	f.Add([]byte{})
	f.Add(mustValue(SealAct(k, "t", 7, wire.Act{ID: "a", Seq: 1, Act: "move"})))
	r := NewRing(nil)
	_ = r.SetKey(wire.FirstPhoneOf(engine.SeatViewer(1)), testKey(1), 0)
	f.Fuzz(func(t *testing.T, payload []byte) {
		if _, err := r.OpenAct(wire.FirstPhoneOf(engine.SeatViewer(1)), "t", 7, payload); err == nil {
			t.Fatal("an act opened that this key never sealed")
		}
		if _, err := OpenView(testKey(1), "t", payload); err == nil {
			t.Fatal("a view opened that this key never sealed")
		}
		_, _ = unpadJSON(payload)
		_ = r.AcceptConnect(wire.FirstPhoneOf(engine.SeatViewer(1)), "c", base64.RawURLEncoding.EncodeToString(payload))
		_ = r.AcceptConnect(wire.FirstPhoneOf(engine.SeatViewer(1)), "c", string(payload))
		_, _ = ParseCode(string(payload))
	})
}

// FuzzOpenContent checks that any plaintext that a phone seals with the right key is either refused or within the limits of an
// act.
func FuzzOpenContent(f *testing.F) {
	f.Add([]byte(`{"id":"a","seq":1,"act":"move","args":{"place":"x"}}`), uint64(1))
	k := testKey(0)
	r := NewRing(nil)
	_ = r.SetKey(wire.FirstPhoneOf(engine.SeatViewer(1)), k, 0)
	e, _ := newPhoneKeys(k)
	f.Fuzz(func(t *testing.T, body []byte, seq uint64) {
		payload, err := sealFrame(e.up, newNonce(), 7, seq, "t", body, ActSize)
		if err != nil {
			return
		}
		a, err := r.OpenAct(wire.FirstPhoneOf(engine.SeatViewer(1)), "t", 7, payload)
		if err == nil && (a.Seq != seq || a.CheckLimits() != nil) {
			t.Fatal("an act outside its limits came through")
		}
	})
}

// TestTheOverseersViewIsOneDevices checks that the view of the overseer opens only on the device that it names, which gets it
// instead of the host's view: the same number of messages, all of one size. An update that contains secrets and is not such a
// view is refused.
func TestTheOverseersViewIsOneDevices(t *testing.T) {
	r, keys := newTestRing(t)
	tablet := wire.Handset{Viewer: engine.Host, N: 2}
	own := map[wire.Handset]Key{wire.FirstPhoneOf(engine.Host): keys[engine.Host], tablet: NewKey(), {Viewer: engine.Host, N: 3}: NewKey()}
	for h, k := range own {
		if err := r.SetKey(h, k, 0); err != nil {
			t.Fatal(err)
		}
	}
	seat, host := testUpdate(engine.SeatViewer(1)), testUpdate(engine.Host)
	secret := host
	secret.View.Viewer, secret.View.Secrets, secret.Phone = engine.Overseer.String(),
		[]engine.Holding{{Of: engine.InEnvelope, Cards: []engine.ID{"weapon-corde"}}}, 2
	without, err := r.SealViews(7, []wire.Update{seat, host}, topicOf)
	if err != nil {
		t.Fatal(err)
	}
	with, err := r.SealViews(7, []wire.Update{seat, host, secret}, topicOf)
	if err != nil || len(with) != len(without) {
		t.Fatalf("%d messages with it and %d without: %v", len(with), len(without), err)
	}
	for _, s := range with {
		if len(s.Payload) != len(without[0].Payload) {
			t.Errorf("%v gets %d bytes", s.Phone, len(s.Payload))
		}
		if !s.Phone.IsHost() {
			continue
		}
		for h, k := range own {
			u, err := OpenView(k, s.Topic, s.Payload)
			if opens := h == s.Phone; opens != (err == nil) || opens && (u.View.Secrets != nil) != (h == tablet) {
				t.Errorf("%v opens what is for %v: %v, secrets %v", h, s.Phone, err, u.View.Secrets)
			}
		}
	}
	for name, spoil := range map[string]func(*wire.Update){
		"of no device":            func(u *wire.Update) { u.Phone = 0 },
		"of a device too many":    func(u *wire.Update) { u.Phone = wire.MaxHosts + 1 },
		"under the host's name":   func(u *wire.Update) { u.View.Viewer = "host" },
		"under a seat's name":     func(u *wire.Update) { u.View.Viewer, u.Phone = "seat-1", 0 },
		"under the public's name": func(u *wire.Update) { u.View.Viewer, u.Phone = "public", 0 },
		"of another start":        func(u *wire.Update) { u.Epoch++ },
	} {
		bad := secret
		spoil(&bad)
		if _, err := r.SealViews(7, []wire.Update{seat, host, bad}, topicOf); !errors.Is(err, ErrViewer) {
			t.Errorf("%s it is sealed: %v", name, err)
		}
	}
	if _, err := r.SealViews(7, []wire.Update{secret, secret}, topicOf); !errors.Is(err, ErrViewer) {
		t.Errorf("two are sealed: %v", err)
	}
}

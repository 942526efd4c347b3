package seal

import (
	"bytes"
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

var update = flag.Bool("update", false, "write testdata/vectors.json anew")

// vectors is the content of testdata/vectors.json, which this test and those of the page read: each side must read what the
// other writes. Binary values are unpadded base64url, derived keys and ids are hex.
type vectors struct {
	About   string            `json:"about"`
	Key     string            `json:"key"`
	SubKeys map[string]string `json:"sub_keys"`
	View    sealedVector      `json:"view"`
	Full    sealedVector      `json:"view_full"` // a view without room left
	Act     sealedVector      `json:"act"`
	Reply   sealedVector      `json:"reply"`
	Connect struct {
		ClientID string `json:"client_id"`
		Counter  uint64 `json:"counter"`
		Password string `json:"password"`
	} `json:"connect"`
	Renewal struct {
		Code     string `json:"code"`
		User     string `json:"user"`
		Counter  uint64 `json:"counter"`
		Password string `json:"password"`
	} `json:"renewal"`
	Join struct {
		Code     string `json:"code"` // the link's fragment after #j=
		ID       string `json:"id"`
		PSK      string `json:"psk"`
		Phone    string `json:"phone"`    // the phone's name; its nonce follows from it
		Private  string `json:"private"`  // of the phone
		Answerer string `json:"answerer"` // private key of the daemon
		Request  string `json:"request"`
		Version  byte   `json:"version"` // the first byte of request and box
		Box      string `json:"box"`
		JSON     string `json:"json"`
	} `json:"join"`
	Office struct {
		Epoch   uint64 `json:"epoch"`
		Number  uint64 `json:"number"`
		Nonce   string `json:"nonce"`
		JSON    string `json:"json"` // of the request and the answer
		Request string `json:"request"`
		Answer  string `json:"answer"`
	} `json:"office"`
	Claim struct {
		Code    string `json:"code"`
		Private string `json:"private"` // of the phone that asks
		Public  string `json:"public"`
		Box     string `json:"box"`
		Key     string `json:"key"`     // of the table
		Figures string `json:"figures"` // by a card, for the phone's first wish
	} `json:"claim"`
}

type sealedVector struct {
	Topic   string `json:"topic"`
	Epoch   uint64 `json:"epoch"`
	Number  uint64 `json:"number"`
	Nonce   string `json:"nonce"`
	JSON    string `json:"json"`
	Padded  int    `json:"padded"`
	Payload string `json:"payload"`
}

func byteRun(from byte, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = from + byte(i)
	}
	return b
}

func testKey(from byte) Key { return Key{b: (*[keySize]byte)(byteRun(from, keySize))} }

var b64 = base64.RawURLEncoding.EncodeToString

func mustValue[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func testUpdate(v engine.Viewer) wire.Update {
	return wire.Update{
		V: wire.Version, Epoch: 7, Rev: 41, Seq: 3,
		View: engine.View{
			Game: "huis-clos", Viewer: v.String(), Phase: "investigation",
			Prompt: engine.NewMsg("gen.again", "seat", "seat-3"), Rule: "HC-050",
			Active: []engine.Seat{3}, Switches: map[string]string{}, Seats: []engine.SeatView{},
			Places: []engine.PlaceView{}, Shown: []engine.ID{}, Gone: []engine.ID{},
			Readers: []engine.ReaderView{}, Log: []engine.Line{}, Offers: []engine.Offer{},
			Me: &engine.Own{Seat: 3, Role: "role-innocent", Hand: []engine.CardView{{Card: "indice-é"}}, Tray: []engine.ID{},
				Facts: []engine.Msg{}, Seen: []*engine.Sighting{}},
		},
		Table: wire.TableView{Readers: map[string]string{"urn": "ok"}, Online: []engine.Seat{3}},
	}
}

func makeVectors() vectors {
	const base = "majordome/1/maison/t7/seat/t7-s3/"
	var v vectors
	v.About = "companion/seal: sealed payloads for tests in Go and TypeScript. Made by go test ./companion/seal -run Vectors -update."
	k := testKey(0)
	v.Key = b64(k.b[:])
	v.SubKeys = map[string]string{}
	for _, info := range []string{"connect", "view", "up", "reply", "office", "office-answer"} {
		v.SubKeys[info] = hex.EncodeToString(mustValue(k.deriveKey(info, keySize)))
	}
	e := mustValue(newPhoneKeys(k))

	small, _ := json.Marshal(testUpdate(engine.SeatViewer(3)))
	v.View = sealedVector{Topic: base + "view", Epoch: 7, Number: 41, Nonce: b64(byteRun(64, nonceSize)),
		JSON: string(small), Padded: ViewSize}
	v.View.Payload = b64(mustValue(sealFrame(e.view, byteRun(64, nonceSize), 7, 41, v.View.Topic, small, ViewSize)))
	v.Full = v.View
	v.Full.Number = 42
	full := testUpdate(engine.SeatViewer(3))
	full.Rev = 42
	full.View.Prompt = engine.NewMsg("gen.again", "seat", strings.Repeat("x", ViewSize-lengthSize-len(small)+len("seat-3")))
	v.Full.JSON = string(mustValue(json.Marshal(full)))
	v.Full.Payload = b64(mustValue(sealFrame(e.view, byteRun(64, nonceSize), 7, 42, v.Full.Topic, []byte(v.Full.JSON), ViewSize)))

	act := wire.Act{ID: "a1", Seq: 4, Act: "move", Args: engine.Args{"place": "place-salon"}}
	v.Act = sealedVector{Topic: base + "up", Epoch: 7, Number: 4, Nonce: b64(byteRun(96, nonceSize)), Padded: ActSize}
	body, _ := json.Marshal(act)
	v.Act.JSON = string(body)
	v.Act.Payload = b64(mustValue(sealAct(k, byteRun(96, nonceSize), v.Act.Topic, 7, act)))

	body, _ = json.Marshal(wire.Reply{ID: "a1",
		Reject: &engine.Reject{Code: engine.Forbidden, Rule: "HC-031", Why: engine.NewMsg("gen.again", "seat", "seat-3")}})
	v.Reply = sealedVector{Topic: base + "reply", Epoch: 7, Number: 4, Nonce: b64(byteRun(128, nonceSize)),
		JSON: string(body), Padded: ActSize}
	v.Reply.Payload = b64(mustValue(sealFrame(e.reply, byteRun(128, nonceSize), 7, 4, v.Reply.Topic, body, ActSize)))

	v.Connect.ClientID, v.Connect.Counter = "t7-s3.a1b2c3d4", 1764000000000
	v.Connect.Password = mustValue(ConnectPassword(k, v.Connect.ClientID, v.Connect.Counter))

	v.Renewal.Code, v.Renewal.User, v.Renewal.Counter = k.RenewalCode().Link(), "t7-s3", 1764000000001
	v.Renewal.Password = mustValue(ConnectPassword(k, RenewalClientID(v.Renewal.User), v.Renewal.Counter))

	c := Code{b: (*[codeSize]byte)(byteRun(200, codeSize))}
	v.Join.Code, v.Join.ID = c.Link(), c.PublicID()
	phone, own := mustValue(ecdh.X25519().NewPrivateKey(byteRun(16, 32))), mustValue(ecdh.X25519().NewPrivateKey(byteRun(48, 32)))
	v.Join.PSK = hex.EncodeToString(deriveHKDF(c.b[:], "join-psk", keySize))
	v.Join.Phone, v.Join.Version = "abcdefgh234567yz", joinVersion
	v.Join.Private, v.Join.Answerer = b64(phone.Bytes()), b64(own.Bytes())
	joiner := newJoiner(c, Phone(v.Join.Phone), phone)
	v.Join.Request = b64(joiner.Request())
	v.Join.Box = b64(mustValue(mustValue(c.OpenJoin(joiner.Request())).sealGrant(own, Grant{Seat: 3, Phone: 1, User: "t7-s3", Key: k})))
	body, _ = json.Marshal(grantJSON{3, 1, "t7-s3", v.Key})
	v.Join.JSON = string(body)

	o := mustValue(newOfficeKeys(k))
	v.Office.Epoch, v.Office.Number, v.Office.Nonce, v.Office.JSON = 7, 1764000000001, b64(byteRun(32, nonceSize)), `{"row":"support"}`
	v.Office.Request = b64(mustValue(sealOffice(o.request, byteRun(32, nonceSize), 7, v.Office.Number, []byte(v.Office.JSON))))
	v.Office.Answer = b64(mustValue(sealOffice(o.answer, byteRun(32, nonceSize), 7, v.Office.Number, []byte(v.Office.JSON))))

	v.Claim.Code, v.Claim.Private, v.Claim.Public = c.Link(), b64(phone.Bytes()), b64(phone.PublicKey().Bytes())
	v.Claim.Box = b64(mustValue(c.sealClaim(own, byteRun(80, nonceSize), phone.PublicKey().Bytes())))
	opened := sha256.Sum256(deriveHKDF(phone.Bytes(), "wish 1", 32))
	v.Claim.Key = b64(own.PublicKey().Bytes())
	v.Claim.Figures = ClaimFigures(phone.PublicKey().Bytes(), own.PublicKey().Bytes(), opened[:])
	return v
}

// TestFormatMatchesTheStoredVectors checks that the format of this package never changes by accident: phones with an
// older page and the TypeScript side read the same bytes.
func TestFormatMatchesTheStoredVectors(t *testing.T) {
	const file = "testdata/vectors.json"
	got, _ := json.MarshalIndent(makeVectors(), "", "  ")
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := mustValue(os.ReadFile(file))
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from what is sealed now; a change of format needs a new version byte", file)
	}
	var v vectors
	if err := json.Unmarshal(want, &v); err != nil {
		t.Fatal(err)
	}
	raw := func(s string) []byte { return mustValue(base64.RawURLEncoding.DecodeString(s)) }
	for _, vec := range []sealedVector{v.View, v.Full} {
		u, err := OpenView(testKey(0), vec.Topic, raw(vec.Payload))
		if err != nil || u.Rev != vec.Number || u.View.Me.Hand[0].Card != "indice-é" {
			t.Errorf("view vector: %v", err)
		}
	}
	ring := NewRing(nil)
	_ = ring.SetKey(wire.FirstPhoneOf(engine.SeatViewer(3)), testKey(0), 0)
	if a, err := ring.OpenAct(wire.FirstPhoneOf(engine.SeatViewer(3)), v.Act.Topic, 7,
		raw(v.Act.Payload)); err != nil || a.Args["place"] != "place-salon" {
		t.Errorf("act vector: %v", err)
	}
	if seq, r, err := OpenReply(testKey(0), v.Reply.Topic, raw(v.Reply.Payload)); err != nil || seq != 4 || r.Reject.Rule != "HC-031" {
		t.Errorf("reply vector: %v", err)
	}
	if err := ring.AcceptConnect(wire.FirstPhoneOf(engine.SeatViewer(3)), v.Connect.ClientID, v.Connect.Password); err != nil {
		t.Errorf("connect vector: %v", err)
	}
	_ = ring.SetKey(wire.FirstPhoneOf(engine.Host), testKey(0), 0)
	if n, body, err := ring.OpenRequest(wire.FirstPhoneOf(engine.Host), 7,
		raw(v.Office.Request)); err != nil || n != v.Office.Number || string(body) != v.Office.JSON {
		t.Errorf("office request vector: %v", err)
	}
	if body, err := OpenAnswer(testKey(0), v.Office.Number, raw(v.Office.Answer)); err != nil || string(body) != v.Office.JSON {
		t.Errorf("office answer vector: %v", err)
	}
	c := mustValue(ParseCode(v.Join.Code))
	asks := Claimant{mustValue(ecdh.X25519().NewPrivateKey(raw(v.Claim.Private)))}
	if code, err := asks.Open(raw(v.Claim.Box)); err != nil || code.Link() != c.Link() {
		t.Errorf("claim vector: %v", err)
	}
	joiner := newJoiner(c, Phone(v.Join.Phone), mustValue(ecdh.X25519().NewPrivateKey(raw(v.Join.Private))))
	g, err := joiner.OpenGrant(raw(v.Join.Box))
	if err != nil || g.Seat != 3 || g.User != "t7-s3" || !bytes.Equal(g.Key.b[:], testKey(0).b[:]) {
		t.Errorf("join vector: %v", err)
	}
}

// TestPhoneNames checks that a phone name is valid in an MQTT client id as the broker accepts it, and that no two are the same.
func TestPhoneNames(t *testing.T) {
	seen := map[Phone]bool{}
	for range 200 {
		p := NewPhone()
		if seen[p] || !regexp.MustCompile(`^[a-z0-9]{8,16}$`).MatchString(string(p)) || PhoneOfClientID(p.ClientID("t7-s3")) != p {
			t.Fatalf("%q", p)
		}
		seen[p] = true
	}
}

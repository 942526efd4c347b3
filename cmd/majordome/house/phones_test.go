package house

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// recordedJoin is one joining as recorded from the air, and the code from a photograph.
type recordedJoin struct {
	code       seal.Code
	nonce, box []byte
}

// joinSeat redeems the open invitation of a seat as a phone does.
func (r *rig) joinSeat(seat engine.Seat, p seal.Phone) recordedJoin {
	r.t.Helper()
	u, _ := r.house.Loop.Snapshot(engine.Host)
	i := slices.IndexFunc(u.Desk.Invites, func(i wire.Invite) bool { return i.Seat == seat })
	return r.redeemLink(u.Desk.Invites[i].URL, p)
}

// redeemLink joins with a link.
func (r *rig) redeemLink(url string, p seal.Phone) recordedJoin {
	r.t.Helper()
	_, link, _ := strings.Cut(url, "#j=")
	code, err := seal.ParseCode(link)
	if err != nil {
		r.t.Fatal(err)
	}
	b64 := base64.RawURLEncoding
	body, _ := json.Marshal(map[string]string{
		"id":    code.PublicID(),
		"nonce": b64.EncodeToString(p.Nonce()),
		"mac":   b64.EncodeToString(code.JoinProof(p.Nonce())),
	})
	res, err := http.Post("http://"+r.house.Network.Pages.Addr().String()+"/join", "application/json", bytes.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	var answer struct{ Box string }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || res.StatusCode != http.StatusOK {
		r.t.Fatal(res.Status, err)
	}
	box, _ := b64.DecodeString(answer.Box)
	return recordedJoin{code, p.Nonce(), box}
}

// canConnect reports whether a phone can log in.
func (r *rig) canConnect(v engine.Viewer, k seal.Key, p seal.Phone, counter uint64) bool {
	r.t.Helper()
	return r.connectPhone(v, k, p, counter) != nil
}

// connectPhone logs a phone in; nil if it is refused.
func (r *rig) connectPhone(v engine.Viewer, k seal.Key, p seal.Phone, counter uint64) mqtt.Client {
	r.t.Helper()
	user := r.house.tree.UserName(v)
	password, err := seal.ConnectPassword(k, p.ClientID(user), counter)
	if err != nil {
		r.t.Fatal(err)
	}
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + r.house.Network.MQTT.Addr().String()).SetProtocolVersion(4).
		SetClientID(p.ClientID(user)).SetUsername(user).SetPassword(password).SetAutoReconnect(false))
	t := c.Connect()
	if !t.WaitTimeout(patience) {
		r.t.Fatal("no answer to a connect")
	}
	if t.Error() != nil {
		return nil
	}
	r.t.Cleanup(func() { c.Disconnect(0) })
	return c
}

// TestPhotographAndRecording: a photographed code together with a recording of the joining gives the seat's key. At the
// table, it cannot be used unnoticed: a login with it is refused, the seat, the host and the display are notified, and
// one answer ends it.
func TestPhotographAndRecording(t *testing.T) {
	r := startRig(t, nil)
	at, own, thief := engine.SeatViewer(1), seal.NewPhone(), seal.NewPhone()
	from := r.mark()
	air := r.joinSeat(1, own)
	r.waitUpdate(from, "that a phone has joined", func(u wire.Update) bool {
		return u.Notice != nil && u.Notice.Msg.Key == "table.phone.joined" && u.Notice.Msg.Args.Get("seat") == "seat-1"
	})
	grant, err := air.code.OpenGrant(air.nonce, air.box)
	if err != nil {
		t.Fatal("this test is about who has the key: ", err)
	}
	if !r.canConnect(at, grant.Key, own, 10) {
		t.Fatal("the seat's own phone is refused")
	}
	from = r.mark()
	if r.canConnect(at, grant.Key, thief, 1<<60) {
		t.Fatal("another phone is let in with a recorded key")
	}
	asked := r.waitUpdate(from, "that a second phone asks", func(u wire.Update) bool {
		return slices.Equal(u.Table.Asked, []engine.Seat{1})
	})
	for x := engine.Seat(1); x <= 4; x++ {
		offered := slices.ContainsFunc(r.updateFor(asked, x).View.Offers, func(o engine.Offer) bool { return o.Act == wire.ActCutPhone })
		if offered != (x == 1) {
			t.Errorf("seat %d may answer: %v", x, offered)
		}
	}
	from = r.mark()
	r.mustHostAct(wire.ActCutPhone, engine.Args{"seat": "seat-1"})
	r.waitUpdate(from, "the answer", func(u wire.Update) bool {
		return len(u.Table.Asked) == 0 && u.Notice != nil && u.Notice.Msg.Key == "table.phone.cut"
	})
	if r.canConnect(at, grant.Key, thief, 1<<61) || r.canConnect(at, grant.Key, seal.NewPhone(), 1<<61+1) {
		t.Error("a phone that was turned away is in")
	}
	if !r.canConnect(at, grant.Key, own, 11) {
		t.Error("the seat's own phone pays for it")
	}
}

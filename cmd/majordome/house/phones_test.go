package house

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// joinSeat redeems the open invitation of a seat as a phone does.
func (r *rig) joinSeat(seat engine.Seat, p seal.Phone) seal.Grant {
	r.t.Helper()
	u, _ := r.house.Loop.Snapshot(engine.Host)
	i := slices.IndexFunc(u.Desk.Invites, func(i wire.Invite) bool { return i.Seat == seat })
	return r.redeemLink(u.Desk.Invites[i].URL, p)
}

// redeemLink joins with a link.
func (r *rig) redeemLink(url string, p seal.Phone) seal.Grant {
	r.t.Helper()
	j := seal.NewJoiner(codeOfLink(r.t, url), p)
	status, body := r.postJoin(j.Body())
	grant, err := j.OpenAnswer(body)
	if err != nil || status != http.StatusOK {
		r.t.Fatal(status, err)
	}
	return grant
}

func codeOfLink(t *testing.T, url string) seal.Code {
	t.Helper()
	_, link, _ := strings.Cut(url, "#j=")
	code, err := seal.ParseCode(link)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// postJoin sends a join request.
func (r *rig) postJoin(request []byte) (status int, answer []byte) {
	r.t.Helper()
	res, err := http.Post("http://"+r.house.Network.Pages.Addr().String()+"/join", "application/json", bytes.NewReader(request))
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return res.StatusCode, answer
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

// TestPhotographAndRecording: a photographed code together with a recording of the joining and of the connect opens nothing, and who
// uses the code is refused and told to all.
func TestPhotographAndRecording(t *testing.T) {
	r := startRig(t, nil)
	at, own, thief := engine.SeatViewer(1), seal.NewPhone(), seal.NewPhone()
	u, _ := r.house.Loop.Snapshot(engine.Host)
	i := slices.IndexFunc(u.Desk.Invites, func(i wire.Invite) bool { return i.Seat == 1 })
	code := codeOfLink(t, u.Desk.Invites[i].URL)
	phone := seal.NewJoiner(code, own)
	from := r.mark()
	_, answer := r.postJoin(phone.Body())
	grant, err := phone.OpenAnswer(answer)
	if err != nil {
		t.Fatal(err)
	}
	r.waitUpdate(from, "that a phone has joined", func(u wire.Update) bool {
		return u.Notice != nil && u.Notice.Msg.Key == "table.phone.joined" && u.Notice.Msg.Args.Get("seat") == "seat-1"
	})
	if !r.canConnect(at, grant.Key, own, 10) {
		t.Fatal("the seat's own phone is refused")
	}
	// The thief has code, phone.Body, answer and the connect with counter 10.
	if _, err := seal.NewJoiner(code, own).OpenAnswer(answer); err == nil {
		t.Error("the code opens a recorded answer")
	}
	from = r.mark()
	for _, request := range [][]byte{phone.Body(), seal.NewJoiner(code, thief).Body()} {
		if status, _ := r.postJoin(request); status != http.StatusGone {
			t.Errorf("the used code: %d", status)
		}
	}
	r.waitUpdate(from, "that the code was tried", func(u wire.Update) bool {
		return u.Notice != nil && u.Notice.Msg.Key == "table.phone.tried" && u.Notice.Msg.Args.Get("seat") == "seat-1"
	})
	if r.canConnect(at, grant.Key, own, 10) {
		t.Error("a recorded connect is let in")
	}
	if r.canConnect(at, seal.NewKey(), own, 1<<60) {
		t.Error("the name of a phone is enough")
	}
	if !r.canConnect(at, grant.Key, own, 11) {
		t.Error("the seat's own phone pays for it")
	}
}

// TestACopiedKey: a second phone with the key of a phone, copied from its storage, is refused; the seat, the host and the display are
// notified, and one answer ends it.
func TestACopiedKey(t *testing.T) {
	r := startRig(t, nil)
	at, own, thief := engine.SeatViewer(1), seal.NewPhone(), seal.NewPhone()
	grant := r.joinSeat(1, own)
	if !r.canConnect(at, grant.Key, own, 10) {
		t.Fatal("the seat's own phone is refused")
	}
	from := r.mark()
	if r.canConnect(at, grant.Key, thief, 1<<60) {
		t.Fatal("another phone is let in with a copied key")
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

package house

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// heldMessages are the retained messages that a client has received, the last of each topic.
type heldMessages struct {
	mu      sync.Mutex
	last    map[string][]byte
	changed chan struct{}
}

// listen subscribes a client to the topics of a seat, as a phone does.
func (r *rig) listen(c mqtt.Client, v engine.Viewer) *heldMessages {
	r.t.Helper()
	held := &heldMessages{last: map[string][]byte{}, changed: make(chan struct{})}
	tree := r.house.tree
	filters := map[string]byte{tree.NamesTopic(): 1, tree.ViewTopic(v): 1, tree.ReplyTopic(v): 1}
	t := c.SubscribeMultiple(filters, func(_ mqtt.Client, m mqtt.Message) {
		held.mu.Lock()
		defer held.mu.Unlock()
		held.last[m.Topic()] = m.Payload()
		close(held.changed)
		held.changed = make(chan struct{})
	})
	if !t.WaitTimeout(patience) || t.Error() != nil {
		r.t.Fatal("not subscribed", t.Error())
	}
	return held
}

// waitUntil waits until the messages are as wanted.
func (h *heldMessages) waitUntil(t *testing.T, what string, ok func(last map[string][]byte) bool) {
	t.Helper()
	late := time.After(patience)
	for {
		h.mu.Lock()
		is, changed := ok(h.last), h.changed
		h.mu.Unlock()
		if is {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatal("waited in vain for ", what)
		}
	}
}

func (h *heldMessages) lastOf(topic string) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last[topic]
}

// viewOpens reports whether the last view opens with k and belongs to the last names.
func (r *rig) viewOpens(v engine.Viewer, k seal.Key) func(map[string][]byte) bool {
	return func(last map[string][]byte) bool {
		u, err := seal.OpenView(k, r.house.tree.ViewTopic(v), last[r.house.tree.ViewTopic(v)])
		return err == nil && u.Names == wire.NamesSum(last[r.house.tree.NamesTopic()])
	}
}

// renewKey asks for the next key of seat 1.
func (r *rig) renewKey(k seal.Key, p seal.Phone, counter uint64) seal.Key {
	r.t.Helper()
	j := seal.NewRenewal(k, p, r.house.tree.UserName(engine.SeatViewer(1)), counter)
	status, answer := r.postJoin(j.Body())
	g, err := j.OpenAnswer(answer)
	if err != nil || status != http.StatusOK {
		r.t.Fatal(status, err)
	}
	return g.Key
}

// TestAKeyForEachGame: in the next game a phone goes on with another key, and its views come sealed with that one, at once.
func TestAKeyForEachGame(t *testing.T) {
	r := startRig(t, nil)
	at, own := engine.SeatViewer(1), seal.NewPhone()
	key := r.joinSeat(1, own).Key
	views := r.listen(r.connectPhone(at, key, own, 10), at)
	views.waitUntil(t, "the view of the first game", r.viewOpens(at, key))
	first, err := seal.OpenView(key, r.house.tree.ViewTopic(at), views.lastOf(r.house.tree.ViewTopic(at)))
	if err != nil {
		t.Fatal(err)
	}
	r.mustHostAct("new-game", engine.Args{"seats": "keep"})
	views.waitUntil(t, "the next game", func(last map[string][]byte) bool {
		u, err := seal.OpenView(key, r.house.tree.ViewTopic(at), last[r.house.tree.ViewTopic(at)])
		return err == nil && u.Game > first.Game
	})
	next := r.renewKey(key, own, 11)
	views = r.listen(r.connectPhone(at, next, own, 12), at)
	views.waitUntil(t, "a view that is sealed with the next key", r.viewOpens(at, next))
	if _, err := seal.OpenView(key, r.house.tree.ViewTopic(at), views.lastOf(r.house.tree.ViewTopic(at))); err == nil {
		t.Error("the former key opens it, too")
	}
	u, _ := r.house.Loop.Snapshot(engine.Host)
	if i := slices.IndexFunc(u.Desk.Invites, func(i wire.Invite) bool { return i.Seat == 1 }); i < 0 || !u.Desk.Invites[i].Joined {
		t.Error("to the host the phone has gone")
	}
}

// TestAManInTheMiddle: somebody through whom all passes between phone and table, and who knows no code and no key, can withhold what
// is sent, and no more.
func TestAManInTheMiddle(t *testing.T) {
	r := startRig(t, nil)
	tree, at, own := r.house.tree, engine.SeatViewer(1), seal.NewPhone()
	u, _ := r.house.Loop.Snapshot(engine.Host)
	i := slices.IndexFunc(u.Desk.Invites, func(i wire.Invite) bool { return i.Seat == 1 })
	code := codeOfLink(t, u.Desk.Invites[i].URL)
	phone := seal.NewJoiner(code, own)

	// While the phone joins: a changed request gets nothing, and a changed answer is none.
	for at := 1; at < len(phone.Request()); at += 11 {
		request := bytes.Clone(phone.Request())
		request[at] ^= 1
		body, _ := json.Marshal(map[string]string{"id": code.PublicID(), "hello": base64.RawURLEncoding.EncodeToString(request)})
		if status, _ := r.postJoin(body); status != http.StatusNotFound {
			t.Errorf("a request with byte %d changed: %d", at, status)
		}
	}
	_, answer := r.postJoin(phone.Body())
	changed := bytes.Clone(answer)
	changed[len(changed)-8] ^= 1
	if _, err := phone.OpenAnswer(changed); err == nil {
		t.Error("a changed answer is taken for that of the table")
	}
	grant, err := phone.OpenAnswer(answer) // withheld, and asked for again
	if err != nil {
		t.Fatal(err)
	}

	// While it plays: he withholds a connect and uses it himself, as the phone.
	him := r.connectPhone(at, grant.Key, own, 10)
	if him == nil {
		t.Fatal("the connect is refused")
	}
	heard := r.listen(him, at)
	heard.waitUntil(t, "view and names", r.viewOpens(at, grant.Key))
	view, names := heard.lastOf(tree.ViewTopic(at)), heard.lastOf(tree.NamesTopic())
	if _, err := seal.OpenView(seal.NewKey(), tree.ViewTopic(at), view); err == nil || bytes.Contains(view, []byte(`"view"`)) {
		t.Error("he reads the view")
	}
	now, err := seal.OpenView(grant.Key, tree.ViewTopic(at), view)
	if err != nil {
		t.Fatal(err)
	}
	if now.Names == wire.NamesSum(bytes.Replace(names, []byte("character"), []byte("personage"), 1)) || now.Names != wire.NamesSum(names) {
		t.Error("the view does not say which names belong to it")
	}
	act, err := seal.SealAct(grant.Key, tree.ActTopic(at), now.Epoch, wire.Act{ID: "a1", Seq: 100, Act: "understood", Rev: now.Rev})
	if err != nil {
		t.Fatal(err)
	}
	send := func(payload []byte) {
		if s := him.Publish(tree.ActTopic(at), 1, false, payload); !s.WaitTimeout(patience) || s.Error() != nil {
			t.Fatal("not sent", s.Error())
		}
	}
	tampered := bytes.Clone(act)
	tampered[60] ^= 1
	send(tampered)
	send(act) // the phone's own, handed on: he hears that it is answered
	heard.waitUntil(t, "the answer", func(last map[string][]byte) bool { return last[tree.ReplyTopic(at)] != nil })
	if status := r.house.entrance.relay.Status(); status.Counts["unsealed"] == 0 {
		t.Errorf("a changed act is not counted: %v", status)
	}

	// Renewing the key in the next game, he may lose the answer: the phone goes on with its key.
	r.mustHostAct("new-game", engine.Args{"seats": "keep"})
	r.renewKey(grant.Key, own, 11)
	if !r.canConnect(at, grant.Key, own, 12) {
		t.Error("a phone that got no answer is cut off")
	}
	him.Publish(tree.NamesTopic(), 1, true, []byte("[]")) // no phone may do that: the broker ends his connection
	views := r.listen(r.connectPhone(at, grant.Key, own, 13), at)
	views.waitUntil(t, "the true names", r.viewOpens(at, grant.Key))
	if r.canConnect(at, grant.Key, own, 10) {
		t.Error("a connect serves twice")
	}
}

// TestAManInTheMiddleWithTheCode shows what remains: with the code, before its phone has used it, he is the phone to the table and the
// table to the phone.
func TestAManInTheMiddleWithTheCode(t *testing.T) {
	r := startRig(t, nil)
	u, _ := r.house.Loop.Snapshot(engine.Host)
	i := slices.IndexFunc(u.Desk.Invites, func(i wire.Invite) bool { return i.Seat == 1 })
	code := codeOfLink(t, u.Desk.Invites[i].URL)
	his := r.redeemLink(u.Desk.Invites[i].URL, seal.NewPhone())
	phone := seal.NewJoiner(code, seal.NewPhone())
	request, err := code.OpenJoin(phone.Request())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := request.SealGrant(seal.Grant{Seat: his.Seat, Phone: his.Phone, User: his.User, Key: seal.NewKey()})
	if err != nil {
		t.Fatal(err)
	}
	if g, err := phone.OpenGrant(answer); err != nil || g.Seat != 1 {
		t.Errorf("the phone has noticed it: %v; then the manual may promise more", err)
	}
}

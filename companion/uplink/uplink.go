package uplink

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"time"

	"majordome/companion/line"
	"majordome/companion/wire"
	"majordome/engine"
)

// fresh is how long an event is still worth telling.
const fresh = 5 * time.Second

// Opts are the parameters of an Uplink.
type Opts struct {
	// URL, User, Password, TLS and Dial are as in line.Opts.
	URL, User, Password string
	TLS                 *tls.Config
	Dial                func() (net.Conn, error)
	// Tree names the topics.
	Tree wire.Tree
	// Version of the program, and whether this is a demonstration table.
	Version string
	Demo    bool
	// Timeout and MaxRetry are as in line.Opts; MaxRetry is 30 s if it is zero.
	Timeout, MaxRetry time.Duration
	// Log receives one line per kind of trouble. Nil is silent.
	Log *slog.Logger
}

// Uplink is the line to one broker. Publish and SetNames have one caller.
type Uplink struct {
	opts  Opts
	line  *line.Line
	state []byte // as it was told last
	last  int    // the number of the happening that was told last
	begun bool
	fresh time.Duration // how long an event is worth telling
}

// New starts an uplink. Its error is about opts; whether the broker is there shows in Status.
func New(opts *Opts) (*Uplink, error) {
	u := &Uplink{opts: *opts, fresh: fresh}
	if u.opts.MaxRetry == 0 {
		u.opts.MaxRetry = 30 * time.Second
	}
	tree := opts.Tree
	sum := sha256.Sum256([]byte(tree.Base()))
	var err error
	u.line, err = line.New(&line.Opts{URL: opts.URL, Dial: opts.Dial, User: opts.User, Password: opts.Password, TLS: opts.TLS,
		ClientID: "majordome-" + hex.EncodeToString(sum[:6]), // 22 characters: all brokers take 23 (MQTT 3.1.1 section 3.1.3.1)
		Will:     tree.Availability(), Topics: []string{u.info(), tree.Names(), tree.State()},
		Timeout: opts.Timeout, MaxRetry: u.opts.MaxRetry, Log: opts.Log, Trouble: "uplink: the broker of the house does not take what is told",
		Advice: "le serveur MQTT de la maison ne prend pas ce qu’on lui dit ; la table joue sans lui, et le lien se refait de lui-même"})
	if err != nil {
		return nil, fmt.Errorf("uplink: %w", err)
	}
	u.set(u.info(), u.body(Info{"majordome", opts.Version, Schema, opts.Demo}))
	u.line.Start()
	return u, nil
}

func (u *Uplink) info() string { return u.opts.Tree.Base() + "/info" }

// body is a message as JSON. All of them are of plain fields, which JSON has.
func (u *Uplink) body(what any) []byte {
	b, err := json.Marshal(what)
	if err != nil {
		u.line.Count("unspeakable")
	}
	return b
}

func (u *Uplink) set(topic string, body []byte) { u.line.Set(map[string][]byte{topic: body}) }

// Publish hands over one step of the table: its public update, as everybody sees it.
func (u *Uplink) Publish(public *wire.Update) {
	for _, h := range u.news(&public.View) {
		topic := u.opts.Tree.Base() + "/event/" + h.What
		if !u.line.Send(topic, u.body(eventOf(public.View.Game, h)), time.Now().Add(u.fresh)) {
			u.line.Count("flood")
		}
	}
	if body := u.body(stateOf(public)); !bytes.Equal(body, u.state) {
		u.state = body
		u.set(u.opts.Tree.State(), body)
	}
}

// news is what has happened since the step before; nothing at the first, which is of an
// evening that went on before this start.
func (u *Uplink) news(v *engine.View) []engine.Happening {
	was, known := min(u.last, v.Last()), u.begun // the host has taken something back, or it is another game
	u.last, u.begun = v.Last(), true
	if !known {
		return nil
	}
	return v.Since(was)
}

// SetNames hands over what each id is called.
func (u *Uplink) SetNames(names engine.Names) { u.set(u.opts.Tree.Names(), u.body(names)) }

// Status is how the line stands.
func (u *Uplink) Status() line.Status { return u.line.Status() }

// Close says goodbye and ends the line.
func (u *Uplink) Close() { u.line.Close() }

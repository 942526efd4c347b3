package house

import (
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"majordome/companion/broker/home"
	"majordome/companion/table"
	"majordome/companion/uplink"
	"majordome/companion/wire"
)

// homes are the accounts of the devices of the house, as their owner sees them on the host's page. It implements table.Home.
//
// What may leak: a password to the host's sealed view, from when it was made until the host looks no more.
type homes struct {
	register *home.Register
	broker   *home.Broker
	address  func() string
	shown    func() // something else is to be shown

	looked, soon atomic.Bool // a host looks; shown is on its way. News comes while others hold mu and wait for who brings it

	mu         sync.Mutex
	open       bool
	name, word string // the last one made
}

func homeOn(c *Config) bool { return c.homeAddress() != "" }

// openHomes is before the table loop, which shows them; nil: the table serves no devices.
func (h *House) openHomes() error {
	if h.homeAt == nil {
		return nil
	}
	all := &homes{address: h.homeAddress, shown: h.changed}
	r, err := home.NewRegister(h.store, h.tree.Base(), all.news)
	if err != nil {
		return err
	}
	b, err := home.New(r, &home.Opts{Commands: h.obeys("home") != nil, Log: of(h.opts.Log, partBroker)})
	if err != nil {
		return err
	}
	all.register, all.broker = r, b
	h.homes = all
	return nil
}

// homesEvery is how often the page shows what devices do: each message of one may be refused for something else, and what is shown
// is a step for everybody.
const homesEvery = time.Second

// news shows what has changed, soon, to a host who looks; nobody else sees any of it.
func (h *homes) news() {
	if h.looked.Load() && h.soon.CompareAndSwap(false, true) {
		time.AfterFunc(homesEvery, func() {
			h.soon.Store(false)
			h.shown()
		})
	}
}

// homeAddress is where devices reach the table.
func (h *House) homeAddress() string {
	_, port, _ := net.SplitHostPort(h.homeAt.Addr().String())
	at, err := url.Parse(h.URL())
	if err != nil {
		return h.homeAt.Addr().String()
	}
	return net.JoinHostPort(at.Hostname(), port)
}

// joinHomes begins to tell the devices of the house what everybody sees, by the same code as their owner's own broker.
func (h *House) joinHomes() error {
	if h.homes == nil {
		return nil
	}
	o := &uplink.Opts{Dial: h.homes.broker.Join, Tree: h.tree, Version: h.opts.Version, Demo: h.opts.Demo, Language: h.discovery(), Obey: h.obeys("home"), Named: true, ID: h.id, Page: h.told, OnAccompanied: h.office.Changed, Log: of(h.opts.Log, partRelay)}
	err := h.takesBack(o, "home")
	if err == nil {
		h.inner, err = uplink.New(o)
	}
	return err
}

// uplinks are the lines by which the house hears what everybody sees.
func (h *House) uplinks() []*uplink.Uplink {
	return slices.DeleteFunc([]*uplink.Uplink{h.uplink, h.inner}, func(u *uplink.Uplink) bool { return u == nil })
}

// homeStands reports that the devices of the house can hear the table; nil: none are served.
func (h *House) homeStands() *bool {
	if h.homes == nil {
		return nil
	}
	stands := h.inner.Status().Connected
	return &stands
}

// homesPort is the table's port; none where no devices are served.
func (h *House) homesPort() table.Home {
	if h.homes == nil {
		return nil
	}
	return h.homes
}

// Look implements table.Home.
func (h *homes) Look(on bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open, h.name, h.word = on, "", ""
	h.looked.Store(on)
}

// Add implements table.Home.
func (h *homes) Add(name, kind, topic string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	word, err := h.register.Add(name, kind, topic)
	switch {
	case errors.Is(err, home.ErrName):
		return "table.home.name"
	case errors.Is(err, home.ErrTopic):
		return "table.home.topic"
	case errors.Is(err, home.ErrFull):
		return "table.home.full"
	case err != nil: // no such kind, or the disk, which says so itself
		return "table.unknown"
	}
	h.broker.End(name) // who has the password of before is out
	h.name, h.word = name, word
	return ""
}

// Drop implements table.Home.
func (h *homes) Drop(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	ok, err := h.register.Drop(name)
	if !ok || err != nil {
		return false
	}
	h.broker.End(name)
	if h.name == name {
		h.name, h.word = "", ""
	}
	return true
}

// Shown implements table.Home.
func (h *homes) Shown() *wire.Home {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := &wire.Home{Open: h.open}
	if !h.open {
		return out
	}
	out.Address, out.Name, out.Word = h.address(), h.name, h.word
	for _, t := range home.Templates() {
		out.Kinds = append(out.Kinds, wire.HomeKind{ID: t.ID, Topic: t.Topic})
	}
	for _, a := range h.register.Shown() {
		s := wire.HomeAccount{Name: a.Name, Kind: a.Template, Topic: a.Topic, Online: a.Online, Older: a.Older}
		for _, x := range a.Asked {
			s.Asked = append(s.Asked, wire.HomeAsked(x))
		}
		out.Accounts = append(out.Accounts, s)
	}
	fit(out)
	return out
}

// fit takes the oldest refusals out, which are counted, and then the ends of long topics, until it has room in the view.
func fit(out *wire.Home) {
	for {
		body, err := json.Marshal(out)
		if err != nil || len(body) <= wire.MaxHome {
			return
		}
		most := 0
		for i, a := range out.Accounts {
			if len(a.Asked) > len(out.Accounts[most].Asked) {
				most = i
			}
		}
		if asked := out.Accounts[most].Asked; len(asked) > 0 {
			out.Accounts[most].Older += asked[0].Times
			out.Accounts[most].Asked = asked[1:]
			continue
		}
		for i := range out.Accounts {
			t := []rune(out.Accounts[i].Topic)
			out.Accounts[i].Topic = strings.TrimSuffix(string(t[:len(t)/2]), "…") + "…"
		}
	}
}

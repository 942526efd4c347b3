package house

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/home"
	"majordome/companion/mosquitto"
	"majordome/companion/office"
	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine/ownfile"
)

// homes is the broker for the devices of the house and their accounts.
type homes struct {
	register *home.Register
	broker   *home.Broker
}

// homeFolder, below the data folder, is where its Mosquitto keeps its files.
const homeFolder = "mosquitto"

// openHomes is before the office, which shows them; h.homes stays nil where the table serves no devices.
func (h *House) openHomes() error {
	if h.network.Home == nil {
		return nil
	}
	r, err := home.NewRegister(h.store, h.tree.Base(), func() { h.office.Changed() }) // there is none yet
	if err != nil {
		return err
	}
	b, err := home.New(r, &home.Opts{Folder: filepath.Join(h.opts.Config.Data, homeFolder), Commands: h.obeys("home") != nil, Log: of(h.opts.Log, config.PartBroker)})
	if err != nil {
		return err
	}
	h.homes = &homes{r, b}
	return nil
}

// homeRows show the accounts of the devices of the house and what each has asked for in vain; home-add (args name, kind, topic) makes one,
// or gives one of that name, kind and topic another password; home-drop (args name) ends one. There are no rows where no devices are served.
//
// What may leak: a password, to the device of the host that asked for it, once.
func (h *House) homeRows() []office.Row {
	if h.homes == nil {
		return nil
	}
	return []office.Row{
		{Name: "home", Role: wire.RoleOwner, See: func(office.Call) any { return h.shownHomes() }},
		{Name: "home-add", Role: wire.RoleOwner, Do: h.addHome},
		{Name: "home-drop", Role: wire.RoleOwner, Do: h.dropHome},
	}
}

func (h *House) addHome(_ context.Context, c office.Call) (any, error) {
	if err := h.refusePaused(); err != nil {
		return nil, err
	}
	name := c.Args["name"]
	word, err := h.homes.register.Add(name, c.Args["kind"], c.Args["topic"])
	switch {
	case errors.Is(err, home.ErrName):
		return nil, wire.Refuse("table.home.name")
	case errors.Is(err, home.ErrTopic):
		return nil, wire.Refuse("table.home.topic")
	case errors.Is(err, home.ErrFull):
		return nil, wire.Refuse("table.home.full")
	case err != nil: // no such kind, or the disk, which says so itself
		return nil, wire.Refuse("table.unknown")
	}
	return wire.HomeMade{Name: name, Word: word}, nil
}

func (h *House) dropHome(_ context.Context, c office.Call) (any, error) {
	if err := h.refusePaused(); err != nil {
		return nil, err
	}
	if ok, err := h.homes.register.Drop(c.Args["name"]); !ok || err != nil {
		return nil, wire.Refuse("table.unknown")
	}
	return nil, nil
}

// shownHomes returns all accounts, their kinds and where devices reach the table.
func (h *House) shownHomes() wire.Home {
	out := wire.Home{Address: h.network.HomeAddress()}
	for _, t := range home.Templates() {
		out.Kinds = append(out.Kinds, wire.HomeKind{ID: t.ID, Topic: t.Topic})
	}
	for _, a := range h.homes.register.Shown() {
		s := wire.HomeAccount{Name: a.Name, Kind: a.Template, Topic: a.Topic, Online: a.Online, Older: a.Older}
		for _, x := range a.Asked {
			s.Asked = append(s.Asked, wire.HomeAsked(x))
		}
		out.Accounts = append(out.Accounts, s)
	}
	return out
}

// joinHomes begins to tell the devices of the house what everybody sees, by the same code as their owner's own broker.
func (h *House) joinHomes() error {
	if h.homes == nil {
		return nil
	}
	o := &uplink.Opts{Dial: h.homes.broker.Join, User: home.Own, Password: h.homes.broker.Word(), Tree: h.tree, Version: h.opts.Version, Demo: h.opts.Demo, Language: h.discovery(), Obey: h.obeys("home"), Named: true, ID: h.id, Page: h.network.Page, OnAccompanied: h.office.Changed, Log: of(h.opts.Log, config.PartRelay)}
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

// homeTrouble is what is not well with the broker for the devices of the house.
func (h *House) homeTrouble() []vitals.Trouble {
	if h.homes == nil {
		return nil
	}
	s := h.homes.broker.Status()
	var all []vitals.Trouble
	if s.Err != nil && !s.Up {
		all = append(all, HomeTrouble(s.Err, s.Said))
	}
	if s.Unread {
		all = append(all, vitals.Trouble{About: aboutHome, Said: ownfile.Both("Les messages gardés du serveur MQTT des appareils étaient illisibles : il est reparti sans eux.", "What the MQTT broker of the devices had kept was unreadable: it has begun without."),
			Fix: ownfile.Both("Rien à faire : les appareils les redisent. L’ancien fichier est mosquitto.db.unread, dans le dossier mosquitto des données.", "Nothing to do: the devices tell them again. The former file is mosquitto.db.unread, in the folder mosquitto of the data.")})
	}
	return all
}

const aboutHome = "home"

// HomeTrouble is why no Mosquitto runs for the devices of the house, and what to do.
func HomeTrouble(err error, said []string) vitals.Trouble {
	t := vitals.Trouble{About: aboutHome, Said: ownfile.Both("Le serveur MQTT des appareils de la maison ne marche pas : ils n’entendent pas la table.", "The MQTT broker of the devices of the house does not run: they do not hear the table.")}
	if errors.Is(err, mosquitto.ErrMissing) {
		t.Fix = ownfile.Both("Il lui faut le programme Mosquitto : sudo apt install mosquitto", "It needs the program Mosquitto: sudo apt install mosquitto")
		return t
	}
	why := strings.Join(append(said, err.Error()), "; ")
	t.Fix = ownfile.Both("Il est relancé de lui-même. Il dit : "+why, "It is started again by itself. It says: "+why)
	return t
}

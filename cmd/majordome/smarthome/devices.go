package smarthome

import (
	"context"
	"errors"
	"strings"

	"majordome/cmd/majordome/vitals"
	"majordome/companion/home"
	"majordome/companion/mosquitto"
	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/engine"
)

// accountRows returns the office rows for the accounts of devices. home shows the accounts and what each has asked for
// in vain. home-add (args name, kind, topic) creates an account, or gives the one of that name, kind and topic a new
// password. home-drop (args name) deletes one. There are no rows if no devices are served.
//
// What may leak: a password, once, to the device of the host that asked for it.
func (s *SmartHome) accountRows() []office.Row {
	if s.broker == nil {
		return nil
	}
	return []office.Row{
		{Name: "home", Role: wire.RoleOwner, Show: func(office.Call) any { return s.listAccounts() }},
		{Name: "home-add", Role: wire.RoleOwner, Do: s.addAccount},
		{Name: "home-drop", Role: wire.RoleOwner, Do: s.dropAccount},
	}
}

func (s *SmartHome) addAccount(_ context.Context, c office.Call) (any, error) {
	if err := s.opts.CheckWritable(); err != nil {
		return nil, err
	}
	name := c.Args["name"]
	word, err := s.Accounts.AddOrRenewAccount(name, c.Args["kind"], c.Args["topic"])
	switch {
	case errors.Is(err, home.ErrName):
		return nil, wire.NewRefusal("table.home.name")
	case errors.Is(err, home.ErrTopic):
		return nil, wire.NewRefusal("table.home.topic")
	case errors.Is(err, home.ErrFull):
		return nil, wire.NewRefusal("table.home.full")
	case err != nil: // no such kind, or a fault of the disk, which is reported separately
		return nil, wire.NewRefusal("table.unknown")
	}
	return wire.HomeMade{Name: name, Word: word}, nil
}

func (s *SmartHome) dropAccount(_ context.Context, c office.Call) (any, error) {
	if err := s.opts.CheckWritable(); err != nil {
		return nil, err
	}
	if ok, err := s.Accounts.RemoveAccount(c.Args["name"]); !ok || err != nil {
		return nil, wire.NewRefusal("table.unknown")
	}
	return nil, nil
}

// listAccounts returns all accounts, their kinds and the address for devices.
func (s *SmartHome) listAccounts() wire.Home {
	out := wire.Home{Address: s.opts.Network.HomeAddress()}
	for _, t := range home.Templates() {
		out.Kinds = append(out.Kinds, wire.HomeKind{ID: t.ID, Topic: t.Topic})
	}
	for _, a := range s.Accounts.ListAccounts() {
		s := wire.HomeAccount{Name: a.Name, Kind: a.Template, Topic: a.Topic, Online: a.Online, Older: a.Older}
		for _, x := range a.Refused {
			s.Asked = append(s.Asked, wire.HomeAsked(x))
		}
		out.Accounts = append(out.Accounts, s)
	}
	return out
}

// connectOwnBroker starts to publish to the devices of the house what all players see, with the same code as for the
// owner's own broker.
func (s *SmartHome) connectOwnBroker() (err error) {
	if s.broker == nil {
		return nil
	}
	o := s.uplinkOpts("home")
	o.Dial, o.User, o.Password, o.NamesSenders = s.broker.Dial, home.OwnAccount, s.broker.OwnAccountPassword(), true
	s.devices, err = s.connectBroker(o, "home")
	return err
}

// brokerFindings returns the faults of the broker for devices.
func (s *SmartHome) brokerFindings() []wire.Finding {
	if s.broker == nil {
		return nil
	}
	now := s.broker.Status()
	var all []wire.Finding
	if now.Err != nil && !now.Running {
		all = append(all, BrokerFinding(now.Err, now.LastErrors))
	}
	if now.SetAside {
		all = append(all, vitals.NewWarning(aboutHome,
			engine.T("Les messages gardés du serveur MQTT des appareils étaient illisibles : il est reparti sans eux.",
				"What the MQTT broker of the devices had kept was unreadable: it has begun without."),
			engine.T("Rien à faire : les appareils les redisent. L’ancien fichier est mosquitto.db.unread, dans le dossier "+
				"mosquitto des données.",
				"Nothing to do: the devices tell them again. The former file is mosquitto.db.unread, in the folder mosquitto "+
					"of the data.")))
	}
	if n := s.Accounts.CountUnreadable(); n > 0 {
		all = append(all, vitals.NewWarning(aboutHome,
			engine.Tf("Des comptes d’appareils enregistrés ne sont plus lisibles : %[1]d.",
				"Stored accounts of devices cannot be read any more: %[1]d.", n),
			engine.T("Refaites ceux qui manquent sous Lampes et domotique ; une version plus récente les lit peut-être.",
				"Make those that are missing again under Lamps and home automation; a newer version may read them.")))
	}
	return all
}

const aboutHome = "home"

// BrokerFinding explains why no Mosquitto runs for the devices of the house, with advice.
func BrokerFinding(err error, output []string) wire.Finding {
	t := vitals.NewWarning(aboutHome, engine.T("Le serveur MQTT des appareils de la maison ne marche pas : ils n’entendent pas la table.",
		"The MQTT broker of the devices of the house does not run: they do not hear the table."), engine.Text{})
	if errors.Is(err, mosquitto.ErrMissing) {
		t.Fix = engine.T("Il lui faut le programme Mosquitto : sudo apt install mosquitto",
			"It needs the program Mosquitto: sudo apt install mosquitto")
		return t
	}
	why := strings.Join(append(output, err.Error()), "; ")
	t.Fix = engine.T("Il est relancé de lui-même. Il dit : "+why, "It is started again by itself. It says: "+why)
	return t
}

package smarthome

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/line"
	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// startUplink starts to publish to the owner's own broker what all players see. The table works without it: faults of
// its files are in the log and on the host's page.
func (s *SmartHome) startUplink() {
	c := s.opts.Config
	if c.Uplink == "" {
		return
	}
	o := s.uplinkOpts("uplink")
	o.URL = c.Uplink
	err := readUplinkAccount(c, o)
	if err == nil {
		s.uplink, err = s.connectBroker(o, "uplink")
	}
	if s.uplinkErr = err; err != nil {
		s.opts.Log.Error("the broker of the house is told nothing", "error", err, "conseil",
			"rien n’est dit au serveur MQTT de la maison : voyez les clés uplink, account et authority")
	}
}

// uplinkOpts returns the options for the connection to a broker, "home" or "uplink".
func (s *SmartHome) uplinkOpts(name string) *uplink.Opts {
	o := &uplink.Opts{Tree: s.opts.Tree, Version: s.opts.Version, Demo: s.opts.Demo, HandleCommand: s.commandHandler(name), ID: s.id,
		Page: s.opts.Network.DisplayURL, OnOthersChanged: s.opts.Changed, Log: s.opts.Log.With("part", config.PartRelay)}
	if l := s.opts.Config.Discovery; l != "off" {
		o.Language = l
	}
	return o
}

// connectBroker starts to connect to a broker. There, it also clears messages that this table has published under
// former names.
func (s *SmartHome) connectBroker(o *uplink.Opts, name string) (*uplink.Uplink, error) {
	names, err := loadFormerNames(s.opts.Store, name, s.opts.Tree.Base())
	if err != nil {
		return nil, err
	}
	o.Former, o.OnCleared = names.formerTrees(), names.removeBase
	return uplink.New(o)
}

// commandHandler returns the function that executes commands from a connection, "home" or "uplink"; nil: the owner
// allows none there.
func (s *SmartHome) commandHandler(line string) func(by, act string, args engine.Args, reply func(*engine.Reject)) {
	if c := s.opts.Config.Commands; c != line && c != "both" {
		return nil
	}
	return s.executeLogged
}

// executeLogged executes a command and logs who has sent it.
func (s *SmartHome) executeLogged(by, act string, args engine.Args, reply func(*engine.Reject)) {
	s.opts.Log.Info("command", "by", by, "act", act, "conseil", "un programme de la maison donne un ordre à la table")
	s.opts.ExecuteOrder(by, act, args, reply)
}

// readUplinkAccount reads into o the table's account at the broker of the house, and the authorities that it trusts there.
func readUplinkAccount(c *config.Config, o *uplink.Opts) (err error) {
	if c.Account != "" {
		if o.User, o.Password, err = c.ReadAccount(); err != nil {
			return err
		}
	}
	o.TLS, err = trustedAuthorities(c)
	return err
}

// trustedAuthorities returns a TLS configuration with the authorities of the key authority; without it, with those that this
// machine trusts.
func trustedAuthorities(c *config.Config) (trusted *tls.Config, err error) {
	trusted = &tls.Config{MinVersion: tls.VersionTLS12}
	if c.Authority != "" {
		trusted.RootCAs = x509.NewCertPool()
		err = c.AddAuthorityTo(trusted.RootCAs)
	}
	return trusted, err
}

// aboutUplink is the kind of the findings about the broker of the house.
const aboutUplink = "uplink"

// linkFixes are the advice for each reason why there is no connection; {key} and {account} are keys of the configuration.
var linkFixes = map[string]engine.Text{
	line.Unanswered: engine.T("Il ne répond pas à l’adresse de la clé {key}. La table réessaie d’elle-même.",
		"It does not answer at the address of the key {key}. The table tries again by itself."),
	line.Unknown: engine.T("Le DNS ne connaît pas le nom de la clé {key}, et ceux en .local n’y sont jamais : écrivez son adresse.",
		"The DNS does not know the name in the key {key}, and never those in .local: write its address."),
	line.Login: engine.T("Il refuse ce compte : voyez le fichier de la clé {account}, et ses droits d’écrire sous majordome/1.",
		"It refuses this account: see the file of the key {account}, and its right to write under majordome/1."),
	line.Untrusted: engine.T("Son certificat n’est pas reconnu : donnez celui de son autorité par la clé authority, et "+
		"l’adresse par son nom.",
		"Its certificate is not trusted: give that of its authority by the key authority, and the address by its name."),
	line.Oversize: engine.T("Il envoie plus que ce qu’une table écoute (64 Kio). La table raccroche, et réessaie de moins en "+
		"moins souvent.", "It sends more than a table listens to (64 KiB). The table hangs up, and tries again less and less often."),
	line.Malformed: engine.T(
		"Ce qui répond à l’adresse de la clé {key} ne parle pas MQTT 3.1.1 comme un serveur le doit : voyez son port.",
		"What answers at the address of the key {key} does not speak MQTT 3.1.1 as a broker must: see its port."),
	line.Flood: engine.T("Il envoie sans cesse, plus vite que toutes les tables d’une maison. La table raccroche, et "+
		"réessaie de moins en moins souvent : trouvez l’appareil qui publie sans arrêt.",
		"It sends without end, faster than all tables of a house. The table hangs up, and tries again less and less often: "+
			"find the device that publishes without a rest."),
	line.Broken: engine.T("La connexion se perd sans cesse : une autre table de la maison porte peut-être le même nom "+
		"(clés site et table).",
		"The connection is lost again and again: another table of the house may have the same name (keys site and table)."),
}

// linkFix returns the advice for a reason why the connection of a key, "uplink" or "venue", does not exist.
func linkFix(key, reason string) engine.Text {
	account := map[string]string{aboutUplink: "account", aboutVenue: "venue_account"}[key]
	filled, t := strings.NewReplacer("{key}", key, "{account}", account), linkFixes[reason]
	return engine.T(filled.Replace(t.FR), filled.Replace(t.EN))
}

// brokenMessageFindings returns findings about messages that break the connection, the newest first.
func brokenMessageFindings(key string, s line.Status) (all []wire.Finding) {
	for _, m := range slices.Backward(s.Suspects) {
		if m.Ours && !m.LeftOut {
			continue // the cause may have been the network
		}
		t := brokenMessageFinding(key, m, 60)
		for most := 50; most > 0; most -= 10 {
			if body, err := json.Marshal(t); err == nil && len(body) <= wire.MaxFinding {
				break
			}
			t = brokenMessageFinding(key, m, most)
		}
		all = append(all, t)
	}
	return all
}

// brokenMessageFinding returns a finding about one message, with at most so many characters of its topic.
func brokenMessageFinding(key string, message line.Suspect, most int) wire.Finding {
	t := vitals.NewWarning(key, engine.Text{}, engine.Text{})
	message.Topic = ownfile.VisibleText(message.Topic, most)
	size := fmt.Sprintf("%.1f", float64(message.Size)/1024)
	sizeFR := strings.Replace(size, ".", ",", 1)
	switch {
	case message.Ours:
		t.Said = engine.T("Le serveur MQTT raccroche après « "+message.Topic+" » ("+
			sizeFR+" Kio) : la table ne le redit que de loin en loin.",
			"The MQTT broker hangs up after “"+message.Topic+"” ("+size+" KiB): the table tries it again at long intervals only.")
		t.Fix = engine.T("Relevez la taille qu’il accepte (Mosquitto : max_packet_size, message_size_limit), ou donnez au "+
			"compte le droit de ce sujet.",
			"Raise the size that it takes (Mosquitto: max_packet_size, message_size_limit), or give the account the right to this topic.")
	case message.Topic == "":
		t.Said = engine.T("Le serveur MQTT a envoyé "+sizeFR+" Kio d’un coup ; la table n’en prend que 64.", "The MQTT broker has sent "+
			size+" KiB at once; the table takes 64 at most.")
		t.Fix = engine.T("Ce n’est peut-être pas un serveur MQTT : voyez l’adresse et le port de la clé "+key+".",
			"It may be no MQTT broker: see address and port of the key "+key+".")
	default:
		t.Said = engine.T("Trop grand : un message de "+sizeFR+" Kio est venu par MQTT sur « "+
			message.Topic+" » ; la table n’en prend que 64.",
			"Too large: a message of "+size+" KiB has come by MQTT on “"+message.Topic+"”; the table takes 64 at most.")
		t.Fix = engine.T("Faites taire l’appareil qui l’envoie ; s’il est conservé, effacez-le (mosquitto_pub -r -n).",
			"Silence the device that sends it; if it is retained, clear it (mosquitto_pub -r -n).")
	}
	return t
}

// uplinkFindings returns the faults of the connection to the broker of the house.
func (s *SmartHome) uplinkFindings() []wire.Finding {
	return linkFindings(s.opts.Config.Uplink, s.uplink, s.uplinkErr, aboutUplink, s.opts.Tree.Base())
}

// linkFindings returns the faults of the connection that a key, aboutUplink or aboutVenue, asks for. u is nil if it could not
// be started because of err.
func linkFindings(address string, u *uplink.Uplink, err error, key, base string) []wire.Finding {
	if address == "" {
		return nil
	}
	whoFR, whoEN := "serveur MQTT de la maison", "MQTT broker of the house"
	if key == aboutVenue {
		whoFR, whoEN = "serveur de la salle", "broker of the venue"
	}
	t := vitals.NewWarning(key, engine.T("Le "+whoFR+" ne sait rien de cette table.", "The "+whoEN+" knows nothing of this table."),
		engine.Text{})
	if u == nil {
		t.Fix = unreadableFileText(err)
		return []wire.Finding{t}
	}
	now := u.Status()
	if u.HasTwin() {
		return []wire.Finding{vitals.NewWarning(key,
			engine.T("Une autre table porte le même nom, et dit autre chose aux mêmes endroits.",
				"Another table has the same name, and says other things in the same places."),
			engine.T("Donnez à l’une un autre nom par la clé table.", "Give one of them another name by the key table."))}
	}
	all := brokenMessageFindings(key, now)
	if u.IsDisputed() {
		all = append(all, vitals.NewWarning(key,
			engine.T("Un autre programme écrit sans cesse au nom de cette table au "+whoFR+".",
				"Another program goes on to write in the name of this table at the "+whoEN+"."),
			engine.T("La table le corrige, de moins en moins souvent : trouvez-le, ou ne donnez qu’à elle le droit d’écrire sous "+
				base+".", "The table corrects it, less and less often: find it, or give the right to write under "+
				base+" to the table alone.")))
	}
	if now.Connected || now.Reason == "" { // "": the first attempt is not over
		return all
	}
	t.Fix = linkFix(key, now.Reason)
	return append([]wire.Finding{t}, all...)
}

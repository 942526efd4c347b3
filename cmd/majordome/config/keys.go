package config

import (
	"errors"
	"fmt"
	"net"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"

	"majordome/cmd/majordome/mdns"
	"majordome/companion/address"
	"majordome/companion/uplink"
	"majordome/devices"
	"majordome/devices/serial"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/ownfile"
)

// key describes one key of majordome.yaml. The manual's page "settings" is generated from these rows (go test -run
// TestManualHasEveryKey -update), ParseConfig takes the defaults from them, and majordome check checks with them, so
// the three always agree.
type key struct {
	name    string
	meaning engine.Text
	unit    string // of a number
	values  allowedValues
	// defaultValue is the value of a key that is not written. If it is nil, absent describes what applies.
	defaultValue any
	absent       engine.Text
	missing      engine.Text // names the missing value, for keys that need one; empty: none needed
}

// allowedValues describes the values that a key may have.
type allowedValues struct {
	engine.Text // the description in the manual and in hints of faults
	numberFits  func(int) bool
	// check returns the fault of a text (of each entry of a list); the zero Text: none.
	check     func(key, value string) engine.Text
	hint      func(value string) engine.Text // replaces Text if the machine or the value allows a better hint
	maxItems  int                            // of a list
	words     []string                       // the page suggests them
	othersFit bool                           // other words are allowed, too
}

func intsInRange(least, most int) allowedValues {
	return allowedValues{Text: engine.Tf("de %d à %d", "%d to %d", least, most),
		numberFits: func(n int) bool { return least <= n && n <= most }}
}

func oneOfInts(list ...int) allowedValues {
	said := strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
	var words []string
	for _, n := range list {
		words = append(words, fmt.Sprint(n))
	}
	return allowedValues{Text: engine.T("une de : "+said, "one of: "+said), words: words,
		numberFits: func(n int) bool { return slices.Contains(list, n) }}
}

// isCountry reports whether code is a real country. A radio silently ignores other codes, such as UK, and keeps its
// former rules.
func isCountry(code string) bool {
	r, err := language.ParseRegion(code)
	return err == nil && r.IsCountry() && r.Canonicalize() == r && r.String() == code && len(code) == 2
}

// textsThatFit returns values for the texts that the function fits accepts; fr and en describe one that it refuses, such as "mauvais
// nom"; hint describes the valid ones.
func textsThatFit(fr, en string, fits func(string) bool, hint engine.Text) allowedValues {
	return allowedValues{Text: hint, check: func(key, value string) (t engine.Text) {
		if !fits(value) {
			t = engine.Tf("%s : "+fr+" « %s »", "%s: "+en+" %q", key, ownfile.ClipQuote(value))
		}
		return t
	}}
}

// wordChoices returns values that must be in list; hint describes them.
func wordChoices(list []string, hint engine.Text) allowedValues {
	return allowedValues{Text: hint, words: list, check: func(key, value string) (t engine.Text) {
		if !slices.Contains(list, value) {
			t = engine.Tf("%s : « %s » inconnu", "%s: unknown %q", key, ownfile.ClipQuote(value))
		}
		return t
	}}
}

// withSuggestions adds words for the page to suggest; other values are still allowed.
func (v allowedValues) withSuggestions(words ...string) allowedValues {
	v.words, v.othersFit = words, true
	return v
}

func (v allowedValues) withMaxItems(most int) allowedValues {
	v.maxItems = most
	return v
}

// MDNSOff is the value of the key mdns that switches mDNS off.
const MDNSOff = "off"

var mdnsNames = textsThatFit("mauvais nom", "bad name", mdns.IsAnnounceableName,
	engine.T("de 1 à 31 caractères : a-z, 0-9 et - entre eux ; off pour s’en passer",
		"1 to 31 of a-z, 0-9 and, between them, -; off to do without"))

// logLevels are the values of the key log, and logParts those of the key debug.
var (
	logLevels = []string{"debug", "info", "warn", "error"}
	logParts  = []string{PartBroker, PartDevices, PartDoor, PartPair, PartRelay, PartTable}
)

// The parts of the program that the key debug can name; their log lines carry the name.
const (
	PartBroker  = "broker"
	PartDevices = "devices"
	PartDoor    = "door"
	PartPair    = "pair"
	PartRelay   = "relay"
	PartTable   = "table"
)

// configKeys are the keys at the top of the file.
var configKeys = []key{
	{name: "listen", meaning: engine.T("où sont servies les pages, et MQTT par WebSocket",
		"where pages and MQTT over WebSocket are served"), values: addressValues("8080", engine.Text{}), defaultValue: ":8080",
		missing: engine.T("l’adresse", "the address")},
	{name: "https", meaning: engine.T("où les mêmes pages sont servies par https, avec le certificat de cette table ; `/trust` "+
		"montre comment un téléphone l’installe ; sans hôte, elles le sont là où l’est `listen`",
		"where the same pages are served by https, with the certificate of this table; `/trust` shows how a phone installs it; "+
			"without a host they are served where `listen` is"),
		values: addressValues("443", engine.T(" ; off pour s’en passer", "; off to do without"), "off"), defaultValue: "off",
		missing: engine.T("l’adresse", "the address")},
	{name: "mqtt", meaning: engine.T("où MQTT est aussi servi sur son propre port, pour des programmes qui lisent le plateau ; "+
		"sans hôte, il l’est là où l’est `listen`, et les pages s’en passent",
		"where MQTT is also served on its own port, for programs that read the board; without a host it is served where "+
			"`listen` is, and the pages need none of it"),
		values: addressValues("1883", engine.T(" ; off pour s’en passer", "; off to do without"),
			"off"), defaultValue: "off",
		missing: engine.T("l’adresse", "the address")},
	{name: "url", meaning: engine.T("l’adresse que joignent les téléphones, celle des codes QR",
		"the address that phones reach, the one in the QR codes"),
		absent: engine.T("la première adresse de cette machine dans le réseau local", "this machine’s first address on the local network"),
		values: textsThatFit("mauvaise adresse", "bad address", address.IsBaseURL,
			engine.T("écrivez-la comme http://table.local:8080, sans barre à la fin, chemin ni compte",
				"write it like http://table.local:8080, without a slash at the end, a path or an account"))},
	{name: "mdns", meaning: engine.T("le nom de cette table dans le réseau local, sans `.local` ; un nom déjà pris reçoit un numéro",
		"the name of this table in the local network, without `.local`; one that is taken gets a number"), values: mdnsNames,
		defaultValue: "majordome",
		missing:      engine.T("le nom", "the name")},
	{name: "hotspot", meaning: engine.T("quand la carte SD de Majordome fait un Wi-Fi à elle ; nom et mot de passe sont alors "+
		"sur l’écran du Pi", "when Majordome’s SD card makes a Wi-Fi of its own; name and password are then shown on the Pi’s screen"),
		values: wordChoices([]string{"needed", "always", "off"},
			engine.T("needed (une minute après le démarrage, sans réseau), always, ou off pour s’en passer",
				"needed (a minute after the start, without a network), always, or off to do without")), defaultValue: "needed",
		missing: engine.T("quand", "when")},
	{name: "hotspot_name", meaning: engine.T("le nom de ce Wi-Fi", "the name of that Wi-Fi"), values: wifiNames, defaultValue: "Majordome",
		missing: engine.T("le nom", "the name")},
	{name: "hotspot_password",
		meaning: engine.T("le mot de passe de ce Wi-Fi, que chacun à la table lit sur l’écran : aucun qui serve ailleurs",
			"the password of that Wi-Fi, which everybody at the table reads on the screen: none that is used elsewhere"),
		values: wifiPasswords,
		absent: engine.T("un mot de passe tiré une fois par la carte", "one that the card has drawn once")},
	{name: "hotspot_country", meaning: engine.T("le pays dont les règles radio valent pour ce Wi-Fi",
		"the country whose radio rules hold for that Wi-Fi"), values: textsThatFit("mauvais pays", "bad country", isCountry,
		engine.T("deux lettres capitales, comme FR ou BE", "two capital letters, such as GB or FR")),
		absent: engine.T("les règles du monde entier, les plus prudentes", "those of the whole world, the most careful ones")},
	{name: "names", meaning: engine.T("d’autres noms et adresses par lesquels on demande cette table, derrière un proxy ou "+
		"dans un conteneur ; le reste reçoit 421",
		"more names and addresses that this table is asked by, behind a proxy or in a container; others are answered 421"),
		absent: engine.T("les siens : `localhost`, ses adresses, son nom de machine, seul et avec `.local`, `.lan`, "+
			"`.home.arpa` ou `.internal`, et celui de `url`",
			"its own: `localhost`, its addresses, its host name, alone and with `.local`, `.lan`, `.home.arpa` or `.internal`, "+
				"and that of `url`"),
		values: textsThatFit("mauvais nom", "bad name", address.IsHost,
			engine.T("un nom ou une adresse sans http:// ni port, comme table.example ou 192.168.1.5",
				"a name or address without http:// and port, such as table.example or 192.168.1.5")).withMaxItems(maxNames)},
	{name: "metrics", meaning: engine.T("qui d’autre peut lire `/healthz` et `/metrics` (Prometheus)",
		"who may also read `/healthz` and `/metrics` (Prometheus)"), absent: engine.T("cette machine seule", "only this machine"),
		values: textsThatFit("mauvaise adresse", "bad address", address.IsNetwork,
			engine.T("une adresse ou un réseau, comme 192.168.1.5 ou 192.168.1.0/24",
				"an address or a network, such as 192.168.1.5 or 192.168.1.0/24")).withMaxItems(maxNames)},
	{name: "data", meaning: engine.T("le dossier des parties ; ailleurs, il doit exister, appartenir au compte du programme et "+
		"figurer dans l’unité sous `ReadWritePaths=`",
		"the folder of the store; one elsewhere must exist, belong to the daemon’s user, and stand in the unit as `ReadWritePaths=`"),
		values: pathValues, defaultValue: "/var/lib/majordome", missing: engine.T("le dossier", "the folder")},
	{name: "uplink", meaning: engine.T("votre propre serveur MQTT, auquel la table dit ce que tous voient, et rien d’autre : "+
		"pour vos lampes et votre domotique",
		"your own MQTT broker, which the table tells what everybody sees, and nothing else: for your lamps and home automation"),
		absent: engine.T("rien n’est dit", "nothing is told"),
		values: textsThatFit("mauvaise adresse", "bad address", isBrokerURL,
			engine.T("écrivez-la comme mqtt://192.168.1.5:1883, ou mqtts://maison.example:8883 pour TLS, sans compte dedans ; "+
				"un nom en .local ne va pas",
				"write it like mqtt://192.168.1.5:1883, or mqtts://home.example:8883 for TLS, without an account in it; no "+
					"name in .local"))},
	{name: "account", meaning: engine.T("un fichier avec le compte de la table à ce serveur, par son chemin entier : le nom "+
		"sur la première ligne, le mot de passe sur la deuxième ; il est, avec ses dossiers, à root ou au compte du programme, "+
		"et tout le monde ne peut pas le lire",
		"a file with the table’s account at that broker, with its whole path: the user on the first line, the password on the "+
			"second; it and its folders belong to root or the daemon’s user, and not everybody may read it"), values: pathValues,
		absent: engine.T("sans compte", "no account")},
	{name: "authority", meaning: engine.T("un fichier PEM avec le certificat de l’autorité de ce serveur, par son chemin "+
		"entier ; il est, avec ses dossiers, à root ou au compte du programme",
		"a PEM file with the certificate of that broker’s authority, with its whole path; it and its folders belong to root or "+
			"the daemon’s user"), values: pathValues,
		absent: engine.T("celles que connaît cette machine", "those that this machine knows")},
	{name: "venue", meaning: engine.T("le serveur MQTT ou NATS d’une salle de plusieurs tables, dont la console voit ce que tous "+
		"voient à celle-ci",
		"the MQTT broker, or the NATS cluster, of a venue of many tables, whose console sees what everybody sees at this one"),
		absent: engine.T("rien n’est dit", "nothing is told"),
		values: textsThatFit("mauvaise adresse", "bad address", isVenueURL,
			engine.T("écrivez-la comme mqtt://192.168.1.5:1883, mqtts://salle.example:8883 pour TLS, ou nats://a:4222,nats://b:4222 "+
				"(tls:// pour TLS), sans compte dedans",
				"write it like mqtt://192.168.1.5:1883, mqtts://venue.example:8883 for TLS, or nats://a:4222,nats://b:4222 "+
					"(tls:// for TLS), without an account in it"))},
	{name: "venue_account", meaning: engine.T("un fichier avec le compte de la table à la salle ; comme celui de `account` ; "+
		"pour NATS, la deuxième ligne peut être la graine d’une nkey",
		"a file with the table’s account at the venue; like that of `account`; for NATS the second line may be the seed of an "+
			"nkey"), values: pathValues,
		absent: engine.T("sans compte", "no account")},
	{name: "venue_rights", meaning: engine.T("les ordres que la console de la salle peut donner à la table",
		"the commands that the console of the venue may give to the table"),
		absent: engine.T("tous", "all"), values: wordChoices(venueRights,
			engine.T("pause, alarm, light (lumière), countdown (compte à rebours), hint (indice pour tous), next (scène suivante) ; "+
				"none, seul, pour aucun",
				"pause, alarm, light, countdown, hint (to all), next (scene); none, alone, for no command")).
			withMaxItems(len(venueRights))},
	{name: "home", meaning: engine.T("où les appareils de la maison parlent MQTT avec la table : lampes, Home Assistant, "+
		"Node-RED ; leurs comptes se font sur la page de l’hôte, et rien de secret n’y passe ; sans hôte, c’est là où est servi `listen`",
		"where the devices of the house speak MQTT with the table: lamps, Home Assistant, Node-RED; their accounts are made on "+
			"the host’s page, and nothing secret passes there; without a host that is where `listen` is"),
		values: addressValues("1884", engine.T(" ; off pour s’en passer", "; off to do without"), "off"), defaultValue: "off",
		missing: engine.T("l’adresse", "the address")},
	{name: "discovery", meaning: engine.T("la langue dans laquelle Home Assistant découvre la table de lui-même, par `uplink` et `home`",
		"the language in which Home Assistant learns of the table by itself, by `uplink` and `home`"),
		values:       wordChoices([]string{"fr", "en", "off"}, engine.T("fr, en ou off pour s’en passer", "fr, en, or off to do without")),
		defaultValue: "fr", missing: engine.T("la langue", "the language")},
	{name: "commands", meaning: engine.T("d’où des programmes de la maison peuvent donner des ordres à la table : pause, "+
		"alarme, lumière, compte à rebours, indice pour tous, scène suivante",
		"from where programs of the house may command the table: pause, alarm, light, countdown, a hint to all, next scene"),
		values: wordChoices([]string{"off", "home", "uplink", "both"},
			engine.T("off, home (les comptes Home Assistant et Node-RED de `home`), uplink (les comptes qui peuvent y écrire, "+
				"à votre serveur) ou both",
				"off, home (accounts of Home Assistant and Node-RED at `home`), uplink (the accounts that may write there, at your "+
					"broker) or both")), defaultValue: "off", missing: engine.T("d’où", "from where")},
	{name: "hook", meaning: engine.T("une adresse web de chez vous, appelée (POST, JSON signé) à chaque moment que tous voient",
		"a web address of yours that is called (POST, signed JSON) at each moment that everybody sees"),
		absent: engine.T("personne n’est appelé", "nobody is called"),
		values: textsThatFit("mauvaise adresse", "bad address", isHookURL,
			engine.T("écrivez-la comme https://maison.example/majordome, sans compte dedans ; http pour une adresse privée "+
				"seulement, avec `plain`",
				"write it like https://home.example/majordome, without an account in it; http only for a private address, with `plain`"))},
	{name: "secret", meaning: engine.T("un fichier avec le secret qui signe ces appels, par son chemin entier : whsec_ et du "+
		"base64, ou 16 lettres au moins ; comme celui de `account`",
		"a file with the secret that signs these calls, with its whole path: whsec_ and base64, or 16 letters or more; like "+
			"that of `account`"), values: pathValues, absent: engine.T("aucun appel", "no calls")},
	{name: "plain", meaning: engine.T("ces appels peuvent aller par http à une adresse privée : quelqu’un qui écoute le réseau les lit",
		"these calls may go by http to a private address: somebody who listens on the network reads them"),
		values: allowedValues{Text: engine.T("true ou false", "true or false")}, defaultValue: false},
	{name: "site", meaning: engine.T("le nom de cette maison dans les sujets MQTT", "the name of this house in MQTT topics"),
		values: levelValues, defaultValue: "house", missing: engine.T("le nom", "the name")},
	{name: "table", meaning: engine.T("le nom de cette table dans les sujets MQTT", "the name of this table in MQTT topics"),
		values: levelValues, defaultValue: "table", missing: engine.T("le nom", "the name")},
	{name: "deck", meaning: engine.T("un fichier avec les noms et les paires de votre boîte, par son chemin entier, comme "+
		"`/etc/majordome/boite.yaml`",
		"a file with the names and pairings of your box, with its whole path, such as `/etc/majordome/box.yaml`"), values: pathValues,
		absent: engine.T("les jeux de cartes du programme", "the built-in decks")},
	{name: "decks", meaning: engine.T("un dossier d’autres jeux de cartes, par son chemin entier : chaque `*.yaml` en est un, "+
		"d’un jeu du programme ou d’un jeu à vous",
		"a folder with more decks, with its whole path: each `*.yaml` in it is one, of a game that comes with the program or "+
			"of one of its own"), values: pathValues,
		absent: engine.T("le dossier `decks` à côté de ce fichier, s’il y en a un",
			"the folder `decks` beside this file, if there is one")},
	{name: "calm", meaning: engine.T("les lumières changent en fondu, sans mouvement",
		"lights fade from one to the next, without movement"), values: allowedValues{Text: engine.T("true ou false", "true or false")},
		defaultValue: false},
	{name: "remember", meaning: engine.T("pendant combien de jours les noms d’un groupe, ses parties et ses indices libres "+
		"sont gardés ; les chiffres restent, sans noms",
		"for how many days the names of a group, its games and its free hints are kept; the figures stay, without names"),
		values: intsInRange(1, 3650), defaultValue: 30, missing: engine.T("le nombre de jours", "the number of days")},
	{name: "lock", meaning: engine.T("après combien de minutes sans un geste un appareil de l’hôte redemande qui est là, quand "+
		"il y a des comptes",
		"after how many minutes without a touch a device of the host asks again who is there, where there are accounts"),
		values: intsInRange(1, 1440), absent: engine.T("jamais", "never")},
	{name: "attract", meaning: engine.T("après combien de minutes sans que rien n’arrive à la table un écran ouvert sur "+
		"`/display` montre une soirée qui se joue seule, avec la lumière, tant que personne n’est assis",
		"after how many minutes in which nothing happens at the table a display that is open at `/display` shows an evening "+
			"that plays itself, with the lights, as long as nobody sits down"),
		values: intsInRange(1, 1440), absent: engine.T("jamais", "never")},
	{name: "log", meaning: engine.T("à partir de quelle gravité le journal parle (`journalctl -u majordome`)",
		"from which level on the log speaks (`journalctl -u majordome`)"),
		values: wordChoices(logLevels, engine.T("debug, info, warn ou error", "debug, info, warn or error")), defaultValue: "info",
		missing: engine.T("le niveau", "the level")},
	{name: "debug", meaning: engine.T("un composant dont le journal dit tout, quoi que dise `log`",
		"a component of which the log says everything, whatever `log` says"), absent: engine.T("aucun", "none"),
		values: wordChoices(
			logParts,
			engine.T("broker, devices, door, pair, relay ou table", "broker, devices, door, pair, relay or table"),
		)},
	{name: "readers", meaning: engine.T("les lecteurs de cartes", "readers of cards"),
		values: allowedValues{Text: engine.T("un seul par rôle", "one of each role")}, absent: engine.T("on joue depuis les téléphones",
			"played from the phones")},
	{name: "strips", meaning: engine.T("les rubans de lumières", "strips of lights"),
		values: allowedValues{Text: engine.T("une liste", "a list")},
		absent: engine.T("pas de lumières", "no lights")},
	{name: "clocks", meaning: engine.T("des horloges à chiffres ou à aiguille, à côté de celle du ruban ou à sa place",
		"clocks of figures or with a hand, beside the strip’s or in its place"), values: allowedValues{Text: engine.T("une liste",
		"a list")},
		absent: engine.T("aucune", "none")},
	{name: "buttons", meaning: engine.T("les boutons et les cartes de commande de la table", "buttons and control cards of the table"),
		values: allowedValues{Text: engine.T("une liste", "a list")}, absent: engine.T("la page de l’hôte fait tout",
			"the host’s page does it all")},
}

// maxPath is the most characters of the name of a folder, file or port: messages quote it in full.
const maxPath = 128

// isPathName reports whether name can be the name of a file, folder or port.
func isPathName(name string) bool {
	return utf8.RuneCountInString(name) <= maxPath && deck.IsPrintable(name)
}

// venueRights are the values of the key venue_rights.
var venueRights = append(uplink.CommandNames(), "none")

var (
	pathValues = textsThatFit("mauvais nom", "bad name", isPathName, engine.Tf("%d caractères au plus, sur une ligne",
		"at most %d characters, on one line", maxPath))
	levelValues = textsThatFit("mauvais nom", "bad name", regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`).MatchString,
		engine.T("de 1 à 31 caractères : a-z, 0-9 et -, en commençant par une lettre ou un chiffre",
			"1 to 31 of a-z, 0-9 and -, beginning with a letter or digit"))
	// The script of the image (systemd/image/root/usr/lib/majordome/hotspot) checks both of these again.
	wifiNames = textsThatFit("mauvais nom", "bad name", func(name string) bool {
		return len(name) <= 32 && deck.IsPrintable(name) && name == strings.TrimSpace(name)
	},
		engine.T("32 octets au plus (une lettre accentuée en compte deux), sur une ligne",
			"at most 32 bytes (a letter with an accent counts two), on one line"))
	// The fault does not quote the password, as it may be logged.
	wifiPasswords = allowedValues{Text: engine.T("de 8 à 63 caractères : lettres sans accent, chiffres, signes",
		"8 to 63 characters: letters without accents, digits, signs"), check: func(key, value string) (t engine.Text) {
		if n := len(value); n < 8 || n > 63 || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) ||
			value != strings.TrimSpace(value) {
			t = engine.T(key+" : mauvais mot de passe", key+": bad password")
		}
		return t
	}}
	readerPorts, nodePorts = portValues(serial.Reader), portValues(serial.Node)
)

// portValues returns the values of a serial port for a kind of device.
func portValues(d serial.Device) allowedValues {
	return allowedValues{Text: engine.T("le nom entier, comme /dev/serial/by-id/usb-...",
		"the whole name, such as /dev/serial/by-id/usb-..."),
		hint: func(string) engine.Text { return engine.T(serial.DescribePorts(d)) },
		check: func(key, value string) (t engine.Text) {
			var advice devices.Advice
			switch {
			case !isPathName(value):
				return pathValues.check(key, value)
			case errors.As(serial.ValidateSettings(value, serial.DefaultBaud), &advice):
				t = AdviceText(advice)
			}
			return t
		}}
}

// addressValues returns values for an address to listen at. Whether it belongs to this machine is only known when it is
// opened. port is an example, other lists words that are also allowed, and more describes them.
func addressValues(port string, more engine.Text, other ...string) allowedValues {
	v := textsThatFit("mauvaise adresse", "bad address", func(addr string) bool {
		host, p, err := net.SplitHostPort(addr)
		return slices.Contains(other, addr) || err == nil && isPortNumber(p) && (host == "" || address.IsHost(host))
	}, engine.Tf("écrivez-la comme \":%[1]s\", 192.168.1.5:%[1]s ou [fd00::5]:%[1]s%[2]s",
		"write it like \":%[1]s\", 192.168.1.5:%[1]s or [fd00::5]:%[1]s%[3]s", port, more.FR, more.EN))
	v.hint = func(addr string) engine.Text {
		if isPortNumber(addr) {
			return engine.Tf("vouliez-vous écrire \":%[1]s\" ?%[2]s", "did you mean \":%[1]s\"?%[3]s", addr, more.FR, more.EN)
		}
		return v.Text
	}
	return v
}

// fieldByKey returns the field of a struct by its YAML key. It panics if there is none.
func fieldByKey(target reflect.Value, name string) reflect.Value {
	f, ok := structField(target.Type(), name)
	if !ok {
		panic("config: no field has the key " + name)
	}
	return target.FieldByIndex(f.Index)
}

// structField returns the field of a struct that has a key.
func structField(t reflect.Type, name string) (f reflect.StructField, ok bool) {
	all := keyFields(t)
	i := slices.IndexFunc(all, func(f reflect.StructField) bool { return f.Tag.Get("yaml") == name })
	if i < 0 {
		return f, false
	}
	return all[i], true
}

// keyFields returns the fields of a struct that have a key, in the order of the struct; those of embedded structs are among them.
func keyFields(t reflect.Type) []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
		key := f.Tag.Get("yaml")
		return key == "" || strings.HasPrefix(key, ",")
	})
}

// setDefaults gives the keys that are not written their defaults.
func setDefaults(target reflect.Value, keys []key, written func(name string) bool) {
	for _, y := range keys {
		if y.defaultValue != nil && !written(y.name) {
			fieldByKey(target, y.name).Set(reflect.ValueOf(y.defaultValue))
		}
	}
}

// checkKey notes the faults of a key's value. A missing value is a fault only if needed.
func (k *checker) checkKey(at string, row key, v reflect.Value, needed bool) {
	path := at + "." + row.name
	switch v.Kind() {
	case reflect.Int:
		if n := int(v.Int()); k.hasWrittenValue(path) && !row.values.numberFits(n) {
			unit := row.unit
			if unit != "" {
				unit = " " + unit
			}
			k.addFault(path, engine.Tf("%s : %d", "%s: %d", row.name, n), engine.T(row.values.FR+unit, row.values.EN+unit))
		}
	case reflect.String:
		k.checkText(path, row, v.String(), needed && row.missing.FR != "")
	case reflect.Slice:
		list, ok := v.Interface().([]string)
		for i, s := range list {
			k.checkText(fmt.Sprintf("%s[%d]", path, i), row, s, true)
		}
		if ok && len(list) > row.values.maxItems {
			k.addFault(path+"[0]", engine.Tf("%s : %d entrées", "%s: %d entries", row.name, len(list)),
				engine.Tf("%d au plus", "%d at most",
					row.values.maxItems))
		}
	}
}

func (k *checker) checkText(path string, row key, value string, needed bool) {
	var wrong engine.Text
	switch {
	case value == "" && !needed:
	case value == "" && row.missing.FR != "":
		wrong = engine.T(row.name+" : il manque "+row.missing.FR, row.name+": "+row.missing.EN+" is missing")
	default:
		wrong = row.values.check(row.name, value)
	}
	if wrong == (engine.Text{}) {
		return
	}
	hint := row.values.Text
	if row.values.hint != nil {
		hint = row.values.hint(value)
	}
	k.addFault(path, wrong, hint)
}

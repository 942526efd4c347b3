package doctor

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/health"
	"majordome/cmd/majordome/smarthome"
	"majordome/companion/mosquitto"
	"majordome/companion/natural"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// checkPorts checks the serial ports of the configuration, and lists the others of USB.
func (l *examination) checkPorts() {
	wanted := map[string]bool{}
	for _, name := range serialPorts(l.cfg) {
		real := l.realPath(name)
		wanted[real] = true
		switch {
		case !l.hasFile(real):
			l.addFinding("port", Fault, engine.Tf("%[1]s n’est pas là", "%[1]s is not there", name)).
				withFix("branchez-le ; un câble qui ne fait que charger n’a pas de fils de données ; les ports qui sont là, "+
					"s’il y en a, sont nommés plus bas",
					"plug it in; a cable that only charges has no data wires; the ports that are there, if any, are named below")
			continue
		case strings.Contains(l.fileText("/proc/cmdline"), "console="+path.Base(real)+","):
			l.addFinding("port", Fault, engine.Tf("%[1]s est la console du noyau", "%[1]s is the kernel’s console", name)).
				withFix("enlevez console=%[1]s,... de /boot/firmware/cmdline.txt et redémarrez",
					"take console=%[1]s,... out of /boot/firmware/cmdline.txt and restart", path.Base(real))
		case regexp.MustCompile(`^/dev/tty(USB|ACM)\d+$`).MatchString(name):
			l.addFinding("port", Warning, engine.Tf("%[1]s est là, mais ce nom change quand on rebranche",
				"%[1]s is there, but this name changes when it is plugged in again", name)).
				withFix("nommez-le comme sous /dev/serial/by-id, ou by-path", "name it as under /dev/serial/by-id, or by-path")
		default:
			l.addFinding("port", OK, engine.Tf("%[1]s est là", "%[1]s is there", name))
		}
	}
	for _, p := range l.usbPorts() {
		if !wanted[l.realPath(p.name)] {
			name := p.name
			if maker := l.usbProductOf(p.tty); maker != "" {
				name += " (" + maker + ")"
			}
			l.addFinding("port", Note, engine.Tf("un port série que la configuration ne nomme pas : %[1]s ; majordome doctor %[2]s "+
				"demande si c’est un nœud",
				"a serial port that the configuration does not name: %[1]s; majordome doctor %[2]s asks whether it is a node",
				name, p.name))
		}
	}
}

// checkMosquitto checks that the broker program is installed, if the configuration serves devices of the house.
func (l *examination) checkMosquitto() {
	if !l.cfg.ServesSmartHome() || mosquitto.IsInstalled(l.Root) {
		return
	}
	t := smarthome.BrokerFinding(mosquitto.ErrMissing, nil)
	l.addFinding("home", Fault, t.Said).Fix = t.Fix
}

// process is a running program.
type process struct {
	id      int
	name    string
	isTable bool // it runs majordome serve, not another command
}

// maxProcesses limits the processes that are listed.
const maxProcesses = 4096

func (m *Machine) listProcesses() (all []process) {
	for _, name := range m.matchFiles("proc/[0-9]*/comm") {
		id, err := strconv.Atoi(path.Base(path.Dir(name)))
		if err == nil && id != m.OwnPID && len(all) < maxProcesses {
			args := strings.Split(m.fileText(path.Join("proc", strconv.Itoa(id), "cmdline")), "\x00")
			all = append(all, process{id, strings.TrimSpace(m.fileText(name)), len(args) > 1 &&
				path.Base(args[0]) == "majordome" && args[1] == "serve"})
		}
	}
	return all
}

// CountRunningTables counts the tables that run on this computer.
func (m *Machine) CountRunningTables() (n int) {
	for _, p := range m.listProcesses() {
		if p.isTable {
			n++
		}
	}
	return n
}

// reportPortGrabbers reports programs that open every serial port that appears.
func (l *examination) reportPortGrabbers() {
	if len(serialPorts(l.cfg)) == 0 {
		return
	}
	for _, p := range l.listProcesses() {
		switch p.name {
		case "ModemManager":
			l.addFinding("modem", Warning,
				engine.T("ModemManager parle à chaque port série qui apparaît, et fait redémarrer un nœud au mauvais moment",
					"ModemManager talks to each serial port that appears, and restarts a node at the wrong moment")).
				withFix("arrêtez-le, ou dites-lui d’épargner ces ports",
					"stop it, or tell it to spare these ports").withCommand("sudo systemctl disable --now ModemManager").
				withWholeFile("/etc/udev/rules.d/61-majordome-ports.rules",
					`SUBSYSTEM=="tty", KERNEL=="ttyUSB*|ttyACM*", ENV{ID_MM_PORT_IGNORE}="1"`)
		case "brltty":
			l.addFinding("modem", Fault, engine.T("brltty prend les adaptateurs CH340 des Nano pour des lecteurs de braille et les garde",
				"brltty takes the CH340 adapters of Nanos for braille displays and keeps them")).
				withFix("enlevez-le si personne ne lit ici en braille", "remove it if nobody reads braille here").
				withCommand("sudo apt remove brltty")
		}
	}
}

// checkDeviceHolders reports programs other than Majordome that have a device of the table open, and several running tables.
func (l *examination) checkDeviceHolders() {
	wanted := map[string]bool{}
	for _, dev := range l.wiredDevices() {
		wanted[l.realPath(dev)] = true
	}
	tables := 0
	for _, p := range l.listProcesses() {
		if p.isTable {
			tables++
			continue
		}
		held := map[string]bool{}
		for _, link := range l.matchFiles("proc/" + strconv.Itoa(p.id) + "/fd/*") {
			to, err := fs.ReadLink(l.Root, link)
			if err != nil || !wanted[to] || held[to] {
				continue
			}
			held[to] = true
			l.addFinding("holder", Fault,
				engine.Tf("%[1]s (processus %[2]d) tient %[3]s", "%[1]s (process %[2]d) holds %[3]s", ownfile.ClipQuote(p.name), p.id, to)).
				withFix("arrêtez-le : un appareil ne sert qu’un programme",
					"stop it: a device serves one program").withCommand("sudo kill " + strconv.Itoa(p.id))
		}
	}
	if tables > 1 && len(wanted) > 0 {
		l.addFinding("table", Fault, engine.Tf("%[1]d programmes majordome tournent sur cet ordinateur",
			"%[1]d majordome programs run on this computer", tables)).
			withFix("un seul peut tenir les lecteurs : arrêtez les autres",
				"one alone can hold the readers: stop the others").withCommand("sudo systemctl stop majordome")
	}
}

// AskRunningTable asks a running table about its readers and nodes, which no other program may ask meanwhile.
func AskRunningTable(ctx context.Context, cfg config.Config) []Finding {
	l := &examination{cfg: cfg}
	l.addFinding("table", Note, engine.T("la table tourne : elle est interrogée à la place de ses puces",
		"the table runs: it is asked in the place of its chips")).
		withFix("arrêtez-la pour que les puces le soient", "stop it to have the chips asked").withCommand("sudo systemctl stop majordome")
	heard, err := health.FetchDeviceStates(ctx, cfg)
	if err != nil {
		l.addFinding("table", Warning,
			engine.T("cette table ne répond pas à l’adresse de listen", "this table does not answer at the address of listen")).
			withFix("est-ce la configuration avec laquelle elle tourne ? nommez-la par --config",
				"is it the configuration that it runs with? name that by --config")
	}
	for _, role := range slices.SortedFunc(maps.Keys(heard.Readers), natural.Compare) {
		if i := slices.IndexFunc(heard.Faults, func(f health.DeviceFault) bool { return f.Role == role }); i >= 0 {
			l.addFinding("lines", unreadLinesSeverity(heard.Faults[i].MayWork),
				prefixReaderName(config.ReaderConfig{Role: role}, heard.Faults[i].Said))
			continue
		}
		if heard.Readers[role] {
			l.addFinding("chip", OK, engine.Tf("lecteur %[1]s : répond", "reader %[1]s: answers", role))
			continue
		}
		l.addFinding("chip", Fault, engine.Tf("lecteur %[1]s : ne répond pas à la table", "reader %[1]s: does not answer the table", role)).
			withFix("regardez son câble ; table arrêtée, majordome doctor dit davantage",
				"look at its cable; with the table stopped, majordome doctor says more")
	}
	for _, port := range slices.SortedFunc(maps.Keys(heard.Nodes), natural.Compare) {
		if i := slices.IndexFunc(heard.Faults, func(f health.DeviceFault) bool { return f.Port == port }); i >= 0 {
			said := heard.Faults[i].Said
			l.addFinding("node", Fault, engine.T(port+" : "+said.FR, port+": "+said.EN))
			continue
		}
		if !heard.Nodes[port] {
			l.addFinding("node", Fault, engine.Tf("%[1]s : le nœud ne répond pas à la table",
				"%[1]s: the node does not answer the table", port)).
				withFix("regardez son câble ; table arrêtée, majordome doctor %[1]s dit davantage",
					"look at its cable; with the table stopped, majordome doctor %[1]s says more", port)
		}
	}
	return l.found
}

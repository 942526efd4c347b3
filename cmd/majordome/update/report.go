package update

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"majordome/cmd/majordome/durable"
	"majordome/engine"
)

// Dir is root's folder for the offered package and the installation; all accounts may read the Report in it.
const Dir = "/var/lib/majordome-update"

// State is the progress of an update.
type State string

// The states of a Report. The zero value means that there is nothing to report.
const (
	Offered    State = "offered"
	Refused    State = "refused"
	Installing State = "installing"
	Done       State = "done"
	RolledBack State = "back"  // the former package is back
	Stuck      State = "stuck" // neither package could be installed
)

// The reasons of RolledBack and Stuck, in addition to those of a refusal.
const (
	NotReady      Reason = "ready"   // the new program was not ready in time
	InstallFailed Reason = "install" // dpkg has failed
	Interrupted   Reason = "cut"     // the power was cut, or the machine was restarted
	NoBackup      Reason = "backup"  // the data could not be backed up
	NoFormer      Reason = "former"  // the installed package could not be packed for the way back
)

// Report is the result of the last check or installation, for the page and the shell.
type Report struct {
	State   State    `json:"state"`
	Reason  Reason   `json:"why,omitempty"`
	Version string   `json:"version,omitempty"` // of the package in question, if known
	From    string   `json:"from,omitempty"`    // version that ran when this was written
	File    string   `json:"file,omitempty"`    // name on the stick
	Sum     string   `json:"sum,omitempty"`     // SHA-256 of the offered package
	Changes []string `json:"changes,omitempty"`

	// SkippedFile is a package with a higher version in its name that was refused before the offered one, and
	// SkippedReason the reason.
	SkippedFile   string `json:"passed,omitempty"`
	SkippedReason Reason `json:"passed_why,omitempty"`
}

// isNotNewer reports whether a package was refused only because it is not newer.
func (t Report) isNotNewer() bool { return t.Reason == Older || t.Reason == Same }

const reportFile, maxReport = "told.json", 16 << 10

// IsFailure reports whether a package was refused, or an installation did not succeed.
func (t Report) IsFailure() bool {
	return t.State == Refused || t.State == RolledBack || t.State == Stuck
}

// ReadReport returns the last report; the zero value if it cannot be read.
func ReadReport(dir string) (t Report) {
	text, err := readFileUpTo(filepath.Join(dir, reportFile), maxReport)
	if err != nil || json.Unmarshal(text, &t) != nil {
		return Report{}
	}
	return t
}

// WriteReport saves a report in the folder of updates.
func WriteReport(dir string, t Report) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, reportFile), text, 0o644)
}

// Texts returns what has happened and what to do; both are empty if there is nothing to say.
func (t Report) Texts() (said, fix engine.Text) {
	switch t.State {
	case Offered:
		said = engine.Tf("La version %[1]s est là ; la %[2]s tourne.", "Version %[1]s is here; %[2]s is running.", t.Version, t.From)
		if t.SkippedFile != "" {
			why := refusalTexts[t.SkippedReason]
			if t.SkippedReason == Unreadable {
				why = tornPackage
			}
			passed := why.formatFor(Report{File: t.SkippedFile})
			said = engine.T(said.FR+" "+passed.FR, said.EN+" "+passed.EN)
		}
		return said, engine.T("La clé USB peut être retirée.", "The stick can be taken out.")
	case Installing:
		return engine.Tf("La version %[1]s s’installe.", "Version %[1]s is being installed.", t.Version),
			engine.T("Laissez le courant. Cette page revient d’elle-même, en quelques minutes au plus.",
				"Leave the power on. This page comes back by itself, within a few minutes.")
	case Done:
		return engine.Tf("La version %[1]s est installée, à la place de la %[2]s.",
			"Version %[1]s is installed, in the place of %[2]s.", t.Version, t.From), engine.Text{}
	case Refused:
		return refusalTexts[t.Reason].formatFor(t), refusalTexts[t.Reason].fix
	case RolledBack:
		s := rollbackTexts[t.Reason]
		return engine.T(s.formatFor(t).FR+" La version "+t.From+" est de nouveau là, avec ses données d’avant.",
			s.formatFor(t).EN+" Version "+t.From+" is back, with its data of before."), s.fix
	case Stuck:
		return engine.Tf("La version %[1]s n’a pas pu s’installer, et la %[2]s n’a pas pu revenir.",
				"Version %[1]s could not be installed, and %[2]s could not come back.", t.Version, t.From),
			engine.T("Éteignez et rallumez la machine : elle réessaie. Sinon, réinstallez un paquet ; les données restent.",
				"Switch the machine off and on: it tries again. If not, install a package anew; the data stay.")
	}
	return engine.Text{}, engine.Text{}
}

// sentence is the text of one reason, with placeholders.
type sentence struct {
	fr, en string
	fix    engine.Text
}

func (s sentence) formatFor(t Report) engine.Text {
	fill := strings.NewReplacer("{file}", t.File, "{version}", t.Version, "{from}", t.From)
	return engine.T(fill.Replace(s.fr), fill.Replace(s.en))
}

var (
	copyAgain = engine.T("Copiez-le de nouveau sur la clé USB, avec son fichier .minisig, puis rebranchez-la.",
		"Copy it to the stick again, with its .minisig file, then plug the stick in again.")
	asBefore = engine.T("Rien n’a changé. Vous pouvez réessayer.", "Nothing has changed. You can try again.")
)

// tornPackage is used for Unreadable when it is about one package and not about the whole stick.
var tornPackage = sentence{fr: "{file} n’a pas pu être lu jusqu’au bout.", en: "{file} could not be read to its end."}

var refusalTexts = map[Reason]sentence{
	NoKey: {"{file} : cette machine n’a pas de clé pour vérifier qui l’a signé.", "{file}: this machine has no key to check who signed it.",
		engine.T("Mettez votre clé publique sous /etc/majordome-update.pub, ou update.pub sur la partition de démarrage de "+
			"la carte SD.", "Put your public key under /etc/majordome-update.pub, or as update.pub on the boot partition of "+
			"the SD card.")},
	Unsigned: {"{file} n’est pas signé : il n’est pas installé.", "{file} is not signed: it is not installed.",
		engine.T("Copiez aussi son fichier .minisig sur la clé USB, puis rebranchez-la.",
			"Copy its .minisig file to the stick, too, then plug it in again.")},
	Forged: {"{file} n’est pas le fichier qui a été signé, ou une clé inconnue l’a signé.",
		"{file} is not the file that was signed, or was signed by an unknown key.", copyAgain},
	Foreign: {"{file} n’est pas un paquet de Majordome.", "{file} is not a package of Majordome.",
		engine.T("Copiez un fichier majordome_….deb et son .minisig sur la clé USB.",
			"Copy a file majordome_….deb and its .minisig to the stick.")},
	WrongArch: {"{file} est fait pour un autre processeur.", "{file} is made for another processor.",
		engine.T("Prenez arm64 ou armhf pour un Raspberry Pi, selon son système ; amd64 pour un PC.",
			"Take arm64 or armhf for a Raspberry Pi, as its system is; amd64 for a PC.")},
	Older: {"La version {version} de la clé USB est plus ancienne que la {from}, qui tourne.",
		"Version {version} of the stick is older than {from}, which is running.",
		engine.T("Rien à faire. Pour revenir en arrière, réinstallez par un terminal.",
			"Nothing to do. To go back, install it in a terminal.")},
	Same:   {"La version {version} tourne déjà.", "Version {version} is running already.", engine.T("Rien à faire.", "Nothing to do.")},
	TooBig: {"{file} est trop gros pour un paquet de Majordome.", "{file} is too large for a package of Majordome.", copyAgain},
	Unreadable: {"La clé USB n’a pas pu être lue jusqu’au bout.", "The stick could not be read to its end.",
		engine.T("Laissez-la branchée quelques secondes, ou prenez-en une autre.",
			"Leave it in for a few seconds, or take another one.")},
	Full: {"Il n’y a plus assez de place sur cette machine pour {file}.",
		"There is not enough room on this machine for {file}.",
		engine.T("Libérez 200 Mo, par exemple de vieilles sauvegardes, puis rebranchez la clé USB.",
			"Free 200 MB, old backups for instance, then plug the stick in again.")},
	Format: {"Le format de cette clé USB n’est pas lu ici.", "The format of this stick is not read here.",
		engine.T("Formatez-la en FAT32 ou exFAT.", "Format it as FAT32 or exFAT.")},
}

var rollbackTexts = map[Reason]sentence{
	NotReady: {"La version {version} n’a pas démarré à temps.", "Version {version} did not start in time.",
		engine.T("Signalez-le à qui vous l’a donnée, avec le fichier pour qui vous aide.",
			"Tell who gave it to you, with the file for who helps you.")},
	InstallFailed: {"La version {version} n’a pas pu s’installer.", "Version {version} could not be installed.",
		engine.T("Réessayez plus tard : un autre programme s’installait peut-être.",
			"Try again later: another program may have been being installed.")},
	Interrupted: {"Le courant a manqué pendant que la version {version} s’installait.",
		"The power went while version {version} was being installed.",
		engine.T("Vous pouvez réessayer.", "You can try again.")},
	NoBackup: {"Les données n’ont pas pu être sauvegardées : la version {version} n’est pas installée.",
		"The data could not be backed up: version {version} is not installed.",
		engine.T("Voyez ce que dit cette page du disque, puis réessayez.",
			"See what this page says of the disk, then try again.")},
	NoFormer: {"Le retour n’a pas pu être préparé : la version {version} n’est pas installée.",
		"The way back could not be prepared: version {version} is not installed.", asBefore},
	Full: {"Il n’y a plus assez de place pour installer la version {version}.",
		"There is not enough room to install version {version}.",
		engine.T("Libérez 200 Mo, par exemple de vieilles sauvegardes, puis réessayez.",
			"Free 200 MB, old backups for instance, then try again.")},
	Forged: {"Le fichier de la version {version} a changé depuis qu’il a été proposé.",
		"The file of version {version} has changed since it was offered.",
		engine.T("Rebranchez la clé USB.", "Plug the stick in again.")},
}

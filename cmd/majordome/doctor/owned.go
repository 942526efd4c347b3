package doctor

import (
	"strings"

	"majordome/engine"
)

// checkOwnedFiles checks the files that the keys account, authority and secret name: their contents, of which it shows nothing of an
// account or a secret, and whether the table may read them.
func (l *examination) checkOwnedFiles() {
	as := l.tableAccount()
	for _, f := range l.cfg.CheckOwnedFiles(as.uid) {
		word := "'" + strings.ReplaceAll(f.Path, "'", `'\''`) + "'"
		switch {
		case f.Err != nil:
			l.addFaults(f.Key, f.Err)
		case !as.hasAllRights(f.Info, canRead):
			l.addFinding(f.Key, Fault,
				engine.Tf("%[1]s : l’utilisateur %[2]s ne peut pas le lire", "%[1]s: the user %[2]s may not read it", f.Path, l.User)).
				withFix("donnez-le à son groupe",
					"give it to their group").withCommand("sudo chgrp " + l.User + " " + word + " && sudo chmod 640 " + word)
		default:
			l.addFinding(f.Key, OK, engine.T(f.Key+" : "+f.Path+" : "+f.Found.FR, f.Key+": "+f.Path+": "+f.Found.EN))
		}
	}
}

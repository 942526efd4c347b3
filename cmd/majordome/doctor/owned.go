package doctor

import (
	"strings"

	"majordome/engine"
)

// checkOwnedFiles checks the files that the keys account, authority and secret name: their contents, of which it shows nothing of an
// account or a secret, and whether the table may read them.
func (l *look) ownedFiles() {
	as := l.account()
	for _, f := range l.cfg.OwnedFiles(as.uid) {
		word := "'" + strings.ReplaceAll(f.Path, "'", `'\''`) + "'"
		switch {
		case f.Err != nil:
			l.faults(f.Key, f.Err)
		case !as.may(f.Info, canRead):
			l.say(f.Key, Fault,
				engine.Tf("%[1]s : l’utilisateur %[2]s ne peut pas le lire", "%[1]s: the user %[2]s may not read it", f.Path, l.User)).
				fix("donnez-le à son groupe",
					"give it to their group").run("sudo chgrp " + l.User + " " + word + " && sudo chmod 640 " + word)
		default:
			l.say(f.Key, OK, engine.T(f.Key+" : "+f.Path+" : "+f.Found.FR, f.Key+": "+f.Path+": "+f.Found.EN))
		}
	}
}

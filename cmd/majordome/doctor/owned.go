package doctor

import (
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"majordome/engine/ownfile"
)

// ownedFiles says what is in the files that the keys account, authority and secret name, never any of an account or a secret, and
// whether the table may read them.
func (l *look) ownedFiles() {
	as := l.account()
	for _, f := range l.cfg.OwnedFiles(as.uid) {
		word := "'" + strings.ReplaceAll(f.Path, "'", `'\''`) + "'"
		switch {
		case f.Err != nil:
			l.faults(f.Key, f.Err)
		case !as.reads(f.Info):
			l.say(f.Key, Fault, ownfile.Bothf("%[1]s : l’utilisateur %[2]s ne peut pas le lire", "%[1]s: the user %[2]s may not read it", f.Path, l.User)).
				fix("donnez-le à son groupe", "give it to their group").run("sudo chgrp " + l.User + " " + word + " && sudo chmod 640 " + word)
		default:
			l.say(f.Key, OK, ownfile.Both(f.Key+" : "+f.Path+" : "+f.Found.FR, f.Key+": "+f.Path+": "+f.Found.EN))
		}
	}
}

// reads reports that the account can read a file.
func (a account) reads(info fs.FileInfo) bool {
	mode := uint32(info.Mode().Perm())
	own, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case a.uid == 0 || !ok:
		return true // nothing is known against it
	case own.Uid == a.uid:
		return mode&0o400 != 0
	case slices.Contains(a.groups, own.Gid):
		return mode&0o040 != 0
	}
	return mode&0o004 != 0
}

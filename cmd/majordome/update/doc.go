// Package update puts a newer package of this program in the place of the one that runs, from a stick, and the former one back
// when the newer does not do. Nothing of it speaks to a network.
//
//	Look     copies what lies on a stick, looks at the copy and says what it is: offered, or refused and why (Told)
//	Install  puts what was offered in the place of what runs; what goes wrong on the way is undone
//	Back     undoes what was cut off: at the next start, before the daemon
//	Read     what the page and the shell say of it
//
// The daemon runs without rights and only reads what Told says, and asks for an Install by the sum of what its host has seen.
// All the rest is for root, in a folder that is root's alone (see systemd/majordome-update.service and its neighbours).
//
// # What is trusted
//
// A package runs its scripts as root, so it must be signed (minisign) by a key that only root can have put here (Keys). The
// stick is mounted read-only and looked at for seconds; the package is copied first and then verified, and the bytes of the
// copy are what is looked into and installed, so that what the stick holds a moment later plays no part. Before it is verified nothing reads
// in it but the sum. Signatures are small and are read on the stick: a package beside which none by a trusted key lies is not copied.
// Names on the stick are matched against a pattern, and say only in which order packages are tried: one that is refused, whatever its
// name says, hides no good one.
//
// # What is kept
//
// The package that runs is packed again from its installed files before anything is touched, the program itself and
// the data of the table are copied, and room on the disk is taken for the way back. A journal (the file job) says how far it has
// come: whatever cuts it off, the daemon's next start finds the journal, goes back, and starts with the data of before. What
// the newer one has written meanwhile stays beside them, as majordome.db.1 and so on.
//
// Leaks: the copy of the data is the account's of the daemon alone, and is gone at the end. Told holds a version, the name of a package and its
// changelog. Limits: MaxNames names of a stick and maxRead of its signatures are read, maxTried packages with
// maxSignatures signatures each by a trusted key are copied, MaxPackage bytes of a package, MaxChanges lines of its changelog.
package update

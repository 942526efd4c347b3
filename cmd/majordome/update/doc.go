// Package update replaces the installed package of this program by a newer one from a USB stick, and
// restores the former one if the newer one fails. It never uses a network.
//
//	CheckFolder  copies a package from a stick, verifies the copy, and reports it as offered or refused
//	Install      installs the offered package; after a failure it restores the former one
//	Recover      completes or undoes an interrupted Install, at the next start, before the daemon
//	ReadReport   returns the last Report, for the page and the shell
//
// The daemon has no rights: it only reads the Report, and requests an Install by the sum of the
// package that its host has seen. All the rest is for root, in a folder where only root may write
// (see systemd/majordome-update.service and the units next to it).
//
// # What is trusted
//
// A package runs its scripts as root, so it must be signed (minisign) by a key that only root can
// have put on this machine (KeyFiles). The stick is mounted read-only, for a few seconds. The package
// is copied first and then verified, and only the bytes of the copy are read and installed, so that
// later changes on the stick have no effect. Before it is verified, the package is only hashed.
// Signatures are small and are read on the stick: a package without a signature by a trusted key is
// not copied. Names on the stick are matched against a pattern, and only decide the order in which
// packages are tried: a refused package, whatever its name, never hides a good one.
//
// # What is saved
//
// Before anything changes, the installed package is packed again from its files, the program and the
// data of the table are copied, and disk space for the way back is reserved. A journal (the file
// jobFile) records the progress. After an interruption, the daemon's next start finds the journal,
// restores the former package and starts with the former data. Data that the newer program has
// written meanwhile stays next to it, as majordome.db.1 and so on.
//
// What may leak: the copy of the data belongs to the account of the daemon, and is removed at the
// end. The Report contains a version, the name of a package and its changelog. Limits: MaxNames names
// of a stick and maxSignaturesRead of its signatures are read; maxTried packages are copied, with maxSignatures
// signatures each by a trusted key; MaxPackage bytes of a package and MaxChanges lines of its
// changelog are read.
package update

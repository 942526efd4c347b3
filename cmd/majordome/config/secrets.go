package config

import (
	"bytes"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf16"
	"unicode/utf8"

	"majordome/companion/webhook"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// The files of the keys account, venue_account, secret and authority are sent to other machines or decide which ones are trusted. A
// person who may write the configuration must not use it to read another's files or to replace them. So:
//
//  1. the file belongs to root or to the daemon's user,
//  2. it is not a link out of its folder,
//  3. it is not writable by all users, nor readable by all, except a certificate, which is public,
//  4. each folder on its path belongs to root or that user, is no link, and is not writable by all users unless it
//     is sticky; a group may write, as /etc/majordome belongs to the daemon's group,
//  5. it contains exactly what its key needs: an account has two lines, a secret one.
//
// The file is opened once and checked while it is open. No error and no finding quotes an account or a secret.

// Limits of these files, in bytes.
const (
	maxOwned     = 64 << 10
	maxOwnedLine = 512
)

// ownedFileFault returns a fault of a file of one of these keys, in both languages, with advice.
func ownedFileFault(path string, what, hint engine.Text) error {
	return &ownfile.Fault{File: path, What: what, Hint: hint}
}

var (
	hintChown = engine.T("donnez-le à root : sudo chown root:majordome, puis sudo chmod 640",
		"give it to root: sudo chown root:majordome, then sudo chmod 640")
	hintChmod = engine.T("fermez-le : sudo chmod 640", "close it: sudo chmod 640")
	hintMove  = engine.T("mettez le fichier dans /etc/majordome, ou fermez ce dossier : sudo chmod o-w",
		"put the file into /etc/majordome, or close that folder: sudo chmod o-w")
	hintName    = engine.T("indiquez le fichier lui-même", "name the file itself")
	hintContent = engine.T("n’y écrivez que cela, en texte", "write that alone into it, as text")
)

// readOwnedFile reads a file of one of these keys completely and applies rules 1 to 4; with secret, a file that all users
// may read is refused, too.
func readOwnedFile(path string, daemonUID uint32, secret bool) (text []byte, info fs.FileInfo, err error) {
	f, err := openOwnedFile(path, daemonUID)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }()
	if info, err = f.Stat(); err != nil {
		return nil, nil, FileFault(path, err)
	}
	own, known := info.Sys().(*syscall.Stat_t)
	switch mode := info.Mode(); {
	case mode.IsDir():
		return nil, info, FileFault(path, syscall.EISDIR)
	case !mode.IsRegular():
		return nil, info, FileFault(path, errNotRegular)
	case mode&0o002 != 0:
		return nil, info, ownedFileFault(path, engine.T("tout le monde peut y écrire", "everybody may write it"), hintChmod)
	case secret && mode&0o004 != 0:
		return nil, info, ownedFileFault(path, engine.T("tout le monde peut le lire", "everybody may read it"), hintChmod)
	case !known || own.Uid != 0 && own.Uid != daemonUID:
		return nil, info, ownedFileFault(path, engine.T("il n’est ni à root ni au compte du programme",
			"it belongs neither to root nor to the daemon’s user"), hintChown)
	}
	text, err = readOpenFile(f, info, maxOwned+1)
	switch {
	case err != nil:
		return nil, info, FileFault(path, err)
	case len(text) > maxOwned:
		return nil, info, ownedFileFault(path, engine.Tf("il dépasse %d Kio", "it is longer than %d KiB", maxOwned>>10), hintContent)
	}
	return text, info, nil
}

// checkFolderOwners refuses a path on which another account than root and daemonUID could replace the file: a folder belongs
// to that account, is a link, or is writable by all users. In a sticky folder, such as /tmp, users cannot replace each
// other's files.
func checkFolderOwners(path string, daemonUID uint32) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return FileFault(path, err)
	}
	for folder := filepath.Dir(path); ; folder = filepath.Dir(folder) {
		info, err := os.Lstat(folder)
		if err != nil {
			return FileFault(path, err)
		}
		own, known := info.Sys().(*syscall.Stat_t)
		switch mode := info.Mode(); {
		case mode&fs.ModeSymlink != 0:
			return ownedFileFault(path, engine.Tf("le dossier %s est un lien", "the folder %s is a link", folder),
				engine.T("indiquez le chemin sans lien : readlink -f le donne", "name the path without a link: readlink -f gives it"))
		case !known || own.Uid != 0 && own.Uid != daemonUID:
			return ownedFileFault(path, engine.Tf("le dossier %s n’est ni à root ni au compte du programme",
				"the folder %s belongs neither to root nor to the daemon’s user", folder), hintMove)
		case mode&0o002 != 0 && mode&fs.ModeSticky == 0:
			return ownedFileFault(path, engine.Tf("tout le monde peut écrire dans le dossier %s", "everybody may write in the folder %s",
				folder), hintMove)
		}
		if folder == filepath.Dir(folder) {
			return nil
		}
	}
}

// openOwnedFile opens a file that is no link out of its folder. It does not open devices and the like: opening may act on
// them.
func openOwnedFile(path string, daemonUID uint32) (*os.File, error) {
	if err := checkFolderOwners(path, daemonUID); err != nil {
		return nil, err
	}
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, FileFault(path, err)
	}
	defer func() { _ = folder.Close() }()
	name := filepath.Base(path)
	if real, err := filepath.EvalSymlinks(path); err == nil { // a link inside its folder may lead to another folder
		if err := checkFolderOwners(real, daemonUID); err != nil {
			return nil, err
		}
	}
	info, err := folder.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = errNotRegular
	}
	var f *os.File
	if err == nil {
		f, err = folder.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	}
	if link, bad := folder.Lstat(name); err != nil && bad == nil && link.Mode()&fs.ModeSymlink != 0 {
		return nil, ownedFileFault(path, engine.T("c’est un lien hors de son dossier, ou vers rien",
			"it is a link out of its folder, or to nothing"), hintName)
	}
	if err != nil {
		return nil, FileFault(path, err)
	}
	return f, nil
}

// kernelSystems are the file systems whose files the kernel generates at each read: a file may have no end (/proc/kmsg,
// trace_pipe), and a read may act on a device. The numbers come from statfs(2).
var kernelSystems = []int64{
	0x9fa0,     // proc
	0x62656572, // sysfs
	0x64626720, // debugfs
	0x74726163, // tracefs
	0x62656570, // configfs
	0x73636673, // securityfs
	0x27e0eb,   // cgroup
	0x63677270, // cgroup2
	0x65735543, // fusectl
	0xcafe4a11, // bpf
	0x1cd1,     // devpts
}

// readOpenFile reads an open file, at most `most` bytes. It returns errNotRegular for one that the kernel generates.
func readOpenFile(f *os.File, info fs.FileInfo, most int64) ([]byte, error) {
	var system syscall.Statfs_t
	if err := syscall.Fstatfs(int(f.Fd()), &system); err != nil {
		return nil, err
	}
	if slices.Contains(kernelSystems, int64(system.Type)) { //nolint:unconvert // it has 32 bits on some machines
		return nil, errNotRegular
	}
	if info.Size() == 0 { // files that the kernel generates have no size; for systems missing in the list
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// decodeLines returns the lines of a text as editors save it: UTF-8 with or without a byte-order mark or UTF-16 with one,
// with any line ends and with blank lines at its end. ok is false if it is no text or has a line that is too long.
func decodeLines(text []byte) (lines []string, ok bool) {
	for mark, order := range map[string]binary.ByteOrder{"\xff\xfe": binary.LittleEndian, "\xfe\xff": binary.BigEndian} {
		if rest, marked := bytes.CutPrefix(text, []byte(mark)); marked {
			units := make([]uint16, len(rest)/2)
			for i := range units {
				units[i] = order.Uint16(rest[2*i:])
			}
			text = []byte(string(utf16.Decode(units)))
		}
	}
	plain := strings.TrimPrefix(string(text), "\ufeff")
	plain = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(plain)
	lines = strings.Split(plain, "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	bad := func(l string) bool {
		return len(l) > maxOwnedLine || strings.ContainsFunc(l, func(r rune) bool {
			return r < ' ' && r != '\t' || r == 0x7f ||
				r == utf8.RuneError
		})
	}
	return lines, utf8.ValidString(plain) && !slices.ContainsFunc(lines, bad)
}

// readAccount reads a user and a password, one on each line.
func readAccount(path string, daemonUID uint32) (name, password string, info fs.FileInfo, err error) {
	text, info, err := readOwnedFile(path, daemonUID, true)
	if err != nil {
		return "", "", info, err
	}
	lines, ok := decodeLines(text)
	if !ok || len(lines) != 2 || strings.TrimSpace(lines[0]) == "" || lines[1] == "" {
		return "", "", info,
			ownedFileFault(path, engine.T("ce n’est pas un compte : le nom sur la première ligne, le mot de passe sur la deuxième",
				"this is no account: the user on the first line, the password on the second"), hintContent)
	}
	return lines[0], lines[1], info, nil
}

// readHookSecret reads the secret that signs the calls of the key hook.
func readHookSecret(path string, daemonUID uint32) (secret []byte, info fs.FileInfo, err error) {
	text, info, err := readOwnedFile(path, daemonUID, true)
	if err != nil {
		return nil, info, err
	}
	if lines, ok := decodeLines(text); ok && len(lines) == 1 {
		if secret, err = webhook.ParseSecret(lines[0]); err == nil {
			return secret, info, nil
		}
	}
	return nil, info, ownedFileFault(path, engine.T("ce n’est pas un secret : une ligne, whsec_ et du base64, ou 16 lettres au moins",
		"this is no secret: one line, whsec_ and base64, or 16 letters or more"), hintContent)
}

// readAuthorityCertificates reads the certificates of trusted authorities.
func readAuthorityCertificates(path string, daemonUID uint32) (all []*x509.Certificate, info fs.FileInfo, err error) {
	text, info, err := readOwnedFile(path, daemonUID, false)
	if err != nil {
		return nil, info, err
	}
	lines, ok := decodeLines(text)
	for rest := []byte(strings.Join(lines, "\n")); ok; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if block.Type == "CERTIFICATE" {
			c, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				ok = false
				break
			}
			all = append(all, c)
		}
	}
	if !ok || len(all) == 0 {
		return nil, info, ownedFileFault(path, engine.T("il n’y a pas de certificat dedans (PEM)", "there is no certificate in it (PEM)"),
			engine.T("demandez à ce serveur le certificat de son autorité", "ask that server for the certificate of its authority"))
	}
	return all, info, nil
}

// OwnedFile is one file that a key of the configuration names, with a description of its content that never quotes an
// account or a secret.
type OwnedFile struct {
	Key, Path string
	Found     engine.Text
	Info      fs.FileInfo // nil if it could not be opened
	Err       error       // an *ownfile.Fault
}

// CheckOwnedFiles checks the files of the keys account, venue_account, authority and secret, for a daemon with this user id.
func (c *Config) CheckOwnedFiles(daemonUID uint32) (all []OwnedFile) {
	add := func(key, path string, check func(*OwnedFile)) {
		if path != "" {
			f := OwnedFile{Key: key, Path: path}
			check(&f)
			all = append(all, f)
		}
	}
	add("account", c.Account, func(f *OwnedFile) {
		_, _, f.Info, f.Err = readAccount(f.Path, daemonUID)
		f.Found = engine.T("un nom et un mot de passe", "a user and a password")
	})
	add("venue_account", c.VenueAccount, func(f *OwnedFile) {
		_, _, f.Info, f.Err = readAccount(f.Path, daemonUID)
		f.Found = engine.T("un nom et un mot de passe", "a user and a password")
	})
	add("authority", c.Authority, func(f *OwnedFile) {
		var certificates []*x509.Certificate
		certificates, f.Info, f.Err = readAuthorityCertificates(f.Path, daemonUID)
		if f.Err == nil {
			until := slices.MinFunc(certificates,
				func(a, b *x509.Certificate) int { return a.NotAfter.Compare(b.NotAfter) }).NotAfter.Format("2006-01-02")
			f.Found = engine.Tf("certificats : %[1]d, valables jusqu’au %[2]s", "certificates: %[1]d, valid until %[2]s", len(certificates),
				until)
		}
	})
	add("secret", c.Secret, func(f *OwnedFile) {
		_, f.Info, f.Err = readHookSecret(f.Path, daemonUID)
		f.Found = engine.T("un secret qui signe", "a secret that signs")
	})
	return all
}

// effectiveUID returns the effective user id of this process.
func effectiveUID() uint32 { return uint32(os.Geteuid()) }

// ReadAccount returns the user and the password in the file of the key account.
func (c *Config) ReadAccount() (user, password string, err error) {
	user, password, _, err = readAccount(c.Account, effectiveUID())
	return user, password, err
}

// ReadVenueAccount returns the user and the password in the file of the key venue_account.
func (c *Config) ReadVenueAccount() (user, password string, err error) {
	user, password, _, err = readAccount(c.VenueAccount, effectiveUID())
	return user, password, err
}

// ReadHookSecret returns the secret in the file of the key secret.
func (c *Config) ReadHookSecret() ([]byte, error) {
	secret, _, err := readHookSecret(c.Secret, effectiveUID())
	return secret, err
}

// AddAuthorityTo adds the certificates in the file of the key authority to a pool.
func (c *Config) AddAuthorityTo(pool *x509.CertPool) error {
	all, _, err := readAuthorityCertificates(c.Authority, effectiveUID())
	for _, certificate := range all {
		pool.AddCert(certificate)
	}
	return err
}

package config

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"majordome/cmd/majordome/config/configtest"
	"majordome/engine/ownfile"
)

const canary = "canary-of-the-file"

// newCertificate returns a certificate in PEM.
func newCertificate(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Date(2031, 2, 3, 0, 0, 0, 0, time.UTC)}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// utf16le returns a text as some editors of Windows save it.
func utf16le(text string) string {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

// savedVariants returns a text as various editors save it; all mean the same.
func savedVariants(text string) map[string]string {
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	return map[string]string{
		"as it is": text, "with its last line end": text + "\n", "with blank lines": text + "\n\n  \n\n", "by Windows": crlf + "\r\n",
		"with a mark": "\ufeff" + text + "\n",
		"by Windows, with a mark and blank lines": "\ufeff" + crlf + "\r\n\r\n", "in UTF-16": utf16le(crlf + "\r\n"),
		"with old line ends": strings.ReplaceAll(text, "\n", "\r") + "\r",
	}
}

// TestOwnedFilesAsEditorsSaveThem: a byte order mark, line ends and blank lines make no difference.
func TestOwnedFilesAsEditorsSaveThem(t *testing.T) {
	for how, text := range savedVariants("tablé\nwörd of the table ") {
		name, password, _, err := readAccount(configtest.WriteTempFile(t, text), effectiveUID())
		if err != nil || name != "tablé" || password != "wörd of the table " {
			t.Errorf("an account %s: %q %q %v", how, name, password, err)
		}
	}
	for how, text := range savedVariants("a secret of the house") {
		secret, _, err := readHookSecret(configtest.WriteTempFile(t, text), effectiveUID())
		if err != nil || string(secret) != "a secret of the house" {
			t.Errorf("a secret %s: %q %v", how, secret, err)
		}
	}
	for how, text := range savedVariants(strings.TrimSpace(newCertificate(t) + newCertificate(t))) {
		if all, _, err := readAuthorityCertificates(configtest.WriteTempFile(t, text), effectiveUID()); err != nil || len(all) != 2 {
			t.Errorf("two certificates %s: %d %v", how, len(all), err)
		}
	}
}

// TestOwnedFilesAreRefused: a file that belongs to another user, is open to all, is elsewhere, or has the wrong content
// is refused. The reason is in both languages and quotes none of the content.
func TestOwnedFilesAreRefused(t *testing.T) {
	pem := newCertificate(t)
	good := map[string]string{"account": "table\n" + canary + "\n", "secret": canary + canary + "\n", "authority": pem}
	as := func(mode os.FileMode) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	do := func(make func(path string) error) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.Rename(path, path+".moved"); err != nil {
				t.Fatal(err)
			}
			if err := make(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	text := func(text string) func(*testing.T, string) {
		return func(t *testing.T, path string) { configtest.WriteFile(t, path, text) }
	}
	other := filepath.Join(t.TempDir(), "other")
	for _, c := range []struct {
		what    string
		make    func(*testing.T, string)
		want    string // in the error of an account or a secret; "": accepted
		trusted string // in the error of a certificate
	}{
		{"as it should be", as(0o600), "", ""},
		{"a group's, too", as(0o640), "", ""},
		{"open to all", as(0o644), "everybody may read it", ""},
		{"open to all but its group", as(0o604), "everybody may read it", ""},
		{"for all to write", as(0o602), "everybody may write it", "everybody may write it"},
		{"a link in its folder", do(func(p string) error { return os.Symlink(filepath.Base(p)+".moved", p) }), "", ""},
		{"a link out of its folder", do(func(p string) error {
			configtest.WriteFile(t, other, good["account"])
			return os.Symlink(other, p)
		}), "a link out of its folder", "a link out of its folder"},
		{"a link by a way around", do(func(p string) error { return os.Symlink("../"+filepath.Base(filepath.Dir(p))+"/x", p) }),
			"a link out of its folder", "a link out of its folder"},
		{"a link to nothing", do(func(p string) error { return os.Symlink("nothing", p) }), "or to nothing", "or to nothing"},
		{"a pipe", do(func(p string) error { return syscall.Mkfifo(p, 0o600) }), "no ordinary file", "no ordinary file"},
		{"a folder", do(func(p string) error { return os.Mkdir(p, 0o700) }), "a folder", "a folder"},
		{"nothing", do(func(string) error { return nil }), "no such file", "no such file"},
		{"empty", text(""), "this is no", "no certificate"},
		{"one byte too long", text(strings.Repeat("x", maxOwned+1)), "longer than 64 KiB", "longer than 64 KiB"},
		{"a long line", text("table\n" + strings.Repeat("x", maxOwnedLine+1)), "this is no", "no certificate"},
		{"no text", text("table\n\x00" + canary + canary), "this is no", "no certificate"},
		{"another file of the daemon's", text("-----BEGIN PRIVATE KEY-----\n" + canary + "\n-----END PRIVATE KEY-----\n"), "this is no",
			"no certificate"},
		{"half of it", text("table\n"), "this is no", "no certificate"},
		{"half a certificate", text(pem[:len(pem)/2]), "this is no", "no certificate"},
		{"a broken certificate", text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), "this is no", "no certificate"},
	} {
		for key, content := range good {
			path := configtest.WriteTempFile(t, content)
			c.make(t, path)
			cfg := Config{}
			*map[string]*string{"account": &cfg.Account, "secret": &cfg.Secret, "authority": &cfg.Authority}[key] = path
			f := cfg.CheckOwnedFiles(effectiveUID())[0]
			want := c.want
			if key == "authority" {
				want = c.trusted
			}
			checkOwned(t, c.what, f, want)
		}
	}
}

// checkOwned compares the fault of a file with the wanted one; "": no fault.
func checkOwned(t *testing.T, what string, f OwnedFile, want string) {
	t.Helper()
	if (f.Err == nil) != (want == "") {
		t.Errorf("%s, %s: %v, want %q", f.Key, what, f.Err, want)
	}
	if said := fmt.Sprint(f.Err, f.Found); strings.Contains(said, canary) {
		t.Errorf("%s, %s: the secret is printed: %s", f.Key, what, said)
	}
	var fault *ownfile.Fault
	if f.Err == nil {
		return
	}
	if !errors.As(f.Err, &fault) || !strings.Contains(fault.What.EN, want) || fault.What.FR == "" || fault.Hint.FR == "" ||
		fault.Hint.EN == "" {
		t.Errorf("%s, %s: %v, want %q", f.Key, what, f.Err, want)
	}
}

// TestOwnedFilesHaveAnOwner: files of root and of the daemon are accepted, those of other users are not.
func TestOwnedFilesHaveAnOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root gives files away")
	}
	path := configtest.WriteTempFile(t, "table\nword\n")
	for owner, want := range map[int]bool{0: true, 4711: true, 4712: false} {
		if err := os.Chown(path, owner, 0); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := readAccount(path, 4711); (err == nil) != want {
			t.Errorf("of user %d: %v", owner, err)
		}
	}
}

// TestFoldersOfOwnedFiles: a folder on the path that is a link, belongs to another user, or is writable for all is
// refused with its name; one that is writable for a group is accepted.
func TestFoldersOfOwnedFiles(t *testing.T) {
	for what, c := range map[string]struct {
		change func(folder string) error // of the middle one of three folders
		want   string
	}{
		"as it should be":          {func(string) error { return nil }, ""},
		"a group's, too":           {func(f string) error { return os.Chmod(f, 0o775) }, ""},
		"for all to write":         {func(f string) error { return os.Chmod(f, 0o777) }, "everybody may write in the folder"},
		"for all to write, sticky": {func(f string) error { return os.Chmod(f, 0o777|fs.ModeSticky) }, ""},
		"a link":                   {func(f string) error { return errors.Join(os.Rename(f, f+"2"), os.Symlink(f+"2", f)) }, "is a link"},
		"another's":                {func(f string) error { return os.Chown(f, 4712, 0) }, "belongs neither to root nor"},
		"another's, sticky": {func(f string) error { return errors.Join(os.Chown(f, 4712, 0), os.Chmod(f, 0o755|fs.ModeSticky)) },
			"belongs neither to root nor"},
		"a link to a file in there": {func(f string) error {
			return errors.Join(os.Chmod(filepath.Join(f, "in"), 0o777),
				os.Rename(filepath.Join(f, "in", "account"), filepath.Join(f, "in", "x")),
				os.Symlink("x", filepath.Join(f, "in", "account")))
		}, "everybody may write in the folder"},
	} {
		if strings.HasPrefix(what, "another's") && os.Geteuid() != 0 {
			continue
		}
		folder := filepath.Join(t.TempDir(), "folder")
		path := filepath.Join(folder, "in", "account")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		configtest.WriteFile(t, path, "table\n"+canary+"\n")
		if err := errors.Join(os.Chmod(path, 0o600), c.change(folder)); err != nil {
			t.Fatal(err)
		}
		checkOwned(t, what, (&Config{SmartHomeConfig: SmartHomeConfig{Account: path}}).CheckOwnedFiles(effectiveUID())[0], c.want)
	}
	shared := filepath.Join(t.TempDir(), "shared") // a link in the file's own folder, to a deeper one
	if err := errors.Join(os.Mkdir(shared, 0o700), os.Chmod(shared, 0o777),
		os.Symlink("shared/account", filepath.Join(filepath.Dir(shared), "account"))); err != nil {
		t.Fatal(err)
	}
	configtest.WriteFile(t, filepath.Join(shared, "account"), "table\n"+canary+"\n")
	_ = os.Chmod(filepath.Join(shared, "account"), 0o600)
	checkOwned(t, "a link into a shared folder",
		(&Config{SmartHomeConfig: SmartHomeConfig{Account: filepath.Join(filepath.Dir(shared), "account")}}).CheckOwnedFiles(
			effectiveUID())[0], "everybody may write in the folder")
}

// TestKernelFilesAreRefused: files that the kernel generates are not read: some have no end, or block.
func TestKernelFilesAreRefused(t *testing.T) {
	for _, path := range []string{"/proc/kmsg", "/proc/version", "/sys/kernel/uevent_seqnum"} {
		if info, err := os.Stat(path); err != nil || info.Sys().(*syscall.Stat_t).Uid != 0 || os.Geteuid() != 0 {
			t.Logf("%s is not tried here", path)
			continue
		}
		f := (&Config{SmartHomeConfig: SmartHomeConfig{Authority: path}}).CheckOwnedFiles(effectiveUID())[0]
		checkOwned(t, path, f, "no ordinary file")
	}
}

// TestOwnedFilesAreReadOnce: while a file and a link replace each other under one name, a read gives the content of the
// file or a refusal, never the content behind the link.
func TestOwnedFilesAreReadOnce(t *testing.T) {
	folder := t.TempDir()
	path, out := filepath.Join(folder, "account"), configtest.WriteTempFile(t, "stolen\n"+canary+"\n")
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			next := filepath.Join(folder, "next")
			_ = os.Remove(next)
			if n%2 == 0 {
				_ = os.Symlink(out, next)
			} else {
				_ = os.WriteFile(next, []byte("table\nword\n"), 0o600)
			}
			_ = os.Rename(next, path)
		}
	}()
	for taken := 0; taken < 50; {
		switch name, _, _, err := readAccount(path, effectiveUID()); {
		case err == nil && name != "table":
			t.Errorf("the account of %s is sent", name)
			taken = 50
		case err == nil:
			taken++
		case errors.Is(err, fs.ErrPermission):
			t.Fatal(err)
		}
	}
	close(stop)
	<-done
}

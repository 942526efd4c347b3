package cert

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// verifyAsPhone verifies the leaf as a phone does on which the root is installed.
func verifyAsPhone(a *Authority, leaf *x509.Certificate, name string, now time.Time) error {
	roots := x509.NewCertPool()
	roots.AddCert(a.root)
	_, err := leaf.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	if err != nil {
		return err
	}
	return leaf.VerifyHostname(name)
}

func leafFor(t *testing.T, a *Authority, addrs ...string) *x509.Certificate {
	t.Helper()
	var all []netip.Addr
	for _, s := range addrs {
		all = append(all, netip.MustParseAddr(s))
	}
	a.SetAddresses(all)
	c, err := a.Certificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.Leaf
}

// TestLeaf checks that the leaf is valid for the name, also a numbered one, and for the present addresses, and that another
// address gets another leaf.
func TestLeaf(t *testing.T) {
	now := time.Date(2026, 11, 23, 20, 0, 0, 0, time.UTC)
	folder := t.TempDir()
	a, err := LoadOrCreate(folder, "majordome", func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	leaf := leafFor(t, a, "192.168.1.5", "fd00::5", "203.0.113.9")
	for _, name := range []string{"majordome.local", "majordome-2.local", "192.168.1.5", "fd00::5"} {
		if err := verifyAsPhone(a, leaf, name, now); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"majordome-99.local", "printer.local", "192.168.1.6", "203.0.113.9", "bank.example"} {
		if verifyAsPhone(a, leaf, name, now) == nil {
			t.Errorf("%s is trusted", name)
		}
	}
	if since := time.Date(2019, 7, 1, 0, 0, 0, 0, time.UTC); !leaf.NotBefore.Before(since) {
		t.Errorf("a leaf from %v: one that begins after %v may last no longer than 825 days on an iPhone", leaf.NotBefore, since)
	}
	if again := leafFor(t, a, "192.168.1.5", "fd00::5"); !again.Equal(leaf) {
		t.Error("another leaf for the same addresses")
	}
	moved := leafFor(t, a, "192.168.1.6")
	if verifyAsPhone(a, moved, "192.168.1.6", now) != nil || moved.VerifyHostname("192.168.1.5") == nil {
		t.Error("the leaf does not follow the address")
	}
	b, err := LoadOrCreate(folder, "majordome", nil)
	if err != nil || !b.root.Equal(a.root) {
		t.Errorf("after a restart the root is another one: %v", err)
	}
	if info, err := os.Stat(filepath.Join(folder, File)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestClockOfTheBoard checks that a phone with the right time accepts the leaf, however wrong the clock of the board is and
// however it is set later.
func TestClockOfTheBoard(t *testing.T) {
	phone := time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	for _, off := range []time.Duration{0, -30 * day, -396 * day, -400 * day, -800 * day, -11 * 365 * day, 40 * day, 5 * 365 * day} {
		board := phone.Add(off)
		a, err := LoadOrCreate(t.TempDir(), "majordome", func() time.Time { return board })
		if err != nil {
			t.Fatal(err)
		}
		for _, when := range []time.Time{board, phone, phone.Add(3 * 365 * day)} { // the clock of the board is set, and runs on
			board = when
			for _, clock := range []time.Time{phone, phone.Add(3 * 365 * day)} {
				if err := verifyAsPhone(a, leafFor(t, a, "192.168.1.5"), "majordome.local", clock); err != nil {
					t.Errorf("board at first %v off, now %v, phone %v: %v", off, board.Format(time.DateOnly), clock.Format(time.DateOnly),
						err)
				}
			}
		}
	}
}

// TestRootOfALaggingClock checks that a root that an earlier version dated by a wrong clock gets the validity of today's roots,
// with the same key and name, so that a phone that has installed it trusts the new leaf.
func TestRootOfALaggingClock(t *testing.T) {
	phone := time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC)
	folder := t.TempDir()
	a, err := LoadOrCreate(folder, "majordome", nil)
	if err != nil {
		t.Fatal(err)
	}
	old := *a.root
	old.NotBefore, old.NotAfter = phone.Add(40*24*time.Hour), phone.AddDate(10, 0, 0)
	der, err := x509.CreateCertificate(rand.Reader, &old, &old, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		t.Fatal(err)
	}
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...)
	if err := os.WriteFile(filepath.Join(folder, File), text, 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := LoadOrCreate(folder, "manor", nil) // renamed meanwhile: the root keeps its name
	if err != nil {
		t.Fatal(err)
	}
	leaf := leafFor(t, b, "192.168.1.5")
	if err := verifyAsPhone(b, leaf, "majordome.local", phone); err != nil {
		t.Errorf("by the new root: %v", err)
	}
	installed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	if err := verifyAsPhone(&Authority{root: installed}, leaf, "majordome.local", phone.AddDate(1, 0, 0)); err != nil {
		t.Errorf("by the root that is installed: %v", err)
	}
	if again, err := LoadOrCreate(folder, "manor", nil); err != nil || !again.root.Equal(b.root) {
		t.Errorf("made once more at the next start: %v", err)
	}
}

// TestTheRootSpeaksForNobodyElse checks that phones refuse leaves for other names and addresses, even if they are signed with
// the key of the root.
func TestTheRootSpeaksForNobodyElse(t *testing.T) {
	a, err := LoadOrCreate(t.TempDir(), "majordome", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !a.root.PermittedDNSDomainsCritical {
		t.Error("the constraints are not critical")
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bank.example", "printer.local", "203.0.113.9", "2001:db8::1"} {
		forged := a.newCertificateTemplate("x")
		forged.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
		if ip := net.ParseIP(name); ip != nil {
			forged.IPAddresses = []net.IP{ip}
		} else {
			forged.DNSNames = []string{name}
		}
		der, err := x509.CreateCertificate(rand.Reader, forged, a.root, &key.PublicKey, a.key)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		if err := verifyAsPhone(a, leaf, name, time.Now()); err == nil || !strings.Contains(err.Error(), "not permitted") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDamagedRoot checks that a damaged file of the root is refused with advice, without a quotation, and that an open
// Authority goes on.
func TestDamagedRoot(t *testing.T) {
	folder := t.TempDir()
	a, err := LoadOrCreate(folder, "majordome", nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(folder, File))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	if _, err := LoadOrCreate(elsewhere, "x", nil); err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(filepath.Join(elsewhere, File))
	if err != nil {
		t.Fatal(err)
	}
	_, key, _ := strings.Cut(string(other), "-----END CERTIFICATE-----\n")
	cert, _, _ := strings.Cut(string(whole), "-----BEGIN PRIVATE")
	for name, text := range map[string]string{
		"empty":         "",
		"half":          string(whole[:len(whole)/2]),
		"no key":        cert,
		"another's key": cert + key,
	} {
		if err := os.WriteFile(filepath.Join(folder, File), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadOrCreate(folder, "majordome", nil); err == nil || !strings.Contains(err.Error(), "take the file away") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := a.Certificate(nil); err != nil {
		t.Error(err)
	}
}

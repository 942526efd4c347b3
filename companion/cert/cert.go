package cert

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// File holds the root with its key, in the folder of the store.
const File = "majordome.ca"

const (
	rootFor  = 10 * 365 * 24 * time.Hour
	leafFor  = 397 * 24 * time.Hour
	renew    = 30 * 24 * time.Hour
	earlier  = 24 * time.Hour // clocks of phones, and of a board without a battery
	numbered = 9              // the last number that a name gets
	maxAddrs = 16
)

// private are the networks that the root may speak for: RFC 1918, RFC 3927, RFC 4193, link-local IPv6, and this machine.
var private = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("fc00::/7"), netip.MustParsePrefix("fe80::/10"),
}

// Authority makes leaves. It is safe for concurrent use.
type Authority struct {
	root *x509.Certificate
	key  *ecdsa.PrivateKey
	name string
	now  func() time.Time

	mu    sync.Mutex
	addrs []netip.Addr
	leaf  *tls.Certificate
}

// Open reads the root of a folder, or makes one for a name (without .local). now is the clock; nil is the system's.
func Open(folder, name string, now func() time.Time) (*Authority, error) {
	a := &Authority{name: name, now: now}
	if a.now == nil {
		a.now = time.Now
	}
	file := filepath.Join(folder, File)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if text, err = a.make(); err == nil {
			err = write(file, text)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cert: root: %w", err)
	}
	if err := a.read(text); err != nil {
		return nil, fmt.Errorf("cert: %s: %w", file, err)
	}
	return a, nil
}

// names are those that the root may speak for.
func (a *Authority) names() []string {
	all := []string{a.name + ".local"}
	for n := 2; n <= numbered; n++ {
		all = append(all, a.name+"-"+strconv.Itoa(n)+".local")
	}
	return all
}

// make is a new root, as PEM: certificate and key.
func (a *Authority) make() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	root := template("Majordome: "+a.name+".local", a.now(), rootFor)
	root.IsCA, root.BasicConstraintsValid, root.MaxPathLenZero = true, true, true
	root.KeyUsage = x509.KeyUsageCertSign
	root.PermittedDNSDomainsCritical, root.PermittedDNSDomains = true, a.names()
	for _, p := range private {
		root.PermittedIPRanges = append(root.PermittedIPRanges, &net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())})
	}
	der, err := x509.CreateCertificate(rand.Reader, root, root, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...), nil
}

func template(name string, now time.Time, lasts time.Duration) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		panic("cert: " + err.Error()) // never since Go 1.24
	}
	return &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: name}, NotBefore: now.Add(-earlier), NotAfter: now.Add(lasts - earlier)}
}

// write makes the file whole or not at all.
func write(file string, text []byte) error {
	next := file + ".new"
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(next, file)
}

var errRoot = errors.New("not a root of this program: take the file away, and phones install the new one")

func (a *Authority) read(text []byte) error {
	first, rest := pem.Decode(text)
	second, _ := pem.Decode(rest)
	if first == nil || second == nil {
		return errRoot
	}
	root, err := x509.ParseCertificate(first.Bytes)
	if err != nil {
		return errRoot
	}
	key, err := x509.ParsePKCS8PrivateKey(second.Bytes)
	own, ok := key.(*ecdsa.PrivateKey)
	if err != nil || !ok || !root.IsCA || !own.PublicKey.Equal(root.PublicKey) {
		return errRoot
	}
	a.root, a.key = root, own
	return nil
}

// Name is what the root was made for, without .local: it may speak for no other.
func (a *Authority) Name() string {
	if len(a.root.PermittedDNSDomains) == 0 {
		return ""
	}
	return strings.TrimSuffix(a.root.PermittedDNSDomains[0], ".local")
}

// Root is the certificate that phones install.
func (a *Authority) Root() []byte { return a.root.Raw }

// Serve says at which addresses the pages are now; of those in no private network nothing is said.
func (a *Authority) Serve(addrs []netip.Addr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []netip.Addr
	for _, at := range addrs {
		at = at.Unmap().WithZone("")
		if len(all) < maxAddrs && slices.ContainsFunc(private, func(p netip.Prefix) bool { return p.Contains(at) }) {
			all = append(all, at)
		}
	}
	if !slices.Equal(all, a.addrs) {
		a.addrs, a.leaf = all, nil
	}
}

// Certificate is the leaf of now, with the root behind it; it is tls.Config.GetCertificate.
func (a *Authority) Certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	if a.leaf != nil && now.After(a.leaf.Leaf.NotBefore) && now.Before(a.leaf.Leaf.NotAfter.Add(-renew)) {
		return a.leaf, nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("cert: leaf: %w", err)
	}
	leaf := template(a.name+".local", now, leafFor)
	leaf.KeyUsage, leaf.ExtKeyUsage, leaf.BasicConstraintsValid = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, true
	leaf.DNSNames = slices.Clone(a.root.PermittedDNSDomains)
	for _, at := range a.addrs {
		leaf.IPAddresses = append(leaf.IPAddresses, at.AsSlice())
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, a.root, &key.PublicKey, a.key)
	if err != nil {
		return nil, fmt.Errorf("cert: leaf: %w", err)
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("cert: leaf: %w", err)
	}
	a.leaf = &tls.Certificate{Certificate: [][]byte{der, a.root.Raw}, PrivateKey: key, Leaf: made}
	return a.leaf, nil
}

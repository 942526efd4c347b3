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

// File is the name of the file with the root and its key, in the folder of the store.
const File = "majordome.ca"

const (
	validYears = 20 // counted from the clock, but from no earlier than earliestNow
	lastNumber = 9  // the last of the numbered names, name-2 to name-9
	maxAddrs   = 16
)

var (
	// notBefore is the first day of every certificate. iOS and macOS allow a leaf of a root that the owner has installed 825 days if it
	// begins after 1 July 2019, and any time if it begins before (support.apple.com/103769); other browsers set no limit for such a
	// leaf. So a phone whose clock is right accepts it, whatever the clock of the board says.
	notBefore = time.Date(2019, 6, 1, 0, 0, 0, 0, time.UTC)
	// earliestNow is older than this program: a clock that shows an earlier time is wrong.
	earliestNow = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
)

// privateNetworks are the networks that the root may vouch for: RFC 1918, RFC 3927, RFC 4193, link-local IPv6, and this machine.
var privateNetworks = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("fc00::/7"),
	netip.MustParsePrefix("fe80::/10"),
}

// Authority makes leaf certificates. It is safe for concurrent use.
type Authority struct {
	root *x509.Certificate
	key  *ecdsa.PrivateKey
	name string
	now  func() time.Time

	mu    sync.Mutex
	addrs []netip.Addr
	leaf  *tls.Certificate
}

// LoadOrCreate reads the root from a folder, or makes one for name (without .local). now is the clock; nil means the system's.
func LoadOrCreate(folder, name string, now func() time.Time) (*Authority, error) {
	a := &Authority{name: name, now: now}
	if a.now == nil {
		a.now = time.Now
	}
	file := filepath.Join(folder, File)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	} else if err == nil {
		if err := a.parseRoot(text); err != nil {
			return nil, fmt.Errorf("cert: %s: %w", file, err)
		}
	}
	if err == nil && (a.root == nil || !a.root.NotBefore.Equal(notBefore)) {
		err = a.makeRoot(file)
	}
	if err != nil {
		return nil, fmt.Errorf("cert: root: %w", err)
	}
	return a, nil
}

// namesToVouchFor lists the host names that a new root may vouch for.
func (a *Authority) namesToVouchFor() []string {
	all := []string{a.name + ".local"}
	for n := 2; n <= lastNumber; n++ {
		all = append(all, a.name+"-"+strconv.Itoa(n)+".local")
	}
	return all
}

// makeRoot makes a root certificate for the key and writes both to file, as PEM. If it replaces a root whose first day came from the clock
// of its board, it keeps that root's subject and host names: phones that have installed the old one trust the leaves of both.
func (a *Authority) makeRoot(file string) error {
	root := a.newCertificateTemplate("Majordome: " + a.name + ".local")
	root.PermittedDNSDomains = a.namesToVouchFor()
	if a.root != nil {
		root.Subject, root.PermittedDNSDomains = a.root.Subject, a.root.PermittedDNSDomains
	}
	root.IsCA, root.BasicConstraintsValid, root.MaxPathLenZero = true, true, true
	root.KeyUsage = x509.KeyUsageCertSign
	root.PermittedDNSDomainsCritical = true
	for _, p := range privateNetworks {
		root.PermittedIPRanges = append(root.PermittedIPRanges,
			&net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())})
	}
	der, err := x509.CreateCertificate(rand.Reader, root, root, &a.key.PublicKey, a.key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		return err
	}
	if a.root, err = x509.ParseCertificate(der); err != nil {
		return err
	}
	return writeFile(file, append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...))
}

// newCertificateTemplate returns a certificate with its name, its dates and a random serial number.
func (a *Authority) newCertificateTemplate(name string) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		panic("cert: " + err.Error()) // never since Go 1.24
	}
	from := a.now()
	if from.Before(earliestNow) {
		from = earliestNow
	}
	return &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: notBefore, NotAfter: from.AddDate(validYears, 0, 0)}
}

// writeFile writes the file whole or not at all.
func writeFile(file string, text []byte) error {
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

var errNotOurRoot = errors.New("not a root of this program: take the file away, and phones install the new one")

// parseRoot sets root and key from the PEM text of File.
func (a *Authority) parseRoot(text []byte) error {
	first, rest := pem.Decode(text)
	second, _ := pem.Decode(rest)
	if first == nil || second == nil {
		return errNotOurRoot
	}
	root, err := x509.ParseCertificate(first.Bytes)
	if err != nil {
		return errNotOurRoot
	}
	key, err := x509.ParsePKCS8PrivateKey(second.Bytes)
	own, ok := key.(*ecdsa.PrivateKey)
	if err != nil || !ok || !root.IsCA || !own.PublicKey.Equal(root.PublicKey) {
		return errNotOurRoot
	}
	a.root, a.key = root, own
	return nil
}

// Name returns the name that the root was made for, without .local. The root vouches for no other.
func (a *Authority) Name() string {
	if len(a.root.PermittedDNSDomains) == 0 {
		return ""
	}
	return strings.TrimSuffix(a.root.PermittedDNSDomains[0], ".local")
}

// RootDER returns the certificate that phones install, in DER.
func (a *Authority) RootDER() []byte { return a.root.Raw }

// SetAddresses sets the addresses that the pages have now. It ignores those outside private networks and those after the first 16.
func (a *Authority) SetAddresses(addrs []netip.Addr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []netip.Addr
	for _, addr := range addrs {
		addr = addr.Unmap().WithZone("")
		if len(all) < maxAddrs && slices.ContainsFunc(privateNetworks, func(p netip.Prefix) bool { return p.Contains(addr) }) {
			all = append(all, addr)
		}
	}
	if !slices.Equal(all, a.addrs) {
		a.addrs, a.leaf = all, nil
	}
}

// Certificate returns the leaf for the present addresses, followed by the root. It serves as tls.Config.GetCertificate.
func (a *Authority) Certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.leaf != nil {
		return a.leaf, nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("cert: leaf: %w", err)
	}
	leaf := a.newCertificateTemplate(a.name + ".local")
	leaf.KeyUsage, leaf.ExtKeyUsage, leaf.BasicConstraintsValid = x509.KeyUsageDigitalSignature,
		[]x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, true
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

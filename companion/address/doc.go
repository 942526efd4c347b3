// Package address checks the addresses of servers and the names of machines that the owner enters.
//
// It checks the whole address: scheme, host, port and path, never only its beginning. No error quotes the address, because it may contain
// a password.
package address

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// MaxLength is the greatest length of an address, in bytes.
const MaxLength = 2048

// ParseURL reads scheme://host[:port][/path][?query], where scheme is one of schemes. The host must satisfy IsHost and the port be 1 to
// 65535. It refuses an account, a fragment, blanks and characters that are not ASCII.
func ParseURL(text string, schemes ...string) (*url.URL, error) {
	if len(text) > MaxLength || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }) {
		return nil, errors.New("an address is at most 2048 bytes of ASCII without blanks")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || !slices.Contains(schemes, u.Scheme):
		return nil, errors.New("an address is scheme://host, with a scheme of: " + strings.Join(schemes, ", "))
	case u.User != nil:
		return nil, errors.New("there must be no account in an address")
	case !IsHost(u.Hostname()):
		return nil, errors.New("this is no name of a machine and no IP address")
	case strings.HasSuffix(u.Host, ":") || u.Port() != "" && !IsPort(u.Port()):
		return nil, errors.New("a port is 1 to 65535")
	case strings.Contains(text, "#"):
		return nil, errors.New("there must be no # in an address")
	}
	return u, nil
}

// IsBaseURL reports whether text is an http or https address to which a path can be appended: it has no path, query or final slash.
func IsBaseURL(text string) bool {
	u, err := ParseURL(text, "http", "https")
	return err == nil && u.Path == "" && !strings.Contains(text, "?")
}

// IsPort reports whether text is a TCP port to which one can connect: 1 to 65535.
func IsPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

// hostLabel matches one part of a host name (RFC 1123, plus the _ that some machines use).
var hostLabel = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?$`)

// maxHost is the greatest length of a host name, in bytes (RFC 1035).
const maxHost = 253

// IsHost reports whether text is an IP address or a possible host name. A name whose last part is a number is refused: it is a mistyped
// IP address such as 192.168.1.500.
func IsHost(text string) bool {
	if _, err := netip.ParseAddr(text); err == nil {
		return true
	}
	labels := strings.Split(text, ".")
	_, number := strconv.Atoi(labels[len(labels)-1])
	return len(text) <= maxHost && number != nil && !slices.ContainsFunc(labels, func(l string) bool { return !hostLabel.MatchString(l) })
}

// ParseNetwork reads a network such as 192.168.1.0/24, or an IP address, which becomes a network of one address.
func ParseNetwork(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil {
		return a.Unmap().WithZone("").Prefix(a.Unmap().BitLen())
	}
	p, err := netip.ParsePrefix(text)
	return p.Masked(), err
}

// IsNetwork reports whether ParseNetwork accepts text.
func IsNetwork(text string) bool {
	_, err := ParseNetwork(text)
	return err == nil
}

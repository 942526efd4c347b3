// Package address judges addresses of servers and names of machines as an owner writes them.
//
// An address is judged whole: scheme, host, port and path, never its beginning alone. No error quotes the address, for there may be a
// password in it.
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

// MaxLength bounds an address, in bytes.
const MaxLength = 2048

// Parse reads scheme://host[:port][/path][?query] with one of these schemes. The host is one by IsHost, the port 1 to 65535; there is no
// account in it, no fragment, no blank and nothing that is not ASCII.
func Parse(text string, schemes ...string) (*url.URL, error) {
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

// IsBase reports an address by http or https that paths can be put behind: without a path, query or slash of its own.
func IsBase(text string) bool {
	u, err := Parse(text, "http", "https")
	return err == nil && u.Path == "" && !strings.Contains(text, "?")
}

// IsPort reports a number of a TCP port that a server can be reached at.
func IsPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

// hostLabel is one part of a name (RFC 1123, with the _ that some machines have).
var hostLabel = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?$`)

// maxHost bounds the name of a machine, in bytes (RFC 1035).
const maxHost = 253

// IsHost reports an IP address, or what can be the name of a machine. A name whose last part is a number is an IP address that is
// wrong, such as 192.168.1.500.
func IsHost(text string) bool {
	if _, err := netip.ParseAddr(text); err == nil {
		return true
	}
	labels := strings.Split(text, ".")
	_, number := strconv.Atoi(labels[len(labels)-1])
	return len(text) <= maxHost && number != nil && !slices.ContainsFunc(labels, func(l string) bool { return !hostLabel.MatchString(l) })
}

// ParseNetwork reads an IP address, as a network of this address alone, or a network such as 192.168.1.0/24.
func ParseNetwork(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil {
		return a.Unmap().WithZone("").Prefix(a.Unmap().BitLen())
	}
	p, err := netip.ParsePrefix(text)
	return p.Masked(), err
}

// IsNetwork reports what ParseNetwork reads.
func IsNetwork(text string) bool {
	_, err := ParseNetwork(text)
	return err == nil
}

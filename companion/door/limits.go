package door

import (
	"net"
	"net/netip"
	"time"
)

// The numbers of the package comment.
const (
	strangerPlaces  = 160
	returningPlaces = 64
	strangersEach   = 32 // of one address, strangers and returning alike
	publicPlaces    = 48
	publicEach      = 16
	publicOwn       = 4 // for 127.0.0.1 and ::1 alone: the display of this machine
	publicKnown     = 8 // for known addresses alone
	seatPlaces      = 10 * userEach
	hostPlaces      = userEach
	userEach        = 4 // of one seat, or the host
	insidePlaces    = 4

	ownFiles     = 128 // descriptors that the daemon keeps for itself
	minStrangers = 32

	maxHosts = 1024
	maxKnown = 64
	knownFor = 12 * time.Hour

	hardRate, hardBurst       = 100, 400
	softRate, softBurst       = 5, 20
	requestRate, requestBurst = 50, 600

	stale      = time.Second            // a stranger that was sent nothing for so long is idle,
	grace      = 200 * time.Millisecond // or one that was sent nothing since it came so long ago
	writeChunk = 16 << 10               // bytes
	writeWait  = 5 * time.Second
	// BodyWait is how long the body of a request may take.
	BodyWait = 5 * time.Second
	// HeaderWait and IdleWait are for the http.Server: a whole header, and the pause
	// between two requests.
	HeaderWait = 5 * time.Second
	IdleWait   = 30 * time.Second
	// MaxHeader is for the http.Server: bytes of a header.
	MaxHeader = 16 << 10

	// The kernel doubles what it is asked for, socket(7).
	sendBuffer    = 32 << 10
	receiveBuffer = 16 << 10
)

// bucket is a token bucket: it fills with rate a second up to burst.
type bucket struct {
	rate, burst, level float64
	at                 time.Time
}

func newBucket(rate, burst float64, now time.Time) bucket {
	return bucket{rate: rate, burst: burst, level: burst, at: now}
}

// take removes one token; false if there is none.
func (b *bucket) take(now time.Time) bool {
	b.level = min(b.burst, b.level+b.rate*now.Sub(b.at).Seconds())
	b.at = now
	if b.level < 1 {
		return false
	}
	b.level--
	return true
}

// Address is the whole address of remote: the zero prefix if it has none.
func Address(remote net.Addr) netip.Prefix { return address(text(remote), 128) }

// Network is the address of remote for limits: the /64 of an IPv6 address, where one
// host has as many addresses as it likes. The zero prefix is an address of an unknown kind.
func Network(remote net.Addr) netip.Prefix { return address(text(remote), 64) }

// NetworkOf is Network for an address and port as text, such as http.Request.RemoteAddr.
func NetworkOf(remote string) netip.Prefix { return address(remote, 64) }

func text(remote net.Addr) string {
	if remote == nil {
		return ""
	}
	return remote.String()
}

func address(remote string, six int) netip.Prefix {
	ap, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}
	}
	a := ap.Addr().Unmap().WithZone("")
	bits := a.BitLen()
	if a.Is6() && !a.IsLoopback() {
		bits = six
	}
	p, _ := a.Prefix(bits)
	return p
}

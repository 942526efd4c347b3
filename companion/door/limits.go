package door

import (
	"net"
	"net/netip"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// The numbers of the package comment.
const (
	strangerPlaces  = 160
	returningPlaces = 64
	strangersEach   = 32 // of one address, strangers and returning alike
	networkEach     = 96 // strangers of one network: the /64 or the /48 of IPv6 addresses
	networkRate     = 4  // times the rates of one address
	publicPlaces    = 48
	publicEach      = 16
	publicOwn       = 4 // for 127.0.0.1 and ::1 alone: the display of this machine
	publicKnown     = 8 // for known addresses alone
	seatPlaces      = engine.MaxSeats * wire.MaxPhones * userEach
	hostPlaces      = wire.MaxHosts * userEach
	userEach        = 2 // of one phone: the one that serves it and the one that takes over
	deviceEach      = 4 // of one account of a device: programs that watch have several
	insidePlaces    = 4

	ownFiles     = 128 // descriptors that the daemon keeps for itself
	minStrangers = 32

	maxHosts = 1024
	maxKnown = 64
	knownFor = 12 * time.Hour

	hardRate, hardBurst       = 100, 400
	softRate, softBurst       = 5, 20
	requestRate, requestBurst = 50, 600

	// What one address still has when the rates of its network are used up, and all of a
	// network together.
	spareRate, spareBurst                = 0.2, 12 // connections
	spareAskRate, spareAskBurst          = 1, 60   // requests
	networkSpareRate, networkSpare       = 120, 240
	networkSpareAskRate, networkSpareAsk = 600, 1200

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

// Address is the whole address of remote: the zero prefix if it has none.
func Address(remote net.Addr) netip.Prefix { return address(text(remote), 128) }

// NetworkOf is the address in an address with port, such as http.Request.RemoteAddr, as
// far as one host does not choose it: the /64 of an IPv6 address. The zero prefix is an
// address of an unknown kind.
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

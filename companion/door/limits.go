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
	strangerPlaces   = 160
	returningPlaces  = 64
	addressStrangers = 32 // of one address, for strangers and for returning
	networkStrangers = 96 // strangers of one network: the /64 or the /48 of IPv6 addresses
	networkRate      = 4  // the rates of a network, in multiples of those of one address
	publicPlaces     = 48
	publicEach       = 16
	publicLocal      = 4 // only for 127.0.0.1 and ::1: the display of this machine
	publicKnown      = 8 // only for these and known addresses
	seatPlaces       = engine.MaxSeats * wire.MaxPhones * userEach
	hostPlaces       = wire.MaxHosts * userEach
	userEach         = 2 // of one phone: the present connection and the one that replaces it
	deviceEach       = 4 // of one account of a device: programs that monitor have several
	insidePlaces     = 4

	ownFiles     = 128 // descriptors that the daemon keeps for itself
	minStrangers = 32

	maxSources = 1024
	maxKnown   = 64
	knownFor   = 12 * time.Hour

	hardRate, hardBurst       = 100, 400
	softRate, softBurst       = 5, 20
	requestRate, requestBurst = 50, 600

	// Spare rates: for one address when the rates of its network are used up, and for all such addresses of a network together.
	spareRate, spareBurst                     = 0.2, 12 // connections
	spareAskRate, spareAskBurst               = 1, 60   // requests
	networkSpareRate, networkSpareBurst       = 120, 240
	networkSpareAskRate, networkSpareAskBurst = 600, 1200

	idleAfter         = time.Second            // a stranger is idle if it was sent nothing for this time,
	newcomerIdleAfter = 200 * time.Millisecond // or nothing at all and came this long ago
	writeChunk        = 16 << 10               // bytes
	writeWait         = 5 * time.Second
	// BodyWait is the time a peer has to send the body of a request.
	BodyWait = 5 * time.Second
	// HeaderWait and IdleWait are for the http.Server: the time for a whole header, and the longest pause between two requests.
	HeaderWait = 5 * time.Second
	IdleWait   = 30 * time.Second
	// MaxHeader is for the http.Server: the greatest size of a header, in bytes.
	MaxHeader = 16 << 10

	// Sizes to ask the kernel for; it doubles them, socket(7).
	sendBuffer    = 32 << 10
	receiveBuffer = 16 << 10
)

// AddressOf returns the whole address of remote, or the zero prefix if it has none.
func AddressOf(remote net.Addr) netip.Prefix { return parseAddr(addrText(remote), 128) }

// AddressOrNetworkOf returns the address in an address with port, such as http.Request.RemoteAddr. It shortens an IPv6 address to its
// /64, because one machine can choose the rest. An address of an unknown form gives the zero prefix.
func AddressOrNetworkOf(remote string) netip.Prefix { return parseAddr(remote, 64) }

func addrText(remote net.Addr) string {
	if remote == nil {
		return ""
	}
	return remote.String()
}

// parseAddr returns the IP address of an address with port. It shortens an IPv6 address to ipv6Bits, except ::1.
func parseAddr(remote string, ipv6Bits int) netip.Prefix {
	ap, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}
	}
	a := ap.Addr().Unmap().WithZone("")
	bits := a.BitLen()
	if a.Is6() && !a.IsLoopback() {
		bits = ipv6Bits
	}
	p, _ := a.Prefix(bits)
	return p
}

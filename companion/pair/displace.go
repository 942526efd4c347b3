package pair

import (
	"net/netip"

	"majordome/companion/seal"
)

// requester is a phone that asks for something: the key for the encrypted answer, its address, and its kind of
// device.
type requester struct {
	key     [seal.PublicKeySize]byte
	network netip.Prefix // door.AddressOrNetworkOf its address; all phones at home may share one
	addr    netip.Addr   // its full address
	kind    string
}

// displaceOdds: a newcomer without a better claim takes a place one time in this many.
const displaceOdds = 4

// pickDisplaced returns the index of the phone whose place in a full queue the newcomer by takes; false for none,
// and the newcomer may try again. It picks a random phone of the address that has the most places, within the
// network that has the most. The newcomer always gets that place if its own network, or its own address in the same
// network, would still have fewer; else one time in displaceOdds. So no address or network (an IPv6 /64, where one
// machine can have any number of addresses) keeps others out, and of many networks all have the same chance.
func pickDisplaced(queue []requester, by requester) (i int, ok bool) {
	i, larger := largestGroupMember(queue, by)
	return i, i >= 0 && (larger || randomBelow(displaceOdds) == 0)
}

// largestGroupMember returns the index of a random phone of the address that has the most places, within the network
// that has the most; -1 in an empty queue. larger reports whether the network of the newcomer by, or its address in the
// same network, would have fewer even with that place.
func largestGroupMember(queue []requester, by requester) (i int, larger bool) {
	networks, addresses := make(map[netip.Prefix]int, len(queue)), make(map[netip.Addr]int, len(queue))
	for _, a := range queue {
		networks[a.network]++
		addresses[a.addr]++
	}
	var most [2]int
	crowd := make([]int, 0, len(queue))
	for i, a := range queue {
		n := [2]int{networks[a.network], addresses[a.addr]}
		if n[0] > most[0] || n[0] == most[0] && n[1] > most[1] {
			most, crowd = n, crowd[:0]
		}
		if n == most {
			crowd = append(crowd, i)
		}
	}
	if len(crowd) == 0 {
		return -1, false
	}
	i = crowd[randomBelow(int64(len(crowd)))]
	return i, networks[by.network]+1 < most[0] || queue[i].network == by.network && addresses[by.addr]+1 < most[1]
}

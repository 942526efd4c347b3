package pair

import (
	"net/netip"

	"majordome/companion/seal"
)

// asker is a phone that asks: the key that the answer is sealed for, where it comes from, what it says that it is.
type asker struct {
	key  [seal.PublicSize]byte
	from netip.Prefix // its network, as door.NetworkOf has it: everybody at home may share one
	at   netip.Addr   // the whole of its address
	kind string
}

// unluckyOf is how many newcomers try for each one that takes a place by chance.
const unluckyOf = 4

// displaced is whose place in a full line a newcomer takes; false: nobody's, it may try again. The place is one by chance of the address
// with the most in the network with the most. It is taken for certain where the newcomer's own network, or within one network its own
// address, would still have fewer; else one time in four. So neither one address nor one network (an IPv6 /64, where one machine has as many
// addresses as it likes) keeps others out, and of many networks each has the same chance.
func displaced(line []asker, by asker) (i int, ok bool) {
	networks, addresses := map[netip.Prefix]int{}, map[netip.Addr]int{}
	for _, a := range line {
		networks[a.from]++
		addresses[a.at]++
	}
	var most [2]int
	var crowd []int
	for i, a := range line {
		n := [2]int{networks[a.from], addresses[a.at]}
		if n[0] > most[0] || n[0] == most[0] && n[1] > most[1] {
			most, crowd = n, nil
		}
		if n == most {
			crowd = append(crowd, i)
		}
	}
	if len(crowd) == 0 {
		return 0, false
	}
	i = crowd[pick(int64(len(crowd)))]
	certain := networks[by.from]+1 < most[0] || line[i].from == by.from && addresses[by.at]+1 < most[1]
	return i, certain || pick(unluckyOf) == 0
}

package mdns

import (
	"errors"
	"net"
	"net/netip"
	"time"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

const (
	port         = 5353
	maxPacket    = 9000
	writeWait    = 100 * time.Millisecond
	refreshEvery = time.Second // for changed addresses of the interfaces
)

var (
	group4 = &net.UDPAddr{IP: net.IPv4(224, 0, 0, 251), Port: port}
	group6 = &net.UDPAddr{IP: net.ParseIP("ff02::fb"), Port: port}
)

// network is the sockets of multicast DNS on some interfaces. Only one goroutine may call its methods, except
// close.
type network struct {
	interfaces []net.Interface
	four       *ipv4.PacketConn // nil if there is no IPv4
	six        *ipv6.PacketConn
	packets    chan packet

	refreshed    time.Time
	addrsByIndex map[int][]netip.Addr
}

// openNetwork joins the multicast groups on the interfaces and starts to read.
func openNetwork(names []string) (*network, error) {
	n := &network{packets: make(chan packet, maxWaiting)}
	for _, name := range names {
		if i, err := net.InterfaceByName(name); err == nil {
			n.interfaces = append(n.interfaces, *i)
		}
	}
	if len(n.interfaces) == 0 {
		return nil, errors.New("no interface")
	}
	c4, err4 := net.ListenUDP("udp4", group4)
	if err4 == nil {
		n.four = ipv4.NewPacketConn(c4)
		err4 = errors.Join(n.four.SetControlMessage(ipv4.FlagInterface, true), n.four.SetMulticastTTL(255),
			n.four.SetTTL(255), n.four.SetMulticastLoopback(true))
	}
	c6, err6 := net.ListenUDP("udp6", group6)
	if err6 == nil {
		n.six = ipv6.NewPacketConn(c6)
		err6 = errors.Join(n.six.SetControlMessage(ipv6.FlagInterface, true), n.six.SetMulticastHopLimit(255),
			n.six.SetHopLimit(255), n.six.SetMulticastLoopback(true))
	}
	if err4 != nil && err6 != nil {
		n.close()
		return nil, errors.Join(err4, err6)
	}
	for i := range n.interfaces {
		if n.four != nil {
			_ = n.four.JoinGroup(&n.interfaces[i], group4) // fails harmlessly on an interface without IPv4
		}
		if n.six != nil {
			_ = n.six.JoinGroup(&n.interfaces[i], group6)
		}
	}
	if n.four != nil {
		go n.readPackets(func(b []byte) (int, int, net.Addr, error) {
			k, c, from, err := n.four.ReadFrom(b)
			if c == nil {
				return k, 0, from, err
			}
			return k, c.IfIndex, from, err
		})
	}
	if n.six != nil {
		go n.readPackets(func(b []byte) (int, int, net.Addr, error) {
			k, c, from, err := n.six.ReadFrom(b)
			if c == nil {
				return k, 0, from, err
			}
			return k, c.IfIndex, from, err
		})
	}
	return n, nil
}

// readPackets queues the packets that readFrom receives until its socket is closed. It drops packets while the queue is full.
func (n *network) readPackets(readFrom func([]byte) (size, iface int, readFrom net.Addr, err error)) {
	buf := make([]byte, maxPacket)
	for {
		size, iface, addr, err := readFrom(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		udp, ok := addr.(*net.UDPAddr)
		if err != nil || !ok {
			time.Sleep(time.Millisecond) // also when an interface disappears
			continue
		}
		select {
		case n.packets <- packet{append([]byte(nil), buf[:size]...), udp.AddrPort(), iface}:
		default:
		}
	}
}

func (n *network) refreshStaleAddrs() {
	if time.Since(n.refreshed) < refreshEvery && n.addrsByIndex != nil {
		return
	}
	n.refreshed, n.addrsByIndex = time.Now(), map[int][]netip.Addr{}
	for i := range n.interfaces {
		n.addrsByIndex[n.interfaces[i].Index] = addressesOf(&n.interfaces[i])
	}
}

// addrsOf returns the addresses of one of the interfaces.
func (n *network) addrsOf(iface int) []netip.Addr {
	n.refreshStaleAddrs()
	return n.addrsByIndex[iface]
}

// ownAddrs returns the addresses of all interfaces.
func (n *network) ownAddrs() map[netip.Addr]bool {
	n.refreshStaleAddrs()
	all := map[netip.Addr]bool{}
	for _, addrs := range n.addrsByIndex {
		for _, a := range addrs {
			all[a] = true
		}
	}
	return all
}

// sendMulticast sends a packet to all machines at an interface.
func (n *network) sendMulticast(iface int, body []byte) {
	if n.four != nil {
		_ = n.four.SetWriteDeadline(time.Now().Add(writeWait))
		_, _ = n.four.WriteTo(body, &ipv4.ControlMessage{IfIndex: iface}, group4) // a machine that misses it asks again
	}
	if n.six != nil {
		_ = n.six.SetWriteDeadline(time.Now().Add(writeWait))
		_, _ = n.six.WriteTo(body, &ipv6.ControlMessage{IfIndex: iface}, group6)
	}
}

// sendTo sends a packet to one asker.
func (n *network) sendTo(iface int, to netip.AddrPort, body []byte) {
	if at := to.Addr(); n.four != nil && at.Unmap().Is4() {
		_ = n.four.SetWriteDeadline(time.Now().Add(writeWait))
		_, _ = n.four.WriteTo(body, &ipv4.ControlMessage{IfIndex: iface},
			net.UDPAddrFromAddrPort(netip.AddrPortFrom(at.Unmap(), to.Port())))
	} else if n.six != nil {
		_ = n.six.SetWriteDeadline(time.Now().Add(writeWait))
		_, _ = n.six.WriteTo(body, &ipv6.ControlMessage{IfIndex: iface}, net.UDPAddrFromAddrPort(to))
	}
}

func (n *network) close() {
	if n.four != nil {
		_ = n.four.Close()
	}
	if n.six != nil {
		_ = n.six.Close()
	}
}

package network

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	"majordome/engine"
)

// AddressError explains why an address cannot be served, in both languages.
type AddressError struct {
	Key, Addr string
	Cause     error
}

func (e *AddressError) Error() string { return e.Text().EN }

// Unwrap returns the cause.
func (e *AddressError) Unwrap() error { return e.Cause }

// Text returns the problem and advice.
func (e *AddressError) Text() engine.Text {
	switch {
	case errors.Is(e.Cause, syscall.EADDRINUSE):
		return engine.Tf("%s : l’adresse %s est déjà prise par un autre programme : arrêtez-le (ss -ltnp le nomme) ou "+
			"choisissez un autre port", "%s: address %s is in use by another program: stop it (ss -ltnp names it) or choose another port",
			e.Key, e.Addr)
	case errors.Is(e.Cause, syscall.EACCES):
		return engine.Tf("%s : l’adresse %s est réservée : prenez un port au-dessus de 1023, ou l’unité systemd fournie",
			"%s: address %s is reserved: use a port above 1023, or the systemd unit", e.Key, e.Addr)
	}
	why, how := e.causeText(), engine.T("écrivez-la comme :8080 ou 192.168.1.5:8080", "write it like :8080 or 192.168.1.5:8080")
	if _, err := strconv.ParseUint(e.Addr, 10, 16); err == nil { // only a port
		how = engine.Tf("écrivez :%s", "write :%s", e.Addr)
	}
	return engine.T(fmt.Sprintf("%s : l’adresse %s ne convient pas (%s) : %s", e.Key, e.Addr, why.FR, how.FR),
		fmt.Sprintf("%s: address %s does not work (%s): %s", e.Key, e.Addr, why.EN, how.EN))
}

// causeText translates the error of package net.
func (e *AddressError) causeText() engine.Text {
	var (
		name   *net.DNSError
		form   *net.AddrError
		reason syscall.Errno
	)
	switch {
	case errors.As(e.Cause, &name):
		return engine.T("aucune machine ni aucun service de ce nom", "no machine and no service of that name")
	case errors.As(e.Cause, &form):
		return engine.T("ce n’est pas une adresse avec son port", "this is no address with its port")
	case errors.As(e.Cause, &reason):
		return engine.Tf("le système répond %d : %v", "the system answers %d: %v", int(reason), reason)
	}
	return engine.T("elle ne peut pas être lue", "it cannot be read")
}

func listenFreebind(addr, key string) (net.Listener, error) {
	l, err := (&net.ListenConfig{Control: setFreebind}).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return nil, &AddressError{Key: key, Addr: addr, Cause: err}
	}
	return l, nil
}

// ipv6Freebind is IPV6_FREEBIND in linux/in6.h.
const ipv6Freebind = 78

// setFreebind lets the listener use an address that the machine does not have yet, because its network comes up later
// than the daemon or is down for a while (ip(7), IP_FREEBIND). The daemon is ready at once, and reachable as soon as
// the address exists.
func setFreebind(network, _ string, c syscall.RawConn) error {
	var err error
	fault := c.Control(func(fd uintptr) {
		if network == "tcp6" {
			err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IPV6, ipv6Freebind, 1)
		} else {
			err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, syscall.IP_FREEBIND, 1)
		}
	})
	_ = err // an old kernel: then Listen returns the error
	return fault
}

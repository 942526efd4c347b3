package network

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// Names of avahi's D-Bus interface (avahi-daemon, org.freedesktop.Avahi.Server.xml and .EntryGroup.xml).
const (
	avahiName   = "org.freedesktop.Avahi"
	avahiServer = avahiName + ".Server"
	avahiGroup  = avahiName + ".EntryGroup"

	anyInterface = int32(-1)
	anyProtocol  = int32(-1)
	noReverse    = uint32(16) // the address already has a name: this machine's

	groupCollision = int32(3)
	groupFailure   = int32(4)

	avahiTimeout  = 2 * time.Second
	maxAvahiNames = 9 // attempts: majordome, majordome-2 ... majordome-9
)

// isAvahiRunning asks the system's D-Bus; without a bus there is no avahi.
func isAvahiRunning(ctx context.Context) bool {
	c, err := dbus.ConnectSystemBus(dbus.WithContext(ctx))
	if err != nil {
		return false
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, avahiTimeout)
	defer cancel()
	var has bool
	return c.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, avahiName).Store(&has) == nil && has
}

// avahi makes the system's mDNS responder publish another name of this machine. The entry ends with the connection.
type avahi struct {
	ctx  context.Context // the connection, and with it the entry, ends with this context
	bus  *dbus.Conn
	path dbus.ObjectPath
	name string
}

// newAvahi publishes name, or if it is taken name-2, name-3 and so on, the first that is free.
func newAvahi(ctx context.Context, name string, addrs []net.IP, port int) (nameService, error) {
	bus, err := dbus.ConnectSystemBus(dbus.WithContext(ctx))
	if err != nil {
		return nil, fmt.Errorf("network: avahi: %w", err)
	}
	a := &avahi{ctx: ctx, bus: bus}
	for n := 1; n <= maxAvahiNames && ctx.Err() == nil; n++ {
		if a.name = name; n > 1 {
			a.name = fmt.Sprintf("%s-%d", name, n)
		}
		if err = a.registerName(addrs, port); err == nil {
			return a, nil
		}
		if a.path != "" {
			_ = a.callGroup("Free").Err // the next attempt uses another group
		}
	}
	_ = bus.Close()
	return nil, fmt.Errorf("network: avahi: %w", cmp.Or(ctx.Err(), err))
}

func (a *avahi) callMethod(path dbus.ObjectPath, method string, args ...any) *dbus.Call {
	ctx, cancel := context.WithTimeout(a.ctx, avahiTimeout)
	defer cancel()
	return a.bus.Object(avahiName, path).CallWithContext(ctx, method, 0, args...)
}

func (a *avahi) callGroup(method string, args ...any) *dbus.Call {
	return a.callMethod(a.path, avahiGroup+"."+method, args...)
}

// registerName publishes the addresses and the service under a.name, and waits for the probe.
func (a *avahi) registerName(addrs []net.IP, port int) error {
	if err := a.callMethod("/", avahiServer+".EntryGroupNew").Store(&a.path); err != nil {
		return err
	}
	host := a.name + ".local"
	for _, ip := range addrs {
		if err := a.callGroup("AddAddress", anyInterface, anyProtocol, noReverse, host, ip.String()).Err; err != nil {
			return err
		}
	}
	service := strings.Replace(a.name, "majordome", "Majordome", 1)
	if err := a.callGroup("AddService", anyInterface, anyProtocol, uint32(0), service, "_http._tcp", "", host, uint16(port),
		[][]byte{[]byte("path=/")}).Err; err != nil {
		return err
	}
	if err := a.callGroup("Commit").Err; err != nil {
		return err
	}
	for end := time.Now().Add(avahiTimeout); time.Now().Before(end) && a.ctx.Err() == nil; sleepContext(a.ctx, 100*time.Millisecond) {
		switch state, err := a.groupState(); {
		case err != nil:
			return err
		case state == groupCollision || state == groupFailure:
			return fmt.Errorf("the name %s is taken", a.name)
		case state == 2: // established
			return nil
		}
	}
	return nil // still probing: Name returns the result later
}

func sleepContext(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (a *avahi) groupState() (state int32, err error) {
	err = a.callGroup("GetState").Store(&state)
	return state, err
}

// Name returns the name; ok is false if avahi has lost it.
func (a *avahi) Name() (string, bool) {
	state, err := a.groupState()
	return a.name, err == nil && state != groupCollision && state != groupFailure
}

// Close makes avahi say goodbye.
func (a *avahi) Close() {
	_ = a.callGroup("Free").Err // it ends with the connection, too
	_ = a.bus.Close()
}

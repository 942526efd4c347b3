package house

import (
	"context"
	"errors"
	"net/http"
	"time"

	"majordome/cmd/majordome/network"
	"majordome/companion/broker"
	"majordome/companion/door"
	"majordome/companion/relay"
)

// entrance accepts phones and pages: the door limits their connections, the broker and the server of the pages answer behind it, and
// the relay receives acts from the broker for the loop.
type entrance struct {
	door          *door.Door
	broker        *broker.Broker
	server        *http.Server
	relay         *relay.Relay
	shutdownGrace time.Duration // how long close waits for slow readers of pages
}

// startServing lets clients in at the addresses of the network.
func (e *entrance) startServing(serving *routineGroup, n *network.Network, fail func(error)) {
	if n.MQTT != nil {
		serving.start(func(context.Context) { fail(e.broker.ServeTCP(e.door.WrapListener(n.MQTT))) })
	}
	serving.start(func(context.Context) { fail(e.broker.ServeTCP(e.door.WrapInsideListener(n.Loopback))) })
	serving.start(func(context.Context) { fail(e.server.Serve(e.door.WrapListener(n.Pages))) })
	if n.HTTPS != nil {
		serving.start(func(context.Context) { fail(e.server.Serve(n.NewTLSListener(e.door.WrapListener(n.HTTPS)))) })
	}
}

// close closes all connections.
func (e *entrance) close() error {
	var errs []error
	if e.relay != nil {
		e.relay.Close()
	}
	if e.broker != nil {
		errs = append(errs, e.broker.Close())
	}
	if e.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), e.shutdownGrace)
		if err := e.server.Shutdown(ctx); err != nil { // a client reads slowly
			errs = append(errs, e.server.Close())
		}
		cancel()
	}
	return errors.Join(errs...)
}

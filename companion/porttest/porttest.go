// Package porttest finds free ports for servers that tests start as separate programs.
package porttest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
)

var usedPorts struct {
	sync.Mutex
	given map[int]bool
}

// FreeAddress returns an address of this computer such as 127.0.0.1:20123, on which nothing listens and which no other test of this process
// gets. The port is below those that Linux assigns to outgoing connections and to listeners on port 0 (ip_local_port_range, from 32768).
// So it stays free until the server starts, and during its restarts.
func FreeAddress(t testing.TB) string {
	t.Helper()
	usedPorts.Lock()
	defer usedPorts.Unlock()
	if usedPorts.given == nil {
		usedPorts.given = map[int]bool{}
	}
	for range 100 {
		port := 20_000 + rand.IntN(12_000)
		if usedPorts.given[port] {
			continue
		}
		addr := fmt.Sprintf("127.0.0.1:%d", port)
		l, err := net.Listen("tcp", addr)
		if err != nil {
			continue
		}
		_ = l.Close()
		usedPorts.given[port] = true
		return addr
	}
	t.Fatal("no port is free from 20000 to 31999")
	return ""
}

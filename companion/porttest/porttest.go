// Package porttest finds ports for the servers that tests start as programs of their own.
package porttest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
)

var ports struct {
	sync.Mutex
	given map[int]bool
}

// Free returns an address of this computer where nobody listens, such as 127.0.0.1:20123, and which no other test of this process
// is given. It is below the ports that Linux lends to connections going out and to listeners on port 0 (ip_local_port_range, from
// 32768), so it stays free until the server starts, and while it is down.
func Free(t testing.TB) string {
	t.Helper()
	ports.Lock()
	defer ports.Unlock()
	if ports.given == nil {
		ports.given = map[int]bool{}
	}
	for range 100 {
		port := 20_000 + rand.IntN(12_000)
		if ports.given[port] {
			continue
		}
		addr := fmt.Sprintf("127.0.0.1:%d", port)
		l, err := net.Listen("tcp", addr)
		if err != nil {
			continue
		}
		_ = l.Close()
		ports.given[port] = true
		return addr
	}
	t.Fatal("no port is free from 20000 to 31999")
	return ""
}

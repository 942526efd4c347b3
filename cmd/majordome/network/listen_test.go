package network

import (
	"errors"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for addr, how := range map[string]string{
		"nonsense":        "like :8080",
		"127.0.0.1:99999": "like :8080",
		":x":              "like :8080",
		"8081":            "write :8081",
	} {
		_, err := listenFreebind(addr, "listen")
		var e *AddressError
		if !errors.As(err, &e) || !strings.Contains(e.Text().FR, addr) || !strings.Contains(e.Text().EN, addr) ||
			strings.Contains(e.Text().FR, "listen tcp") || !strings.Contains(e.Text().EN, how) {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

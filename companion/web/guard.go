package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// hostName is what a Host header may hold to be repeated in the policy.
var hostName = regexp.MustCompile(`^[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?$`)

// policy is the content security policy (CSP level 3). Scripts and styles come
// from here only; attributes may carry a style, because drawings set positions
// by it. The beat of a connection is kept by a worker, which comes from here too.
// The tour shows pages in frames: both ends of a frame are of this address, where
// nobody but us puts a page, so that no other site can lay a page of ours under its own and have its keys tapped.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
	"img-src 'self' data:; font-src 'self'; manifest-src 'self'; worker-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-src 'self'; frame-ancestors 'self'; connect-src 'self'"

// guard adds the headers that every answer carries. A page may ask the port of https whether its phone trusts us (Trust).
func guard(next http.Handler, secure int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		p := policy
		if hostName.MatchString(r.Host) { // older Safari does not count ws: as 'self'
			p += " ws://" + r.Host + " wss://" + r.Host
			if secure != 0 {
				p += " https://" + at(r.Host, secure)
			}
		}
		h.Set("Content-Security-Policy", p)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("X-Frame-Options", "SAMEORIGIN")
		next.ServeHTTP(w, r)
	})
}

// etag names the content and its encoding (RFC 9110, 8.8.3.3).
func etag(encoding string, body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:8]) + encoding + `"`
}

// at is a Host with another port; that of https is not said.
func at(host string, port int) string {
	name := host
	if only, _, err := net.SplitHostPort(host); err == nil {
		name = only
	}
	name = strings.Trim(name, "[]")
	if port != 443 {
		return net.JoinHostPort(name, strconv.Itoa(port))
	}
	if strings.Contains(name, ":") {
		return "[" + name + "]"
	}
	return name
}

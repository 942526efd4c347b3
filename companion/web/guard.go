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

// hostPattern matches a Host header that may be repeated in the policy.
var hostPattern = regexp.MustCompile(`^[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?$`)

// policy is the content security policy (CSP level 3). Scripts and styles come only from this address.
// Attributes may contain a style, because drawings use it for positions. A worker, also from here, keeps a
// connection alive. The tour shows pages in frames: both ends of a frame belong to this address, so no other
// site can put one of our pages into a frame and steal taps on it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
	"img-src 'self' data:; font-src 'self'; manifest-src 'self'; worker-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-src 'self'; frame-ancestors 'self'; connect-src 'self'"

// addHeaders adds the headers that every answer has. httpsPort is 0 if there is no https: a page may ask that port
// whether its phone trusts our certificate (TrustHandler).
func addHeaders(next http.Handler, httpsPort int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		p := policy
		if hostPattern.MatchString(r.Host) { // older Safari does not include ws: in 'self'
			p += " ws://" + r.Host + " wss://" + r.Host
			if httpsPort != 0 {
				p += " https://" + hostWithPort(r.Host, httpsPort)
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

// etagOf returns an ETag for a content and its encoding (RFC 9110, 8.8.3.3).
func etagOf(encoding string, body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:8]) + encoding + `"`
}

// hostWithPort returns a Host with another port; the default port of https is omitted.
func hostWithPort(host string, port int) string {
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

package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"majordome/companion/address"
	"majordome/companion/uplink"
	"majordome/companion/wire"
)

const (
	maxQueue   = 100
	maxAge     = 2 * time.Minute
	logEvery   = 10 * time.Second
	minSecret  = 16       // bytes
	maxHeaders = 16 << 10 // bytes of all headers of an answer, first answers (1xx) included
)

// Opts are the parameters of a Hook.
type Opts struct {
	URL    string
	Secret []byte // from ParseSecret
	// AllowHTTP allows http to loopback and private addresses.
	AllowHTTP bool
	// Roots are the trusted certificate authorities; nil: those of this machine.
	Roots *x509.CertPool
	Tree  wire.Tree
	Demo  bool
	// Timeout is the limit of each try; 5 s if it is zero. Waits are the pauses before repetitions; nil:
	// those in the package comment.
	Timeout time.Duration
	Waits   []time.Duration
	Log     *slog.Logger // nil is silent
}

// Call is the body of a call.
type Call struct {
	Type      string       `json:"type"`      // as Event.What
	Timestamp string       `json:"timestamp"` // when it happened, UTC, as 2026-01-31T20:15:00Z
	Table     string       `json:"table"`     // beginning of its MQTT topics
	Demo      bool         `json:"demo"`
	Data      uplink.Event `json:"data"`
}

// Reasons why calls do not arrive.
const (
	Unanswered = "unanswered" // no answer, too late, or a temporary error
	Unknown    = "unknown"    // no such name (DNS)
	Untrusted  = "untrusted"  // the certificate is not trusted
	Public     = "public"     // http to an address that is not private
	Refused    = "refused"    // the last call was answered 3xx or 4xx
	Gone       = "gone"       // 410: no more calls until the next start
)

// Status counts calls and says whether they arrive.
type Status struct {
	Reason string            // one of the reasons above; "": the last call was accepted, or none was made
	Counts map[string]uint64 // "done", "dropped" (too many or too old), "refused", and "failed" for tries
}

// Hook makes calls. Only one goroutine may call Publish.
type Hook struct {
	opts    Opts
	builder uplink.MessageBuilder
	client  *http.Client
	wake    chan struct{}
	ctx     context.Context
	cancel  context.CancelFunc
	done    chan struct{}

	mu      sync.Mutex
	queue   []call
	status  Status
	lastLog time.Time
}

type call struct {
	id   string
	body []byte
	at   time.Time
}

// CheckURL returns what is wrong with an address.
func CheckURL(text string, allowHTTP bool) error {
	u, err := address.ParseURL(text, "https", "http")
	switch {
	case err != nil:
		return fmt.Errorf("the address must be https://host/path, without an account in it: %w", err)
	case u.Scheme == "http" && !allowHTTP:
		return errors.New("http is for private addresses alone, where it is allowed")
	case u.Scheme == "http":
		if ip, err := netip.ParseAddr(u.Hostname()); err == nil && !isPrivate(ip) {
			return errors.New("http is for private addresses alone")
		}
	}
	return nil
}

// isPrivate reports whether ip belongs to this machine or to a private network.
func isPrivate(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
}

// ParseSecret parses a secret from the owner: "whsec_" and base64, or any text of 16 bytes or more.
func ParseSecret(text string) ([]byte, error) {
	text = strings.TrimSpace(text)
	secret := []byte(text)
	if coded, is := strings.CutPrefix(text, "whsec_"); is {
		var err error
		if secret, err = base64.StdEncoding.DecodeString(coded); err != nil {
			return nil, errors.New("webhook: what follows whsec_ is no base64")
		}
	}
	if len(secret) < minSecret {
		return nil, fmt.Errorf("webhook: a secret of fewer than %d bytes", minSecret)
	}
	return secret, nil
}

var errPublic = errors.New("webhook: http to an address that is not private")

// New starts a Hook. It returns only errors in opts.
func New(opts *Opts) (*Hook, error) {
	o := *opts
	if err := CheckURL(o.URL, o.AllowHTTP); err != nil {
		return nil, fmt.Errorf("webhook: %w", err)
	}
	if len(o.Secret) < minSecret {
		return nil, errors.New("webhook: no secret")
	}
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Second
	}
	if o.Waits == nil {
		o.Waits = []time.Duration{time.Second, 5 * time.Second, 20 * time.Second, time.Minute}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	dialer := &net.Dialer{Timeout: o.Timeout}
	if strings.HasPrefix(o.URL, "http:") {
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			if at, err := netip.ParseAddrPort(address); err != nil || !isPrivate(at.Addr()) {
				return errPublic
			}
			return nil
		}
	}
	h := &Hook{opts: o, wake: make(chan struct{}, 1), done: make(chan struct{}), status: Status{Counts: map[string]uint64{}}}
	h.client = &http.Client{Timeout: o.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{DialContext: dialer.DialContext,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots}, TLSHandshakeTimeout: o.Timeout,
			MaxConnsPerHost: 1, MaxResponseHeaderBytes: maxHeaders, DisableCompression: true, IdleConnTimeout: time.Minute}}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	go h.run()
	return h, nil
}

// Publish queues calls for the happenings of one step, given its public update, and returns at once.
func (h *Hook) Publish(public *wire.Update) {
	for _, s := range h.builder.BuildMessages(public) {
		e, is := s.Body.(uplink.Event)
		if !is {
			continue
		}
		now := time.Now()
		body, err := json.Marshal(Call{e.What, now.UTC().Format(time.RFC3339), h.opts.Tree.Base(), h.opts.Demo, e})
		if err != nil {
			continue // never: it has plain fields
		}
		h.mu.Lock()
		if h.queue = append(h.queue, call{rand.Text(), body, now}); len(h.queue) > maxQueue {
			h.queue = h.queue[1:]
			h.status.Counts["dropped"]++
		}
		h.mu.Unlock()
	}
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// Status returns a copy of the present status.
func (h *Hook) Status() Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.status
	s.Counts = maps.Clone(s.Counts)
	return s
}

// Close stops all calls without waiting for those in the queue.
func (h *Hook) Close() {
	h.cancel()
	<-h.done
	h.client.CloseIdleConnections()
}

func (h *Hook) run() {
	defer close(h.done)
	for {
		c, ok := h.nextCall()
		if !ok {
			select {
			case <-h.ctx.Done():
				return
			case <-h.wake:
			}
			continue
		}
		gone := h.deliverWithRetries(c)
		if h.ctx.Err() != nil {
			return
		}
		if gone {
			break
		}
	}
	for { // after 410: drop what is in the queue and what comes
		for _, more := h.nextCall(); more; _, more = h.nextCall() {
			h.countAndLogResult("dropped", Gone)
		}
		select {
		case <-h.ctx.Done():
			return
		case <-h.wake:
		}
	}
}

func (h *Hook) nextCall() (next call, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) == 0 {
		return call{}, false
	}
	c := h.queue[0]
	h.queue = h.queue[1:]
	return c, true
}

// deliverWithRetries makes one call, with repetitions. gone reports whether the answer was 410.
func (h *Hook) deliverWithRetries(c call) (gone bool) {
	for i := 0; ; i++ {
		if time.Since(c.at) > maxAge {
			h.countAndLogResult("dropped", "")
			return false
		}
		status, err := h.postOnce(c)
		switch {
		case h.ctx.Err() != nil:
			return false
		case err == nil && status >= 200 && status < 300:
			h.countAndLogResult("done", "")
			return false
		case err == nil && status == http.StatusGone:
			h.countAndLogResult("refused", Gone)
			return true
		case err == nil && status >= 300 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusTooManyRequests:
			h.countAndLogResult("refused", Refused)
			return false
		}
		h.countAndLogResult("failed", failureReason(err))
		if i == len(h.opts.Waits) {
			h.countAndLogResult("dropped", failureReason(err))
			return false
		}
		select {
		case <-h.ctx.Done():
			return false
		case <-time.After(h.opts.Waits[i]):
		}
	}
}

// postOnce makes one try and returns the status of the answer.
func (h *Hook) postOnce(c call) (status int, err error) {
	req, err := http.NewRequestWithContext(h.ctx, http.MethodPost, h.opts.URL, bytes.NewReader(c.body))
	if err != nil {
		return 0, err
	}
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "majordome")
	req.Header.Set("webhook-id", c.id)
	req.Header.Set("webhook-timestamp", stamp)
	req.Header.Set("webhook-signature", "v1,"+SignBody(h.opts.Secret, c.id, stamp, c.body))
	res, err := h.client.Do(req)
	if err != nil {
		return 0, err
	}
	return res.StatusCode, res.Body.Close()
}

// SignBody returns the signature of a body, as base64. stamp is the timestamp in the header.
func SignBody(secret []byte, id, stamp string, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.%s", id, stamp, body)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// failureReason returns the reason for a failed try. It does not use the library's message, which quotes the
// address.
func failureReason(err error) string {
	var (
		dns  *net.DNSError
		cert *tls.CertificateVerificationError
	)
	switch {
	case errors.Is(err, errPublic):
		return Public
	case errors.As(err, &cert):
		return Untrusted
	case errors.As(err, &dns):
		return Unknown
	}
	return Unanswered
}

// countAndLogResult counts the result of a try or a call, and logs a failure at most every logEvery.
func (h *Hook) countAndLogResult(what, why string) {
	now := time.Now()
	h.mu.Lock()
	h.status.Counts[what]++
	if what == "done" || why != "" {
		h.status.Reason = why
	}
	due := what != "done" && now.Sub(h.lastLog) >= logEvery
	if due {
		h.lastLog = now
	}
	h.mu.Unlock()
	if due {
		h.opts.Log.Warn("webhook: a call has not arrived", "what", what, "reason", why,
			"conseil", "un appel web n’est pas arrivé ; la table joue sans lui")
	}
}

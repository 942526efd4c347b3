package mosquitto

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strings"
)

const (
	maxLine       = 4 << 10 // bytes of a line of the log
	maxLastErrors = 8       // lines in Status
)

// readLog handles the log of Mosquitto until it ends. It reads every line, because Mosquitto blocks on a full pipe.
func (s *Server) readLog(from io.Reader) {
	in, pending := bufio.NewReaderSize(from, maxLine), &pendingSubscribe{}
	for {
		line, more, err := in.ReadLine()
		text := string(line)
		for more && err == nil {
			_, more, err = in.ReadLine()
		}
		if err != nil {
			return
		}
		s.handleLogLine(text, pending)
	}
}

// handleLogLine handles one line of the log.
func (s *Server) handleLogLine(line string, pending *pendingSubscribe) {
	if line == "Error: Out of memory." { // of a client that is kicked, 2.0.11 says it without need, in other words
		select {
		case s.exhausted <- struct{}{}:
		default:
		}
	}
	switch {
	case strings.HasPrefix(line, "mosquitto version ") && strings.HasSuffix(line, " running"):
		s.setRunning(true)
	case strings.HasPrefix(line, "Error: "), strings.HasPrefix(line, "Warning: ") && !strings.Contains(line, "root/administrator"):
		s.mu.Lock()
		s.lastErrors = append(s.lastErrors, line)
		s.lastErrors = s.lastErrors[max(0, len(s.lastErrors)-maxLastErrors):]
		s.mu.Unlock()
	case strings.HasPrefix(line, "Denied PUBLISH from "):
		if m := deniedForm.FindStringSubmatch(line); m != nil {
			s.opts.OnRefused(m[1], Publish, m[2])
		}
	default:
		for _, filter := range pending.refusedFiltersAfterLine(line) {
			s.opts.OnRefused(pending.clientID, Subscribe, filter)
		}
	}
}

// deniedForm matches a line such as
//
//	Denied PUBLISH from lamp/p (d0, q1, r1, m1, 'elsewhere', ... (1 bytes))
//
// A client id that imitates the rest of the line can falsify only the log of its own account, because the name of the account comes first.
var deniedForm = regexp.MustCompile(`^Denied PUBLISH from (.*?) \(d[01], q[0-2], r[01], m\d+, '(.*)', \.\.\. \(\d+ bytes\)\)$`)

// pendingSubscribe is the SUBSCRIBE that Mosquitto is answering, or has answered last. It answers one at a time, and logs
//
//	Received SUBSCRIBE from lamp/p
//		no (QoS 0)
//		a/b (QoS 0)
//	lamp/p 0 a/b
//	Sending SUBACK to lamp/p
//
// where the line with the client follows each filter that is granted.
type pendingSubscribe struct {
	clientID string // id of the client of the last SUBSCRIBE; "": there was none yet
	filters  []string
}

// refusedFiltersAfterLine handles one line of the log. At the line that ends a SUBSCRIBE it returns the filters that were refused,
// otherwise nil.
func (a *pendingSubscribe) refusedFiltersAfterLine(line string) []string {
	if client, is := strings.CutPrefix(line, "Received SUBSCRIBE from "); is {
		a.clientID, a.filters = client, nil
		return nil
	}
	if a.clientID == "" {
		return nil
	}
	if filter, is := strings.CutPrefix(line, "\t"); is {
		if i := strings.LastIndex(filter, " (QoS "); i >= 0 {
			a.filters = append(a.filters, filter[:i])
		}
		return nil
	}
	if rest, is := strings.CutPrefix(line, a.clientID+" "); is && len(rest) > 2 {
		if n := len(a.filters) - 1; n >= 0 && rest[2:] == a.filters[n] {
			a.filters = slices.Delete(a.filters, n, n+1)
		}
		return nil
	}
	if strings.HasPrefix(line, "Sending SUBACK to ") {
		refused := a.filters
		a.filters = nil
		return refused
	}
	return nil
}

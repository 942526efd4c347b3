// Package adminsocket lets the owner with a shell on this machine get the host's link, or a new PIN
// for the first owner, from the running daemon. It uses a socket in the data folder. A request is
// one line, "host", "host new" or "host pin"; the answer is JSON.
//
//	s, err := adminsocket.Listen(folder)       after locking the store, so no other daemon has the socket
//	s.Serve(adminsocket.Handlers{...})         until Close
//	links, err := adminsocket.RequestLinks(folder, false)
//
// What may leak: link and PIN both open the host's page, so only root and the account of the daemon
// get an answer (SO_PEERCRED).
package adminsocket

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// SocketName is the name of the socket, in the same folder as the store.
const SocketName = "majordome.sock"

// timeout is the limit for a request with its answer.
const timeout = 20 * time.Second

// Links are the addresses of the pages.
type Links struct {
	Display   string `json:"display"`
	Host      string `json:"host"`   // has a one-time code if no phone has the host's page
	NoNetwork bool   `json:"lonely"` // no network yet
	Joined    bool   `json:"joined"` // a phone has the host's page
}

// Owner is the first owner's account with its new PIN; both are empty if there are no accounts.
type Owner struct {
	Name string `json:"name"`
	PIN  string `json:"pin"`
}

// Handlers produce the answers to the requests.
type Handlers struct {
	// Links makes a new link for the host. If its argument is true, the phone that has the host's page loses
	// it.
	Links func(anew bool) (Links, error)
	// NewPIN draws a new PIN for the first owner; ok is false if there are no accounts.
	NewPIN func() (name, pin string, ok bool)
}

// Server is the open socket. Close ends Serve.
type Server struct {
	*net.UnixListener
	closeFolder func()
}

// Listen creates the socket in a data folder, in place of one that a killed daemon left.
func Listen(folder string) (*Server, error) {
	path, done, err := shortSocketPath(folder)
	if err != nil {
		return nil, fmt.Errorf("adminsocket: %w", err)
	}
	_ = os.Remove(filepath.Join(folder, SocketName)) // left by a daemon that was killed
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		done()
		return nil, fmt.Errorf("adminsocket: %w", err)
	}
	return &Server{l, done}, nil
}

// Close closes the socket and its folder. A second call does nothing.
func (s *Server) Close() error {
	err := s.UnixListener.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	s.closeFolder()
	return err
}

// Serve answers one connection after the other, until Close.
func (s *Server) Serve(handlers Handlers, log *slog.Logger) {
	for {
		c, err := s.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // no free file descriptor: wait for one
			time.Sleep(time.Second)
			continue
		}
		serveConn(c, handlers, log)
	}
}

func serveConn(c net.Conn, handlers Handlers, log *slog.Logger) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(timeout)) // cannot fail for a socket of the system
	if !hasTrustedPeer(c) {
		return
	}
	line, _ := bufio.NewReader(io.LimitReader(c, 16)).ReadString('\n')
	var said any
	switch line = strings.TrimSpace(line); line {
	case "host pin":
		var o Owner
		o.Name, o.PIN, _ = handlers.NewPIN()
		said = o
	case "host", "host new":
		links, err := handlers.Links(line == "host new")
		if err != nil {
			log.Error("no link for the host", "error", err, "conseil", "le lien de l’hôte n’a pas pu être enregistré")
			return
		}
		said = links
	default:
		return
	}
	_ = json.NewEncoder(c).Encode(said) // the client may have gone
}

// shortSocketPath returns a path of the socket that is short enough for an address (108 bytes, unix(7)). Call
// release when the path is not needed any more.
func shortSocketPath(folder string) (path string, release func(), err error) {
	d, err := os.Open(folder)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", d.Fd(), SocketName), func() { _ = d.Close() }, nil
}

// hasTrustedPeer reports whether root or the daemon's own account is at the other end.
func hasTrustedPeer(c net.Conn) bool {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return false
	}
	var peer *syscall.Ucred
	if fault := raw.Control(func(fd uintptr) {
		peer, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); fault != nil || err != nil {
		return false
	}
	return peer.Uid == 0 || int(peer.Uid) == os.Geteuid()
}

// ErrNoDaemon says that no daemon answers.
var ErrNoDaemon = errors.New("adminsocket: no daemon answers")

// RequestLinks gets the links from the daemon of a data folder; if revoke, the phone that has the host's page
// loses it.
func RequestLinks(folder string, revoke bool) (l Links, err error) {
	line := "host\n"
	if revoke {
		line = "host new\n"
	}
	err = sendRequest(folder, line, &l)
	return l, err
}

// RequestNewPIN makes the daemon of a data folder draw a new PIN for its first owner.
func RequestNewPIN(folder string) (o Owner, err error) {
	err = sendRequest(folder, "host pin\n", &o)
	return o, err
}

// sendRequest sends one line to the daemon of a data folder and decodes its answer.
func sendRequest(folder, line string, answer any) error {
	path, done, err := shortSocketPath(folder)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoDaemon, err)
	}
	defer done()
	conn, err := net.DialTimeout("unix", path, timeout)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoDaemon, err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(timeout)) // cannot fail for a socket of the system
	if _, err = io.WriteString(conn, line); err == nil {
		err = json.NewDecoder(io.LimitReader(conn, 4096)).Decode(answer)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoDaemon, err)
	}
	return nil
}

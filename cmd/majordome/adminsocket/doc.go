// Package adminsocket answers the owner who has a shell on this machine: a socket in the data folder gives the host's link, or the first
// owner another PIN. One line is asked, host, host new or host pin, and one answer comes in JSON.
//
//	s, err := adminsocket.Listen(folder)       the lock of the store says that no other daemon has it
//	s.Serve(adminsocket.Answers{...})          until Close
//	links, err := adminsocket.AskLinks(folder, false)
//
// What may leak: both open the host's page, so only root and the account of the daemon are heard (SO_PEERCRED).
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

// File is the name of the socket, beside the store.
const File = "majordome.sock"

// wait is how long a question and its answer may take.
const wait = 5 * time.Second

// Links are where the pages are, and the way in for the host.
type Links struct {
	Display string `json:"display"`
	Host    string `json:"host"`   // with a one-time code where no phone has the host's page
	Lonely  bool   `json:"lonely"` // no network yet
	Joined  bool   `json:"joined"` // a phone has the host's page
}

// Owner is the first owner's account with a PIN that was drawn for it; no PIN where there are no accounts.
type Owner struct {
	Name string `json:"name"`
	PIN  string `json:"pin"`
}

// Answers give what is asked for.
type Answers struct {
	// Links makes a new way in for the host; anew: the phone that has the host's page is out.
	Links func(anew bool) (Links, error)
	// PIN draws another PIN for the first owner; not ok: there are no accounts.
	PIN func() (name, pin string, ok bool)
}

// Server is the socket. Its Close ends Serve.
type Server struct {
	*net.UnixListener
	done func()
}

// Listen takes the socket of a data folder.
func Listen(folder string) (*Server, error) {
	path, done, err := socketPath(folder)
	if err != nil {
		return nil, fmt.Errorf("adminsocket: %w", err)
	}
	_ = os.Remove(filepath.Join(folder, File)) // of a daemon that had no time to
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		done()
		return nil, fmt.Errorf("adminsocket: %w", err)
	}
	return &Server{l, done}, nil
}

// Close closes the socket and its folder. A second one does nothing.
func (s *Server) Close() error {
	err := s.UnixListener.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	s.done()
	return err
}

// Serve answers one after the other, until Close.
func (s *Server) Serve(a Answers, log *slog.Logger) {
	for {
		c, err := s.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // no descriptor is left: somebody gives one back
			time.Sleep(time.Second)
			continue
		}
		answer(c, a, log)
	}
}

func answer(c net.Conn, a Answers, log *slog.Logger) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(wait)) // a socket of the system takes it
	if !isOwner(c) {
		return
	}
	line, _ := bufio.NewReader(io.LimitReader(c, 16)).ReadString('\n')
	var said any
	switch line = strings.TrimSpace(line); line {
	case "host pin":
		var o Owner
		o.Name, o.PIN, _ = a.PIN()
		said = o
	case "host", "host new":
		links, err := a.Links(line == "host new")
		if err != nil {
			log.Error("no link for the host", "error", err, "conseil", "le lien de l’hôte n’a pas pu être enregistré")
			return
		}
		said = links
	default:
		return
	}
	_ = json.NewEncoder(c).Encode(said) // who asked may have gone
}

// socketPath names a file of a folder in a way that is short enough for an address (108 bytes, unix(7)); done is
// called when it is not needed any more.
func socketPath(folder string) (path string, done func(), err error) {
	d, err := os.Open(folder)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", d.Fd(), File), func() { _ = d.Close() }, nil
}

// isOwner reports that root or the daemon's own account is at the other end.
func isOwner(c net.Conn) bool {
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

// ErrSilent says that no daemon answers.
var ErrSilent = errors.New("adminsocket: no daemon answers")

// AskLinks asks the daemon of a data folder; anew: the phone that has the host's page is out.
func AskLinks(folder string, anew bool) (l Links, err error) {
	line := "host\n"
	if anew {
		line = "host new\n"
	}
	err = ask(folder, line, &l)
	return l, err
}

// AskPIN has the daemon of a data folder draw another PIN for its first owner.
func AskPIN(folder string) (o Owner, err error) {
	err = ask(folder, "host pin\n", &o)
	return o, err
}

// ask puts one line to the daemon of a data folder.
func ask(folder, line string, answer any) error {
	path, done, err := socketPath(folder)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSilent, err)
	}
	defer done()
	conn, err := net.DialTimeout("unix", path, wait)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSilent, err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(wait)) // a socket of the system takes it
	if _, err = io.WriteString(conn, line); err == nil {
		err = json.NewDecoder(io.LimitReader(conn, 4096)).Decode(answer)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSilent, err)
	}
	return nil
}

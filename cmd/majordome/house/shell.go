package house

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/engine"
)

// The owner with a shell asks the daemon for the host's link by a socket in the folder of the store: one line, host,
// host new or host pin, and one answer in JSON. Only root and the account of the daemon are heard (SO_PEERCRED).

// shellSocket stands beside the store.
const shellSocket = "majordome.sock"

// shellWait is how long a question and its answer may take.
const shellWait = 5 * time.Second

// Links are where the pages are, and the way in for the host.
type Links struct {
	Display string `json:"display"`
	Host    string `json:"host"`   // with a one-time code where no phone has the host's page
	Lonely  bool   `json:"lonely"` // no network yet
	Joined  bool   `json:"joined"` // a phone has the host's page
}

// socketPath names a file of a folder in a way that is short enough for an address (108 bytes, unix(7)); done is
// called when it is not needed any more.
func socketPath(folder string) (path string, done func(), err error) {
	d, err := os.Open(folder)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", d.Fd(), shellSocket), func() { _ = d.Close() }, nil
}

// shellListener closes the folder with the socket.
type shellListener struct {
	*net.UnixListener
	done func()
}

func (l shellListener) Close() error {
	err := l.UnixListener.Close()
	if !errors.Is(err, net.ErrClosed) {
		l.done()
	}
	return err
}

// openShell takes the socket; the lock of the store says that no other daemon has it.
func (h *House) openShell() error {
	path, done, err := socketPath(h.opts.Config.Data)
	if err != nil {
		return fmt.Errorf("house: socket: %w", err)
	}
	_ = os.Remove(filepath.Join(h.opts.Config.Data, shellSocket)) // of a daemon that had no time to
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		done()
		return fmt.Errorf("house: socket: %w", err)
	}
	h.shell = shellListener{l, done}
	return nil
}

// serveShell answers one after the other, until the socket is closed.
func (h *House) serveShell() {
	for {
		c, err := h.shell.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // no descriptor is left: somebody gives one back
			time.Sleep(time.Second)
			continue
		}
		h.answerShell(c)
	}
}

func (h *House) answerShell(c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(shellWait)) // a socket of the system takes it
	if !owner(c) {
		return
	}
	line, _ := bufio.NewReader(io.LimitReader(c, 16)).ReadString('\n')
	line = strings.TrimSpace(line)
	if line == "host pin" {
		var o Owner
		o.Name, o.PIN, _ = h.people.NewOwnerPIN()
		_ = json.NewEncoder(c).Encode(o) // who asked may have gone
		return
	}
	anew := line == "host new"
	if !anew && line != "host" {
		return
	}
	links, err := h.Links(anew)
	if err != nil {
		h.opts.Log.Error("no link for the host", "error", err, "conseil", "le lien de l’hôte n’a pas pu être enregistré")
		return
	}
	_ = json.NewEncoder(c).Encode(links) // who asked may have gone
}

// owner reports that root or the daemon's own account is at the other end.
func owner(c net.Conn) bool {
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

// Links are where the pages are. No code is given twice: each call makes a new one, and what an earlier one gave opens
// nothing any more. Anew: the phone that has the host's page is out.
func (h *House) Links(anew bool) (l Links, err error) {
	if anew {
		if _, err = h.desk.Invite(engine.Host); err != nil {
			return l, err
		}
	}
	code, err := h.desk.Fresh(engine.Host)
	l = Links{Display: h.network.URL() + "/display", Host: code, Lonely: h.network.Lonely(), Joined: code == ""}
	if l.Joined {
		l.Host = h.network.URL() + "/host"
	}
	h.changed() // the screen of the machine shows the code that serves now
	return l, err
}

// ErrSilent says that no daemon of this configuration answers.
var ErrSilent = errors.New("house: no daemon answers")

// Owner is the first owner's account with a PIN that was drawn for it; no PIN where there are no accounts.
type Owner struct {
	Name string `json:"name"`
	PIN  string `json:"pin"`
}

// AskLinks asks the daemon of a configuration.
func AskLinks(c config.Config, anew bool) (l Links, err error) {
	line := "host\n"
	if anew {
		line = "host new\n"
	}
	err = ask(c, line, &l)
	return l, err
}

// AskPIN has the daemon of a configuration draw another PIN for its first owner.
func AskPIN(c config.Config) (o Owner, err error) {
	err = ask(c, "host pin\n", &o)
	return o, err
}

// ask puts one line to the daemon of a configuration.
func ask(c config.Config, line string, answer any) error {
	path, done, err := socketPath(c.Data)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSilent, err)
	}
	defer done()
	conn, err := net.DialTimeout("unix", path, shellWait)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSilent, err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(shellWait)) // a socket of the system takes it
	if _, err = io.WriteString(conn, line); err == nil {
		err = json.NewDecoder(io.LimitReader(conn, 4096)).Decode(answer)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSilent, err)
	}
	return nil
}

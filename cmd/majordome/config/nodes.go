package config

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"majordome/devices"
	"majordome/devices/node"
	"majordome/engine"
)

// NodePorts returns the ports at which a configuration has nodes, each once, in the order of the file.
func (c Config) NodePorts() (all []string) {
	add := func(chip, port string) {
		if chip == ChipNode && !slices.Contains(all, port) {
			all = append(all, port)
		}
	}
	for _, r := range c.Readers {
		add(r.Chip, r.Port)
	}
	for _, s := range c.Strips {
		add(s.Chip, s.Port)
	}
	for _, b := range c.Buttons {
		if b.Port != "" {
			add(ChipNode, b.Port)
		}
	}
	return all
}

// NodeTimeout is the longest time that a node may take to answer: its boot loader waits about two seconds for a new
// program, and the machine may be busy.
const NodeTimeout = 5 * time.Second

// NodePeriod is the time between two polls of a node's readers, also while the node is away: it reconnects
// automatically.
const NodePeriod = 10 * time.Millisecond

// Nodes are the nodes of a configuration by port. Each is opened once, however many readers and strips it has.
type Nodes map[string]*sharedNode

// sharedNode is a node with several users; it is halted when the last user is. Each warning is logged once until the
// node connects again.
type sharedNode struct {
	dev  *node.Dev
	port string
	log  *slog.Logger

	mu           sync.Mutex
	users        int
	roles        map[int]string // roles of the readers in use, by number
	wantedPixels int            // length of the strip in use, in pixels
	warned       map[string]bool

	presses map[int][]chan struct{} // of each button in use
}

// ensureNodeOpen returns the node at a port and opens it if needed. A node that does not answer only gives a warning: it may
// be plugged in later.
func (n Nodes) ensureNodeOpen(port string, log *slog.Logger) (*sharedNode, error) {
	s := n[port]
	if s == nil {
		s = &sharedNode{port: port, log: log, roles: map[int]string{}, warned: map[string]bool{}, presses: map[int][]chan struct{}{}}
		dev, err := node.New(port, &node.Opts{OnChange: s.handleStateChange, OnPress: s.handlePress})
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		s.dev = dev
		s.mu.Unlock()
		n[port] = s
		ctx, cancel := context.WithTimeout(context.Background(), NodeTimeout)
		defer cancel()
		if _, err := dev.Probe(ctx); err != nil {
			s.mu.Lock()
			s.warnUnreached(NodeAdvice(port, err))
			s.mu.Unlock()
		}
	}
	s.mu.Lock()
	s.users++
	s.mu.Unlock()
	return s, nil
}

// Devices returns the nodes by port.
func (n Nodes) Devices() map[string]*node.Dev {
	all := map[string]*node.Dev{}
	for port, s := range n {
		all[port] = s.dev
	}
	return all
}

// handleStateChange receives the state of the node: nil when it connects, or the reason why it is not reached.
func (s *sharedNode) handleStateChange(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if why == nil {
		clear(s.warned)
		s.log.Info("node answers", "port", s.port, "conseil", "ce nœud répond")
		s.warnMissingParts()
		return
	}
	s.warnUnreached(why)
}

// warnUnreached warns that a node does not answer, if there is advice. mu is held.
func (s *sharedNode) warnUnreached(why error) {
	var advice devices.Advice
	if errors.As(why, &advice) {
		s.warnOncePerConnection("node does not answer yet", AdviceText(advice))
	}
}

// NodeAdvice adds advice to a timeout of a node; it returns other errors unchanged.
func NodeAdvice(port string, err error) error {
	var advice devices.Advice
	if errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &advice) {
		return devices.Advice{Err: err,
			FR: port + " : aucun nœud ne répond ; est-ce le bon port, le démon est-il arrêté (sudo systemctl stop majordome), " +
				"et le micrologiciel est-il écrit (majordome node flash) ?",
			EN: port + ": no node answers; is it the right port, is the daemon stopped (sudo systemctl stop majordome), and is " +
				"the firmware written (majordome node flash)?"}
	}
	return err
}

// warnMissingParts warns if a connected node lacks a reader, the strip or pixels that are in use. mu is held.
func (s *sharedNode) warnMissingParts() {
	if s.dev == nil || s.dev.Err() != nil {
		return
	}
	i, _ := s.dev.Info()
	lacks := func(fr, en string, args ...any) {
		s.warnOncePerConnection("node lacks something", engine.Tf(fr, en, args...))
	}
	for _, n := range slices.Sorted(maps.Keys(s.roles)) {
		switch r := i.Readers[n]; {
		case !r.Configured:
			lacks("lecteur %[1]s : le nœud n’a pas de lecteur %[2]d : donnez-lui sa broche par majordome node set %[3]s --readers",
				"reader %[1]s: the node has no reader %[2]d: name its pin by majordome node set %[3]s --readers", s.roles[n], n, s.port)
		case r.Chip == 0:
			lacks("lecteur %[1]s : le lecteur %[2]d du nœud ne répond pas : regardez son câblage, et la broche que nomme "+
				"majordome doctor %[3]s",
				"reader %[1]s: reader %[2]d of the node does not answer: look at its wires, and at the pin that majordome "+
					"doctor %[3]s names", s.roles[n], n, s.port)
		}
	}
	if slices.Contains(slices.Collect(maps.Values(s.roles)), engine.ReaderUrn) && countReaders(i) > 1 {
		lacks("l’urne partage un nœud de %[1]d lecteurs, qui regardent chacun leur tour : une carte qui tombe peut passer sans "+
			"être vue ; donnez à l’urne son propre nœud, ou un lecteur sur le Pi",
			"the urn shares a node of %[1]d readers, which look in turn: a card that falls may pass unseen; give the urn a "+
				"node of its own, or a reader at the Pi", countReaders(i))
	}
	switch {
	case s.wantedPixels == 0:
	case i.Strip == node.NoStrip:
		lacks("le nœud n’a pas de ruban : majordome node set %[1]s --strip ws2812 --pixels %[2]d",
			"the node has no strip: majordome node set %[1]s --strip ws2812 --pixels %[2]d", s.port, s.wantedPixels)
	case i.Pixels < s.wantedPixels:
		lacks("le ruban du nœud a %[2]d LED, il en faut %[3]d : majordome node set %[1]s --pixels",
			"the strip of the node has %[2]d LEDs, %[3]d are wanted: majordome node set %[1]s --pixels", s.port, i.Pixels, s.wantedPixels)
	}
}

// countReaders returns how many readers a node has.
func countReaders(i node.Info) (n int) {
	for _, r := range i.Readers {
		if r.Configured {
			n++
		}
	}
	return n
}

// warnOncePerConnection logs a warning in both languages, unless it was logged since the node last connected. mu is held.
func (s *sharedNode) warnOncePerConnection(what string, text engine.Text) {
	if !s.warned[text.EN] {
		s.warned[text.EN] = true
		s.log.Warn(what, "port", s.port, "advice", text.EN, "conseil", text.FR)
	}
}

// releaseUse ends one use of the node, and halts the node if no use is left.
func (s *sharedNode) releaseUse() error {
	s.mu.Lock()
	s.users--
	last := s.users == 0
	s.mu.Unlock()
	if !last {
		return nil
	}
	return s.dev.Halt()
}

// newReader returns a reader of a node, which it opens if needed.
func (n Nodes) newReader(c ReaderConfig, log *slog.Logger) (devices.Scanner, error) {
	s, err := n.ensureNodeOpen(c.Port, log)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.roles[c.Reader] = c.Role
	s.warnMissingParts()
	return &nodeReader{Reader: s.dev.Reader(c.Reader), shared: s}, nil
}

// newStrip returns the strip of a node, which it opens if needed.
func (n Nodes) newStrip(port string, pixels int, log *slog.Logger) (devices.Strip, error) {
	s, err := n.ensureNodeOpen(port, log)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wantedPixels = pixels
	s.warnMissingParts()
	return &nodeStrip{Strip: s.dev.Strip(pixels), shared: s}, nil
}

type nodeReader struct {
	*node.Reader
	shared *sharedNode
	once   sync.Once
}

// Halt releases the node.
func (r *nodeReader) Halt() (err error) {
	r.once.Do(func() { err = r.shared.releaseUse() })
	return err
}

type nodeStrip struct {
	*node.Strip
	shared *sharedNode
	once   sync.Once
}

// Halt makes the strip dark and releases the node.
func (s *nodeStrip) Halt() (err error) {
	s.once.Do(func() {
		if err = s.Strip.Halt(); err == nil {
			err = s.shared.releaseUse()
		}
	})
	return err
}

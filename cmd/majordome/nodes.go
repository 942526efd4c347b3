package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"majordome/cmd/majordome/house"
	"majordome/devices"
	"majordome/devices/node"
)

// nodePatience is what a node may take to answer: its boot loader waits about two seconds for a new program.
const nodePatience = 3 * time.Second

// nodePeriod is how often the readers of a node are looked at, also while it is away: it connects by itself.
const nodePeriod = 10 * time.Millisecond

// nodes are the nodes of a configuration by their ports, each opened once however many readers and strips it carries.
type nodes map[string]*sharedNode

// sharedNode is halted when the last of its users is.
type sharedNode struct {
	dev   *node.Dev
	mu    sync.Mutex
	users int
}

// open finds or opens the node at a port. One that does not answer is a warning: it may be plugged in later.
func (n nodes) open(port string, log *slog.Logger) (*sharedNode, error) {
	s := n[port]
	if s == nil {
		dev, err := node.New(port, nil)
		if err != nil {
			return nil, err
		}
		s = &sharedNode{dev: dev}
		n[port] = s
		ctx, cancel := context.WithTimeout(context.Background(), nodePatience)
		defer cancel()
		if _, err := dev.Probe(ctx); err != nil {
			said := told(err)[0]
			log.Warn("node does not answer yet", "port", port, "advice", said.EN, "conseil", said.FR)
		}
	}
	s.mu.Lock()
	s.users++
	s.mu.Unlock()
	return s, nil
}

func (s *sharedNode) release() error {
	s.mu.Lock()
	s.users--
	last := s.users == 0
	s.mu.Unlock()
	if !last {
		return nil
	}
	return s.dev.Halt()
}

// reader opens a reader of a node.
func (n nodes) reader(c house.ReaderConfig, log *slog.Logger) (devices.Scanner, error) {
	s, err := n.open(c.Port, log)
	if err != nil {
		return nil, err
	}
	if i, ok := s.dev.Info(); ok && (!i.Readers[c.Reader].Configured || i.Readers[c.Reader].Chip == 0) {
		log.Warn("reader of the node does not answer yet", "role", c.Role, "reader", c.Reader, "port", c.Port)
	}
	return &nodeReader{Reader: s.dev.Reader(c.Reader), of: s}, nil
}

// strip opens the strip of a node.
func (n nodes) strip(port string, pixels int, log *slog.Logger) (devices.Strip, error) {
	s, err := n.open(port, log)
	if err != nil {
		return nil, err
	}
	if i, ok := s.dev.Info(); ok && i.Pixels < pixels {
		log.Warn("the strip of the node is short", "port", port, "pixels", i.Pixels, "wanted", pixels)
	}
	return &nodeStrip{Strip: s.dev.Strip(pixels), of: s}, nil
}

type nodeReader struct {
	*node.Reader
	of   *sharedNode
	once sync.Once
}

// Halt gives the node back.
func (r *nodeReader) Halt() (err error) {
	r.once.Do(func() { err = r.of.release() })
	return err
}

type nodeStrip struct {
	*node.Strip
	of   *sharedNode
	once sync.Once
}

// Halt makes the strip dark and gives the node back.
func (s *nodeStrip) Halt() (err error) {
	s.once.Do(func() {
		if err = s.Strip.Halt(); err == nil {
			err = s.of.release()
		}
	})
	return err
}

package config

import (
	"fmt"
	"slices"

	"majordome/companion/wire"
	"majordome/devices/dial"
	"majordome/devices/node"
)

// Devices are the devices of a configuration that were opened, each list in its order, and findings about those that were not.
type Devices struct {
	Readers []Reader
	Strips  []Strip
	Clocks  []dial.Dial
	Buttons []Button
	Nodes   map[string]*node.Dev // by port
	Missing []wire.Finding       // devices that could not be opened
	// RetryMissing tries to open the missing devices and reports whether one can be opened now. It may take a moment.
	// If it is nil, they are not tried again.
	RetryMissing func() bool
}

// IsMissing reports whether entry i of a list of the configuration could not be opened.
func (d *Devices) IsMissing(list string, i int) bool {
	path := fmt.Sprintf("%s[%d]", list, i)
	return slices.ContainsFunc(d.Missing, func(f wire.Finding) bool { return f.Where == path })
}

// OpenedIndexes returns the indexes in the configuration of the n devices of a list that were opened.
func (d *Devices) OpenedIndexes(list string, n int) (at []int) {
	for i := 0; len(at) < n; i++ {
		if !d.IsMissing(list, i) {
			at = append(at, i)
		}
	}
	return at
}

// FirstDeviceOn returns the path of the first device on the node at a port.
func (c Config) FirstDeviceOn(port string) string {
	if i := slices.IndexFunc(c.Readers, func(r ReaderConfig) bool { return r.Chip == ChipNode && r.Port == port }); i >= 0 {
		return fmt.Sprintf("readers[%d]", i)
	}
	if i := slices.IndexFunc(c.Strips, func(s StripConfig) bool { return s.Chip == ChipNode && s.Port == port }); i >= 0 {
		return fmt.Sprintf("strips[%d]", i)
	}
	return fmt.Sprintf("buttons[%d]", slices.IndexFunc(c.Buttons, func(b ButtonConfig) bool { return b.Port == port }))
}

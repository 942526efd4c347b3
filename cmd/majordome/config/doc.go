// Package config reads the settings of a table, checks them and lets the host's page change them. It knows no running
// table.
//
//	c, err := config.ReadConfig(path)        three layers: the owner's file < the page's own file < the environment
//	s := config.NewEditor(path, opts)        the same files, for the page to show and change
//	r, err := c.Readers[0].Open(nodes, log)  opens a device by its settings; also strips, clocks and buttons
//
// Each key is one row of a table (keys.go; chips.go and clocks.go for the chips): its meaning, its allowed values and
// its default. The tables of the manual, the page, the defaults and the checks all come from these rows.
//
// What may leak: paths, ports, UIDs of tags and the password of the hotspot. Only an owner sees them (Editor.Snapshot);
// Config.RedactedYAML leaves out UIDs and the password. The files of the keys account, secret and authority are read by the
// rules in secrets.go, and no error quotes them.
//
// Limits: ownfile.MaxBytes for each file, maxListed for each list of devices, maxNames for each list of names.
package config

// Package config reads and judges the settings of a table, and changes those of the host's page. It knows no running table.
//
//	c, err := config.ReadConfig(path)        the three layers: what a hand has written < the page's own file < the environment
//	s := config.NewEditor(path, opts)        the same files, as they are shown and changed on the page
//	r, err := c.Readers[0].Open(nodes, log)  what is attached, opened as the settings say; so for strips, clocks and buttons
//
// Each key is one row (keys.go, and the chips of chips.go and clocks.go): what it means, which values fit, and what holds where nobody has
// written it. The tables of the manual, the page, the defaults and the checks are all made of these rows.
//
// What may leak: paths, ports, numbers of tags and the password of the hotspot are shown to an owner alone (Editor.Snapshot, Config.Redacted). The files of
// the keys account, secret and authority are read as secrets.go says, and no error quotes them.
//
// Limits: ownfile.MaxBytes for each file, maxListed for each list of devices, maxNames for each list of names.
package config

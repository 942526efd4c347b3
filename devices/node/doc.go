// Package node is the table's end of the line to a microcontroller that carries up to four MFRC522 readers, a strip and
// four buttons: the firmware of folder firmware/, whose PROTOCOL.md says every byte.
//
//	d, err := node.New("/dev/serial/by-id/usb-...", &node.Opts{Pressed: func(p node.Press) { ... }})
//	err = d.Probe(ctx)         // if a person waits for a first verdict
//	slot := d.Reader(0)        // a devices.Scanner, for presence.Watch
//	light := d.Strip(60)       // a devices.Strip
//	err = d.Halt()
//
// A Dev exists whether or not the node is plugged in: it opens the port, opens it again as often as it takes, and asks until a node
// answers. Until then, and when the plug is pulled, its readers fail like a local one that is gone, and nothing that lay
// there counts as taken away. What a node sees while nobody listens it keeps and tells later: 12 events, which is three or four cards that
// came and went; then it looks no more until it has been heard. Cards that came one after the other are told as far apart, up to a
// second. What lay there when it was switched off it tells anew.
//
// The node decides what arrived and what left, by the rules of package presence, and the fold that stands behind
// Scan decides once more. So a tag is seen as soon as on a local reader, and its departure is told at most 0.16 s later. A tag that is lifted
// for less than 150 ms has not left, unless the line fails just then for longer than that.
//
// [Link] is the same without goroutine, port and clock, for whoever wants time in the hand; [Decoder] and [AppendFrame] are the
// frames.
//
// Leaks: nothing; messages name ports and pins, never identifiers. Limits: 3 tags a reader, 120 pixels, 64 events a reader and 64
// presses not yet fetched (then the node keeps its own and stops looking; a reader that nobody scans forgets the oldest instead); 127 bytes under way to the node. A Dev costs
// one goroutine, and those of package serial while the port is open.
package node

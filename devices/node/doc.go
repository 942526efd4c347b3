// Package node connects the table to a microcontroller that carries up to four MFRC522 readers, a strip and
// four buttons. Its firmware is in the folder firmware/, whose PROTOCOL.md describes every byte of the line.
//
//	d, err := node.New("/dev/serial/by-id/usb-...", &node.Opts{OnPress: func(p node.Press) { ... }})
//	err = d.Probe(ctx)         // if a person waits for a first result
//	slot := d.Reader(0)        // a devices.Scanner, for presence.Watch
//	light := d.Strip(60)       // a devices.Strip
//	err = d.Halt()
//
// A Dev exists whether or not the node is plugged in: it opens the port, reopens it as often as needed, and
// asks until a node answers. Until then, and when the plug is pulled, its readers fail like a local one that is
// gone, and no card counts as taken away. While the host does not listen, the node stores 12 events, which is
// three or four cards that came and went, then stops reading until they are acknowledged. Cards that came one
// after the other are reported with the same time between them, at most a second. Cards that were on a reader
// when the node was switched on are reported as arrivals.
//
// The node decides what arrived and what left, by the rules of package presence, and the Fold that polls Scan
// decides once more. So a tag is seen as soon as on a local reader, and its departure is reported at most 0.16
// s later. A tag that is lifted for less than 150 ms has not left, unless the line fails just then for longer
// than that.
//
// [Link] is the same without goroutine, port and clock, for callers that control the time; [Decoder] and
// [AppendFrame] decode and encode frames.
//
// Leaks: nothing; messages name ports and pins, never identifiers. Limits: 3 tags a reader, 120 pixels, 64
// events a reader and 64 presses not yet fetched (then the node stores its events and stops reading; a reader
// that no one scans loses its oldest events instead); 127 bytes on the way to the node. A Dev costs one
// goroutine, and those of package serial while the port is open.
package node

// Package serial opens serial ports by names that stay, and reads and writes
// them without ever hanging. What the bytes mean is the caller's affair: lines for
// package lineread, frames for a node.
//
//	p, err := serial.Open("/dev/serial/by-id/usb-...", &serial.Opts{Baud: 115200})
//	for chunk := range p.Received() { ... }   // closed when the port is lost
//	err = p.Err()                             // why
//	err = p.Close()                           // in any case, also when lost
//
// A lost port stays lost: close it and open the same name again, as often as it
// takes. 8 data bits, no parity, one stop bit, no flow control.
//
// It stands on tarm/serial, which has four habits to live with. A read that waits
// cannot be closed away, so every read ends after 100 ms. Silence and a pulled plug are both
// io.EOF, and differ only in how long that took. Its file does not tell when a write
// will block, so each write has a watchdog. It knows few baud rates and says no more than that.
//
// Leaks: nothing; messages name ports, never what passed through them. Limits: chunks of at most 256
// bytes, 64 of them waiting, then the kernel's 4096 bytes, then the far end's bytes are
// lost; 1024 bytes a write. Close returns within 200 ms, within 300 ms if a write is stuck. A
// port costs one goroutine and one system thread as long as it is open; a stuck write
// costs as much until the device is pulled out.
package serial

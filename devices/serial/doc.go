// Package serial opens serial ports by stable names, and reads and writes them without ever hanging. The caller
// decides what the bytes mean: lines for package lineread, frames for a node.
//
//	p, err := serial.Open("/dev/serial/by-id/usb-...", &serial.Opts{Baud: 115200})
//	for chunk := range p.Received() { ... }   // closed when the port is lost
//	err = p.Err()                             // why
//	err = p.Close()                           // in any case, also when lost
//
// A lost port stays lost: close it and open the same name again, as often as needed. 8 data bits, no parity,
// one stop bit, no flow control.
//
// The package uses tarm/serial and works around four of its habits. A waiting read cannot be ended by closing,
// so every read ends after 100 ms. Silence and a pulled plug are both io.EOF, and differ only in the time that
// it took. Its file does not report when a write will block, so each write has a watchdog. It knows few baud
// rates, and its error says no more than that.
//
// Leaks: nothing; messages name ports, never the bytes that passed through them. Limits: chunks of at most 256
// bytes, 64 of them waiting, then the kernel's 4096 bytes, then the far end's bytes are lost; 1024 bytes a
// write. Close returns within 200 ms, within 300 ms if a write is stuck. A port costs one goroutine and one
// system thread while it is open; a stuck write costs as much until the device is pulled out.
package serial

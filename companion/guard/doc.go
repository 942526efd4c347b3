// Package guard is what the broker of the phones and the way in to that of the devices do alike before a byte is
// handed over: read the strings of a packet, and count what was refused and cut.
package guard

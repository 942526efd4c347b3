// Package guard is what the two brokers do alike before a byte reaches the library behind
// them: count what a client sends, read the strings of a packet, and count what was refused and cut.
package guard

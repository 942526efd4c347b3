// Package guard is what the two brokers do alike before a byte reaches the library behind
// them: count what a client sends, and read the strings of a packet.
package guard

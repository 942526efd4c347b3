// Package guard has what the MQTT gates for phones and for devices share: it reads the strings of a packet, counts refused and cut
// connections, and finds the code that panicked.
package mqttguard

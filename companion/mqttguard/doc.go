// Package mqttguard helps the MQTT gates for phones (package broker) and for devices (package home): it reads the strings of a packet,
// counts refused and cut connections, and finds the code that panicked.
package mqttguard

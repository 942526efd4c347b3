// Package node is the table's end of the line to a microcontroller that carries up to four MFRC522 readers, a strip and
// four buttons: the firmware of folder firmware/, whose PROTOCOL.md says every byte.
package node

// Package lineread reads tags from a reader on a serial line that prints which tag is on it: a microcontroller
// with any NFC chip, or a USB reader. A Dev is a devices.Scanner like the others: package presence makes the
// same events of it, and it may be plugged in, pulled out and plugged in again.
//
// Order of calls: [New]; [Dev.Probe] if a person waits for a first result; [Dev.Scan] as often as wanted, which
// also opens the port and reopens it; [Dev.Halt].
//
// # The lines
//
// 115200 bits per second unless configured otherwise, 8 data bits, no parity, one stop bit. The reader sends,
// the table only listens. A line ends with LF (0A), CR (0D) or both. If a line is longer than 256 bytes, the
// parts whose keys the table does not use are dropped; the rest must fit. The parts are separated by one TAB
// (09): a word, then any number of key=value, in any order. Here → means TAB:
//
//	SCAN→uid=04A1B2C3D4E5F6
//	SCAN→uid=04 a1 b2 c3 d4 e5 f6→text=anything→removable=no
//	REMOVE
//	REMOVE→uid=04:A1:B2:C3:D4:E5:F6
//
// SCAN: this tag is on the reader now. uid is its 4, 7 or 10 bytes in hex, in the order in which the tag sends
// them: never reversed, without the cascade tag 88 and without check bytes (ISO/IEC 14443-3, 6.5.4). It may be
// in upper or lower case; bytes may be separated by one or more of blank : - , . and begin with 0x. With
// separators a leading zero may be missing (4:A1), without them never. REMOVE: no tag is on the reader any
// more; with uid: this tag is not. Other keys are ignored, so the simple serial readers of Zaparoo work
// unchanged if they send uid (https://zaparoo.org/docs/readers/simple-serial).
//
// When a tag has left depends on what the reader can report:
//
//   - It prints REMOVE. The tag stays until then, or until a SCAN of another. From the first REMOVE on, silence
//     means nothing.
//   - It has never printed REMOVE: it repeats its SCAN while the tag is there, every half second or faster, and
//     the tag has left after one second of silence.
//   - It sees arrivals only and prints removable=no. The tag is there for half a second from the last such
//     line, or until REMOVE.
//
// One card at a time is on such a reader; another one takes its place. The table sees every card that is named,
// each separately and in order, however short it stayed. A phone or a bank card, whose number cannot name a
// card, takes no place; but a card that was there before it leaves when it is not named again for one second,
// even if the reader prints REMOVE, because many readers see one tag at a time.
//
// When it starts, a reader that can print REMOVE prints an empty line and then its state: SCAN or REMOVE. Until
// then, the table assumes the state from before the plug was pulled: a missing reader says nothing about the
// card on it. A repeating reader has 3 s to start.
//
// # Lines of other readers
//
// Upper and lower case are the same, and blanks may replace the TABs. NULs and the byte-order mark of UTF-8
// before a line are skipped. These lines, which the examples of many libraries print, mean SCAN:
//
//	04a1b2c3d4e5f6               4, 7 or 10 bytes and nothing else; blanks or colons between whole bytes
//	UID: 04 A1 B2 C3             after a label: words that end with UID, UID Value, TAG, Tag ID, Card, Card ID or RFID
//	Card UID: 4-A1-B2-C3         after a label the spellings of uid= are valid
//	STX 04A1B2C3 CR LF ETX       any line between 02 and 03, as RDM6300 and similar readers print it; CR and LF may be missing
//
// Any other line of text is a remark and may contain anything: banner, version, debugging. The following lines
// are noise: something was there. Each counts once; a reader that goes on printing noise is reported as an
// unreadable card:
//
//	\xff\xf0\x81                 control characters or no UTF-8: another speed, the start of a board
//	0A0082F3B5CE, 0009351929     a number of another length: check bytes not removed, a reader for 125 kHz
//	8804A1B2                     half a number: the cascade tag not removed
//	{"uid":"04A1B2C3D4E5F6"}     uid with a number that is written otherwise
//	SCAN, SCAN→uid=04A1          SCAN without a number that can be one, or with two
//	more than 256 bytes          without parts of a SCAN or REMOVE to drop
//
// Remarks and noise are counted, and the last one is stored: [Dev.LineStats] returns the lines that were not
// understood, and advice on the right ones. A line that does not end counts as one of them: past 256 bytes at
// once, shorter text after 2 s.
//
// # An evening of a small reader
//
// A microcontroller prints these lines (nothing is ever sent to it):
//
//	at power-up       LF, "REMOVE" LF                            nothing is on it
//	a card comes      "SCAN" TAB "uid=04A1B2C3D4E5F6" LF         once is enough
//	it stays          nothing
//	it goes           "REMOVE" LF
//	one falls by      "SCAN" TAB "uid=04A1B2C3D4E5F7" LF "REMOVE" LF
//
// Print the high and the low half of each byte of the identifier, so that no zero gets lost. Print REMOVE only
// after three polls without the card: one missed poll proves nothing.
//
// Leaks: messages name ports, never identifiers. [LineStats] has the last line not understood, which may
// contain one. Show it only to the host in a lobby; anywhere else show [LineStats.WithNumbersMasked], which preserves the
// length of a number, and in a game [LineStats.WithoutLineText]. Limits: one tag and 64 chunks of 256 bytes a scan,
// further ones in the next; 64 characters of a line are shown. Scan waits only for a port that is being closed,
// 300 ms at most.
package lineread

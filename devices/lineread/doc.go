// Package lineread is a reader at the end of a serial line that prints what lies on it: a
// microcontroller with any NFC chip, or a USB reader. It is a devices.Scanner like the others: package
// presence makes the same events of it, and it may be plugged in, pulled out and plugged in again.
//
// Order of calls: [New]; [Dev.Probe] if a person waits for a first verdict;
// [Dev.Scan] as often as wanted, which also opens the port and opens it again;
// [Dev.Halt].
//
// # The lines
//
// 115200 bits per second unless agreed otherwise, 8 data bits, no parity, one stop bit. The
// reader speaks, the table only listens. A line ends with LF (0A), CR (0D) or both. Of a line longer than 256 bytes the parts
// whose keys the table does not use are dropped; what is left must fit.
// Its parts are separated by one TAB (09): a word, then any number of key=value, in any
// order. → stands for TAB here:
//
//	SCAN→uid=04A1B2C3D4E5F6
//	SCAN→uid=04 a1 b2 c3 d4 e5 f6→text=anything→removable=no
//	REMOVE
//	REMOVE→uid=04:A1:B2:C3:D4:E5:F6
//
// SCAN: this tag lies on the reader now. uid is its 4, 7 or 10 bytes in hex, in the
// order in which the tag sends them: never reversed, without the cascade tag 88
// and without check bytes (ISO/IEC 14443-3, 6.5.4). Upper or lower case; bytes may be kept apart by
// one or more of blank : - , . and begin with 0x. Kept apart, a leading zero may be missing (4:A1), run
// together never. REMOVE: nothing lies there any more; with uid: this tag does not. Other keys
// are read over, so the simple serial readers of Zaparoo work as they are if they send
// uid (https://zaparoo.org/docs/readers/simple-serial).
//
// How a tag leaves again depends on what the reader can tell:
//
//   - It says REMOVE. The tag stays until then, or until a SCAN of another. From the first
//     REMOVE on, silence means nothing.
//   - It has never said REMOVE: it repeats its SCAN while the tag lies there, every half second
//     or faster, and the tag has left after one second of silence.
//   - It sees arrivals only and says removable=no. The tag is there for half a second from the
//     last such line, or until REMOVE.
//
// One card at a time lies on such a reader; another one takes its place. Every card that is
// named is seen by the table, each on its own and in order, however short it stayed. A phone or a bank card, whose number
// cannot name a card, takes no place; but the card that it comes to leaves when it is not named again for one second, also on a
// reader that says REMOVE: many see one tag at a time.
//
// When it starts, a reader that can say REMOVE prints an empty line and then what
// lies there: SCAN or REMOVE. Until it does, the table believes what it knew before
// the plug was pulled: a reader that is gone says nothing about the card on it. A repeating reader has 3 s
// to start.
//
// # Lines of other readers
//
// Capitals and small letters are the same, and blanks may stand in the place of the TABs. NULs and the byte-order mark of UTF-8
// before a line are skipped. These lines, which the examples of many libraries print, mean SCAN:
//
//	04a1b2c3d4e5f6               4, 7 or 10 bytes and nothing else; blanks or colons between whole bytes
//	UID: 04 A1 B2 C3             after a label: words that end with UID, UID Value, TAG, Tag ID, Card, Card ID or RFID
//	Card UID: 4-A1-B2-C3         after a label the spellings of uid= hold
//	STX 04A1B2C3 CR LF ETX       any line between 02 and 03, as RDM6300 and its like print it; CR and LF may be missing
//
// Any other line of text is a remark and may say what it likes: banner, version, debugging. These are noise:
// something was there. Once each; a reader that goes on printing noise is reported as an unreadable card:
//
//	\xff\xf0\x81                 control characters or no UTF-8: another speed, the start of a board
//	0A0082F3B5CE, 0009351929     a number of another length: check bytes kept, a reader for 125 kHz
//	8804A1B2                     half a number: the cascade tag kept
//	{"uid":"04A1B2C3D4E5F6"}     uid with a number that is written otherwise
//	SCAN, SCAN→uid=04A1          SCAN without a number that can be one, or with two
//	more than 256 bytes          that are no parts of a SCAN or REMOVE to drop
//
// Remarks and noise are counted, and the last one is kept: [Dev.Heard] says what a reader prints that nobody understands, and
// what it is to print. A line that does not end counts there as one of them: past 256 bytes at once, shorter text after 2 s.
//
// # An evening of a small reader
//
// What a microcontroller prints, and when (nothing is ever sent to it):
//
//	at power-up       LF, "REMOVE" LF                            nothing lies there
//	a card comes      "SCAN" TAB "uid=04A1B2C3D4E5F6" LF         once is enough
//	it stays          nothing
//	it goes           "REMOVE" LF
//	one falls by      "SCAN" TAB "uid=04A1B2C3D4E5F7" LF "REMOVE" LF
//
// For each byte of the identifier print its high and its low half, so that no zero gets lost.
// REMOVE wants patience: a chip that misses a card for one poll has not lost it; three polls do.
//
// Leaks: messages name ports, never identifiers. [Heard] has the last line not understood, which may hold one: show it to the host
// in a lobby alone, anywhere else as [Heard.Masked], which keeps the length of a number, and in a game as [Heard.WithoutLine]. Limits: one tag and 64 chunks of
// 256 bytes a scan, further ones in the next; 64 characters of a line are shown. Scan waits for nothing but a port that is being
// closed, 300 ms at most.
package lineread

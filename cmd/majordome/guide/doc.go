// Package guide draws the wiring of a table from its configuration and the drivers' tables: the pins of the buses, the
// pins of a node, the order of the LEDs. It makes the pictures of companion/web/manual, and `majordome check --pictures` makes those of an
// owner's own file.
//
// A picture is an SVG, 360 units wide like a phone and as high as necessary; on A4 it fills at most a page. It
// is complete in black and white: the pin is written at both ends of a wire, and colours only help.
package guide

import "strconv"

// headerPins are the pins of the 40-pin header of a Raspberry Pi by GPIO number (raspberrypi.com, Raspberry Pi hardware, GPIO).
var headerPins = map[int]int{
	2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23, 8: 24, 7: 26,
	0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}

// The pins other than GPIOs that the pictures use.
const (
	pin3V3      = 17 // for readers and figures
	pin5V       = 2
	pinGround   = 20 // of readers, figures and buttons
	pinStrip    = 6  // ground of the strip and its supply
	headerCount = 40
)

// Names of the wires that are not called like a pin.
const (
	net3V3   = "3.3V"
	netPi5V  = "Pi 5V"
	net5V    = "5V"     // from the strip's supply
	netReg5V = "USB 5V" // of a node, from its USB cable
	netGND   = "GND"
	netStrip = "GND of the strip"

	netShifted = "74HC4050 " // followed by the number of the output pin
)

func gpioPin(n int) string { return "GPIO" + strconv.Itoa(n) }

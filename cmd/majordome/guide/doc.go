// Package guide draws how a table is wired, from its configuration and the tables that the drivers use: the pins of the buses, the
// pins of a node, the order of the LEDs. The pictures of companion/web/manual are made here, and `majordome check --pictures` makes those of an
// owner's own file.
//
// A picture is an SVG of 360 units of width, as wide as a phone, and as high as it needs to be; on A4 it fills a page at most. It
// says everything in black and white: a wire has the pin written at both of its ends, and colours only help.
package guide

import "strconv"

// headerPins are the pins of the 40-pin header of a Raspberry Pi by GPIO number (raspberrypi.com, Raspberry Pi hardware, GPIO).
var headerPins = map[int]int{
	2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23, 8: 24, 7: 26,
	0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}

// What the pictures take of the pins that are no GPIO.
const (
	pin3V3      = 17 // for readers and figures
	pin5V       = 2
	pinGround   = 20 // of readers, figures and buttons
	pinStrip    = 6  // ground of the strip and its supply
	headerCount = 40
)

// The wires that a picture has beside those of single pins.
const (
	net3V3   = "3.3V"
	netPi5V  = "Pi 5V"
	net5V    = "5V"     // of the strip's supply
	netReg5V = "USB 5V" // of a node, which has it from its USB cable
	netGND   = "GND"
	netStrip = "GND of the strip"

	netShifted = "74HC4050 " // with the number of the output
)

func gpio(n int) string { return "GPIO" + strconv.Itoa(n) }

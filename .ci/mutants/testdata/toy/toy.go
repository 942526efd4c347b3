// Package toy is broken by the test of mutants.
package toy

// Fare is what a journey costs: children below 4 go free, two zones cost 2 and each
// further one 1 more.
func Fare(age, zones int, dog bool) int {
	fare := 2
	switch {
	case age < 4:
		return 0
	case zones > 2 && age != 99:
		fare += zones - 2
	}
	if dog {
		fare++
	}
	return fare
}

// Class names a class of carriage.
func Class(n uint8) string {
	switch n {
	case 1:
		return "first"
	case 2:
		return "second"
	}
	return "none"
}

// Wait counts down; its end is the one thing that no other place shows.
func Wait(n int) (steps int) {
	for n > 0 {
		n--
		steps++
	}
	return steps
}

package staff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/staff"
	"majordome/companion/wire"
)

var startTime = time.Unix(1_700_000_000, 0)

// deviceN returns device n; its mark is as long as those of package pair.
func deviceN(n int) staff.Device { return staff.Device{N: n, Mark: fmt.Sprintf("%022d", n)} }

// guessEachSecond tries a wrong PIN each second for a time, on each of the devices for each of the accounts, and counts the
// tries that did not have to wait.
func guessEachSecond(tries *staff.Tries, from time.Time, lasts time.Duration, devices []staff.Device,
	persons ...int) (now time.Time, n int) {
	for now = from; now.Sub(from) < lasts; now = now.Add(time.Second) {
		for _, d := range devices {
			for _, p := range persons {
				if tries.WaitTime(now, d, p) <= 0 {
					tries.RecordWrong(now, d, p)
					n++
				}
			}
		}
	}
	return now, n
}

// TestOneDeviceAndAccountHaveFourTriesAnHour checks that one pair of device and account allows a little more than four
// tries an hour, even when other PINs on that device are right.
func TestOneDeviceAndAccountHaveFourTriesAnHour(t *testing.T) {
	tries := staff.NewTries()
	_, n := guessEachSecond(tries, startTime, 24*time.Hour, []staff.Device{deviceN(2)}, 1)
	if n < 100 || n > 106 {
		t.Errorf("%d guesses in a day", n)
	}
	tries = staff.NewTries()
	now, n := startTime, 0
	for ; now.Sub(startTime) < time.Hour; now = now.Add(time.Second) {
		if tries.WaitTime(now, deviceN(2), 1) <= 0 {
			tries.RecordWrong(now, deviceN(2), 1)
			n++
		}
		tries.RecordRight(deviceN(2), 2)
	}
	if n > 13 {
		t.Errorf("%d guesses in an hour, beside right PINs of another account", n)
	}
	if wait := tries.WaitTime(now, deviceN(2), 1); wait > 15*time.Minute {
		t.Errorf("a wait of %v", wait)
	}
	tries.RecordRight(deviceN(2), 1)
	if tries.WaitTime(now, deviceN(2), 1) > 0 {
		t.Error("a person with the right PIN has to wait")
	}
}

// TestOthersDoNotWait checks that, during a day of guesses on two devices, the person never waits on the device of their last
// sign-in, and at most a minute on any other.
func TestOthersDoNotWait(t *testing.T) {
	tries := staff.NewTries()
	tries.RecordRight(deviceN(1), 1)
	now := startTime
	for range 24 {
		now, _ = guessEachSecond(tries, now, time.Hour, []staff.Device{deviceN(2), deviceN(3)}, 1)
		tries.RecordWrong(now, deviceN(2), 1) // just now
		if wait := tries.WaitTime(now, deviceN(1), 1); wait > 0 {
			t.Fatalf("after %v the person waits %v where they stood last", now.Sub(startTime), wait)
		}
		if wait := tries.WaitTime(now, staff.Device{N: 1, Mark: "another phone"}, 1); wait > time.Minute {
			t.Fatalf("after %v the person waits %v at a device where nobody has guessed", now.Sub(startTime), wait)
		}
	}
	if tries.WaitTime(now.Add(time.Minute), deviceN(1), 2) > 0 {
		t.Error("another account waits")
	}
	tries.RecordWrong(now, deviceN(1), 1) // a try is counted before its PIN is verified
	tries.RecordRight(deviceN(1), 1)
	if tries.WaitTime(now, deviceN(2), 1) <= 0 || tries.WaitTime(now, deviceN(3), 1) <= 0 {
		t.Error("a right PIN at one device clears the waits of the others")
	}
}

// TestManyAccountsAtOneDevice checks that a device on which many accounts are tried waits for the sum of them, except for the
// person who signed in there last.
func TestManyAccountsAtOneDevice(t *testing.T) {
	tries := staff.NewTries()
	tries.RecordRight(deviceN(2), 12)
	now, n := guessEachSecond(tries, startTime, 6*time.Hour, []staff.Device{deviceN(2)}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	if n < 40 || n > 80 {
		t.Errorf("%d guesses in 6 hours", n)
	}
	if wait := tries.WaitTime(now, deviceN(2), 12); wait > 0 {
		t.Errorf("the person of that device before waits %v", wait)
	}
	if size := len(tries.Encode()); size > 4<<10 {
		t.Errorf("%d bytes of %d", size, 4<<10)
	}
}

// TestJoiningAgain checks that a device that is removed and joins again under the same number inherits the count, and not the
// place of the person who signed in there last.
func TestJoiningAgain(t *testing.T) {
	tries := staff.NewTries()
	tries.RecordRight(deviceN(2), 1)
	now, n := startTime, 0
	for i := range 3600 { // each second another phone
		now = now.Add(time.Second)
		_, one := guessEachSecond(tries, now, time.Second, []staff.Device{{N: 2, Mark: fmt.Sprint(i)}}, 1)
		n += one
	}
	if n > 13 {
		t.Errorf("%d guesses in an hour", n)
	}
	for range 50 {
		tries.RecordWrong(now, deviceN(3), 1)
	}
	if tries.WaitTime(now, deviceN(1), 1) <= 0 {
		t.Error("a phone that never had the PIN is spared the wait of the account")
	}
}

// TestKeptTries checks that after a restart every wait begins again, no count is lost, and an unreadable text counts nothing.
func TestKeptTries(t *testing.T) {
	b := newBook(t, wire.RoleOwner, wire.RoleHost)
	tries := staff.NewTries()
	tries.RecordRight(deviceN(1), 1)
	now := startTime
	for now.Sub(startTime) < 24*time.Hour {
		now, _ = guessEachSecond(tries, now, 10*time.Second, []staff.Device{deviceN(2)}, 1)
		before := tries.WaitTime(now, deviceN(2), 1)
		if tries = staff.DecodeTries(tries.Encode(), b, now); tries.WaitTime(now, deviceN(2), 1) < before {
			t.Fatalf("a start shortens %v to %v", before, tries.WaitTime(now, deviceN(2), 1))
		}
		now = now.Add(-2 * time.Hour) // the clock goes back with the power
		tries = staff.DecodeTries(tries.Encode(), b, now)
		now = now.Add(2*time.Hour + 10*time.Second)
	}
	for range 50 {
		tries.RecordWrong(now, deviceN(3), 1)
	}
	tries = staff.DecodeTries(tries.Encode(), b, now)
	if tries.WaitTime(now, deviceN(3), 1) != 15*time.Minute || tries.WaitTime(now, deviceN(1), 1) > 0 {
		t.Errorf("after a start: %v, and %v where they stood last", tries.WaitTime(now, deviceN(3), 1), tries.WaitTime(now, deviceN(1), 1))
	}
	for _, text := range []string{
		"", "x", "[]", "null", `{"person.1":7,"device.2":7}`, `{"wrong":"many"}`, `{"wrong":[{"n":2,"person":1,"wrong":-7}]}`,
		`{"wrong":[{"n":4,"person":1,"wrong":7}]}`,
		`{"wrong":[{"n":2,"person":9,"wrong":99}],"stood":{"x":{}}}`, `{"stood":{"1":null,"7":{"n":2,"mark":"m"}}}`,
	} {
		tries := staff.DecodeTries(text, b, now)
		if tries.WaitTime(now, deviceN(2), 1) > 0 || tries.WaitTime(now, deviceN(2), 9) > 0 || strings.Contains(tries.Encode(), `"7"`) {
			t.Errorf("%q makes somebody wait: %s", text, tries.Encode())
		}
		tries.RecordWrong(now, deviceN(2), 1)
		tries.RecordRight(deviceN(2), 1)
	}
	great := staff.DecodeTries(`{"wrong":[{"n":2,"person":1,"wrong":9223372036854775807},{"n":3,"person":1,"wrong":9223372036854775807}]}`,
		b, now)
	if great.WaitTime(now, deviceN(2), 1) != 15*time.Minute || great.WaitTime(now, deviceN(1), 1) != time.Minute {
		t.Error("a great count is no wait")
	}
	if great.RemoveAccount(1); great.WaitTime(now, deviceN(2), 1) > 0 {
		t.Error("an account that has ended counts")
	}
}

// TestDeviceIsReportedAfterMoreThanThreeWrongPINs checks that a device is reported after more than three wrong PINs,
// over all accounts, for an hour, and that a phone that joins in its place is not.
func TestDeviceIsReportedAfterMoreThanThreeWrongPINs(t *testing.T) {
	tries, there := staff.NewTries(), []staff.Device{deviceN(1), deviceN(2)}
	tries.RecordWrong(startTime, deviceN(2), 7)
	tries.RecordWrong(startTime, deviceN(2), 7)
	tries.RecordWrong(startTime, deviceN(3), 1)
	if got := tries.ListRecent(startTime, there); len(got) > 0 {
		t.Errorf("two slips are listed: %v", got)
	}
	for _, id := range []int{1, 5, 5, 5, 9} {
		tries.RecordWrong(startTime, deviceN(2), id)
	}
	if got := tries.ListRecent(startTime, there); len(got) != 1 || got[0].Device != 2 || got[0].Wrong != 7 ||
		!slices.Equal(got[0].Persons, []int{5, 7, 1}) {
		t.Errorf("told %v", got)
	}
	if got := tries.ListRecent(startTime.Add(time.Hour), there); len(got) > 0 {
		t.Errorf("an hour later: %v", got)
	}
	if got := tries.ListRecent(startTime, []staff.Device{deviceN(1), {N: 2, Mark: "another phone"}}); len(got) > 0 {
		t.Errorf("another phone is accused: %v", got)
	}
	tries.RecordRight(deviceN(2), 5)
	tries.RecordRight(deviceN(2), 7)
	if got := tries.ListRecent(startTime, there); len(got) > 0 {
		t.Errorf("after the right PINs: %v", got)
	}
}

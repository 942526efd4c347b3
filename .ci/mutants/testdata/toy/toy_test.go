package toy

import "testing"

func TestFare(t *testing.T) {
	for _, c := range []struct{ age, zones, want int }{{3, 5, 0}, {4, 2, 2}, {30, 4, 4}} {
		if got := Fare(c.age, c.zones, false); got != c.want {
			t.Errorf("%v: %d", c, got)
		}
	}
}

func TestClass(t *testing.T) {
	if Class(1) != "first" || Class(3) != "none" {
		t.Error("a wrong class")
	}
}

func TestWait(t *testing.T) {
	if Wait(3) != 3 {
		t.Error("a wrong number of steps")
	}
}

// A slow test would notice the dog.
func TestDog(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	if Fare(30, 1, true) != 3 {
		t.Error("dogs go free")
	}
}

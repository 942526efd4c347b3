package seal

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// TestOfficeRequests checks that a request opens only with its own key, in its own epoch, once.
func TestOfficeRequests(t *testing.T) {
	ring, first, second := NewRing(nil), wire.FirstPhoneOf(engine.Host), wire.Handset{Viewer: engine.Host, N: 2}
	keys := map[wire.Handset]Key{first: NewKey(), second: NewKey(), wire.FirstPhoneOf(engine.SeatViewer(1)): NewKey()}
	for h, k := range keys {
		if err := ring.SetKey(h, k, 0); err != nil {
			t.Fatal(err)
		}
	}
	body := []byte(`{"row":"support"}`)
	asked := mustValue(SealRequest(keys[first], 7, 12, body))
	if n, got, err := ring.OpenRequest(first, 7, asked); err != nil || n != 12 || !bytes.Equal(got, body) {
		t.Fatalf("%d %q %v", n, got, err)
	}
	answered := mustValue(ring.SealAnswer(first, 7, 12, body))
	for what, err := range map[string]error{
		"another device's key": requestError(ring.OpenRequest(second, 7, asked)),
		"a seat": requestError(ring.OpenRequest(wire.FirstPhoneOf(engine.SeatViewer(1)), 7,
			mustValue(SealRequest(keys[wire.FirstPhoneOf(engine.SeatViewer(1))], 7, 12, body)))),
		"nobody":           requestError(ring.OpenRequest(wire.Handset{}, 7, asked)),
		"another epoch":    requestError(ring.OpenRequest(first, 8, asked)),
		"an answer":        requestError(ring.OpenRequest(first, 7, answered)),
		"a cut one":        requestError(ring.OpenRequest(first, 7, asked[:len(asked)-1])),
		"half":             requestError(ring.OpenRequest(first, 7, asked[:len(asked)/2])),
		"nothing":          requestError(ring.OpenRequest(first, 7, nil)),
		"another number":   answerError(OpenAnswer(keys[first], 13, answered)),
		"another's answer": answerError(OpenAnswer(keys[second], 12, answered)),
	} {
		if err == nil {
			t.Errorf("%s opens", what)
		}
	}
	for i := range asked {
		bad := bytes.Clone(asked)
		bad[i] ^= 1
		if _, _, err := ring.OpenRequest(first, 7, bad); err == nil {
			t.Fatalf("opens with byte %d changed", i)
		}
	}
	if _, _, err := ring.OpenRequest(first, 7, asked); !errors.Is(err, ErrReplay) {
		t.Errorf("a second time: %v", err)
	}
	opens := func(n uint64) bool {
		_, _, err := ring.OpenRequest(first, 7, mustValue(SealRequest(keys[first], 7, n, body)))
		return err == nil
	}
	for n := uint64(200); n > 200-officeWindow; n-- { // many at once, in another order
		if !opens(n) {
			t.Errorf("number %d is refused", n)
		}
	}
	for _, n := range []uint64{12, 200 - officeWindow, 200, 150} {
		if opens(n) {
			t.Errorf("number %d opens after all of those above", n)
		}
	}
	again := NewKey()
	keys[first] = again
	if err := ring.SetKey(first, again, 0); err != nil || !opens(3) {
		t.Errorf("a new device under that number does not count from the beginning: %v", err)
	}
	ring.RemoveKey(first)
	if _, _, err := ring.OpenRequest(first, 7, asked); !errors.Is(err, ErrNoKey) {
		t.Errorf("of a device that has gone: %v", err)
	}
}

func requestError(_ uint64, _ []byte, err error) error { return err }

func answerError(_ []byte, err error) error { return err }

// TestOfficeSizes checks that the size of a request reveals neither the length of a PIN nor that of a short list.
func TestOfficeSizes(t *testing.T) {
	k := NewKey()
	sizes := map[int]bool{}
	for n := range officeBlock - lengthSize + 1 {
		sizes[len(mustValue(SealRequest(k, 1, 1, []byte(strings.Repeat("x", n)))))] = true
	}
	if len(sizes) != 1 {
		t.Errorf("requests of one block have %d sizes", len(sizes))
	}
}

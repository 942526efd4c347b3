package audit

import (
	"bytes"
	"encoding/json"
	"fmt"

	"majordome/engine"
)

// Swap is the difference between two worlds: two cards have changed places in every event, or two seats
// have changed roles. The zero value changes nothing.
type Swap struct {
	Card  [2]string
	Roles [2]engine.Seat
}

// OtherCard returns the other world's name for a word.
func (s Swap) OtherCard(word string) string {
	switch {
	case word == "":
		return word
	case word == s.Card[0]:
		return s.Card[1]
	case word == s.Card[1]:
		return s.Card[0]
	}
	return word
}

// SwapEvent returns a stored event as it happened in the other world.
func (s Swap) SwapEvent(kind string, data []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("audit: %s: %w", kind, err)
	}
	v = s.swapNamesIn(v)
	if m, ok := v.(map[string]any); ok && s.Roles[0] != 0 {
		if rs, ok := m["roles"].(map[string]any); ok {
			x, y := s.Roles[0].String(), s.Roles[1].String()
			rs[x], rs[y] = rs[y], rs[x]
		}
	}
	return json.Marshal(v)
}

func (s Swap) swapNamesIn(v any) any {
	switch v := v.(type) {
	case string:
		return s.OtherCard(v)
	case []any:
		for i := range v {
			v[i] = s.swapNamesIn(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[s.OtherCard(k)] = s.swapNamesIn(x)
		}
		return out
	}
	return v
}

// SwapCommand returns a command as it is given in the other world. The cards of a scan are sorted again,
// because engine.ScanCommand sorts them.
func (s Swap) SwapCommand(c engine.Command) engine.Command {
	if len(c.Args) == 0 {
		return c
	}
	args := make(engine.Args, len(c.Args))
	for k, v := range c.Args {
		args[k] = s.OtherCard(v)
	}
	if c.Act == engine.ActScan && len(c.Args.SplitList("cards")) > 1 {
		var cards []engine.ID
		for _, x := range c.Args.SplitList("cards") {
			cards = append(cards, engine.ID(s.OtherCard(x)))
		}
		args["cards"] = engine.ScanCommand(c.At, "", cards, 0).Args["cards"]
	}
	c.Args = args
	return c
}

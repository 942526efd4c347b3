package house

import (
	"fmt"

	"majordome/engine"
)

func say(fr, en string) engine.Text { return engine.Text{FR: fr, EN: en} }

func sayf(fr, en string, args ...any) engine.Text {
	return engine.Text{FR: fmt.Sprintf(fr, args...), EN: fmt.Sprintf(en, args...)}
}

package huisclos

import (
	"testing"

	"majordome/engine"
)

// GEN-E04 silences the same card read twice for the same act. A clue that is
// presented again for another act is another presentation: an exchange may draw
// the very clue that its victim was the last to take (HC-083), and silence
// would tell the table so (GEN-003).
func TestTheClueLastReadCanBeDrawn(t *testing.T) {
	d := posed(t, `
round 2
first seat-1
pawn seat-1 place-3
pawn seat-2 place-4
pawn seat-3 place-5
pawn seat-4 place-6
hand seat-1 clue-worms-1
hand seat-2 clue-worms-2 clue-peely-1 clue-peely-2
place place-7 clue-williams-1 clue-williams-2
`)
	d.do(anne, "move", "place=place-7").do(anne, "search")
	if r := d.read(engine.ReaderShow, 0, "clue-williams-1"); r != nil {
		t.Fatal(r)
	}
	d.do(anne, "done")
	d.do(bruno, "move", "place=place-7").do(bruno, "exchange", "seat=seat-1")
	d.waitWindow()
	if r := d.read(engine.ReaderShow, 0, "clue-williams-1"); r != nil {
		t.Errorf("the clue that the victim took last cannot be drawn: %v %s", r, r.Why.Key)
	}
}

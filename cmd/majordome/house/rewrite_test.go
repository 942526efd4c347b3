package house

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"majordome/devices/randtest"
	"majordome/engine/ownfile"
)

var someComment = regexp.MustCompile(`# [a-z0-9 ]+`)

// comment is a new one each time, so that none can stand for another.
func newComment(dice *rand.Rand, n *int) string {
	*n++
	return fmt.Sprintf("# comment %d %x", *n, dice.Uint32())
}

// remarked is a file with comments wherever there is room for them.
func remarked(dice *rand.Rand, text string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		indent := line[:len(line)-len(strings.TrimLeft(line, " -"))]
		if dice.IntN(3) == 0 {
			b.WriteString(strings.Repeat(" ", len(indent)) + newComment(dice, &n) + "\n")
		}
		if dice.IntN(5) == 0 {
			b.WriteString("\n")
		}
		b.WriteString(line)
		if dice.IntN(2) == 0 && line != "" {
			b.WriteString(strings.Repeat(" ", 1+dice.IntN(4)) + newComment(dice, &n))
		}
		b.WriteString("\n")
	}
	return b.String() + newComment(dice, &n) + "\n"
}

// anyChange is one that leaves a configuration sound, and does the same to c.
func anyChange(dice *rand.Rand, c *Config) ownfile.Change {
	pick := func(all ...string) string { return all[dice.IntN(len(all))] }
	switch k := dice.IntN(12); {
	case k == 0:
		c.Calm = !c.Calm
		return ownfile.Change{Path: "$.calm", Value: c.Calm}
	case k == 1:
		c.URL = pick("http://table.local:8080", "https://a.example", "http://192.168.1.5")
		return ownfile.Change{Path: "$.url", Value: c.URL}
	case k == 2:
		c.URL = ""
		return ownfile.Change{Path: "$.url"}
	case k == 3 && len(c.Names) < 5:
		c.Names = append(c.Names, pick("192.168.1.5", "table.example", "true.example"))
		return ownfile.Change{Path: fmt.Sprintf("$.names[%d]", len(c.Names)-1), Value: c.Names[len(c.Names)-1]}
	case k == 4 && len(c.Names) > 0:
		i := dice.IntN(len(c.Names))
		c.Names = append(c.Names[:i:i], c.Names[i+1:]...)
		return ownfile.Change{Path: fmt.Sprintf("$.names[%d]", i)}
	case k == 5 && len(c.Readers) > 0:
		i := dice.IntN(len(c.Readers))
		c.Readers[i].Baud = []int{9600, 57600, 230400}[dice.IntN(3)]
		return ownfile.Change{Path: fmt.Sprintf("$.readers[%d].baud", i), Value: c.Readers[i].Baud}
	case k == 6 && len(c.Readers) > 0:
		i := dice.IntN(len(c.Readers))
		c.Readers[i].Baud = 115200
		return ownfile.Change{Path: fmt.Sprintf("$.readers[%d].baud", i)}
	case k == 7 && len(c.Readers) > 0:
		i := dice.IntN(len(c.Readers))
		c.Readers = append(c.Readers[:i:i], c.Readers[i+1:]...)
		return ownfile.Change{Path: fmt.Sprintf("$.readers[%d]", i)}
	case k == 8 && len(c.Readers) < 8:
		n := dice.Uint32()
		r := ReaderConfig{Role: fmt.Sprintf("place-x%x", n), Chip: "serial", Port: fmt.Sprintf("/dev/tty%x", n), Baud: 115200}
		c.Readers = append(c.Readers, r)
		return ownfile.Change{Path: fmt.Sprintf("$.readers[%d]", len(c.Readers)-1), Value: []ownfile.Pair{{Key: "role", Value: r.Role}, {Key: "chip", Value: r.Chip}, {Key: "port", Value: r.Port}}}
	case k == 9 && len(c.Strips) > 0:
		c.Strips[0].Brightness = 1 + dice.IntN(100)
		return ownfile.Change{Path: "$.strips[0].brightness", Value: c.Strips[0].Brightness}
	case k == 10 && len(c.Strips) > 0:
		c.Strips[0].Segments = map[string]string{"clock": pick("0-7", "7-0", "1 3-5")}
		return ownfile.Change{Path: "$.strips[0].segments.clock", Value: c.Strips[0].Segments["clock"]}
	default:
		c.Listen = fmt.Sprintf(":%d", 2000+dice.IntN(9000))
		return ownfile.Change{Path: "$.listen", Value: c.Listen}
	}
}

// Random changes of a file full of comments: each comment stays, what nobody touched stays in its order, and the file says what was meant.
func TestRewriteKeepsEverything(t *testing.T) {
	seed := randtest.Seed(t)
	dice := rand.New(rand.NewPCG(seed, 3))
	texts := []string{
		"listen: \":80\"\nnames: [a.example, b.example]\nreaders:\n  - role: urn\n    chip: serial\n    port: /dev/ttyA\n  - {role: show, chip: serial, port: /dev/ttyB}\nstrips:\n- spi: SPI0.0\n  chip: apa102\n",
		"strips:\n  - chip: apa102\n    spi: \"SPI0.0\"\n    segments: {clock: 0-7}\nreaders: [{role: urn, chip: serial, port: '/dev/ttyA'}]\ncalm: false\n",
		"",
		"names:\n- a.example\n- b.example\nreaders:\n- role: urn\n  port: /dev/ttyA\n  chip: serial\n",
	}
	for round := range 60 {
		text := remarked(dice, texts[round%len(texts)])
		c, err := ParseConfig("majordome.yaml", []byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		for range 12 {
			change := anyChange(dice, &c)
			after, err := ownfile.Rewrite([]byte(text), change)
			if err != nil {
				t.Fatalf("seed %d, round %d: %+v: %v\n%s", seed, round, change, err, text)
			}
			got, err := ParseConfig("majordome.yaml", after)
			if err != nil || !reflect.DeepEqual(plainConfig(got), plainConfig(c)) {
				t.Fatalf("seed %d, round %d: %+v: %v\n%+v\n%+v\n%s\n%s", seed, round, change, err, plainConfig(got), plainConfig(c), text, after)
			}
			for _, remark := range someComment.FindAllString(text, -1) {
				if !strings.Contains(string(after), remark) {
					t.Fatalf("seed %d, round %d: %+v loses %q\n%s\n%s", seed, round, change, remark, text, after)
				}
			}
			text = string(after)
		}
	}
}

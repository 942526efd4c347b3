package config

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"majordome/cmd/majordome/config/configtest"
	"majordome/devices/randtest"
	"majordome/engine"
)

// layerModel is the expected configuration: the owner's file, and over it each key that the page has changed.
type layerModel struct {
	hand Config
	page map[string]reflect.Value
}

func (m *layerModel) mergedConfig() Config {
	c := m.hand
	for key, v := range m.page {
		fieldByKey(reflect.ValueOf(&c).Elem(), key).Set(v)
	}
	return c
}

// applyRandomChange makes one change on the page that leaves the configuration valid, and the same change in the model.
func applyRandomChange(t *testing.T, dice *rand.Rand, s *Editor, m *layerModel) (what string) {
	t.Helper()
	c := m.mergedConfig()
	key, path, value := "", "", ""
	pick := func(all ...string) string { return all[dice.IntN(len(all))] }
	switch k := dice.IntN(11); {
	case k == 0:
		c.Calm = !c.Calm
		key, path, value = "calm", "calm", fmt.Sprint(c.Calm)
	case k == 1:
		c.URL = pick("http://table.local:8080", "https://a.example", "")
		key, path, value = "url", "url", c.URL
	case k == 2:
		c.Lock = 0
		key, path = "lock", "lock"
	case k == 3 && len(c.Names) < 5:
		c.Names = append(slices.Clone(c.Names), pick("192.168.1.5", "table.example", "true.example"))
		key, path, value = "names", fmt.Sprintf("names[%d]", len(c.Names)-1), c.Names[len(c.Names)-1]
	case k == 4 && len(c.Names) > 0:
		i := dice.IntN(len(c.Names))
		c.Names = slices.Delete(slices.Clone(c.Names), i, i+1)
		key, path = "names", fmt.Sprintf("names[%d]", i)
	case k == 5 && len(c.Readers) > 0:
		i := dice.IntN(len(c.Readers))
		c.Readers = slices.Clone(c.Readers)
		c.Readers[i].Baud = []int{9600, 57600, 115200}[dice.IntN(3)]
		key, path = "readers", fmt.Sprintf("readers[%d].baud", i)
		if value = fmt.Sprint(c.Readers[i].Baud); c.Readers[i].Baud == 115200 { // the default value
			value = ""
		}
	case k == 6 && len(c.Readers) > 0:
		i := dice.IntN(len(c.Readers))
		c.Readers = slices.Delete(slices.Clone(c.Readers), i, i+1)
		key, path = "readers", fmt.Sprintf("readers[%d]", i)
	case k == 7 && len(c.Readers) < 8:
		n := dice.Uint32()
		r := ReaderConfig{Role: fmt.Sprintf("place-x%x", n), Chip: "serial", Port: fmt.Sprintf("/dev/tty%x", n), Baud: 115200}
		c.Readers = append(slices.Clone(c.Readers), r)
		m.page["readers"] = reflect.ValueOf(c.Readers)
		if err := s.AddItem("readers", engine.Args{"role": r.Role, "chip": r.Chip, "port": r.Port}); err != nil {
			t.Fatal(err)
		}
		return "add a reader"
	case k == 8 && len(c.Strips) > 0:
		c.Strips = slices.Clone(c.Strips)
		c.Strips[0].Segments = map[string]string{"clock": pick("0-7", "7-0", "1 3-5")}
		key, path, value = "strips", "strips[0].segments.clock", c.Strips[0].Segments["clock"]
	case k == 9 && len(m.page) > 0:
		keys := make([]string, 0, len(m.page))
		for key := range m.page {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		key := keys[dice.IntN(len(keys))]
		delete(m.page, key)
		if err := s.UnsetKey(key); err != nil {
			t.Fatal(err)
		}
		return "give back " + key
	default:
		c.Listen = fmt.Sprintf(":%d", 2000+dice.IntN(9000))
		key, path, value = "listen", "listen", c.Listen
	}
	m.page[key] = fieldByKey(reflect.ValueOf(c), key)
	configtest.SetKey(t, s, path, value)
	return path + " = " + value
}

// Random changes on the page, some of them saved, while the owner edits their own file: the configuration is always the
// owner's file with each key that the page has changed. The owner's file is never touched, and a later reader of both
// files gets the same configuration.
func TestLayersHoldWhateverIsDone(t *testing.T) {
	seed := randtest.NewSeed(t)
	dice := rand.New(rand.NewPCG(seed, 3))
	texts := []string{
		"listen: \":80\" # all\nlock: 5\nnames: [a.example, b.example]\nreaders:\n  - role: urn\n    chip: serial\n    port: /dev/ttyA\n" +
			"  - {role: show, chip: serial, port: /dev/ttyB}\nstrips:\n- spi: SPI0.0\n  chip: apa102\n",
		"strips:\n  - chip: apa102\n    spi: \"SPI0.0\"\n    segments: {clock: 0-7}\n" +
			"readers: [{role: urn, chip: serial, port: '/dev/ttyA'}]\ncalm: false\n",
		"",
		"names:\n- a.example\nreaders:\n- role: urn\n  port: /dev/ttyA\n  chip: serial\nurl: http://b.example\n",
	}
	for round := range 40 {
		text := texts[round%len(texts)] + "#\n"
		path, s := newConfigFile(t, text)
		read := func(text string) Config {
			c, err := ParseConfig(path, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		m := &layerModel{read(text), map[string]reflect.Value{}}
		var done []string
		for n := range 15 {
			switch dice.IntN(6) {
			case 0:
				s.SaveDraft()
				done = append(done, "keep")
			case 1:
				text = texts[dice.IntN(len(texts))] + strings.Repeat("#", n+2) + "\n" // the length gives it another time of change, too
				configtest.RewriteFile(t, path, text)
				s.ReloadChangedFiles()
				s.ReloadChangedFiles()
				m.hand = read(text)
				done = append(done, "a hand")
			default:
				done = append(done, applyRandomChange(t, dice, s, m))
				for key := range m.page { // a value that equals the one in the owner's file is left to it
					if _, has := lookupKey(s.draft, key); !has {
						delete(m.page, key)
					}
				}
			}
			got, want := withoutOrigins(s.draftConfig), withoutOrigins(m.mergedConfig())
			if len(s.faults) > 0 || !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, round %d, %q: %v\n%+v\n%+v\n%s\n%s", seed, round, done, s.faults, got, want,
					configtest.ReadFile(t, path), s.renderPageFile(s.draft).text)
			}
		}
		if s.SaveDraft(); countChanges(s.saved, s.draft) > 0 {
			s.SaveDraft() // a change that it had not seen is shown first
		}
		got, err := ReadConfig(path)
		if err != nil || !reflect.DeepEqual(withoutOrigins(got), withoutOrigins(m.mergedConfig())) ||
			configtest.ReadFile(t, path) != text {
			t.Fatalf("seed %d, round %d, %q: %v\n%+v\n%+v", seed, round, done, err, withoutOrigins(got),
				withoutOrigins(m.mergedConfig()))
		}
	}
}

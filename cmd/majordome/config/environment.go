package config

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// EnvPrefix is the prefix of environment variables that set a key: MAJORDOME_LISTEN sets listen,
// MAJORDOME_READERS_0_GAIN the gain of the first reader, MAJORDOME_NAMES a list, separated by commas. They win over the
// files. Only maps (the segments of a strip) cannot be set this way.
const EnvPrefix = "MAJORDOME_"

// maxListed is the most readers, strips, clocks or buttons; the environment cannot make a list longer.
const maxListed = 16

// envVariable is one environment variable, split into the parts of its key.
type envVariable struct {
	name, value string
	list        string // "": a key at the top
	item        int
	key         string
}

var itemName = regexp.MustCompile(`^(READERS|STRIPS|CLOCKS|BUTTONS)_([0-9]{1,2})_([A-Z0-9_]+)$`)

// likeItemName matches names that may be misspelt variables of a list item.
var likeItemName = regexp.MustCompile(`^([A-Z]+)_([0-9]+_[A-Z0-9_]+)$`)

// parseVariables returns the variables with EnvPrefix, those of a list in its order.
func parseVariables(env []string) (all []envVariable) {
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		rest, ours := strings.CutPrefix(name, EnvPrefix)
		if !ours {
			continue
		}
		v := envVariable{name: name, value: value, key: strings.ToLower(rest)}
		if m := itemName.FindStringSubmatch(rest); m != nil {
			n, _ := strconv.Atoi(m[2]) // at most two digits
			v.list, v.item, v.key = strings.ToLower(m[1]), n, strings.ToLower(m[3])
		}
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b envVariable) int {
		return cmp.Or(strings.Compare(a.list, b.list), cmp.Compare(a.item, b.item), strings.Compare(a.name, b.name))
	})
	return all
}

// yamlPath returns the YAML path of the variable's key.
func (v envVariable) yamlPath() string {
	if v.list == "" {
		return "$." + v.key
	}
	return "$." + v.list + "[" + strconv.Itoa(v.item) + "]." + v.key
}

// applyEnvironment applies the environment over the files. A variable that sets no key is a fault if its name is close
// to one that does. Others are ignored, as other programs may use the prefix (a container runtime sets MAJORDOME_PORT
// for a service of that name); UnknownVariables returns them.
func (k *checker) applyEnvironment(c *Config, env []string) {
	for _, v := range parseVariables(env) {
		known, wrong := v.isKnown(c), engine.Text{}
		if hint, ours := v.suggestSetting(c); !known && ours {
			k.envFaults = append(k.envFaults, &ownfile.Fault{File: v.name, What: engine.T("cette variable n’est celle d’aucun réglage",
				"this variable stands for no setting"), Hint: hint})
			continue
		}
		if known {
			var of reflect.Value
			if of, wrong = v.targetStruct(c); wrong == (engine.Text{}) {
				wrong = v.setField(fieldByKey(of, v.key))
			}
		}
		switch {
		case wrong != (engine.Text{}):
			k.envFaults = append(k.envFaults, &ownfile.Fault{File: v.name, Path: v.yamlPath(), What: wrong,
				Hint: engine.T("corrigez ou enlevez cette variable", "mend this variable or take it out")})
		case !known:
			c.unknownVars = append(c.unknownVars, v.name)
		default:
			k.env[v.yamlPath()] = v.name
			c.envPaths = append(c.envPaths, v.yamlPath())
		}
	}
}

// isKnown reports whether the variable sets a key that exists.
func (v envVariable) isKnown(c *Config) bool {
	of := reflect.TypeOf(*c)
	if v.list != "" {
		of = fieldByKey(reflect.ValueOf(c).Elem(), v.list).Type().Elem()
	}
	f, ok := structField(of, v.key)
	return ok && isSettable(f.Type)
}

// suggestSetting returns a hint for a variable that sets no key; ours is false if it may belong to another program.
func (v envVariable) suggestSetting(c *Config) (hint engine.Text, ours bool) {
	like := func(name string) engine.Text {
		return engine.Tf("vouliez-vous écrire %s ?", "did you mean %s?", EnvPrefix+strings.ToUpper(name))
	}
	top := reflect.TypeOf(*c)
	if v.list != "" {
		item := fieldByKey(reflect.ValueOf(c).Elem(), v.list).Type().Elem()
		keys := listKeys(item, isSettable)
		if near := ownfile.FindNearest(v.key, keys); near != "" {
			return like(fmt.Sprintf("%s_%d_%s", v.list, v.item, near)), true
		}
		if key, _, _ := strings.Cut(v.key, "_"); slices.Contains(listKeys(item, func(t reflect.Type) bool { return !isSettable(t) }), key) {
			return engine.Tf("%s : ne s’écrit que dans le fichier", "%s: is written in the file alone", key), true
		}
		return engine.Tf("celles d’ici finissent par : %s", "those here end in: %s", strings.ToUpper(strings.Join(keys, ", "))), true
	}
	lists := listKeys(top, func(t reflect.Type) bool { return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct })
	rest := strings.TrimPrefix(v.name, EnvPrefix)
	if m := likeItemName.FindStringSubmatch(rest); m != nil {
		near := ownfile.FindNearest(strings.ToLower(m[1]), lists)
		return like(near + "_" + m[2]), near != ""
	}
	if slices.Contains(lists, v.key) {
		return engine.Tf("une variable par réglage : %[1]s_0_ et son nom", "a variable for each setting: %[1]s_0_ and its name", v.name),
			true
	}
	near := ownfile.FindNearest(v.key, listKeys(top, isSettable))
	return like(near), near != ""
}

// listKeys returns the YAML keys of a struct whose field type passes the filter.
func listKeys(structType reflect.Type, filter func(reflect.Type) bool) (names []string) {
	for _, f := range keyFields(structType) {
		if filter(f.Type) {
			names = append(names, f.Tag.Get("yaml"))
		}
	}
	return names
}

// isSettable reports whether a variable can set a field of this type.
func isSettable(t reflect.Type) bool {
	return slices.Contains([]reflect.Kind{reflect.String, reflect.Bool, reflect.Int}, t.Kind()) || t == reflect.TypeFor[[]string]()
}

// targetStruct returns the struct with the variable's key: the configuration, or a list item. The list grows by one
// item at a time.
func (v envVariable) targetStruct(c *Config) (reflect.Value, engine.Text) {
	top := reflect.ValueOf(c).Elem()
	if v.list == "" {
		return top, engine.Text{}
	}
	list := fieldByKey(top, v.list)
	if v.item > list.Len() || v.item >= maxListed {
		return top, engine.Tf("il n’y a pas de %s numéro %d : le premier a le numéro 0, et rien n’est sauté",
			"there is no %s number %d: the first has the number 0, and none is left out", v.list, v.item)
	}
	if v.item == list.Len() {
		list.Set(reflect.Append(list, reflect.Zero(list.Type().Elem())))
	}
	return list.Index(v.item), engine.Text{}
}

// setField sets a field from the text of the variable; it returns the fault, if any.
func (v envVariable) setField(at reflect.Value) (wrong engine.Text) {
	switch at.Kind() {
	case reflect.String:
		at.SetString(v.value)
	case reflect.Bool:
		if v.value != "true" && v.value != "false" {
			return engine.Tf("« %s » n’est ni true ni false", "%q is neither true nor false", ownfile.ClipQuote(v.value))
		}
		at.SetBool(v.value == "true")
	case reflect.Int:
		n, err := strconv.Atoi(v.value)
		if err != nil {
			return engine.Tf("« %s » n’est pas un nombre entier", "%q is no whole number", ownfile.ClipQuote(v.value))
		}
		at.SetInt(int64(n))
	default: // a list of texts
		list := []string{}
		for s := range strings.SplitSeq(v.value, ",") {
			if s = strings.TrimSpace(s); s != "" {
				list = append(list, s)
			}
		}
		at.Set(reflect.ValueOf(list))
	}
	return wrong
}

// EnvironmentPaths returns the paths of the keys that the environment sets, such as $.readers[0].gain. UnknownVariables
// returns variables with EnvPrefix that set no key.
func (c Config) EnvironmentPaths() []string { return c.envPaths }
func (c Config) UnknownVariables() []string { return c.unknownVars }

// osEnvironment returns the environment of this process.
func osEnvironment() []string { return os.Environ() }

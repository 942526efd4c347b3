package config

import "testing"

// The host's page knows every key, in both languages, and each list with the keys of its items.
func TestPageKeys(t *testing.T) {
	all := PageKeys()
	if len(all) != len(configKeys) {
		t.Errorf("%d keys, and a file has %d", len(all), len(configKeys))
	}
	lists := 0
	var check func(keys []PageKey)
	check = func(keys []PageKey) {
		for _, k := range keys {
			if k.Kind == "" || k.What.FR == "" || k.What.EN == "" || (k.Kind == "items") != (len(k.Items) > 0) {
				t.Errorf("%s: kind %q, what %+v, %d items", k.Name, k.Kind, k.What, len(k.Items))
			}
			if k.Kind == "items" {
				lists++
			}
			check(k.Items)
		}
	}
	check(all)
	if lists != len(keyLists) {
		t.Errorf("%d lists, want %d", lists, len(keyLists))
	}
}

package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
)

// phoneKeys are the keys of the phones of one store, by the names of the phones.
type phoneKeys struct {
	keys   map[string]any    // by handset
	others map[string]any    // values of the settings with the other keys, by handset
	phones map[string]string // which phone each handset is; damaged: none
}

// readPhoneKeys reads the keys of phones that have joined, as far as they are whole.
func readPhoneKeys(db querier) phoneKeys {
	k := phoneKeys{keys: map[string]any{}, others: map[string]any{}, phones: map[string]string{}}
	table := summedTables[slices.IndexFunc(summedTables, func(t summedTable) bool { return t.name == "keys" })]
	_ = table.eachRow(db, "WHERE joined = 1", func(v []any, told checksum) error {
		if viewer, ok := v[0].(string); ok && table.rowSum(v) == told {
			k.keys[viewer] = v[1]
		}
		return nil
	})
	const ours = "WHERE name = 'set." + SettingPhones + "' OR name LIKE '" + otherKeyPrefix + "%'"
	_ = settingTable.eachRow(db, ours, func(v []any, told checksum) error {
		name, ok := v[0].(string)
		if !ok || settingTable.rowSum(v) != told {
			return nil
		}
		if name == "set."+SettingPhones {
			k.setPhones(v[1])
		} else {
			k.others[name[len(otherKeyPrefix):]] = v[1]
		}
		return nil
	})
	return k
}

// setPhones reads which phones have the keys, in the form of package pair.
func (k *phoneKeys) setPhones(setting any) {
	text, _ := setting.([]byte)
	all := map[string]struct{ Phones []string }{}
	if json.Unmarshal(text, &all) != nil {
		return
	}
	for viewer, p := range all {
		if len(p.Phones) == 1 {
			k.phones[viewer] = p.Phones[0]
		}
	}
}

// keepKeys gives the phones of a backup the keys that they have now: a phone gets another in each game, and forgets those of before. A
// seat that another phone has in the backup keeps the key of the backup.
func (k *phoneKeys) keepKeys(tx *sql.Tx) (err error) {
	backup := readPhoneKeys(tx)
	for viewer, key := range k.keys {
		if _, has := backup.keys[viewer]; !has || k.phones[viewer] == "" || k.phones[viewer] != backup.phones[viewer] {
			continue
		}
		_, e := tx.Exec("UPDATE keys SET key = ? WHERE viewer = ?", key, viewer)
		err = errors.Join(err, e)
		if other, has := k.others[viewer]; has {
			_, e = tx.Exec("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", otherKeyPrefix+viewer, other)
		} else {
			_, e = tx.Exec("DELETE FROM settings WHERE name = ?", otherKeyPrefix+viewer)
		}
		err = errors.Join(err, e)
	}
	return err
}

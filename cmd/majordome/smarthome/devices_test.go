package smarthome

import (
	"strings"
	"testing"

	"majordome/companion/home"
)

// settings is a store of accounts in memory.
type settings map[string]string

func (s settings) Setting(name string) (string, bool, error) { v, ok := s[name]; return v, ok, nil }
func (s settings) SetSetting(name, value string) error       { s[name] = value; return nil }

// TestUnreadableAccounts: the host is told of stored accounts that cannot be read.
func TestUnreadableAccounts(t *testing.T) {
	for text, want := range map[string]int{"": 0, "nonsense": 1} {
		accounts, err := home.NewRegister(settings{"home.3": text}, "majordome/1/home/salon", nil)
		if err != nil {
			t.Fatal(err)
		}
		broker, err := home.New(accounts, &home.Opts{Folder: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, f := range (&SmartHome{Accounts: accounts, broker: broker}).brokerFindings() {
			if strings.Contains(f.Said.FR, "comptes") && strings.Contains(f.Said.EN, "accounts") && f.Fix.FR != "" && f.Fix.EN != "" {
				told++
			}
		}
		if err := broker.Close(); err != nil || told != want {
			t.Errorf("%q: told %d times, %v", text, told, err)
		}
	}
}

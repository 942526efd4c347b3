package house

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"majordome/companion/home"
	"majordome/companion/wire"
	"majordome/engine"
)

// tables returns the tables that this one shows.
func (r *rig) tables() (out wire.Tables) {
	r.t.Helper()
	code, body := fetchPage(r.t, r, "/tables.json")
	if code != http.StatusOK || json.Unmarshal([]byte(body), &out) != nil || len(out.All) == 0 {
		r.t.Fatalf("%d %s", code, body)
	}
	return out
}

// TestTablesShowEachOther: a table that serves the devices of the house has another as a client. Each shows both, and goes on
// without the other when the connection is lost.
func TestTablesShowEachOther(t *testing.T) {
	first := startRig(t, func(o *Opts) { o.Config.Home = "127.0.0.1:0"; o.Config.Table = "salon" })
	if all := first.tables(); len(all.All) != 1 || all.All[0].Name != "salon" || !all.All[0].Online ||
		all.Line != "on" && all.Line != "off" {
		t.Errorf("%+v", all)
	}
	alone := first.watchRow("tables", "")
	before, _ := first.house.Loop.Snapshot(engine.Host)
	word, err := first.house.smartHome.Accounts.AddOrRenewAccount("bureau", home.Table, "bureau")
	if err != nil {
		t.Fatal(err)
	}
	account := filepath.Join(t.TempDir(), "account")
	if err := os.WriteFile(account, []byte("bureau\n"+word+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	second := startRig(t, func(o *Opts) {
		o.Config.Uplink, o.Config.Table = "mqtt://"+first.house.Network.Home.Addr().String(), "bureau"
		o.Config.Account = account
	})
	both := func(r *rig, other string, online bool) {
		t.Helper()
		for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
			all := r.tables()
			if len(all.All) == 2 && all.All[1].Name == other && all.All[1].Online == online && all.All[1].Game == "huis-clos" &&
				all.All[1].Players == 4 {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s is not shown: %+v", other, all)
			}
		}
	}
	both(first, "bureau", true)
	both(second, "salon", true)
	if a := first.watchRow("tables", alone.Seen); string(alone.Value)+string(a.Value) != "falsetrue" {
		t.Errorf("the host is shown other tables %s, then %+v", alone.Value, a)
	}
	if after, _ := first.house.Loop.Snapshot(engine.Host); after.Rev != before.Rev {
		t.Errorf("another table is %d steps", after.Rev-before.Rev)
	}
	second.stop()
	both(first, "bureau", false)
	if alone := startRig(t, nil).tables(); alone.Line != "none" || len(alone.All) != 1 {
		t.Errorf("a table without a line: %+v", alone)
	}
}

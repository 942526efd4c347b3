package mosquitto

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Limits that stand in the configuration.
const (
	MaxPacket     = 1 << 20 // bytes of a packet
	MaxQueued     = 4096    // messages that wait for one client
	maxQueuedIn   = 6 << 20 // and their bytes
	maxInflight   = 64
	maxConns      = 128
	maxMemory     = 64 << 20 // by the kernel: memory_limit of 2.0 counts wrong with this plugin, and ends Mosquitto with a few KiB in use
	sessionExpiry = "1h"
)

// Names of the files in Folder.
const (
	configFile  = "mosquitto.conf"
	rightsFile  = "dynamic-security.json"
	storeFile   = "mosquitto.db"
	unreadFile  = "mosquitto.db.unread"
	socketEnd   = ".sock"
	longestPath = 100 // of a Unix socket; the kernel takes 107 bytes (unix(7))
)

// The kinds of a rule.
const (
	Publish   = "publishClientSend"    // say something on a topic
	Receive   = "publishClientReceive" // be told what is said there
	Subscribe = "subscribePattern"     // ask for all topics that a filter can match
)

// Rule grants or denies an account what a filter covers. Of two that hold for the same topic the one of the higher Priority decides.
type Rule struct {
	Kind     string `json:"acltype"`
	Filter   string `json:"topic"`
	Allow    bool   `json:"allow"`
	Priority int    `json:"priority"`
}

// Account is who may do what. Nothing is granted that no rule grants.
type Account struct {
	Name  string
	Rules []Rule
}

// control is the account by which rights are changed. No account of a device has such a name.
const control = "Control"

// controlRules let it change rights, and look after what is retained.
var controlRules = []Rule{
	{Publish, "$CONTROL/dynamic-security/#", true, 0}, {Receive, "$CONTROL/dynamic-security/#", true, 0}, {Subscribe, "$CONTROL/dynamic-security/#", true, 0},
	{Publish, "#", true, 0}, {Receive, "#", true, 0}, {Subscribe, "#", true, 0},
}

// ErrMissing reports that Mosquitto, or its plugin, is not installed.
var ErrMissing = errors.New("mosquitto is not installed")

// Where Debian and others put the program and its plugin; in this order.
var (
	programs = []string{"usr/sbin/mosquitto", "usr/bin/mosquitto", "usr/local/sbin/mosquitto", "usr/local/bin/mosquitto"}
	plugins  = []string{"usr/lib/*/mosquitto_dynamic_security.so", "usr/lib/mosquitto_dynamic_security.so", "usr/lib64/mosquitto_dynamic_security.so", "usr/local/lib/mosquitto_dynamic_security.so"}
)

// Installed reports whether Mosquitto and its plugin are in a file system, which begins at /.
func Installed(root fs.FS) bool { return firstOf(root, programs) != "" && firstOf(root, plugins) != "" }

// firstOf is the first name that matches one of the patterns; "": none does.
func firstOf(root fs.FS, patterns []string) string {
	for _, p := range patterns {
		if all, _ := fs.Glob(root, p); len(all) > 0 {
			return all[0]
		}
	}
	return ""
}

// find looks for the program and for its plugin on this machine.
func find() (program, plugin string, err error) {
	root := os.DirFS("/")
	program, plugin = firstOf(root, programs), firstOf(root, plugins)
	if program == "" || plugin == "" {
		return "", "", ErrMissing
	}
	return "/" + program, "/" + plugin, nil
}

// configure writes what Mosquitto reads at its start.
func (s *Server) configure(plugin string) error {
	if err := os.MkdirAll(s.opts.Folder, 0o700); err != nil {
		return err
	}
	old, _ := filepath.Glob(filepath.Join(s.opts.Folder, "*"+socketEnd))
	for _, name := range old {
		_ = os.Remove(name) // of a start that did not end
	}
	rights, err := s.rights(s.opts.Accounts())
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.opts.Folder, rightsFile), rights, 0o600); err != nil {
		return err
	}
	lines := []string{
		"# Written by majordome at each start: what is changed here is lost.",
		"listener 0 " + s.socket,
		"allow_anonymous false",
		"plugin " + plugin,
		"plugin_opt_config_file " + filepath.Join(s.opts.Folder, rightsFile),
		"persistence true",
		"persistence_location " + s.opts.Folder + "/",
		"persistence_file " + storeFile,
		"log_dest stderr", // which it does not keep back
		"log_type all",    // refusals are told among what is for debugging
		"log_timestamp false",
		"sys_interval 0",
		"max_topic_alias 0",
		fmt.Sprint("max_packet_size ", MaxPacket),
		fmt.Sprint("max_connections ", maxConns),
		fmt.Sprint("max_inflight_messages ", maxInflight),
		fmt.Sprint("max_queued_messages ", MaxQueued),
		fmt.Sprint("max_queued_bytes ", maxQueuedIn),
		"persistent_client_expiration " + sessionExpiry,
	}
	if os.Geteuid() == 0 {
		lines = append(lines, "user root") // else it would become another user, who may not open the folder
	}
	return os.WriteFile(filepath.Join(s.opts.Folder, configFile), []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}

// client and role are as the plugin writes them.
type (
	client struct {
		Name       string     `json:"username"`
		Password   []byte     `json:"password"`
		Salt       []byte     `json:"salt"`
		Iterations int        `json:"iterations"`
		Roles      []roleName `json:"roles"`
	}
	roleName struct {
		Name string `json:"rolename"`
	}
	role struct {
		Name  string `json:"rolename"`
		Rules []Rule `json:"acls"`
	}
)

// rights are all accounts, each with a role of its own, as the plugin reads them.
func (s *Server) rights(accounts []Account) ([]byte, error) {
	const iterations = 101 // as mosquitto_ctrl does; the word is drawn by chance, and long
	salt := make([]byte, 12)
	_, _ = rand.Read(salt)
	hash, err := pbkdf2.Key(sha512.New, s.word, salt, iterations, sha512.Size)
	if err != nil {
		return nil, err
	}
	var clients []client
	var roles []role
	for _, a := range append(accounts, Account{control, controlRules}) {
		clients = append(clients, client{a.Name, hash, salt, iterations, []roleName{{a.Name}}})
		roles = append(roles, role(a))
	}
	return json.MarshalIndent(map[string]any{"clients": clients, "roles": roles, "defaultACLAccess": map[string]bool{
		Publish: false, Receive: false, "subscribe": false, "unsubscribe": true}}, "", "\t")
}

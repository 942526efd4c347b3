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

// Limits that are written to the configuration.
const (
	MaxPacket     = 1 << 20 // bytes of a packet
	MaxQueued     = 4096    // messages that wait for one client
	maxQueuedIn   = 6 << 20 // bytes of these messages
	maxInflight   = 64
	maxConns      = 128
	maxMemory     = 64 << 20 // set in the kernel: memory_limit of 2.0 miscounts with this plugin and ends Mosquitto at a few KiB
	sessionExpiry = "1h"
	saveInterval  = 300 // seconds between two writings of the database: what a power cut, or the kill of this process, can lose
)

// Names of the files in Folder.
const (
	configFile    = "mosquitto.conf"
	rightsFile    = "dynamic-security.json"
	storeFile     = "mosquitto.db"
	partFile      = "mosquitto.db.new" // what Mosquitto writes before it renames it
	unreadFile    = "mosquitto.db.unread"
	socketSuffix  = ".sock"
	maxSocketPath = 100 // bytes of the path of a Unix socket; the kernel allows 107 (unix(7))
)

// The kinds of a rule.
const (
	Publish   = "publishClientSend"    // publish to a topic
	Receive   = "publishClientReceive" // receive messages of a topic
	Subscribe = "subscribePattern"     // subscribe with a filter, for all topics that it can match
)

// Rule allows or denies an account the topics of a filter. Of two rules for a topic the one with the higher Priority decides.
type Rule struct {
	Kind     string `json:"acltype"`
	Filter   string `json:"topic"`
	Allow    bool   `json:"allow"`
	Priority int    `json:"priority"`
}

// Account is a user with its rules. What no rule allows is denied.
type Account struct {
	Name  string
	Rules []Rule
}

// controlAccount is the account that changes rights. Accounts of devices cannot have this name.
const controlAccount = "Control"

// controlRules allow it to change rights and to clear retained messages.
var controlRules = []Rule{
	{Publish, "$CONTROL/dynamic-security/#", true, 0},
	{Receive, "$CONTROL/dynamic-security/#", true, 0},
	{Subscribe, "$CONTROL/dynamic-security/#", true, 0},
	{Publish, "#", true, 0}, {Receive, "#", true, 0}, {Subscribe, "#", true, 0},
}

// ErrMissing means that Mosquitto or its plugin is not installed.
var ErrMissing = errors.New("mosquitto is not installed")

// Paths of the program and of its plugin, in Debian and elsewhere, in the order of the search.
var (
	programs = []string{"usr/sbin/mosquitto", "usr/bin/mosquitto", "usr/local/sbin/mosquitto", "usr/local/bin/mosquitto"}
	plugins  = []string{"usr/lib/*/mosquitto_dynamic_security.so", "usr/lib/mosquitto_dynamic_security.so",
		"usr/lib64/mosquitto_dynamic_security.so", "usr/local/lib/mosquitto_dynamic_security.so"}
)

// IsInstalled reports whether a file system, whose root is /, contains Mosquitto and its plugin.
func IsInstalled(root fs.FS) bool {
	return firstMatch(root, programs) != "" && firstMatch(root, plugins) != ""
}

// firstMatch returns the first name that matches one of the patterns, or "".
func firstMatch(root fs.FS, patterns []string) string {
	for _, p := range patterns {
		if all, _ := fs.Glob(root, p); len(all) > 0 {
			return all[0]
		}
	}
	return ""
}

// findProgram returns the paths of the program and of its plugin on this machine, or ErrMissing.
func findProgram() (program, plugin string, err error) {
	root := os.DirFS("/")
	program, plugin = firstMatch(root, programs), firstMatch(root, plugins)
	if program == "" || plugin == "" {
		return "", "", ErrMissing
	}
	return "/" + program, "/" + plugin, nil
}

// writeConfig writes the files that Mosquitto reads at its start, and removes what an earlier one has left: sockets, and a database that
// it could not write to its end, which would keep a full disk full.
func (s *Server) writeConfig(plugin string) error {
	if err := os.MkdirAll(s.opts.Folder, 0o700); err != nil {
		return err
	}
	old, _ := filepath.Glob(filepath.Join(s.opts.Folder, "*"+socketSuffix))
	for _, name := range append(old, filepath.Join(s.opts.Folder, partFile)) {
		_ = os.Remove(name)
	}
	rights, err := s.encodeAccounts(s.opts.Accounts())
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
		fmt.Sprint("autosave_interval ", saveInterval),
		"log_dest stderr", // which Mosquitto does not buffer
		"log_type all",    // its log of refusals is at the debug level
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
		lines = append(lines, "user root") // otherwise it changes to another user, who cannot open the folder
	}
	return os.WriteFile(filepath.Join(s.opts.Folder, configFile), []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}

// client, roleName and role have the JSON form of the plugin.
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

// encodeAccounts returns all accounts, each with a role of its own, in the JSON form of the plugin.
func (s *Server) encodeAccounts(accounts []Account) ([]byte, error) {
	const iterations = 101 // as mosquitto_ctrl has; more are not needed, because the password is long and random
	salt := make([]byte, 12)
	_, _ = rand.Read(salt)
	hash, err := pbkdf2.Key(sha512.New, s.password, salt, iterations, sha512.Size)
	if err != nil {
		return nil, err
	}
	var clients []client
	var roles []role
	for _, a := range append(accounts, Account{controlAccount, controlRules}) {
		clients = append(clients, client{a.Name, hash, salt, iterations, []roleName{{a.Name}}})
		roles = append(roles, role(a))
	}
	return json.MarshalIndent(map[string]any{"clients": clients, "roles": roles, "defaultACLAccess": map[string]bool{
		Publish: false, Receive: false, "subscribe": false, "unsubscribe": true}}, "", "\t")
}

package address

import (
	"strings"
	"testing"
)

func TestIsBase(t *testing.T) {
	for text, want := range map[string]bool{
		"http://table.local:8080": true, "https://a.example": true, "http://192.168.1.5": true, "http://[fd00::5]:8080": true,
		"http://table":       true,
		"HTTP://table.local": true, "http://my_table:1": true, "http://127.0.0.1:65535": true,
		"": false, "table": false, "table.local:8080": false, "http:": false, "http://": false, "http:///x": false, "http://:8080": false,
		"http:table":  false,
		"ftp://table": false, "javascript://table": false, "mqtt://table": false, "//table": false,
		"http://table/": false, "http://table/x": false, "http://table//": false, "http://table?x=1": false, "http://table?": false,
		"http://table#x": false, "http://table#": false,
		"http://me@table": false, "http://me:word@table": false, "http://@table": false,
		"http://table:": false, "http://table:0": false, "http://table:65536": false, "http://table:99999": false,
		"http://table:http": false, "http://table:-1": false,
		"http://a b": false, "http://table .local": false, " http://table": false, "http://table ": false, "http://table\n": false,
		"http://table\x00": false,
		"http://a..b":      false, "http://.a": false, "http://a.": false, "http://-a": false, "http://a-": false, "http://a,b": false,
		"http://a$b": false, "http://a%20b": false, "http://a\\b": false,
		"http://192.168.1.500": false, "http://1.2.3": false, "http://fd00::5": false, "http://[fd00::g]": false, "http://[fd00::5": false,
		"http://été.example":                             false,
		"http://" + strings.Repeat("a", 64) + ".example": false, "http://" + strings.Repeat("a.", 130) + "example": false,
		"http://table" + strings.Repeat("a", MaxLength): false,
	} {
		if IsBaseURL(text) != want {
			t.Errorf("%.80q: %v, want %v", text, !want, want)
		}
	}
}

// TestParse checks which broker addresses are accepted, and that no error quotes the address, which may contain a password.
func TestParse(t *testing.T) {
	for text, want := range map[string]bool{
		"mqtt://h:1883": true, "mqtts://home.example:8883": true, "mqtt://[fd00::5]:1883": true, "wss://h/mqtt?x=1": true,
		"http://h:1883": false, "mqtt://u:canary@h:1883": false, "mqtt://u:canary@h:1883/%zz": false, "mqtt://canary@:1883": false,
		"mqtt://h:canary": false, "canary mqtt://h": false,
		"mqtt://:1883": false, "mqtt://h:0": false, "mqtt://h/#canary": false,
	} {
		_, err := ParseURL(text, "mqtt", "mqtts", "ws", "wss")
		if (err == nil) != want {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "canary") {
			t.Errorf("it quotes the address: %v", err)
		}
	}
}

func TestParseNetwork(t *testing.T) {
	for text, want := range map[string]string{
		"192.168.1.5": "192.168.1.5/32", "::ffff:192.168.1.5": "192.168.1.5/32", "fd00::9": "fd00::9/128", "fe80::1%eth0": "fe80::1/128",
		"192.168.1.5/24": "192.168.1.0/24", "fd00::5/64": "fd00::/64",
		"": "", "table": "", "192.168.1": "", "192.168.1.5/33": "", "192.168.1.5/": "", "192.168.1.5:80": "",
	} {
		got, err := ParseNetwork(text)
		if (err == nil) != (want != "") || err == nil && got.String() != want || IsNetwork(text) != (want != "") {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
}

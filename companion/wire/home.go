package wire

// MaxHome is the JSON of Home, in bytes.
const MaxHome = 4 << 10

// Home are the accounts of the devices of the house, for the host alone.
type Home struct {
	Open     bool          `json:"open"`              // the host looks at them
	Address  string        `json:"address,omitempty"` // where the devices find the table
	Accounts []HomeAccount `json:"accounts,omitempty"`
	// Kinds are those that a new one may have; each with the topic that such a device usually has, "" where it has none.
	Kinds []HomeKind `json:"kinds,omitempty"`
	// Name and Word are the last account made and its password, which is shown while the host looks, and never again.
	Name string `json:"name,omitempty"`
	Word string `json:"word,omitempty"`
}

// HomeKind is a kind of device or program, by an id of package home.
type HomeKind struct {
	ID    string `json:"id"`
	Topic string `json:"topic,omitempty"`
}

// HomeAccount is one account.
type HomeAccount struct {
	Name   string      `json:"name"`
	Kind   string      `json:"kind"`
	Topic  string      `json:"topic,omitempty"`
	Online int         `json:"online"` // connections
	Asked  []HomeAsked `json:"asked,omitempty"`
	// Older is how many times something was refused before those of Asked.
	Older int `json:"older,omitempty"`
}

// HomeAsked is what it has asked for and was refused.
type HomeAsked struct {
	What  string `json:"what"` // "read", "write", "retain", "will" or "login"
	Topic string `json:"topic,omitempty"`
	Times int    `json:"times"`
}

// Acts of the host on them; the page makes them from Home.
const (
	ActHome     = "home"      // look at them, or no more: args {"on": "yes"} or "no"
	ActHomeAdd  = "home-add"  // args name, kind, topic: a new account, or a new password for one
	ActHomeDrop = "home-drop" // args name
)

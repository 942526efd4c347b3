package wire

// Home are the accounts of the devices of the house, as their owner sees them.
type Home struct {
	Address  string        `json:"address"` // where the devices find the table
	Accounts []HomeAccount `json:"accounts,omitempty"`
	// Kinds are those that a new one may have; each with the topic that such a device usually has, "" where it has none.
	Kinds []HomeKind `json:"kinds"`
}

// HomeMade is an account that was just made, or given another password, which is never shown again.
type HomeMade struct {
	Name string `json:"name"`
	Word string `json:"word"`
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

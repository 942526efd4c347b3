package wire

// Home lists the accounts of the home devices at the table's broker, for an owner.
type Home struct {
	Address  string        `json:"address"` // address of the table for these devices
	Accounts []HomeAccount `json:"accounts,omitempty"`
	// Kinds lists the kinds for a new account, each with the usual topic of such a device, or "".
	Kinds []HomeKind `json:"kinds"`
}

// HomeMade is an account that was just made, or given a new password. The password is shown only
// this once.
type HomeMade struct {
	Name string `json:"name"`
	Word string `json:"word"`
}

// HomeKind is a kind of device or program, by its id in package home.
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
	// Older is the number of refusals before those in Asked.
	Older int `json:"older,omitempty"`
}

// HomeAsked is a request that was refused.
type HomeAsked struct {
	What  string `json:"what"` // "read", "write", "retain", "will" or "login"
	Topic string `json:"topic,omitempty"`
	Times int    `json:"times"`
}

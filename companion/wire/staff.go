package wire

import "slices"

// Role says what a person at a device of the host may do. Each role includes the ones before it.
type Role string

const (
	RoleHost     Role = "host"     // admits players, begins, corrects
	RoleOperator Role = "operator" // also the desk: overrules, pauses, gives hints, starts the next group
	RoleOwner    Role = "owner"    // everything else: settings, accounts, updates
)

// Includes reports whether r includes another role; no role ("") is below all others.
func (r Role) Includes(other Role) bool {
	rising := []Role{RoleHost, RoleOperator, RoleOwner}
	return slices.Index(rising, r) >= slices.Index(rising, other)
}

// Person is a person with an account on the host's page.
type Person struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Role Role   `json:"role"`
}

// Staff lists the accounts of those who run the table, as one device of the host shows them.
type Staff struct {
	Me   *Person `json:"me,omitempty"`   // person signed in on this device; nil: it is locked, or there are no accounts
	Idle int     `json:"idle,omitempty"` // seconds without a touch until the device locks automatically; 0: never
	// People lists all accounts, for an owner and for a locked device; empty while there are no
	// accounts.
	People []Person `json:"people,omitempty"`
	// Tried lists the devices with more than two wrong PINs in a row within the last hour: the
	// other devices, and for an owner also this one.
	Tried []Tried `json:"tried,omitempty"`
}

// Tried is a device of the host on which wrong PINs were entered.
type Tried struct {
	Device int      `json:"device"`
	Kind   string   `json:"kind,omitempty"` // as in Plea
	Wrong  int      `json:"wrong"`          // wrong PINs in a row, over all accounts
	Names  []string `json:"names"`          // names of the accounts, the most tried first, at most three
}

// Limits of an account: digits of a PIN, bytes of a name, people.
const (
	MinPIN    = 4
	MaxPIN    = 8
	MaxPerson = 32
	MaxPeople = 12
)

// ByStaff begins the name of a person with an account as the cause of an act: ByStaff, the role, a
// dot, the name. Only the host's pages, the minutes and the figures have the name; all others
// receive ByStaff and the role.
const ByStaff = "staff."

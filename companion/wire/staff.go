package wire

import "slices"

// Role is what somebody who stands at a device of the host may do. Each role may all that the ones before it may.
type Role string

const (
	RoleHost     Role = "host"     // lets people in, begins, corrects
	RoleOperator Role = "operator" // the desk, too: overrules, stops, gives hints, takes the next group
	RoleOwner    Role = "owner"    // all the rest: settings, accounts, updates
)

// AtLeast reports whether a role may all that another may; no role ("") is less than each.
func (r Role) AtLeast(other Role) bool {
	rising := []Role{RoleHost, RoleOperator, RoleOwner}
	return slices.Index(rising, r) >= slices.Index(rising, other)
}

// Person is somebody with an account at the host's page.
type Person struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Role Role   `json:"role"`
}

// Staff are the accounts of those who run the table, as one device of the host is shown them.
type Staff struct {
	Me   *Person `json:"me,omitempty"`   // who is signed in at this device; nil: it is locked, or there are no accounts
	Idle int     `json:"idle,omitempty"` // seconds without a touch after which it locks itself; 0: never
	// People are all, for an owner and for a device that is locked; none while there are no accounts.
	People []Person `json:"people,omitempty"`
	// Tried are the devices where more than two wrong PINs were given in a row within the last hour: the others, and for an owner this one, too.
	Tried []Tried `json:"tried,omitempty"`
}

// Tried is a device of the host that tries PINs.
type Tried struct {
	Device int      `json:"device"`
	Kind   string   `json:"kind,omitempty"` // as Plea has it
	Wrong  int      `json:"wrong"`          // PINs in a row, over all accounts
	Names  []string `json:"names"`          // of the accounts, the most tried first, at most three
}

// Limits of an account: digits of a PIN, bytes of a name, people.
const (
	MinPIN    = 4
	MaxPIN    = 8
	MaxPerson = 32
	MaxPeople = 12
)

// ByStaff begins who has done something where there are accounts: ByStaff, the role, a dot, the name. It is for the host's pages, minutes
// and figures; everybody else is told ByStaff and the role.
const ByStaff = "staff."

package wire

// Role is what somebody who stands at a device of the host may do. Each role may all that the ones before it may.
type Role string

const (
	RoleHost     Role = "host"     // lets people in, begins, corrects
	RoleOperator Role = "operator" // the desk, too: overrules, stops, gives hints, takes the next group
	RoleOwner    Role = "owner"    // all the rest: settings, accounts, updates
)

// Person is somebody with an account at the host's page.
type Person struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Role Role   `json:"role"`
}

// Staff are the accounts of those who run the table, for the host's devices alone; nil while there are none.
type Staff struct {
	Me   *Person `json:"me,omitempty"`   // who stands at this device; nil: it is locked
	Idle int     `json:"idle,omitempty"` // seconds without a touch after which it locks itself; 0: never
	// People are all, for an owner and for a device that asks who stands at it.
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

// Acts of the host's devices about them. A page makes them from Staff.
const (
	ActSignIn    = "sign-in"    // args id, pin
	ActSignOut   = "sign-out"   // the device asks who stands at it
	ActHere      = "here"       // somebody touches the device: it does not lock itself
	ActOwnPIN    = "own-pin"    // args pin (the present one), new: of who stands at the device
	ActStaff     = "staff"      // args id (empty: a new one), name, role, pin (empty: it stays)
	ActStaffDrop = "staff-drop" // args id
)

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

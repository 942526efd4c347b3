package staff

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"majordome/companion/wire"
	"majordome/engine/deck"
)

// Book is the list of accounts, as the store saves it in JSON.
type Book struct {
	Last   int      `json:"last"` // the greatest id given so far
	People []Person `json:"people"`
}

// Person is an account with the salt and hash of its PIN.
type Person struct {
	wire.Person
	Salt []byte `json:"salt"`
	Hash []byte `json:"hash"`
}

// String returns the role only, so that logs contain neither names nor hashes.
func (p Person) String() string { return string(p.Role) }

// Reasons why an account cannot be added, changed or opened.
var (
	ErrBadName         = wire.NewRefusal("table.staff.name")
	ErrNameTaken       = wire.NewRefusal("table.staff.taken")
	ErrBadRole         = wire.NewRefusal("table.unknown")
	ErrBadPIN          = wire.NewRefusal("table.staff.pin")
	ErrTrivialPIN      = wire.NewRefusal("table.staff.plain")
	ErrTooManyAccounts = wire.NewRefusal("table.staff.full")
	ErrLastOwner       = wire.NewRefusal("table.staff.owner")
	ErrNoAccount       = wire.NewRefusal("table.staff.none")
	ErrWrongPIN        = wire.NewRefusal("table.staff.wrong")
	ErrOwnPIN          = wire.NewRefusal("table.staff.own")
	ErrLocked          = wire.NewRefusal("table.staff.locked")
	ErrBusy            = wire.NewRefusal("table.busy")
)

// DecodeBook decodes what Encode has written; an empty text is a book without accounts.
func DecodeBook(text string) (b Book, err error) {
	if text == "" {
		return b, nil
	}
	if err = json.Unmarshal([]byte(text), &b); err == nil {
		err = b.validate()
	}
	if err != nil {
		return Book{}, fmt.Errorf("staff: the accounts cannot be read: %w", err)
	}
	return b, nil
}

// Encode returns the book in JSON, for DecodeBook.
func (b Book) Encode() string {
	text, _ := json.Marshal(b) // texts and numbers
	return string(text)
}

// validate returns an error if an invariant is broken.
func (b Book) validate() error {
	owner := false
	for i, p := range b.People {
		switch {
		case !p.Role.Includes(wire.RoleHost):
			return ErrBadRole
		case p.ID < 1 || p.ID > b.Last || slices.ContainsFunc(b.People[:i], func(o Person) bool { return o.ID == p.ID }):
			return ErrNameTaken
		case len(p.Hash) != hashSize || len(p.Salt) != saltSize:
			return ErrBadPIN
		}
		owner = owner || p.Role == wire.RoleOwner
	}
	if len(b.People) > 0 && !owner {
		return ErrLastOwner
	}
	return nil
}

// HasPeople reports whether there are accounts.
func (b Book) HasPeople() bool { return len(b.People) > 0 }

// FindPerson returns the account with this id, and false if there is none.
func (b Book) FindPerson(id int) (person Person, ok bool) {
	for _, p := range b.People {
		if p.ID == id {
			return p, true
		}
	}
	return Person{}, false
}

// PublicPersons returns all accounts without their hashes.
func (b Book) PublicPersons() []wire.Person {
	all := make([]wire.Person, len(b.People))
	for i, p := range b.People {
		all[i] = p.Person
	}
	return all
}

// FirstOwner returns the first owner in the list, and false if there are no accounts.
func (b Book) FirstOwner() (owner Person, ok bool) {
	for _, p := range b.People {
		if p.Role == wire.RoleOwner {
			return p, true
		}
	}
	return Person{}, false
}

// CheckAccount returns the reason why an account cannot have these values; it needs no hash of the PIN. id 0 means a new account. An empty
// pin keeps the PIN of an existing account.
func (b Book) CheckAccount(id int, name string, role wire.Role, pin string) error {
	old, exists := b.FindPerson(id)
	normalised := NormaliseName(name)
	switch {
	case id != 0 && !exists:
		return ErrNoAccount
	case id == 0 && len(b.People) >= wire.MaxPeople:
		return ErrTooManyAccounts
	case visibleName(name) == "" || len(normalised) > wire.MaxPerson || name != strings.TrimSpace(name) || !deck.IsPrintable(normalised):
		return ErrBadName
	case !role.Includes(wire.RoleHost):
		return ErrBadRole
	case slices.ContainsFunc(b.People, func(p Person) bool { return p.ID != id && IsLookalike(p.Name, name) }):
		return ErrNameTaken
	case old.Role != wire.RoleOwner && role != wire.RoleOwner && len(b.People) == 0,
		old.Role == wire.RoleOwner && role != wire.RoleOwner && b.countOwners() == 1:
		return ErrLastOwner
	case exists && pin == "":
		return nil
	}
	return CheckPIN(pin)
}

func (b Book) countOwners() (n int) {
	for _, p := range b.People {
		if p.Role == wire.RoleOwner {
			n++
		}
	}
	return n
}

// WithAccount returns a copy of the book in which an account, checked by CheckAccount, is added (id 0) or changed, and its id. Without a
// hash the account keeps its PIN.
func (b Book) WithAccount(id int, name string, role wire.Role, salt, hash []byte) (Book, int) {
	b.People = slices.Clone(b.People)
	if id == 0 {
		b.Last++
		id = b.Last
		b.People = append(b.People, Person{Person: wire.Person{ID: id}})
	}
	for i := range b.People {
		if p := &b.People[i]; p.ID == id {
			p.Name, p.Role = NormaliseName(name), role
			if hash != nil {
				p.Salt, p.Hash = salt, hash
			}
		}
	}
	return b, id
}

// WithoutAccount returns a copy of the book without an account. The last owner can be removed only if it is the last account: then no
// device asks for a PIN any more.
func (b Book) WithoutAccount(id int) (Book, error) {
	p, ok := b.FindPerson(id)
	switch {
	case !ok:
		return b, ErrNoAccount
	case p.Role == wire.RoleOwner && b.countOwners() == 1 && len(b.People) > 1:
		return b, ErrLastOwner
	}
	b.People = slices.DeleteFunc(slices.Clone(b.People), func(p Person) bool { return p.ID == id })
	return b, nil
}

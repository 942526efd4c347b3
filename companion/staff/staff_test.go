package staff_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"majordome/companion/staff"
	"majordome/companion/wire"
)

// newBook returns a book with a person of each role.
func newBook(t *testing.T, roles ...wire.Role) staff.Book {
	t.Helper()
	b := staff.Book{}
	salt, hash := staff.HashPIN("271828")
	for i, r := range roles {
		name := fmt.Sprintf("Person %d", i+1)
		if err := b.CheckAccount(0, name, r, "271828"); err != nil {
			t.Fatal(err)
		}
		b, _ = b.WithAccount(0, name, r, salt, hash)
	}
	return b
}

func TestPINs(t *testing.T) {
	for pin, want := range map[string]error{
		"2718": nil, "27182818": nil, "0042": nil, "1357": nil,
		"": staff.ErrBadPIN, "271": staff.ErrBadPIN, "271828182": staff.ErrBadPIN, "27a8": staff.ErrBadPIN, " 2718": staff.ErrBadPIN,
		"27 18": staff.ErrBadPIN, "-271": staff.ErrBadPIN,
		"٢٧١٨": staff.ErrBadPIN, "\uff12\uff17\uff11\uff18": staff.ErrBadPIN, "²³⁴⁵": staff.ErrBadPIN, "2718\x00": staff.ErrBadPIN,
		"\xff\xfe\xfd\xfc": staff.ErrBadPIN, strings.Repeat("7", 1<<20): staff.ErrBadPIN,
		"0000": staff.ErrTrivialPIN, "77777777": staff.ErrTrivialPIN, "1234": staff.ErrTrivialPIN, "456789": staff.ErrTrivialPIN,
		"7890": staff.ErrTrivialPIN, "4321": staff.ErrTrivialPIN, "3210": staff.ErrTrivialPIN,
	} {
		if err := staff.CheckPIN(pin); err != want {
			t.Errorf("%.20q: %v, want %v", pin, err, want)
		}
		if staff.HasPINForm(pin) == (want == staff.ErrBadPIN) {
			t.Errorf("%.20q is formed: %v", pin, staff.HasPINForm(pin))
		}
	}
	for range 100 {
		if pin := staff.RandomPIN(); staff.CheckPIN(pin) != nil || len(pin) != 6 {
			t.Errorf("drawn: %q", pin)
		}
	}
}

// TestHashes checks that a hash verifies only its own PIN, that the same PIN never gives the same hash twice, and that no text
// form contains a PIN.
func TestHashes(t *testing.T) {
	b := newBook(t, wire.RoleOwner)
	p, _ := b.FirstOwner()
	if !staff.VerifyPIN(p, "271828") || staff.VerifyPIN(p, "271829") || staff.VerifyPIN(p, "") || staff.VerifyPIN(staff.Person{}, "") {
		t.Error("a PIN is taken for another")
	}
	if salt, hash := staff.HashPIN("271828"); string(salt) == string(p.Salt) || string(hash) == string(p.Hash) {
		t.Error("the same hash twice")
	}
	for _, text := range []string{b.Encode(), fmt.Sprint(b), fmt.Sprintf("%+v %v", p, b.People)} {
		if strings.Contains(text, "271828") {
			t.Errorf("a PIN in %s", text)
		}
	}
}

func TestAccountsFit(t *testing.T) {
	b := newBook(t, wire.RoleOwner, wire.RoleOperator)
	full := newBook(t, append([]wire.Role{wire.RoleOwner}, hostRoles()...)...)
	for _, tc := range []struct {
		b    staff.Book
		id   int
		name string
		role wire.Role
		pin  string
		want error
	}{
		{b, 0, "Chloé", wire.RoleHost, "2718", nil}, {b, 2, "Person 2", wire.RoleOwner, "", nil},
		{b, 1, "Another name", wire.RoleOwner, "", nil},
		{b, 0, "Chloé", wire.RoleHost, "", staff.ErrBadPIN}, {b, 0, "", wire.RoleHost, "2718", staff.ErrBadName},
		{b, 0, " x", wire.RoleHost, "2718", staff.ErrBadName},
		{b, 0, strings.Repeat("é", 17), wire.RoleHost, "2718", staff.ErrBadName},
		{b, 0, "a\u202eb", wire.RoleHost, "2718", staff.ErrBadName}, {b, 0, "a\nb", wire.RoleHost, "2718", staff.ErrBadName},
		{b, 0, "PERSON  2", wire.RoleHost, "2718", staff.ErrNameTaken}, {b, 1, "person 2", wire.RoleOwner, "", staff.ErrNameTaken},
		{b, 0, "Chloé", "", "2718", staff.ErrBadRole}, {b, 0, "Chloé", "Owner", "2718", staff.ErrBadRole},
		{b, 0, "Chloé", "root", "2718", staff.ErrBadRole},
		{b, 9, "Chloé", wire.RoleHost, "2718", staff.ErrNoAccount}, {b, -1, "Chloé", wire.RoleHost, "2718", staff.ErrNoAccount},
		{b, 1, "Person 1", wire.RoleOperator, "", staff.ErrLastOwner},
		{staff.Book{}, 0, "Chloé", wire.RoleHost, "2718", staff.ErrLastOwner}, {staff.Book{}, 0, "Chloé", wire.RoleOwner, "2718", nil},
		{full, 0, "Chloé", wire.RoleHost, "2718", staff.ErrTooManyAccounts},
	} {
		if err := tc.b.CheckAccount(tc.id, tc.name, tc.role, tc.pin); err != tc.want {
			t.Errorf("%d %q %q %q: %v, want %v", tc.id, tc.name, tc.role, tc.pin, err, tc.want)
		}
	}
	if len(full.Encode()) > 4<<10 {
		t.Errorf("the store takes no %d bytes", len(full.Encode()))
	}
}

// TestNamesThatLookAlike checks that names that look the same are one, however a device encodes them, and are stored in one
// form.
func TestNamesThatLookAlike(t *testing.T) {
	b := newBook(t, wire.RoleOwner)
	p, _ := b.FirstOwner()
	b, id := b.WithAccount(0, "Che\u0301rif", wire.RoleHost, p.Salt, p.Hash)
	if got, _ := b.FindPerson(id); got.Name != "Chérif" {
		t.Errorf("kept as %+q", got.Name)
	}
	for name, want := range map[string]error{
		"Chérif": staff.ErrNameTaken, "Che\u0301rif": staff.ErrNameTaken, "CHE\u0301RIF": staff.ErrNameTaken,
		"Che\u0301ri\u034ff": staff.ErrNameTaken, "Chérif\ufe0f": staff.ErrNameTaken,
		"Cherif": nil, "Che\u0300rif": nil, "Odile \u2764\ufe0f": nil, "\u3164": staff.ErrBadName, "\u034f": staff.ErrBadName,
		strings.Repeat("e\u0301", 16): nil, strings.Repeat("e\u0301", 17): staff.ErrBadName, // 32 bytes as they are kept
	} {
		if err := b.CheckAccount(0, name, wire.RoleHost, "2718"); err != want {
			t.Errorf("%+q: %v, want %v", name, err, want)
		}
	}
	if err := b.CheckAccount(id, "Che\u0301rif", wire.RoleOwner, ""); err != nil {
		t.Errorf("the same person, written another way: %v", err)
	}
	former := b // as it was stored before names had one form
	former.People = append(former.People[:2:2], former.People[1])
	former.Last, former.People[2].ID, former.People[2].Name = 3, 3, "Che\u0301rif"
	if got, err := staff.DecodeBook(former.Encode()); err != nil || len(got.People) != 3 {
		t.Errorf("everybody is locked out by two names: %v", err)
	}
}

func hostRoles() (all []wire.Role) {
	for range wire.MaxPeople - 1 {
		all = append(all, wire.RoleHost)
	}
	return all
}

// TestTheLastOwner checks that there is an owner as long as there are accounts, and that an id is never used again.
func TestTheLastOwner(t *testing.T) {
	b := newBook(t, wire.RoleOwner, wire.RoleHost)
	if _, err := b.WithoutAccount(1); err != staff.ErrLastOwner {
		t.Errorf("the only owner goes: %v", err)
	}
	b, err := b.WithoutAccount(2)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = b.WithoutAccount(1); err != nil || b.HasPeople() {
		t.Fatalf("the last account stays: %v", err)
	}
	if _, err = b.WithoutAccount(1); err != staff.ErrNoAccount {
		t.Error(err)
	}
	if _, id := b.WithAccount(0, "New", wire.RoleOwner, nil, nil); id != 3 {
		t.Errorf("an id is given again: %d", id)
	}
}

// TestDecodeBookReadsWhatEncodeWrote checks that a book can be decoded as it was encoded, and that any other text gives
// an error and an empty book.
func TestDecodeBookReadsWhatEncodeWrote(t *testing.T) {
	b := newBook(t, wire.RoleOwner, wire.RoleOperator)
	if got, err := staff.DecodeBook(b.Encode()); err != nil || got.Encode() != b.Encode() {
		t.Errorf("%v %v", got, err)
	}
	if got, err := staff.DecodeBook(""); err != nil || got.HasPeople() {
		t.Errorf("%v %v", got, err)
	}
	ownerless := b
	ownerless.People = b.People[1:]
	twins := b
	twins.People = append(twins.People[:2:2], b.People[0])
	for _, text := range []string{
		"x",
		"[]",
		`{"last":1,"people":[{"id":1,"name":"A","role":"owner"}]}`,
		ownerless.Encode(),
		twins.Encode(),
		strings.Replace(b.Encode(), "operator", "god", 1),
	} {
		if got, err := staff.DecodeBook(text); err == nil || got.HasPeople() {
			t.Errorf("%.60s: read as %v", text, got)
		} else if !errors.Is(err, errors.Unwrap(err)) || strings.Contains(err.Error(), "Person") {
			t.Errorf("the error says %v", err)
		}
	}
}

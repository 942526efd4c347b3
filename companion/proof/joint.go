package proof

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// Joint is the seed of a game to which the table and the phones have added (Exchange). Whoever has its secret knows all
// draws of the game.
type Joint struct {
	Secret Salt
	Phones []PhonePart // by their names
}

// PhonePart is the part of one phone. It counts if it was opened; the hash of one that was not shows who was left out.
type PhonePart struct {
	Phone  string
	Hash   Hash
	Part   Salt
	Opened bool
}

// Public returns the hash of all that everybody may know of j: the hash of its secret, and the phones.
func (j *Joint) Public() Hash {
	phones := make([]string, len(j.Phones))
	for i, p := range j.Phones {
		phones[i] = p.String()
	}
	return HashPublic(HashSecret(j.Secret).String(), phones)
}

// HashPublic returns Joint.Public of a seed of which only the public part is known: the text of the hash of its secret,
// and the phones with their parts (PhonePart.String).
func HashPublic(secretHash string, phones []string) Hash {
	return hashParts(tagJoint, []byte(strings.Join(append([]string{secretHash}, phones...), " ")))
}

// SeedFor returns the seed of the dice of draw n, from 1, by one act of the game. Each act has seeds of its own, so that a draw that
// was undone tells nothing about one of another kind: a roll nothing about a card.
func (j *Joint) SeedFor(act string, n int) uint64 {
	public := j.Public()
	draw := append(binary.BigEndian.AppendUint64(public[:], uint64(n)), act...)
	return binary.BigEndian.Uint64(j.Secret.keyedSum(draw))
}

// HashSecret returns the hash that binds the table to its secret.
func HashSecret(s Salt) Hash { return hashParts(tagSecret, s[:]) }

// HashPart returns the hash that binds a phone to its part.
func HashPart(part Salt) Hash { return hashParts(tagPart, part[:]) }

// String returns the phone with its part, such as "seat-2:GPWNX7h_9GOB2vnG1Ym8Tg", or with "-" and the hash if it was
// not opened.
func (p PhonePart) String() string {
	if p.Opened {
		return p.Phone + ":" + p.Part.Text()
	}
	return p.Phone + ":-" + p.Hash.String()
}

// Text returns j in one word, with its secret, to be stored.
func (j *Joint) Text() string {
	all := []string{j.Secret.Text()}
	for _, p := range j.Phones {
		all = append(all, p.String())
	}
	return strings.Join(all, ",")
}

var errJoint = errors.New("proof: not a joint seed") // it may be a secret

// ParseJoint parses the form that Text returns.
func ParseJoint(text string) (*Joint, error) {
	all := strings.Split(text, ",")
	secret, err := ParseSalt(all[0])
	if err != nil {
		return nil, errJoint
	}
	j := &Joint{Secret: secret}
	for _, one := range all[1:] {
		name, part, _ := strings.Cut(one, ":")
		p := PhonePart{Phone: name}
		if p.Part, err = ParseSalt(part); err == nil { // it may begin with "-", too
			p.Opened, p.Hash = true, HashPart(p.Part)
		} else {
			p.Hash, err = ParseHash(strings.TrimPrefix(part, "-"))
		}
		if err != nil || name == "" || p.String() != one {
			return nil, errJoint
		}
		j.Phones = append(j.Phones, p)
	}
	return j, nil
}

// Exchange makes a Joint of which neither the table nor a phone can choose anything: all are bound by a hash to their part before
// any part is opened.
//
//	x := NewExchange(secret)       the table shows HashSecret(secret)
//	x.Commit(phone, HashPart(p))   each phone, in any order
//	x.Close(keep)                  from now on the list stays as it is, and all may see it
//	x.Open(phone, p)               each phone, if the list has its hash
//	x.Joint()                      without the parts that are not opened by then
type Exchange struct {
	secret *Salt // a pointer, because fmt masks no field that is not exported
	phones []PhonePart
	closed bool
}

// NewExchange begins an exchange with a random secret of the table.
func NewExchange(secret Salt) *Exchange { return &Exchange{secret: &secret} }

// IsClosed reports whether phones may open their parts.
func (x *Exchange) IsClosed() bool { return x.closed }

// Commit adds the hash of a phone, in place of an earlier one. It returns false once the exchange is closed.
func (x *Exchange) Commit(phone string, h Hash) (done bool) {
	if x.closed {
		return false
	}
	i, is := x.find(phone)
	if !is {
		x.phones = slices.Insert(x.phones, i, PhonePart{Phone: phone})
	}
	x.phones[i].Hash = h
	return true
}

// Close ends the time of Commit, and keeps only some phones.
func (x *Exchange) Close(keep func(phone string) bool) {
	x.closed = true
	x.phones = slices.DeleteFunc(x.phones, func(p PhonePart) bool { return !keep(p.Phone) })
}

// Open opens the part of a phone. It returns false if the exchange is not closed, or the phone has not committed to this part.
func (x *Exchange) Open(phone string, part Salt) (done bool) {
	i, is := x.find(phone)
	if !x.closed || !is || x.phones[i].Hash != HashPart(part) {
		return false
	}
	x.phones[i].Part, x.phones[i].Opened = part, true
	return true
}

// HasAll reports whether the exchange is closed and all parts are open.
func (x *Exchange) HasAll() bool {
	return x.closed && !slices.ContainsFunc(x.phones, func(p PhonePart) bool { return !p.Opened })
}

// Joint returns what has been made so far. It contains the secret.
func (x *Exchange) Joint() *Joint { return &Joint{*x.secret, slices.Clone(x.phones)} }

func (x *Exchange) find(phone string) (i int, is bool) {
	return slices.BinarySearchFunc(x.phones, phone, func(p PhonePart, name string) int { return strings.Compare(p.Phone, name) })
}

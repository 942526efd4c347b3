package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"majordome/engine"
)

// Within is the JSON of u, without its oldest hypotheses where it has more bytes than most:
// a deck with long ids, at the end of a long evening. What the others fill no deck makes as
// long; names of accounts and what the overseer sees may, and are left out where that is not
// enough. A view that is too long all the same is given as it is.
func (u *Update) Within(most int) ([]byte, error) {
	body, err := u.recent(most)
	for _, less := range []func(Update) (Update, bool){unnamed, unseen} {
		if err != nil || len(body) <= most {
			break
		}
		if shorter, ok := less(*u); ok {
			u = &shorter
			body, err = u.recent(most)
		}
	}
	return body, err
}

// recent is the JSON of u without its oldest hypotheses.
func (u *Update) recent(most int) ([]byte, error) {
	body, err := json.Marshal(u)
	for err == nil && len(body) > most && u.View.Case != nil && len(u.View.Case.Past) > 0 {
		shorter, less := *u, *u.View.Case
		less.Past = less.Past[(len(less.Past)+7)/8:]
		shorter.View.Case = &less
		u = &shorter
		body, err = json.Marshal(u)
	}
	return body, err
}

// unnamed is an update of a device of the host without the names of who has given hints; false: it has none.
func unnamed(u Update) (Update, bool) {
	if u.ForHost == nil || u.Desk == nil || u.Desk.Hints == nil {
		return u, false
	}
	rest, desk, hints := *u.ForHost, *u.Desk, *u.Desk.Hints
	hints.Sent = slices.Clone(hints.Sent)
	for i := range hints.Sent {
		hints.Sent[i].By = Nameless(hints.Sent[i].By)
	}
	desk.Hints, rest.Desk, u.ForHost = &hints, &desk, &rest
	return u, true
}

// unseen is what the device of the overseer is shown where there is no room for the secrets: what the host is.
func unseen(u Update) (Update, bool) {
	if u.View.Secrets == nil {
		return u, false
	}
	u.View.Viewer, u.View.Secrets = engine.Host.String(), nil
	return u, true
}

// Nameless is who has done something as everybody is told it: of an account the role alone.
func Nameless(by string) string {
	if name, ok := StaffName(by); ok {
		return strings.TrimSuffix(by, "."+name)
	}
	return by
}

// StaffName is the name in what ByStaff begins; false: it is nobody's account.
func StaffName(by string) (string, bool) {
	rest, ok := strings.CutPrefix(by, ByStaff)
	if !ok {
		return "", false
	}
	_, name, ok := strings.Cut(rest, ".")
	return name, ok
}

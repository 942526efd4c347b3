package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"majordome/engine"
)

// MarshalWithin returns the JSON of u, shortened step by step while it is longer than maxBytes: first
// without its oldest hypotheses (needed for a deck with long ids after a long game), then without
// the names of accounts, then without what the overseer sees. No deck makes the other fields that
// long. If the result is still too long, MarshalWithin returns it as it is.
func (u *Update) MarshalWithin(maxBytes int) ([]byte, error) {
	body, err := u.marshalRecent(maxBytes)
	for _, less := range []func(Update) (Update, bool){withoutStaffNames, withoutOverseerSecrets} {
		if err != nil || len(body) <= maxBytes {
			break
		}
		if shorter, ok := less(*u); ok {
			u = &shorter
			body, err = u.marshalRecent(maxBytes)
		}
	}
	return body, err
}

// marshalRecent returns the JSON of u, without as many of its oldest hypotheses as needed.
func (u *Update) marshalRecent(maxBytes int) ([]byte, error) {
	body, err := json.Marshal(u)
	for err == nil && len(body) > maxBytes && u.View.Case != nil && len(u.View.Case.Past) > 0 {
		shorter, less := *u, *u.View.Case
		less.Past = less.Past[(len(less.Past)+7)/8:]
		shorter.View.Case = &less
		u = &shorter
		body, err = json.Marshal(u)
	}
	return body, err
}

// withoutStaffNames returns an update for a device of the host without the names of the people who gave
// hints; false: it has none.
func withoutStaffNames(u Update) (without Update, hadNames bool) {
	if u.ForHost == nil || u.Desk == nil || u.Desk.Hints == nil {
		return u, false
	}
	rest, desk, hints := *u.ForHost, *u.Desk, *u.Desk.Hints
	hints.Sent = slices.Clone(hints.Sent)
	for i := range hints.Sent {
		hints.Sent[i].By = WithoutStaffName(hints.Sent[i].By)
	}
	desk.Hints, rest.Desk, u.ForHost = &hints, &desk, &rest
	return u, true
}

// withoutOverseerSecrets returns the update for the overseer's device without the secrets: what the host
// sees. False: it has none.
func withoutOverseerSecrets(u Update) (without Update, hadSecrets bool) {
	if u.View.Secrets == nil {
		return u, false
	}
	u.View.Viewer, u.View.Secrets = engine.Host.String(), nil
	return u, true
}

// WithoutStaffName returns the cause of an act as all may see it: for an account only ByStaff and the role;
// another cause is returned unchanged.
func WithoutStaffName(cause string) string {
	if name, ok := StaffName(cause); ok {
		return strings.TrimSuffix(cause, "."+name)
	}
	return cause
}

// StaffName returns the name of the account in the cause of an act (ByStaff); false: it is not an account.
func StaffName(cause string) (account string, isStaff bool) {
	rest, ok := strings.CutPrefix(cause, ByStaff)
	if !ok {
		return "", false
	}
	_, name, ok := strings.Cut(rest, ".")
	return name, ok
}

package wire

import "encoding/json"

// Within is the JSON of u, without its oldest hypotheses where it has more bytes than most:
// a deck with long ids, at the end of a long evening. What the others fill no deck makes as
// long. A view that is too long all the same is given as it is.
func (u *Update) Within(most int) ([]byte, error) {
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

package script

import (
	"reflect"
	"strings"
	"testing"
)

// stepsOf lists the steps of a script without their expectations and line numbers.
func stepsOf(s *Script) (all []step) {
	for _, sc := range s.scenes {
		for _, st := range sc.steps {
			st.line, st.outcome, st.expect = 0, outcome{}, nil
			for i := range st.cards {
				st.cards[i].col, st.cards[i].from, st.cards[i].to = 0, 0, 0
			}
			all = append(all, st)
		}
	}
	return all
}

func sameSteps(t *testing.T, was, is *Script) {
	t.Helper()
	if !reflect.DeepEqual(stepsOf(was), stepsOf(is)) {
		t.Errorf("other steps than\n%s\nin\n%s", strings.Join(was.source, "\n"), strings.Join(is.source, "\n"))
	}
}

func rewritten(t *testing.T, src string) (string, Report) {
	t.Helper()
	s := mustParse(t, src)
	text, report, err := Rewrite(s, toyBook{})
	if err != nil {
		t.Fatalf("%s\n%v", src, err)
	}
	sameSteps(t, s, mustParse(t, string(text)))
	return string(text), report
}

// An expectation that is met stays as it is written, byte for byte. One that is not is rewritten so that it is, except for what must not be
// seen.
func TestEveryExpectationIsRewritten(t *testing.T) {
	for _, f := range forms {
		right := toyHead + f.step + "\n" + f.line
		if text, report := rewritten(t, right); text != right || !report.OK() {
			t.Errorf("%s was true and is rewritten: %s", f.line, text)
		}
		line := strings.Replace(f.line, f.from, f.to, 1)
		wrong := toyHead + f.step + "\n" + line
		text, report := rewritten(t, wrong)
		if stays := f.thing == "nowhere" || f.thing == "never" || f.thing == "change"; stays != !report.OK() || stays && text != wrong {
			t.Errorf("%s: came\n%s\n%s", line, text, report)
		}
	}
}

func TestRewrite(t *testing.T) {
	const look, drop = "Anne does look room=room-a\n", "urn reads card-6\n  refused forbidden TOY-002\n"
	for _, tt := range []struct{ steps, want string }{
		{"", "public sees phase over   # a comment\r > public sees phase play   # a comment\r"},
		{"", "\tpublic sees hand card-1 > \tpublic sees hand nothing"},
		{"", "all see active Bruno > all see active Anne"},
		{"", "Anne sees hand count=2 > Anne sees hand count=3"},
		{"", "Anne sees hand with card-9 > Anne sees hand card-1 card-2 card-6"},
		{"", "Anne sees hand card-6 marks=deposit > Anne sees hand card-6 marks=nothing"},
		{"", "all see role role-x > public,host see role nothing\nAnne see role role-seat-1\nBruno see role role-seat-2"},
		{"", "Anne,Bruno see role role-seat-1  # hers > Anne see role role-seat-1  # hers\nBruno see role role-seat-2"},
		{"", `public sees seat Anne alive=no cards=3 name="Bruno" > public sees seat Anne alive=yes cards=3 name="Anne"`},
		{"", "public sees place room-a nothing > public sees place room-a open=yes cards=2 pawns=Anne,Bruno lamp=open"},
		{"", "public sees reader show kind=card > public sees reader show nothing"},
		{"", "public sees result rule=TOY-009 > public sees result nothing"},
		{"", "host sees switches bell off > host sees switches bell on"},
		{"", "Bruno sees prompt toy.prompt.take seat=Bruno card=x > Bruno sees prompt toy.prompt.drop seat=Anne"},
		{"", "Anne sees facts toy.fact.holds card=card-9 > Anne sees facts toy.fact.holds card=card-1"},
		{"", "Anne sees no facts toy.fact.holds > Anne sees facts toy.fact.holds"},
		{"", "Anne sees offer look room=room-a > Anne sees offer look room=room-a,room-b"},
		{"", "Anne sees offer take card=* > Anne sees no offer take card=*"},
		{"", "Anne sees no offer look > Anne sees offer look"},
		{"", "Anne sees offers look take > Anne sees offers look"},
		{"", "deadlines nothing > deadlines bell"},
		{look, "all see log toy.took seat=Anne > all see log nothing"},
		{look + "Anne does take card=card-3\n", "Anne sees log toy.took seat=Bruno > Anne sees log toy.took seat=Anne"},
		{drop, "told Anne toy.why.other card=card-1 > told Anne toy.why.not-this card=card-6"},
		{drop, "told all nothing > told public gen.again\ntold host,Bruno nothing\ntold Anne toy.why.not-this"},
		{"", "Anne does fly  # off > Anne does fly  # off\n  refused unknown TOY-004"},
		{"Anne does fly\n", " accepted >  refused unknown TOY-004"},
		{look, "refused unknown TOY-004 # no > accepted # no"},
		{look, "refused unknown TOY-004\n told Anne toy.why.no\n all see phase over > accepted\n all see phase play"},
	} {
		from, to, _ := strings.Cut(tt.want, " > ")
		text, report := rewritten(t, toyHead+tt.steps+from)
		if text != toyHead+tt.steps+to || !report.OK() {
			t.Errorf("%s%s\n  want %q\n  came %q\n%s", tt.steps, from, to, strings.TrimPrefix(text, toyHead+tt.steps), report)
		}
	}
}

// A text that could not be read again is not given out.
func TestRewriteRefusesALineThatIsTooLong(t *testing.T) {
	line := "public sees role x #"
	s := mustParse(t, toyHead+line+strings.Repeat("x", maxLine-len(line)))
	if _, _, err := Rewrite(s, toyBook{}); err == nil || !strings.Contains(err.Error(), "longer than 4,096 bytes") {
		t.Errorf("role nothing is longer than role x, came %v", err)
	}
}

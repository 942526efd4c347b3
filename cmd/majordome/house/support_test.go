package house

import (
	"encoding/json"
	"strings"
	"testing"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/health"
	"majordome/companion/wire"
	"majordome/engine"
)

// askOffice sends a request to the office as the host's first device does.
func (r *rig) askOffice(row string, args engine.Args) wire.OfficeAnswer {
	r.t.Helper()
	r.waitPublished()
	return r.house.office.AnswerRequest(r.t.Context(), wire.FirstPhoneOf(engine.Host), wire.OfficeRequest{Row: row, Args: args})
}

// watchRow waits until a row of the office shows something else than seen.
func (r *rig) watchRow(row, seen string) wire.OfficeAnswer {
	return r.house.office.AnswerRequest(r.t.Context(), wire.FirstPhoneOf(engine.Host),
		wire.OfficeRequest{Watch: map[string]string{row: seen}}).Rows[row]
}

// doRow does a row of the office, which must not refuse it, and decodes the result.
func (r *rig) doRow(row string, args engine.Args, into any) {
	r.t.Helper()
	a := r.askOffice(row, args)
	if a.Why != nil {
		r.t.Fatalf("%s %v: %+v", row, args, a.Why)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(a.Value, into); err != nil {
		r.t.Fatal(err)
	}
}

// officeText returns a text that the office makes.
func (r *rig) officeText(row string, args engine.Args) string {
	r.t.Helper()
	var text wire.OfficeText
	r.doRow(row, args, &text)
	return text.Text
}

// TestSupport: bundles are made one at a time, and contain neither comments of the configuration nor numbers of tags.
func TestSupport(t *testing.T) {
	t.Parallel()
	making, made := make(chan struct{}), make(chan struct{})
	r := startRig(t, func(o *Opts) {
		o.SupportParts = func() []health.Part {
			close(making)
			<-made
			return []health.Part{{Name: "facts", Text: "of the machine"}}
		}
		o.Config.Buttons = []config.ButtonConfig{{Role: "undo", Tag: "04A1B2C3D4E5F6"}}
	})
	body := make(chan string)
	go func() { body <- r.officeText("support", nil) }()
	<-making
	if a := r.askOffice("support", nil); a.Why == nil || a.Why.Key != "table.busy" {
		t.Errorf("two are made at once: %+v", a)
	}
	close(made)
	if body := <-body; !strings.Contains(body, "-- facts --\nof the machine\n") || !strings.Contains(body, "-- log --") ||
		strings.Contains(body, "04A1B2") || !strings.Contains(body, "role: undo") {
		t.Error(body)
	}
}

package house

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"majordome/cmd/majordome/health"
	"majordome/companion/office"
	"majordome/companion/wire"
)

// supportTimeout limits the making of a bundle. The doctor reads a few hundred files, and asks for the health over loopback.
const supportWithin = 30 * time.Second

// supportRow is the office row that returns the support bundle of the table as one text.
func (h *House) supportRow() office.Row {
	return office.Row{Name: "support", Role: wire.RoleOperator, Do: office.Alone(func(ctx context.Context, _ office.Call) (any, error) {
		ctx, cancel := context.WithTimeout(ctx, supportWithin)
		defer cancel()
		var text strings.Builder
		_ = health.WriteBundle(&text, h.bundle(ctx)...) // a strings.Builder returns no errors
		return wire.OfficeText{File: "majordome.txt", Text: text.String()}, nil
	})}
}

// bundleParts returns the parts of a bundle about the running daemon.
func (h *House) bundle(ctx context.Context) (parts []health.Part) {
	if h.opts.Facts != nil {
		parts = h.opts.Facts()
	}
	status := h.status(ctx)
	said, _ := json.MarshalIndent(status, "", "  ") // cannot fail: only maps, numbers and strings
	return append(parts, []health.Part{{Name: "configuration", Text: h.config().Redacted()}, {Name: "healthz", Text: string(said)},
		{Name: "metrics", Text: health.Metrics(status, h.counts())}, {Name: "log", Text: h.opts.Tail.String()}}...)
}

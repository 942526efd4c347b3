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

// supportWithin bounds the making of a bundle: the doctor reads a few hundred files, and asks health over loopback.
const supportWithin = 30 * time.Second

// supportRow returns the support bundle of the table as one text.
func (h *House) supportRow() office.Row {
	return office.Row{Name: "support", Role: wire.RoleOperator, Do: office.Alone(func(ctx context.Context, _ office.Call) (any, error) {
		ctx, cancel := context.WithTimeout(ctx, supportWithin)
		defer cancel()
		var text strings.Builder
		_ = health.WriteBundle(&text, h.bundle(ctx)...) // a builder takes everything
		return wire.OfficeText{File: "majordome.txt", Text: text.String()}, nil
	})}
}

// bundle are the parts of one that the daemon makes of itself.
func (h *House) bundle(ctx context.Context) (parts []health.Part) {
	if h.opts.Facts != nil {
		parts = h.opts.Facts()
	}
	status := h.status(ctx)
	said, _ := json.MarshalIndent(status, "", "  ") // maps and numbers
	return append(parts, []health.Part{{Name: "configuration", Text: h.config().Redacted()}, {Name: "healthz", Text: string(said)},
		{Name: "metrics", Text: health.Metrics(status, h.counts())}, {Name: "log", Text: h.opts.Tail.String()}}...)
}

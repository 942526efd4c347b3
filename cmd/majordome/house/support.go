package house

import (
	"context"
	"encoding/json"
	"strings"
	"time"

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
		_ = WriteBundle(&text, h.bundle(ctx)...) // a builder takes everything
		return wire.OfficeText{File: "majordome.txt", Text: text.String()}, nil
	})}
}

// bundle are the parts of one that the daemon makes of itself.
func (h *House) bundle(ctx context.Context) (parts []Part) {
	if h.opts.Facts != nil {
		parts = h.opts.Facts()
	}
	said, _ := json.MarshalIndent(h.health(ctx), "", "  ") // maps and numbers
	return append(parts, Part{"configuration", h.config().Redacted()}, Part{"healthz", string(said)}, Part{"metrics", h.metricsText(ctx)}, Part{"log", h.opts.Tail.String()})
}

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
const supportTimeout = 30 * time.Second

// supportRow is the office row that returns the support bundle of the table as one text.
func (h *House) supportRow() office.Row {
	return office.Row{
		Name: "support",
		Role: wire.RoleOperator,
		Do: office.OneAtATime(func(ctx context.Context, _ office.Call) (any, error) {
			ctx, cancel := context.WithTimeout(ctx, supportTimeout)
			defer cancel()
			var text strings.Builder
			_ = health.WriteBundle(&text, h.bundleParts(ctx)...) // a strings.Builder returns no errors
			return wire.OfficeText{File: "majordome.txt", Text: text.String()}, nil
		}),
	}
}

// bundleParts returns the parts of a bundle about the running daemon.
func (h *House) bundleParts(ctx context.Context) (parts []health.Part) {
	if h.opts.SupportParts != nil {
		parts = h.opts.SupportParts()
	}
	status := h.status(ctx)
	said, _ := json.MarshalIndent(status, "", "  ") // cannot fail: only maps, numbers and strings
	return append(parts, []health.Part{{Name: "configuration", Text: h.currentConfig().Redacted()}, {Name: "healthz", Text: string(said)},
		{Name: "metrics", Text: health.Metrics(status, h.metricCounts())}, {Name: "log", Text: h.opts.LogTail.String()}}...)
}

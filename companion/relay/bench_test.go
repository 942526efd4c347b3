package relay

import (
	"slices"
	"testing"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// BenchmarkViewToFourPhones measures the time from PublishStep, sealing included, until the last of four phones has opened its
// view.
func BenchmarkViewToFourPhones(b *testing.B) {
	for name, kind := range brokerKinds {
		b.Run(name, func(b *testing.B) {
			h := kind(b)
			r := h.startRelay(nil)
			var phones []*phone
			for s := engine.Seat(1); s <= 4; s++ {
				phones = append(phones, h.connectPhone(engine.SeatViewer(s)))
			}
			waitConnected(b, r)
			publishStep(b, r, 1, allViewers...)
			for _, p := range phones {
				p.readUntil(1)
			}
			var took []time.Duration
			rev := uint64(1)
			for b.Loop() {
				time.Sleep(10 * time.Millisecond) // the broker cuts a phone that sends thousands of acknowledgements a second
				rev++
				start := time.Now()
				publishStep(b, r, rev, allViewers...)
				for _, p := range phones {
					p.readUntil(rev)
				}
				took = append(took, time.Since(start))
			}
			reportTimes(b, took)
		})
	}
}

func BenchmarkActToReply(b *testing.B) {
	for name, kind := range brokerKinds {
		b.Run(name, func(b *testing.B) {
			h := kind(b)
			r := h.startRelay(nil)
			waitConnected(b, r)
			go func() {
				for in := range r.Acts() {
					in.Reply(wire.Reply{ID: in.Act.ID, OK: true})
				}
			}()
			p := h.connectPhone(engine.SeatViewer(1))
			var took []time.Duration
			seq := uint64(0)
			for b.Loop() {
				time.Sleep(60 * time.Millisecond) // the broker accepts 20 a second from one phone
				seq++
				start := time.Now()
				p.sendAct(seq, epoch)
				m := p.nextMessage(p.tree.ReplyTopic(p.v.Viewer))
				if _, _, err := seal.OpenReply(h.keys[p.v], m.Topic(), m.Payload()); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			reportTimes(b, took)
		})
	}
}

func reportTimes(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	at := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Microseconds()) }
	b.ReportMetric(at(0.5), "µs-p50")
	b.ReportMetric(at(0.99), "µs-p99")
}

package relay

import (
	"errors"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
)

// queueAct queues a message for openActs. It runs on the goroutine that reads the socket, so it must neither wait nor publish.
func (r *Relay) receive(topic string, payload []byte, retained bool) {
	h, ok := r.ups[topic]
	switch {
	case !ok:
		r.line.Count("stray") // the relay has not subscribed to this topic
		return
	case retained:
		r.line.Count("retained") // phones never retain acts; an attacker may replay an old one
		return
	case len(payload) > maxAct:
		r.line.Count("too-large")
		return
	}
	r.mu.Lock()
	full := r.waiting[h] >= maxPerPhone
	if !full {
		r.waiting[h]++
	}
	r.mu.Unlock()
	if full {
		r.line.Count("flood", "phone", h.String())
		return
	}
	r.inbox <- message{phone: h, topic: topic, payload: payload} // never blocks, by invariant 2
}

// openActs decrypts queued messages and sends them to Acts, until Close.
func (r *Relay) open() {
	defer close(r.acts)
	for {
		select {
		case <-r.line.Done():
			return
		case m := <-r.inbox:
			in, ok := r.inbound(m)
			if ok {
				select {
				case r.acts <- in:
				case <-r.line.Done():
					return
				}
			}
			r.mu.Lock()
			r.waiting[m.phone]--
			r.mu.Unlock()
		}
	}
}

// openAct decrypts one message. It counts those that do not open.
func (r *Relay) inbound(m message) (Inbound, bool) {
	act, err := r.opts.Sealer.OpenAct(m.phone, m.topic, r.opts.Epoch, m.payload)
	if err != nil {
		reason := "unsealed"
		switch {
		case errors.Is(err, seal.ErrEpoch):
			reason = "epoch" // the page does not know yet that the daemon has restarted
		case errors.Is(err, seal.ErrNoKey):
			reason = "no-key"
		case errors.Is(err, seal.ErrFormat):
			reason = "malformed"
		}
		r.line.Count(reason, "phone", m.phone.String())
		return Inbound{}, false
	}
	reply := func(answer wire.Reply) { r.reply(m, act.Seq, answer) }
	return Inbound{Phone: m.phone, Act: act, Reply: reply}, true
}

// sendReply seals a reply and queues it.
func (r *Relay) reply(m message, seq uint64, answer wire.Reply) {
	topic := r.opts.Tree.Phone(m.phone.N).Reply(m.phone.Viewer)
	payload, err := r.opts.Sealer.SealReply(m.phone, topic, r.opts.Epoch, seq, answer)
	if err != nil {
		r.line.Count("reply-unsealed", "phone", m.phone.String())
		return
	}
	if !r.line.Send(topic, payload, time.Time{}) {
		r.line.Count("reply-flood")
	}
}

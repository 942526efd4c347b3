package relay

import (
	"errors"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
)

// queueAct queues a message for openQueuedActs. It runs on the goroutine that reads the socket, so it must neither wait nor publish.
func (r *Relay) queueAct(topic string, payload []byte, retained bool) {
	h, ok := r.upTopics[topic]
	switch {
	case !ok:
		r.line.CountTrouble("stray") // the relay has not subscribed to this topic
		return
	case retained:
		r.line.CountTrouble("retained") // phones never retain acts; an attacker may replay an old one
		return
	case len(payload) > maxActBytes:
		r.line.CountTrouble("too-large")
		return
	}
	r.mu.Lock()
	full := r.queued[h] >= maxPerPhone
	if !full {
		r.queued[h]++
	}
	r.mu.Unlock()
	if full {
		r.line.CountTrouble("flood", "phone", h.String())
		return
	}
	r.inbox <- message{phone: h, topic: topic, payload: payload} // never blocks, by invariant 2
}

// openQueuedActs decrypts queued messages and sends them to Acts, until Close.
func (r *Relay) openQueuedActs() {
	defer close(r.acts)
	for {
		select {
		case <-r.line.Done():
			return
		case m := <-r.inbox:
			in, ok := r.openAct(m)
			if ok {
				select {
				case r.acts <- in:
				case <-r.line.Done():
					return
				}
			}
			r.mu.Lock()
			r.queued[m.phone]--
			r.mu.Unlock()
		}
	}
}

// openAct decrypts one message. It counts those that do not open.
func (r *Relay) openAct(m message) (opened Inbound, ok bool) {
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
		r.line.CountTrouble(reason, "phone", m.phone.String())
		return Inbound{}, false
	}
	reply := func(answer wire.Reply) { r.sendReply(m, act.Seq, answer) }
	return Inbound{Phone: m.phone, Act: act, Reply: reply}, true
}

// sendReply seals a reply and queues it.
func (r *Relay) sendReply(m message, seq uint64, answer wire.Reply) {
	topic := r.opts.Tree.TreeOfPhone(m.phone.N).ReplyTopic(m.phone.Viewer)
	payload, err := r.opts.Sealer.SealReply(m.phone, topic, r.opts.Epoch, seq, answer)
	if err != nil {
		r.line.CountTrouble("reply-unsealed", "phone", m.phone.String())
		return
	}
	if !r.line.SendUntil(topic, payload, time.Time{}) {
		r.line.CountTrouble("reply-flood")
	}
}

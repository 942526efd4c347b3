package line

import (
	"slices"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// runSession subscribes, sends all topics, and then what is new, until the connection or the line ends.
func (l *Line) session(k *link, careful bool) error {
	if err := l.subscribe(k, careful); err != nil {
		return err
	}
	l.mu.Lock()
	for _, s := range l.topics {
		s.sent = 0
	}
	l.mu.Unlock()
	if err := l.flush(k, careful); err != nil {
		return err
	}
	l.up(true)
	lasted := time.NewTimer(l.opts.Lasting)
	defer lasted.Stop()
	again := time.NewTicker(l.lookEvery)
	defer again.Stop()
	for {
		var err error
		select {
		case <-l.stop:
			return errStopped
		case <-k.lost:
			return k.ended(errLost)
		case <-lasted.C:
			k.lasted, careful = true, false
		case <-again.C:
			if err = l.subscribeAgain(k); err == nil {
				err = l.flush(k, true)
			}
		case <-l.wake:
			err = l.flush(k, careful)
		}
		if err != nil {
			return err
		}
	}
}

// waitQuiet waits until the connection has lasted for quietTime. An earlier end, as by another client with the same id, is no fault of a
// message.
func (l *Line) settle(k *link) error {
	select {
	case <-time.After(time.Until(k.began.Add(calm))):
		return nil
	case <-k.lost:
		return k.ended(errLost)
	case <-l.stop:
		return errStopped
	}
}

// subscribeAll subscribes to all filters at once, or one by one if careful. A filter after which the connection broke is left out and
// counts as denied.
func (l *Line) subscribe(k *link, careful bool) error {
	var all []string
	for _, f := range l.opts.Filters {
		if l.isLeftOut(subscribing+f, 0) {
			k.without = append(k.without, f)
		} else {
			all = append(all, f)
		}
	}
	if careful {
		if err := l.subscribeEach(k, all); err != nil {
			return err
		}
	} else if err := l.subscribeTo(k, all); err != nil {
		return err
	}
	if denied := l.showDenied(k); denied > 0 {
		l.Count("denied", "topics", denied)
	}
	return nil
}

// subscribeEach subscribes to filters one by one, to find the one at which the broker ends the connection.
func (l *Line) subscribeEach(k *link, some []string) error {
	for _, f := range some {
		one := []outgoing{{message: message{topic: subscribing + f}}}
		if err := l.begin(k, one); err != nil {
			return err
		}
		if err := l.subscribeTo(k, []string{f}); err != nil {
			return err
		}
		l.acknowledged(k, one[0])
	}
	return nil
}

// retryFilters subscribes to the filters that were left out and may be tried again.
func (l *Line) subscribeAgain(k *link) error {
	var due []string
	for _, f := range k.without {
		if !l.isLeftOut(subscribing+f, 0) {
			due = append(due, f)
		}
	}
	if len(due) == 0 {
		return nil
	}
	k.without = slices.DeleteFunc(k.without, func(f string) bool { return slices.Contains(due, f) })
	if err := l.subscribeEach(k, due); err != nil {
		return err
	}
	l.showDenied(k)
	return nil
}

// updateDenied sets Status.Denied to the filters that receive nothing, and counts them.
func (l *Line) showDenied(k *link) int {
	all := slices.Concat(k.without, k.denied)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.status.Denied = all
	return len(all)
}

// subscribeTo subscribes to filters at once, and notes those that the broker refuses.
func (l *Line) subscribeTo(k *link, all []string) error {
	if len(all) == 0 {
		return nil
	}
	filters := make(map[string]byte, len(all))
	for _, topic := range all {
		filters[topic] = qos
	}
	k.filters.Store(int32(len(all)))
	// nil selects the default handler, handleMessage.
	token, err := l.ask(k, func() mqtt.Token { return k.client.SubscribeMultiple(filters, nil) })
	if err == nil {
		err = l.await(k, token)
	}
	if err != nil {
		return err
	}
	for topic, code := range token.(*mqtt.SubscribeToken).Result() {
		if code == subDenied {
			k.denied = append(k.denied, topic)
		}
	}
	return nil
}

// setConnected sets Status.Connected.
func (l *Line) up(is bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.status.Connected = is; is {
		l.status.Reason = ""
	}
}

// sendPending sends what is new until nothing is, all at once or one by one if careful. Of each topic at most one payload is under way, and
// one waits.
func (l *Line) flush(k *link, careful bool) error {
	for {
		batch := l.due(careful)
		if len(batch) == 0 {
			return nil
		}
		if err := l.begin(k, batch); err != nil {
			return err
		}
		tokens := make([]mqtt.Token, len(batch))
		for i, m := range batch {
			t, err := l.ask(k, func() mqtt.Token { return k.client.Publish(m.topic, qos, m.retained, m.payload) })
			if err != nil {
				return err
			}
			tokens[i] = t
		}
		for i, t := range tokens {
			if err := l.await(k, t); err != nil {
				return err
			}
			l.acknowledged(k, batch[i])
		}
	}
}

// beginBatch records which messages are sent next. If one of them is a suspect, it calls waitQuiet before.
func (l *Line) begin(k *link, batch []outgoing) error {
	k.underway = nil
	l.mu.Lock()
	suspect := l.suspects.hasSuspect(batch)
	l.mu.Unlock()
	if suspect {
		if err := l.settle(k); err != nil {
			return err
		}
	}
	k.underway, k.since = batch, time.Now()
	return nil
}

// outgoing is one message under way.
type outgoing struct {
	message
	retained bool
	version  uint64
}

// nextBatch removes the messages from the queue and adds one payload of each retained topic that the broker does not have yet; if single,
// only the first of all these. Queued messages that are left out are dropped, retained ones wait.
func (l *Line) due(single bool) []outgoing {
	l.mu.Lock()
	defer l.mu.Unlock()
	var batch []outgoing
	now := time.Now()
	for len(l.once) > 0 && (!single || len(batch) == 0) {
		m := l.once[0]
		l.once = l.once[1:]
		if !m.late(now) && !l.suspects.leaves(m.topic, len(m.payload), true, now) {
			batch = append(batch, outgoing{message: m})
		}
	}
	for _, topic := range l.order {
		s := l.topics[topic]
		if s.sent == s.version || single && len(batch) > 0 {
			continue
		}
		if l.suspects.leaves(topic, len(s.payload), true, now) {
			continue
		}
		batch = append(batch, outgoing{message{topic: topic, payload: s.payload}, true, s.version})
	}
	return batch
}

// handleAck records that the broker has acknowledged the first message under way.
func (l *Line) acknowledged(k *link, o outgoing) {
	k.underway, k.since = k.underway[1:], time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.suspects.clear(o.topic, len(o.payload), k.since)
	if s := l.topics[o.topic]; o.retained && s.version >= o.version { // false after ReleaseTopics
		s.sent = o.version
	}
}

// sendOffline publishes "offline" before a graceful stop, because after a DISCONNECT the broker does not send the will.
func (l *Line) goodbye(c mqtt.Client) {
	limit, said := min(l.opts.Timeout, time.Second), make(chan struct{})
	go func() {
		defer close(said)
		c.Publish(l.opts.Will, qos, true, Offline).WaitTimeout(limit)
	}()
	select {
	case <-said:
	case <-time.After(limit):
	}
}

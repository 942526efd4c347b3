package line

import (
	"slices"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// runSession subscribes, sends all topics, and then what is new, until the connection or the line ends. With oneByOne it sends one message
// at a time until the connection is stable.
func (l *Line) runSession(k *link, oneByOne bool) error {
	if err := l.subscribeAll(k, oneByOne); err != nil {
		return err
	}
	l.forgetSent()
	if err := l.sendPending(k, oneByOne); err != nil {
		return err
	}
	l.SetConnected(true)
	lasted := time.NewTimer(l.opts.StableTime)
	defer lasted.Stop()
	again := time.NewTicker(l.retryInterval)
	defer again.Stop()
	for {
		var err error
		select {
		case <-l.stop:
			return errStopped
		case <-k.lost:
			return k.withCause(errLost)
		case <-lasted.C:
			k.isStable, oneByOne = true, false
		case <-again.C:
			if err = l.retryFilters(k); err == nil {
				err = l.sendPending(k, true)
			}
		case <-l.wake:
			err = l.sendPending(k, oneByOne)
		}
		if err != nil {
			return err
		}
	}
}

// waitQuietTime waits until the connection has lasted for quietTime, and returns an error if it ends before. Such an early end, as by
// another client with the same id, is no fault of a message.
func (l *Line) waitQuietTime(k *link) error {
	select {
	case <-time.After(time.Until(k.acceptedAt.Add(quietTime))):
		return nil
	case <-k.lost:
		return k.withCause(errLost)
	case <-l.stop:
		return errStopped
	}
}

// subscribeAll subscribes to all filters, at once or one by one. A filter after which the connection broke is left out and
// counts as denied.
func (l *Line) subscribeAll(k *link, oneByOne bool) error {
	var all []string
	for _, f := range l.opts.Filters {
		if l.isLeftOut(subscribePrefix+f, 0) {
			k.leftOut = append(k.leftOut, f)
		} else {
			all = append(all, f)
		}
	}
	if oneByOne {
		if err := l.subscribeEach(k, all); err != nil {
			return err
		}
	} else if err := l.subscribeTo(k, all); err != nil {
		return err
	}
	if denied := l.updateDenied(k); denied > 0 {
		l.CountTrouble("denied", "topics", denied)
	}
	return nil
}

// subscribeEach subscribes to filters one by one, to find the one at which the broker ends the connection.
func (l *Line) subscribeEach(k *link, filters []string) error {
	for _, f := range filters {
		one := []outgoing{{message: message{topic: subscribePrefix + f}}}
		if err := l.beginBatch(k, one); err != nil {
			return err
		}
		if err := l.subscribeTo(k, []string{f}); err != nil {
			return err
		}
		l.recordFirstAcknowledged(k, one[0])
	}
	return nil
}

// retryFilters subscribes to the filters that were left out and may be tried again.
func (l *Line) retryFilters(k *link) error {
	var due []string
	for _, f := range k.leftOut {
		if !l.isLeftOut(subscribePrefix+f, 0) {
			due = append(due, f)
		}
	}
	if len(due) == 0 {
		return nil
	}
	k.leftOut = slices.DeleteFunc(k.leftOut, func(f string) bool { return slices.Contains(due, f) })
	if err := l.subscribeEach(k, due); err != nil {
		return err
	}
	l.updateDenied(k)
	return nil
}

// updateDenied sets Status.Denied to the filters that receive nothing, and counts them.
func (l *Line) updateDenied(k *link) int {
	all := slices.Concat(k.leftOut, k.denied)
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
	token, err := l.callPaho(k, func() mqtt.Token { return k.client.SubscribeMultiple(filters, nil) })
	if err == nil {
		err = l.waitForBrokerAnswer(k, token)
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

// sendPending sends what is new until nothing is, all at once or one by one. Of each topic at most one payload is under way, and one waits.
func (l *Line) sendPending(k *link, oneByOne bool) error {
	for {
		batch := l.takeNextBatch(oneByOne)
		if len(batch) == 0 {
			return nil
		}
		if err := l.beginBatch(k, batch); err != nil {
			return err
		}
		tokens := make([]mqtt.Token, len(batch))
		for i, m := range batch {
			t, err := l.callPaho(k, func() mqtt.Token { return k.client.Publish(m.topic, qos, m.retained, m.payload) })
			if err != nil {
				return err
			}
			tokens[i] = t
		}
		for i, t := range tokens {
			if err := l.waitForBrokerAnswer(k, t); err != nil {
				return err
			}
			l.recordFirstAcknowledged(k, batch[i])
		}
	}
}

// beginBatch records which messages are sent next. If one of them is a suspect, it calls waitQuietTime before.
func (l *Line) beginBatch(k *link, batch []outgoing) error {
	k.pending = nil
	l.mu.Lock()
	suspect := l.suspects.hasSuspect(batch)
	l.mu.Unlock()
	if suspect {
		if err := l.waitQuietTime(k); err != nil {
			return err
		}
	}
	k.pending, k.pendingSince = batch, time.Now()
	return nil
}

// outgoing is one message under way.
type outgoing struct {
	message
	retained bool
	version  uint64
}

// takeNextBatch removes the messages from the queue and adds one payload of each retained topic that the broker does not have yet; with
// oneByOne only the first of all these. Queued messages that are left out are dropped, retained ones wait.
func (l *Line) takeNextBatch(oneByOne bool) []outgoing {
	l.mu.Lock()
	defer l.mu.Unlock()
	var batch []outgoing
	now := time.Now()
	for len(l.queue) > 0 && (!oneByOne || len(batch) == 0) {
		m := l.queue[0]
		l.queue = l.queue[1:]
		if !m.isExpired(now) && !l.suspects.isLeftOut(m.topic, len(m.payload), true, now) {
			batch = append(batch, outgoing{message: m})
		}
	}
	for _, topic := range l.topicOrder {
		s := l.topics[topic]
		if s.sent == s.version || oneByOne && len(batch) > 0 {
			continue
		}
		if l.suspects.isLeftOut(topic, len(s.payload), true, now) {
			continue
		}
		batch = append(batch, outgoing{message{topic: topic, payload: s.payload}, true, s.version})
	}
	return batch
}

// recordFirstAcknowledged records that the broker has acknowledged the first message under way.
func (l *Line) recordFirstAcknowledged(k *link, o outgoing) {
	k.pending, k.pendingSince = k.pending[1:], time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.suspects.forgetAcknowledged(o.topic, len(o.payload), k.pendingSince)
	if o.retained {
		l.markSent(o.topic, o.version)
	}
}

// sendOffline publishes "offline" before a graceful stop, because after a DISCONNECT the broker does not send the will.
func (l *Line) sendOffline(c mqtt.Client) {
	limit, published := min(l.opts.Timeout, time.Second), make(chan struct{})
	go func() {
		defer close(published)
		c.Publish(l.opts.Will, qos, true, Offline).WaitTimeout(limit)
	}()
	select {
	case <-published:
	case <-time.After(limit):
	}
}

package line

import (
	"slices"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// session subscribes, shows everything, and then what is new, until the
// connection or the line ends.
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

// settle waits until the connection has stood for a moment: one that ends sooner, as by another client of the same id, ends by no
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

// subscribe asks for all filters at once, or one by one. A filter after which the line broke is left out, and counts as denied.
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

// subscribeEach asks for filters one by one, so that it is known at which one the broker ends the connection.
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

// subscribeAgain asks for the filters that were left out and may be tried again.
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

// showDenied shows in Status which filters are not heard, and counts them.
func (l *Line) showDenied(k *link) int {
	all := slices.Concat(k.without, k.denied)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.status.Denied = all
	return len(all)
}

// subscribeTo asks for filters at once, and notes those that the broker denies.
func (l *Line) subscribeTo(k *link, all []string) error {
	if len(all) == 0 {
		return nil
	}
	filters := make(map[string]byte, len(all))
	for _, topic := range all {
		filters[topic] = qos
	}
	k.filters.Store(int32(len(all)))
	// nil: the default handler, receive
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

func (l *Line) up(is bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.status.Connected = is; is {
		l.status.Reason = ""
	}
}

// flush sends what is new until nothing is, all at once or one by one. Of each topic one payload is under
// way and one waits.
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

// begin notes what is sent next. Where the line broke after one of it, the connection is to stand for a moment before.
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

// outgoing is one publish under way.
type outgoing struct {
	message
	retained bool
	version  uint64
}

// due takes what waits to be sent once, and one payload of each retained topic that the broker
// does not have yet; where single, the first of these alone. What is left out is dropped, or waits.
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

// acknowledged notes that the broker has taken the first message under way.
func (l *Line) acknowledged(k *link, o outgoing) {
	k.underway, k.since = k.underway[1:], time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.suspects.clear(o.topic, len(o.payload), k.since)
	if s := l.topics[o.topic]; o.retained && s.version >= o.version { // else it was released
		s.sent = o.version
	}
}

// goodbye is the last word of a graceful stop: a DISCONNECT keeps the will from
// being told.
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

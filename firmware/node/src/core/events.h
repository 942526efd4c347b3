// The events that the host has not acknowledged yet. They are stored, and sent again until it has.
#pragma once
#include "protocol.h"

namespace node {

struct Event {
  uint32_t at;
  uint8_t what;  // kind, index << 4, kMore
  Tag tag;       // of kArrived and kLeft; else len 0
};

// Events is a queue of numbered events.
//
// Invariants:
//  1. first is the number of the oldest event in the queue; the others follow in order, count in all.
//  2. sent of them have been sent since the queue last went back to the oldest.
//  3. Only acknowledge and begin remove events.
class Events {
 public:
  static const uint8_t kSize = 12;

  // begin starts a stream: the queue is empty, numbers count from 0.
  void begin(uint8_t stream) {
    stream_ = stream;
    first_ = 0;
    count_ = sent_ = 0;
  }

  uint8_t room() const { return kSize - count_; }

  // push adds an event; the caller has checked room. more: another event of the same moment follows.
  void push(uint32_t at, uint8_t kind, uint8_t index, bool more, const Tag* tag) {
    Event& e = kept_[(head_ + count_) % kSize];
    e.at = at;
    e.what = kind | (uint8_t)(index << 4) | (more ? kMore : 0);
    e.tag.len = 0;
    if (tag) e.tag = *tag;
    count_++;
  }

  // acknowledge removes all events before number next, if they were sent in this stream.
  void acknowledge(uint8_t stream, uint16_t next, uint16_t ms) {
    uint16_t n = next - first_;
    if (stream != stream_ || n == 0 || n > count_) return;
    first_ = next;
    head_ = (head_ + n) % kSize;
    count_ -= n;
    sent_ = sent_ > n ? sent_ - n : 0;
    last_ = ms;
  }

  // send sends the next event if the link has room for it, and goes back to the oldest if the host does not
  // acknowledge.
  template <class Link>
  void send(Link& link, uint16_t ms) {
    if (sent_ > 0 && (uint16_t)(ms - last_) >= kResendMs) sent_ = 0;
    if (sent_ == count_) return;
    const Event& e = kept_[(head_ + sent_) % kSize];
    uint16_t number = first_ + sent_;
    uint8_t b[20] = {kEvent, stream_, (uint8_t)number, (uint8_t)(number >> 8), (uint8_t)e.at, (uint8_t)(e.at >> 8),
                     (uint8_t)(e.at >> 16), (uint8_t)(e.at >> 24), e.what, e.tag.sak};
    uint8_t n = 9;
    if (e.tag.len) {
      for (uint8_t i = 0; i < e.tag.len; i++) b[10 + i] = e.tag.uid[i];
      n = 10 + e.tag.len;
    }
    if (!link.send(b, n)) return;
    sent_++;
    last_ = ms;
  }

  uint16_t first() const { return first_; }
  uint8_t count() const { return count_; }

 private:
  Event kept_[kSize];
  uint16_t first_, last_;
  uint8_t head_, count_, sent_, stream_;
};

}  // namespace node

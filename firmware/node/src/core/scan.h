// Polling of up to four readers, one field at a time, so that neighbouring antennas do not disturb each other
// and the supply carries one field. A tag may take 5 ms from field to first answer (ISO/IEC 14443-3), which is
// most of a round of four. A node with one reader leaves its field on and polls without that wait. It is the
// reader of a slot, where fallen cards may stay within reach, so it looks for new ones and asks for known ones
// in between.
#pragma once
#include "config.h"
#include "mfrc522.h"
#include "presence.h"

namespace node {

// Scanner polls the readers in small steps without ever waiting.
//
// Invariants:
//  1. At most one field is on.
//  2. A reader is scanned only while there is room for all events that this may bring.
//  3. A reader that is not up is tried every 100 ms; each failed try is a failed scan.
template <class Hal>
class Scanner {
 public:
  void begin(const Config& c) {
    config_ = &c;
    configured_ = 0;
    for (uint8_t i = 0; i < kReaders; i++) {
      if (c.select[i] != kNoPin) configured_ |= 1 << i;
      presence_.begin(i);
    }
  }

  // restart forgets all tags and the current exchange.
  void restart() {
    for (uint8_t i = 0; i < kReaders; i++) presence_.begin(i);
    anew_ = true;
  }

  uint8_t configured() const { return configured_; }
  // version returns the version of a reader's chip, 0 if it does not answer. A reader that was never scanned is
  // asked.
  uint8_t version(uint8_t i) const {
    if (up_ >> i & 1) return version_[i];
    uint8_t v = configured_ >> i & 1 ? Chip<Hal>::version(i) : 0;
    return v == 0xFF ? 0 : v;
  }

  // step does the next small thing; the longest is one exchange over the bus. ms is the uptime, ticks run in
  // units of 4 us.
  void step(uint32_t ms, uint16_t ticks, Events& events) {
    switch (state_) {
      case kNext: return next(ms, ticks, events);
      case kBooting: return boot(ms, ticks, events);
      case kDark:
        if ((uint16_t)(ticks - since_) >= kSettle) state_ = kNext;
        return;
      case kSettling:
        if ((uint16_t)(ticks - since_) < kSettle) return;
        if (!Chip<Hal>::healthy(now_, version_[now_], config_->gain)) return fail(ms, events);
        verifying_ = false;
        if (single()) inventory_.arrivals();
        else inventory_.begin(true);
        return send(ticks);
      case kAir: return listen(ms, ticks, events);
    }
  }

 private:
  static const uint16_t kTick = 4;  // us
  static const uint16_t kSettle = 5000 / kTick, kBoot = 1000 / kTick, kBootLimit = 150000 / kTick, kAirLimit = 5000 / kTick;
  static const uint16_t kRetryMs = 100;
  enum State { kNext, kBooting, kDark, kSettling, kAir };

  bool single() const { return (configured_ & (configured_ - 1)) == 0; }

  void next(uint32_t ms, uint16_t ticks, Events& events) {
    if (configured_ == 0) return;
    do now_ = (now_ + 1) % kReaders;
    while (!(configured_ >> now_ & 1));
    if (events.room() < presence_.need(now_, single())) return;
    since_ = ticks;
    if (!(up_ >> now_ & 1)) {
      if ((uint16_t)((uint16_t)ms - tried_[now_]) < kRetryMs) return;
      tried_[now_] = (uint16_t)ms;
      uint8_t v = version_[now_] = Chip<Hal>::version(now_);
      if (v == 0x00 || v == 0xFF) return fail(ms, events);
      Chip<Hal>::reset(now_);
      state_ = kBooting;
      return;
    }
    if (anew_ && (lit_ >> now_ & 1)) {
      anew_ = false;
      dark();
      state_ = kDark;
      return;
    }
    if (!(lit_ >> now_ & 1)) {
      Chip<Hal>::field(now_, true);
      lit_ |= 1 << now_;
    } else {
      since_ = ticks - kSettle;
    }
    state_ = kSettling;
  }

  void boot(uint32_t ms, uint16_t ticks, Events& events) {
    uint16_t waited = ticks - since_;
    if (waited < kBoot) return;
    if (!Chip<Hal>::awake(now_)) {
      if (waited > kBootLimit) fail(ms, events);
      return;
    }
    Chip<Hal>::configure(now_, config_->gain);
    Chip<Hal>::field(now_, true);
    up_ |= 1 << now_;
    lit_ |= 1 << now_;
    since_ = ticks;
    state_ = kSettling;
  }

  void send(uint16_t ticks) {
    Chip<Hal>::start(now_, inventory_.frame);
    since_ = ticks;
    state_ = kAir;
  }

  void listen(uint32_t ms, uint16_t ticks, Events& events) {
    Poll p = Chip<Hal>::poll(now_, version_[now_], inventory_.frame);
    if (p == kBroken || (p == kPending && (uint16_t)(ticks - since_) > kAirLimit)) return fail(ms, events);
    if (p == kPending) return;
    if (inventory_.next()) return send(ticks);
    state_ = kNext;
    if (verifying_) return presence_.verified(events, ms, now_, inventory_.found());
    if (!single()) dark();
    presence_.scanned(events, ms, now_, inventory_.tags(), inventory_.count(), inventory_.heard(), single());
    if (!single() || inventory_.count() > 0 || inventory_.heard() != kClean) return;
    const Tag* due = presence_.due(now_, (uint16_t)ms);
    if (!due) return;
    verifying_ = true;
    inventory_.verify(*due);
    send(ticks);
  }

  void dark() {
    Chip<Hal>::field(now_, false);
    lit_ &= ~(1 << now_);
  }

  void fail(uint32_t ms, Events& events) {
    if (up_ >> now_ & 1) dark();
    up_ &= ~(1 << now_);
    tried_[now_] = (uint16_t)ms;
    presence_.failed(events, ms, now_);
    state_ = kNext;
  }

  const Config* config_;
  Inventory inventory_;
  Presence presence_;
  bool verifying_;
  bool anew_;  // all tags are to be reported again: they are halted and must lose their power first
  uint16_t tried_[kReaders];
  uint8_t version_[kReaders];
  uint16_t since_;
  uint8_t configured_, up_, lit_, now_, state_;
};

}  // namespace node

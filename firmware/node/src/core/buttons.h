// Buttons, debounced by time: a change counts when it has lasted 20 ms.
#pragma once
#include "events.h"

namespace node {

class Buttons {
 public:
  // step takes the buttons that are pressed now, one bit each. While there is no room for an event it reports
  // nothing, but reports a pressed button later if it is still pressed.
  void step(uint8_t pressed, uint32_t ms, Events& events) {
    for (uint8_t i = 0; i < kButtons; i++) {
      uint8_t bit = 1 << i;
      if (!((pressed ^ told_) & bit)) {
        since_[i] = (uint16_t)ms;
        continue;
      }
      if ((uint16_t)((uint16_t)ms - since_[i]) < kStableMs || events.room() == 0) continue;
      told_ ^= bit;
      events.push(ms, told_ & bit ? kDown : kUp, i, false, 0);
    }
  }

  // restart makes step report the pressed buttons again.
  void restart() { told_ = 0; }

 private:
  static const uint16_t kStableMs = 20;
  uint16_t since_[kButtons];
  uint8_t told_;
};

}  // namespace node

// The line: receives and counts bytes, sends frames.
#pragma once
#include "frame.h"
#include "protocol.h"

namespace node {

template <class Hal>
class Link {
 public:
  // poll reads the received bytes and calls on.frame(body, size) for each valid frame.
  template <class Node>
  void poll(Node& on) {
    uint8_t b;
    while (Hal::receive(&b)) {
      taken_++;
      if (decoder_.take(b)) on.frame(decoder_.body(), decoder_.size());
    }
    if ((uint16_t)(taken_ - told_) >= kCreditEvery) {
      uint8_t m[] = {kCredit, (uint8_t)taken_, (uint8_t)(taken_ >> 8)};
      if (send(m, sizeof m)) told_ = taken_;
    }
  }

  // send returns whether there was room for the frame.
  bool send(const uint8_t* body, uint8_t n) {
    if (Hal::send_room() < n + kFrame) return false;
    encode(body, n, Hal::send);
    return true;
  }

  uint16_t taken() const { return taken_; }
  uint16_t broken() const { return decoder_.broken(); }

 private:
  Decoder decoder_;
  uint16_t taken_, told_;
};

}  // namespace node

// The numbers of PROTOCOL.md, version 1.
#pragma once
#include <stdint.h>

namespace node {

const uint8_t kVersion = 1;
const uint8_t kFirmwareMajor = 1, kFirmwareMinor = 1;

enum Type {
  kAsk = 0x01, kAck = 0x02, kPixels = 0x03, kShow = 0x04, kGet = 0x05, kSet = 0x06, kFine = 0x07,
  kHello = 0x81, kCredit = 0x82, kEvent = 0x83, kShown = 0x84, kConfig = 0x85
};

enum Kind {
  kArrived = 1, kLeft = 2, kNoise = 3, kQuiet = 4, kLost = 5, kBack = 6, kDown = 7, kUp = 8
};
const uint8_t kParts = 1;        // in SHOW: the frame has parts, and is to be mixed
const uint8_t kMore = 0x80;  // in `what`: another event of the same moment follows

const uint8_t kReaders = 4, kButtons = 4;
const uint8_t kMaxPixels = 120;
const uint8_t kMaxName = 16;
const uint8_t kMaxTags = 3;      // named in one field; more are noise
const uint8_t kCreditEvery = 32;

const uint16_t kMixTicks = 5000 / 4;  // between two frames that are mixed

// Light is the way a frame is shown. Mixed: behind the colours there is one byte for each of them. Its low half
// is the part of a step to add, in 16ths, its high half the part that is still owed.
enum Light { kPlain, kDim, kMixed };

// mixed returns a channel for the next frame: one step brighter when the owed parts make one.
inline uint8_t mixed(uint8_t v, uint8_t* part) {
  uint8_t was = *part, now = was + (uint8_t)(was << 4);
  *part = now;
  return v + (now < was);
}

const uint16_t kResendMs = 60;
const uint16_t kSilenceMs = 2000;

// Tag is a tag that answered: an identifier of 4, 7 or 10 bytes.
struct Tag {
  uint8_t len, sak, uid[10];
};

inline bool same(const Tag& a, const Tag& b) {
  if (a.len != b.len) return false;
  for (uint8_t i = 0; i < a.len; i++)
    if (a.uid[i] != b.uid[i]) return false;
  return true;
}

}  // namespace node

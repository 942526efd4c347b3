// Reads the identifiers of the tags in a field: initialisation and anticollision of ISO/IEC 14443-3 type A, as
// the daemon's package iso14443, but one exchange at a time so that nothing waits for the air.
//
//   inv.begin(true);          all tags; or arrivals(): those that are not halted yet; or verify(tag): only that one
//   do { send inv.frame; fill its outcome; } while (inv.next());
//   inv.tags(), inv.count(), inv.heard()
#pragma once
#include "protocol.h"

namespace node {

enum Outcome { kSilence, kAnswer, kCollision, kGarbled };

// Heard is the noise of an inventory in addition to the named tags: none, something that need not have been a
// tag, or noise with at least one complete answer.
enum Heard { kClean, kSpark, kNoisy };

// Found is the result of verifying a tag: it is there, only others are, no tag is, or the answers cannot be
// used.
enum Found { kThere, kGone, kNobodyThere, kUnsure };

// Frame is one exchange: the bits to send, and the answer. Fields as in iso14443.Frame.
struct Frame {
  uint8_t tx[9], tx_len;
  uint8_t tx_bits;   // valid bits in the last byte, 0 means all
  uint8_t rx_align;  // place of the first bit received
  uint8_t rx[5], rx_len;
  uint8_t rx_bits;
  uint8_t outcome;
  uint8_t collision;  // place of the first collision, counted from 1, rx_align included; 0: unknown
};

// crc_a returns CRC_A (ISO/IEC 14443-3, annex B); the low byte is sent first.
inline uint16_t crc_a(const uint8_t* b, uint8_t n) {
  uint16_t crc = 0x6363;
  while (n--) {
    uint8_t x = *b++ ^ (uint8_t)crc;
    x ^= (uint8_t)(x << 4);
    crc = (uint16_t)((crc >> 8) ^ ((uint16_t)x << 8) ^ ((uint16_t)x << 3) ^ (x >> 4));
  }
  return crc;
}

// Inventory reads the tags in one field.
//
// Invariants:
//  1. Each tag named answered a SELECT with its whole identifier and a good CRC_A.
//  2. No identifier is named twice.
//  3. A branch on which two answers came and no tag was named makes the field noisy.
class Inventory {
 public:
  Frame frame;

  // begin starts an inventory of all tags. fresh: the field has come on since the last inventory, so all tags
  // are in IDLE.
  void begin(bool fresh) {
    restless_ = restless_ && !fresh;
    start(0x52);  // WUPA: wakes tags in IDLE and HALT
    walk();
  }

  // arrivals starts an inventory of the tags that have come since they were last named: halted tags ignore it.
  void arrivals() {
    start(0x26);  // REQA
    walk();
  }

  // verify asks for one tag, whose identifier is known.
  void verify(const Tag& t) {
    start(0x52);
    restless_ = true;  // a wake-up that is not heard is worth a second one
    uint8_t at = 0;
    for (; t.len - at > 4; at += 3) level(from_.done[from_.levels++], kCascadeTag, t.uid + at, 3);
    level(from_.known, t.uid[at], t.uid + at + 1, 3);
    from_.bits = 40;
    walk();
  }

  // found returns the result of a verification.
  Found found() {
    restless_ = false;  // a tag that was woken falls back at the next request
    return n_ > 0 ? kThere : garbled_ ? kUnsure : anybody_ ? kGone : kNobodyThere;
  }

  // next handles the outcome of frame. It returns false when the inventory is complete; otherwise frame is the
  // next to send.
  bool next() {
    frames_++;
    switch (state_) {
      case kWake: return woken();
      case kReselect: {
        uint8_t sak;
        if (!sak_of(&sak) || !(sak & kCascadeBit)) return over(kSpoiled);
        level_++;
        return descend();
      }
      case kAnticollision: return resolved();
      case kSelect: return selected();
      default: return over(kNamed);  // silence after HLTA is success, any other outcome is ignored
    }
  }

  const Tag* tags() const { return tags_; }
  uint8_t count() const { return n_; }
  Heard heard() const { return !noise_ ? kClean : sound_ ? kNoisy : kSpark; }

 private:
  static const uint8_t kOpen = 4, kMaxFrames = 80;
  static const uint8_t kCascadeTag = 0x88, kCascadeBit = 0x04;
  enum State { kWake, kReselect, kAnticollision, kSelect, kHalt };
  enum Result { kNobody, kNamed, kEmpty, kSpoiled };

  // Branch is a node of the tree of identifiers: a prefix that some tags have in common.
  struct Branch {
    uint8_t levels;      // cascade levels that are complete
    uint8_t done[2][5];  // their UID CLn and check byte
    uint8_t known[5];    // the beginning of the next one
    uint8_t bits;        // number of known bits of it
  };

  static void clear(Branch& b) {
    b.levels = b.bits = 0;
    for (uint8_t i = 0; i < 5; i++) b.known[i] = 0;
  }

  // level writes a UID CLn and its check byte.
  static void level(uint8_t* cl, uint8_t first, const uint8_t* rest, uint8_t n) {
    cl[0] = cl[4] = first;
    for (uint8_t i = 0; i < n; i++) cl[1 + i] = rest[i], cl[4] ^= rest[i];
  }

  void start(uint8_t request) {
    request_ = request;
    n_ = open_n_ = frames_ = mark_ = 0;
    noise_ = sound_ = asked_ = anybody_ = garbled_ = again_ = false;
    clear(from_);
    root_ = true;
  }

  // walk walks down the branch from_, from the wake-up to a halted tag.
  void walk() {
    b_ = from_;
    forked_ = b_.bits < 40 ? b_.bits : 0;
    wake();
  }

  void wake() {
    frame.tx[0] = request_;
    frame.tx_len = 1;
    frame.tx_bits = 7;
    frame.rx_align = 0;
    state_ = kWake;
  }

  // A tag left in READY or ACTIVE uses the first wake-up to fall back (ISO/IEC 14443-3, figure 7). Any answer
  // will do: those of different tags collide.
  bool woken() {
    bool silent = frame.outcome == kSilence;
    if (restless_ && silent) {
      restless_ = false;
      wake();
      return true;
    }
    if (silent) {
      restless_ = false;
      return over(kNobody);
    }
    restless_ = anybody_ = true;
    sound_ = sound_ || ((frame.outcome == kAnswer || frame.outcome == kCollision) && frame.rx_len == 2 && frame.rx_bits == 0);
    level_ = 0;
    return descend();
  }

  // descend selects the levels that are complete, then asks for the next one.
  bool descend() {
    if (level_ < b_.levels) {
      select(level_, b_.done[level_]);
      state_ = kReselect;
    } else if (b_.bits == 40) {
      select(b_.levels, b_.known);
      state_ = kSelect;
    } else {
      ask();
    }
    return true;
  }

  void ask() {
    uint8_t whole = b_.bits / 8, part = b_.bits % 8;
    frame.tx[0] = 0x93 + 2 * b_.levels;
    frame.tx[1] = (uint8_t)((2 + whole) << 4) | part;
    for (uint8_t i = 0; i < whole; i++) frame.tx[2 + i] = b_.known[i];
    frame.tx_len = 2 + whole;
    if (part) frame.tx[frame.tx_len++] = b_.known[whole] & (uint8_t)((1 << part) - 1);
    frame.tx_bits = frame.rx_align = part;
    state_ = kAnticollision;
  }

  void select(uint8_t level, const uint8_t* uid) {
    frame.tx[0] = 0x93 + 2 * level;
    frame.tx[1] = 0x70;
    for (uint8_t i = 0; i < 5; i++) frame.tx[2 + i] = uid[i];
    seal(7);
  }

  void seal(uint8_t n) {
    uint16_t crc = crc_a(frame.tx, n);
    frame.tx[n] = (uint8_t)crc;
    frame.tx[n + 1] = (uint8_t)(crc >> 8);
    frame.tx_len = n + 2;
    frame.tx_bits = frame.rx_align = 0;
  }

  // resolved adds the answer to an anticollision frame to the bits that were known before.
  bool resolved() {
    uint8_t whole = b_.bits / 8, bits;
    bool usable;
    if (frame.outcome == kAnswer) {
      bits = 40;
      usable = frame.rx_len == 5 - whole && frame.rx_bits == 0;
    } else {
      // Two different UID CLn differ before their check byte: a collision after bit 32, before
      // a known bit or beyond the answer is noise.
      bits = whole * 8 + frame.collision - 1;
      usable = frame.outcome == kCollision && frame.collision >= 1 && bits >= b_.bits && bits < 32 &&
               frame.rx_len <= 5 - whole && frame.rx_len * 8 >= frame.collision - 1;
    }
    if (!usable && frame.outcome == kGarbled && !asked_) return asked_ = true;  // the tag that answered is still READY: ask again
    if (!usable) return over(forked_ && b_.bits == forked_ && frame.outcome == kSilence ? kEmpty : kSpoiled);
    uint8_t low = (uint8_t)((1 << (b_.bits % 8)) - 1);
    for (uint8_t i = 0; i < frame.rx_len; i++) {
      if (i == 0) b_.known[whole] = (b_.known[whole] & low) | (frame.rx[0] & (uint8_t)~low);
      else b_.known[whole + i] = frame.rx[i];
    }
    b_.bits = bits;
    if (bits < 40) {
      fork();
      ask();
      return true;
    }
    const uint8_t* k = b_.known;
    if ((k[0] ^ k[1] ^ k[2] ^ k[3]) != k[4]) return over(kSpoiled);
    sound_ = true;
    reached();
    select(b_.levels, k);
    state_ = kSelect;
    return true;
  }

  // reached makes a second try start here, unless the walk passed a fork, which may have been a false
  // collision.
  void reached() {
    if (open_n_ == mark_) from_ = b_;
  }

  // fork stores the branch with bit 0 at the collision and continues with bit 1.
  void fork() {
    uint8_t i = b_.bits / 8, mask = (uint8_t)(1 << (b_.bits % 8));
    b_.bits++;
    b_.known[i] &= (uint8_t)~mask;
    if (open_n_ == kOpen) noise_ = true;
    else open_[open_n_++] = b_;
    b_.known[i] |= mask;
  }

  bool sak_of(uint8_t* sak) const {
    if (frame.outcome != kAnswer || frame.rx_len != 3 || frame.rx_bits != 0) return false;
    uint16_t crc = crc_a(frame.rx, 1);
    *sak = frame.rx[0];
    return frame.rx[1] == (uint8_t)crc && frame.rx[2] == (uint8_t)(crc >> 8);
  }

  bool selected() {
    uint8_t sak;
    bool ok = sak_of(&sak);
    bool more = ok && (sak & kCascadeBit);
    // The last level of an identifier never begins with the cascade tag.
    if (!ok || more != (b_.known[0] == kCascadeTag) || (more && b_.levels == 2)) return over(kSpoiled);
    if (more) {
      for (uint8_t i = 0; i < 5; i++) b_.done[b_.levels][i] = b_.known[i], b_.known[i] = 0;
      b_.levels++;
      b_.bits = forked_ = 0;
      reached();
      ask();
      return true;
    }
    name(sak);
    frame.tx[0] = 0x50;  // HLTA
    frame.tx[1] = 0;
    seal(2);
    state_ = kHalt;
    return true;
  }

  void name(uint8_t sak) {
    Tag t;
    t.len = 0;
    t.sak = sak;
    for (uint8_t l = 0; l < b_.levels; l++)
      for (uint8_t i = 1; i < 4; i++) t.uid[t.len++] = b_.done[l][i];
    for (uint8_t i = 0; i < 4; i++) t.uid[t.len++] = b_.known[i];
    for (uint8_t i = 0; i < n_; i++)
      if (same(tags_[i], t)) return;
    if (n_ < kMaxTags) tags_[n_++] = t;
  }

  // over ends a walk. A walk that names no tag is repeated once, from where it got to. A fork without a tag on
  // its other side was a false collision, a wake-up whose second try meets silence a spark; neither is noise.
  bool over(Result r) {
    garbled_ = garbled_ || (r == kSpoiled && frame.outcome != kSilence);
    if (r == kNamed || (r == kNobody && root_)) return branch();
    if (again_ || frames_ >= kMaxFrames) {
      noise_ = noise_ || r == kSpoiled;
      return branch();
    }
    open_n_ = mark_;  // the second walk finds the same forks again
    again_ = true;
    walk();
    return true;
  }

  bool branch() {
    if (open_n_ == 0 || n_ == kMaxTags || frames_ >= kMaxFrames) {
      noise_ = noise_ || (open_n_ > 0 && (request_ != 0x26 || n_ < kMaxTags));  // the rest of a new pile is left for the next inventory
      return false;
    }
    from_ = open_[--open_n_];
    root_ = false;
    again_ = false;
    mark_ = open_n_;
    walk();
    return true;
  }

  Tag tags_[kMaxTags];
  Branch open_[kOpen], b_, from_;
  uint8_t n_, open_n_, mark_, frames_, state_, level_, forked_, request_;
  bool noise_, restless_, root_, again_;
  bool sound_;    // an answer was complete: a tag is there
  bool asked_;    // a garbled answer has been asked for a second time
  bool anybody_;  // a tag answered the wake-up
  bool garbled_;  // a later answer could not be used
};

}  // namespace node

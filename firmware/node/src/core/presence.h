// What arrived, what left: the rules of the daemon's package presence (fold.go), word for word, for one reader.
// testdata/presence.txt is read by the tests of both.
//
// A scan is clean, noisy or failed. Only clean ones count as absence: noise and failure prove nothing.
#pragma once
#include "events.h"

namespace node {

const uint8_t kMisses = 3, kNoisyScans = 2, kFailures = 3;
const uint16_t kAbsenceMs = 150;

// Run counts scans in a row. Times are in ms modulo 65536; a run is looked at long before they wrap.
struct Run {
  uint16_t since;
  uint8_t n;

  void add(uint16_t ms) {
    if (n == 0) since = ms;
    if (n < 255) n++;
  }
  bool spans(uint8_t least, uint16_t ms) const { return n >= least && (uint16_t)(ms - since) >= kAbsenceMs; }
};

// Presence of one reader.
//
// Invariants:
//  1. kArrived and kLeft alternate for each tag, beginning with kArrived.
//  2. kLeft follows only a run of clean scans without the tag; noise and failure break the run.
//  3. kBack and kLost alternate, beginning with kBack; before kBack there is no other event.
//  4. kNoise and kQuiet alternate, beginning with kNoise.
class Presence {
 public:
  // begin forgets everything: the reader is unknown until it has scanned.
  void begin() {
    n_ = noisy_ = 0;
    lost_ = true;
    reported_ = false;
    quiet_.n = failures_.n = 0;
  }

  // need is the number of events that one scan can bring at most.
  uint8_t need() const { return 3 + n_ + kMaxTags; }

  bool lost() const { return lost_; }

  // failed is a scan that could not be made. It brings two events at most.
  void failed(Events& out, uint32_t at, uint8_t index) {
    Batch batch;
    batch.begin(out, at, index);
    uint16_t ms = (uint16_t)at;
    for (uint8_t i = 0; i < n_; i++) visits_[i].away.n = 0;
    silent(batch);
    failures_.add(ms);
    if (!lost_ && failures_.spans(kFailures, ms)) {
      lost_ = true;
      batch.add(kLost, 0);
    }
    batch.end();
  }

  // scanned takes what lay in the field.
  void scanned(Events& out, uint32_t at, uint8_t index, const Tag* tags, uint8_t n, bool clean) {
    Batch batch;
    batch.begin(out, at, index);
    uint16_t ms = (uint16_t)at;
    failures_.n = 0;
    if (lost_) {
      lost_ = false;
      batch.add(kBack, 0);
    }
    bool whole = absences(batch, ms, tags, n, clean);
    arrivals(batch, tags, n);
    noise(batch, ms, clean, whole);
    batch.end();
  }

 private:
  struct Visit {
    Tag tag;
    Run away;
  };

  // Batch holds one event back, so that it knows whether another follows.
  struct Batch {
    Events* out;
    uint32_t at;
    uint8_t index, kind;
    bool tagged;
    Tag tag;

    void begin(Events& o, uint32_t ms, uint8_t i) { out = &o, at = ms, index = i, kind = 0; }
    void add(uint8_t k, const Tag* t) {
      put(true);
      kind = k;
      tagged = t != 0;
      if (t) tag = *t;
    }
    void end() { put(false); }
    void put(bool more) {
      if (kind) out->push(at, kind, index, more, tagged ? &tag : 0);
    }
  };

  static bool named(const Tag* tags, uint8_t n, const Tag& t) {
    for (uint8_t i = 0; i < n; i++)
      if (same(tags[i], t)) return true;
    return false;
  }

  bool here(const Tag& t) const {
    for (uint8_t i = 0; i < n_; i++)
      if (same(visits_[i].tag, t)) return true;
    return false;
  }

  // absences returns whether all that are present were named.
  bool absences(Batch& batch, uint16_t ms, const Tag* tags, uint8_t n, bool clean) {
    bool whole = true;
    uint8_t kept = 0;
    for (uint8_t i = 0; i < n_; i++) {
      Visit& v = visits_[i];
      if (named(tags, n, v.tag)) {
        v.away.n = 0;
      } else {
        whole = false;
        if (!clean) {
          v.away.n = 0;
        } else {
          v.away.add(ms);
          if (v.away.spans(kMisses, ms)) {
            batch.add(kLeft, &v.tag);
            continue;
          }
        }
      }
      if (kept != i) visits_[kept] = v;
      kept++;
    }
    n_ = kept;
    return whole;
  }

  void arrivals(Batch& batch, const Tag* tags, uint8_t n) {
    for (uint8_t i = 0; i < n; i++) {
      if (n_ == kMaxTags || here(tags[i])) continue;
      visits_[n_].tag = tags[i];
      visits_[n_].away.n = 0;
      n_++;
      silent(batch);  // the noise before it was this tag coming near
      batch.add(kArrived, &tags[i]);
    }
  }

  void noise(Batch& batch, uint16_t ms, bool clean, bool whole) {
    if (clean && noisy_ == 0) return;
    if (clean) {
      quiet_.add(ms);
    } else {
      quiet_.n = 0;
      if (whole) {
        if (noisy_ == 0) since_ = ms;
        if (noisy_ < 255) noisy_++;
      }
    }
    if (!reported_ && noisy_ >= kNoisyScans && (uint16_t)(ms - since_) >= kAbsenceMs) {
      reported_ = true;
      batch.add(kNoise, 0);
    }
    if (quiet_.spans(kMisses, ms)) silent(batch);
  }

  void silent(Batch& batch) {
    noisy_ = 0;
    quiet_.n = 0;
    if (reported_) batch.add(kQuiet, 0);
    reported_ = false;
  }

  Visit visits_[kMaxTags];
  Run failures_, quiet_;
  uint16_t since_;  // the first noisy scan of this episode
  uint8_t n_, noisy_;
  bool lost_, reported_;
};

}  // namespace node

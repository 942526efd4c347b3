// What arrived, what left: the rules of the daemon's package presence (fold.go) for one reader, counted in scans alone. How
// long a tag must be away is for the fold of the daemon to say, which stands behind every reader, so that a far one is no slower than
// a near one; here three scans in a row keep a spark or a badly coupled tag off the line. testdata/presence.txt is read by the tests of both.
//
// A scan is clean, noisy or failed. Only clean ones count as absence: noise and failure prove nothing.
#pragma once
#include "events.h"

namespace node {

const uint8_t kMisses = 3, kNoisyScans = 2, kFailures = 3;

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
    quiet_ = failures_ = 0;
  }

  // need is the number of events that one scan can bring at most.
  uint8_t need() const { return 3 + n_ + kMaxTags; }

  // failed is a scan that could not be made. It brings two events at most.
  void failed(Events& out, uint32_t at, uint8_t index) {
    Batch batch;
    batch.begin(out, at, index);
    for (uint8_t i = 0; i < n_; i++) visits_[i].away = 0;
    silent(batch);
    if (!lost_ && ++failures_ == kFailures) {
      lost_ = true;
      batch.add(kLost, 0);
    }
    batch.end();
  }

  // scanned takes what lay in the field.
  void scanned(Events& out, uint32_t at, uint8_t index, const Tag* tags, uint8_t n, bool clean) {
    Batch batch;
    batch.begin(out, at, index);
    failures_ = 0;
    if (lost_) {
      lost_ = false;
      batch.add(kBack, 0);
    }
    bool whole = absences(batch, tags, n, clean);
    arrivals(batch, tags, n);
    noise(batch, clean, whole);
    batch.end();
  }

 private:
  struct Visit {
    Tag tag;
    uint8_t away;  // clean scans without it
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
  bool absences(Batch& batch, const Tag* tags, uint8_t n, bool clean) {
    bool whole = true;
    uint8_t kept = 0;
    for (uint8_t i = 0; i < n_; i++) {
      Visit& v = visits_[i];
      if (named(tags, n, v.tag)) {
        v.away = 0;
      } else {
        whole = false;
        v.away = clean ? v.away + 1 : 0;
        if (v.away == kMisses) {
          batch.add(kLeft, &v.tag);
          continue;
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
      visits_[n_].away = 0;
      n_++;
      silent(batch);  // the noise before it was this tag coming near
      batch.add(kArrived, &tags[i]);
    }
  }

  void noise(Batch& batch, bool clean, bool whole) {
    if (clean && noisy_ == 0) return;
    quiet_ = clean ? quiet_ + 1 : 0;
    if (!clean && whole && noisy_ < kNoisyScans) noisy_++;
    if (!reported_ && noisy_ == kNoisyScans) {
      reported_ = true;
      batch.add(kNoise, 0);
    }
    if (quiet_ == kMisses) silent(batch);
  }

  void silent(Batch& batch) {
    noisy_ = quiet_ = 0;
    if (reported_) batch.add(kQuiet, 0);
    reported_ = false;
  }

  Visit visits_[kMaxTags];
  uint8_t failures_, quiet_;  // in a row
  uint8_t n_, noisy_;
  bool lost_, reported_;
};

}  // namespace node

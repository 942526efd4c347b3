// Decides which tags arrived and left, by the rules of the daemon's package presence (fold.go), but counted in
// scans. The daemon's own fold polls every reader and decides how long a tag must be away, so a far reader is
// no slower than a near one; here three scans in a row prevent events of a badly coupled tag. The tests of both
// read testdata/presence.txt.
//
// A scan is clean, noisy, a spark, or failed. Only clean ones count as absence. Noise is measured as a density:
// it adds to a sum, from which each clean scan takes 1, and no tag leaves before that is 0. In a pile, known
// tags are silent: each is asked for in its turn.
#pragma once
#include "events.h"
#include "iso14443.h"

namespace node {

const uint8_t kMisses = 3, kNoisyScans = 2, kFailures = 3;
const uint8_t kUnrestStep = 2, kUnrestMax = 16, kSuspectStep = 4, kSuspectMax = 32;
const uint8_t kBesideTagStep = 2;  // instead of kSuspectStep, in a scan that names a tag: it may be its own bit errors
const uint8_t kVerifyMisses = 8;
const uint16_t kVerifyEvery = 100, kVerifyAgain = 10, kVerifyGap = 4;  // ms; the fold of the daemon waits 150 more
const uint8_t kVisits = 38;  // tags at all readers together; at most kMaxTags at a reader that is no pile

// Presence has the tags of all readers.
//
// Invariants:
//  1. kArrived and kLeft alternate for each tag, beginning with kArrived.
//  2. kLeft follows only clean scans without the tag, kMisses of them, when noise is not dense; failure breaks
//     the series. In a pile it follows kVerifyMisses questions in a row without an answer, or another tag that
//     needs the room: the one with most of them leaves.
//  3. kBack and kLost alternate, beginning with kBack; before kBack there is no other event.
//  4. kNoise and kQuiet alternate, beginning with kNoise.
class Presence {
 public:
  // begin forgets everything of a reader: its state is unknown until it has scanned.
  void begin(uint8_t index) {
    Reader& r = of_[index];
    r.suspect = r.unrest = r.quiet = r.failures = r.next = 0;
    r.asked = 0;
    r.lost = true;
    r.heard = r.reported = false;
    uint8_t kept = 0;
    for (uint8_t i = 0; i < n_; i++)
      if (visits_[i].reader != index) visits_[kept++] = visits_[i];
    n_ = kept;
  }

  // need returns the most events that one scan, or one verification, can bring.
  uint8_t need(uint8_t index, bool pile) const { return pile ? 3 + 2 * kMaxTags : 3 + count(index) + kMaxTags; }

  // failed handles a scan that could not be made. It brings two events at most.
  void failed(Events& out, uint32_t at, uint8_t index) {
    Batch batch;
    batch.begin(out, at, index);
    Reader& r = of_[index];
    for (uint8_t i = 0; i < n_; i++)
      if (visits_[i].reader == index) visits_[i].away = 0;
    r.unrest = 0;
    silent(batch, r);
    if (!r.lost && ++r.failures == kFailures) {
      r.lost = true;
      batch.add(kLost, 0);
    }
    batch.end();
  }

  // scanned handles the tags in the field; of a pile, the new ones.
  void scanned(Events& out, uint32_t at, uint8_t index, const Tag* tags, uint8_t n, Heard heard, bool pile) {
    Batch batch;
    batch.begin(out, at, index);
    Reader& r = of_[index];
    r.failures = 0;
    if (r.lost) {
      r.lost = false;
      batch.add(kBack, 0);
    }
    if (heard != kClean) r.unrest = r.unrest > kUnrestMax - kUnrestStep ? kUnrestMax : r.unrest + kUnrestStep;
    else if (r.unrest > 0) r.unrest--;
    bool whole = absences(batch, index, tags, n, heard == kClean && !pile) || pile;
    arrivals(batch, index, tags, n, pile);
    noise(batch, r, heard, whole, n > 0 ? kBesideTagStep : kSuspectStep);
    batch.end();
  }

  // due returns the tag of a pile to ask for, 0 if it is not time: each in its turn every 100 ms, but all
  // together no more often than every 4 ms; one that did not answer again every 10 ms, until it has or has
  // left. It returns the same tag until verified.
  const Tag* due(uint8_t index, uint16_t ms) {
    Reader& r = of_[index];
    uint8_t n = count(index);
    if (n == 0 || r.lost) return 0;
    uint8_t i = turn(index);
    uint16_t wait = visits_[i].away ? kVerifyAgain : kVerifyEvery / n > kVerifyGap ? kVerifyEvery / n : kVerifyGap;
    return (uint16_t)(ms - r.asked) < wait ? 0 : &visits_[i].tag;
  }

  // verified handles the answer of the tag whose turn it is. If no tag answered, that counts for every tag.
  void verified(Events& out, uint32_t at, uint8_t index, Found found) {
    Batch batch;
    batch.begin(out, at, index);
    of_[index].asked = (uint16_t)at;
    uint8_t asked = turn(index), kept = 0, place = 0, next = 0;
    for (uint8_t i = 0; i < n_; i++) {
      Visit& v = visits_[i];
      if (v.reader == index) {
        bool mine = i == asked;
        if (mine) next = place;
        if (mine && found == kThere) v.away = 0;
        if ((mine && found == kGone) || found == kNobodyThere) v.away += v.away < kVerifyMisses;
        // One at a time may leave: there is room for it.
        if (v.away == kVerifyMisses && batch.empty()) {
          batch.add(kLeft, &v.tag);
          continue;
        }
        if (mine && (v.away == 0 || found == kUnsure)) next++;
        place++;
      }
      if (kept != i) visits_[kept] = v;
      kept++;
    }
    n_ = kept;
    of_[index].next = next;
    batch.end();
  }

  uint8_t count(uint8_t index) const {
    uint8_t n = 0;
    for (uint8_t i = 0; i < n_; i++) n += visits_[i].reader == index;
    return n;
  }

 private:
  struct Visit {
    Tag tag;
    uint8_t away : 5, reader : 3;  // away: clean scans without it, or questions without an answer
  };

  struct Reader {
    uint16_t asked;             // when a tag of its pile was last asked for, ms
    uint8_t next;               // place of the tag whose turn it is
    uint8_t failures, quiet;    // in a row
    uint8_t suspect, unrest;    // sums of noise: without a present tag that explains it, and all
    bool lost : 1, heard : 1, reported : 1;
  };

  // Batch delays each event until it is known whether another follows.
  struct Batch {
    Events* out;
    uint32_t at;
    uint8_t index, kind;
    bool tagged;
    Tag tag;

    void begin(Events& o, uint32_t ms, uint8_t i) { out = &o, at = ms, index = i, kind = 0; }
    bool empty() const { return kind == 0; }
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

  bool here(uint8_t index, const Tag& t) const {
    for (uint8_t i = 0; i < n_; i++)
      if (visits_[i].reader == index && same(visits_[i].tag, t)) return true;
    return false;
  }

  // turn returns the visit at place `next` of a reader that has some.
  uint8_t turn(uint8_t index) {
    uint8_t place = 0, first = n_;
    for (uint8_t i = 0; i < n_; i++) {
      if (visits_[i].reader != index) continue;
      if (first == n_) first = i;
      if (place++ == of_[index].next) return i;
    }
    of_[index].next = 0;
    return first;
  }

  // absences returns whether all present tags were named.
  bool absences(Batch& batch, uint8_t index, const Tag* tags, uint8_t n, bool clean) {
    bool whole = true;
    uint8_t kept = 0;
    for (uint8_t i = 0; i < n_; i++) {
      Visit& v = visits_[i];
      if (v.reader == index) {
        if (named(tags, n, v.tag)) {
          v.away = 0;
        } else {
          whole = false;
          if (clean && v.away < kMisses) v.away++;
          if (clean && v.away == kMisses && of_[index].unrest == 0) {
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

  void arrivals(Batch& batch, uint8_t index, const Tag* tags, uint8_t n, bool pile) {
    for (uint8_t i = 0; i < n; i++) {
      if (here(index, tags[i])) continue;
      if (!pile && (count(index) == kMaxTags || n_ == kVisits)) continue;
      if (n_ == kVisits) make_room(batch, index);
      Visit& v = visits_[n_++];
      v.tag = tags[i];
      v.away = 0;
      v.reader = index;
      silent(batch, of_[index]);  // the noise before was this tag coming near
      batch.add(kArrived, &tags[i]);
    }
  }

  // make_room drops the tag of a full pile with most unanswered questions, the oldest of those.
  void make_room(Batch& batch, uint8_t index) {
    uint8_t worst = 0;
    for (uint8_t i = 1; i < n_; i++)
      if (visits_[i].reader == index && visits_[i].away > visits_[worst].away) worst = i;
    batch.add(kLeft, &visits_[worst].tag);
    for (n_--; worst < n_; worst++) visits_[worst] = visits_[worst + 1];
  }

  void noise(Batch& batch, Reader& r, Heard heard, bool whole, uint8_t step) {
    if (heard != kNoisy) {
      if (r.suspect > 0) r.suspect--;
      if (r.quiet < kMisses) r.quiet++;
    } else {
      r.quiet = 0;
      if (whole) {
        r.suspect = r.suspect > kSuspectMax - step ? kSuspectMax : r.suspect + step;
        r.heard = r.heard || r.suspect >= kSuspectStep * kNoisyScans;
      }
    }
    if (r.heard && !r.reported) {
      r.reported = true;
      batch.add(kNoise, 0);
    }
    if (r.heard && r.quiet == kMisses) silent(batch, r);
  }

  void silent(Batch& batch, Reader& r) {
    r.suspect = r.quiet = 0;
    if (r.reported) batch.add(kQuiet, 0);
    r.heard = r.reported = false;
  }

  Visit visits_[kVisits];
  Reader of_[kReaders];
  uint8_t n_;
};

}  // namespace node

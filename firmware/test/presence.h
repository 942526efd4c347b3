#include "../node/src/core/presence.h"

static node::Tag tag_of(char letter) {
  node::Tag t = {4, 0, {1, 2, 3, (uint8_t)letter}};
  return t;
}

// Line is a link that stores the sent events.
struct Line {
  std::vector<Bytes> sent;
  bool full;
  Line() : full(false) {}
  bool send(const uint8_t* b, uint8_t n) {
    if (!full) sent.push_back(Bytes(b, b + n));
    return !full;
  }
};

// Empties a queue into text, and checks that all events but the last announce another one.
static std::string tell(node::Events& events, uint16_t number) {
  Line line;
  std::string s;
  for (int n = events.count(); n > 0; n--) events.send(line, 0);
  for (size_t i = 0; i < line.sent.size(); i++) {
    const Bytes& b = line.sent[i];
    CHECK(((b[8] & node::kMore) != 0) == (i + 1 < line.sent.size()), "more");
    CHECK((b[8] >> 4 & 3) == 2, "reader");
    s += s.empty() ? "" : " ";
    const char* kinds = "?+-NQXB";
    s += kinds[b[8] & 0x0F];
    if (b.size() > 9) s += (char)b[13];
  }
  events.acknowledge(0, number + line.sent.size(), 0);
  CHECK(events.count() == 0, "%d left", events.count());
  return s;
}

static void test_presence() {
  node::Presence p = node::Presence();
  node::Events events = node::Events();
  std::string name;
  uint16_t number = 0;
  bool pile = false;
  for (const std::string& l : vectors("presence.txt")) {
    if (l.compare(0, 5, "case ") == 0 || l.compare(0, 5, "pile ") == 0) {
      name = l.substr(5);
      pile = l[0] == 'p';
      p.begin(2);
      events.begin(0);
      number = 0;
      continue;
    }
    size_t gt = l.find(" > ");
    std::istringstream in(l.substr(0, gt));
    uint32_t at;
    std::string scan, want = gt == std::string::npos ? "" : l.substr(gt + 3);
    in >> at >> scan;
    uint32_t ms = 65000 + at;  // across the wrap of 16 bits
    std::vector<node::Tag> tags;
    for (size_t i = 1; i < scan.size() && scan[0] != '?'; i++) tags.push_back(tag_of(scan[i]));
    CHECK(events.room() >= p.need(2, pile) || p.need(2, pile) > node::Events::kSize, "room");
    uint8_t before = events.room(), need = p.need(2, pile);
    if (scan[0] == '?') {
      const node::Tag* due = p.due(2, (uint16_t)ms);
      CHECK(due && node::same(*due, tag_of(scan[1])), "%s, at %u: %s is due", name.c_str(), at, scan.substr(1, 1).c_str());
      const std::string found = "+-0~";
      if (due) p.verified(events, ms, 2, (node::Found)found.find(scan[2]));
    } else if (scan[0] == 'x') {
      p.failed(events, ms, 2);
    } else {
      p.scanned(events, ms, 2, tags.data(), (uint8_t)tags.size(), scan[0] == '.' ? node::kClean : scan[0] == '!' ? node::kSpark : node::kNoisy, pile);
    }
    CHECK(before - events.room() <= need, "%s: more events than it said", name.c_str());
    uint16_t n = events.count();
    std::string got = tell(events, number);
    number += n;
    CHECK(got == want, "%s, at %u: %s, want %s", name.c_str(), at, got.c_str(), want.c_str());
  }
}

// More tags than fit: the one with unanswered questions leaves first, else the oldest, and each departure is
// reported.
static void test_full_pile() {
  node::Presence p = node::Presence();
  node::Events events = node::Events();
  p.begin(2);
  uint16_t number = 0;
  auto scan = [&](char letter, const char* want) {
    node::Tag t = tag_of(letter);
    p.scanned(events, 1000, 2, &t, 1, node::kClean, true);
    uint16_t n = events.count();
    std::string got = tell(events, number);
    number += n;
    CHECK(want[0] == 0 || got == want, "%s, want %s", got.c_str(), want);
  };
  events.begin(0);
  for (int i = 0; i < node::kVisits; i++) scan((char)('0' + i), "");
  CHECK(p.count(2) == node::kVisits, "%d lie there", p.count(2));
  scan('z', "-0 +z");
  p.verified(events, 1100, 2, node::kThere);  // the oldest, now 1
  p.verified(events, 1200, 2, node::kGone);   // 2
  scan('y', "-2 +y");
  CHECK(p.count(2) == node::kVisits, "%d lie there", p.count(2));
}

// Each tag is asked for in its turn, and a whole pile is known to be gone after as many questions as one tag.
static void test_turns_of_a_pile() {
  node::Presence p = node::Presence();
  node::Events events = node::Events();
  p.begin(2);
  events.begin(0);
  std::string asked, left;
  node::Tag t[3] = {tag_of('A'), tag_of('B'), tag_of('C')};
  p.scanned(events, 0, 2, t, 3, node::kClean, true);
  uint16_t number = events.count();
  tell(events, 0);
  uint32_t ms = 0;
  for (; ms <= 300; ms++)
    if (const node::Tag* due = p.due(2, (uint16_t)ms)) {
      asked += (char)due->uid[3];
      p.verified(events, ms, 2, node::kThere);
    }
  CHECK(asked == "ABCABCABC", "asked: %s", asked.c_str());
  for (; ms <= 600; ms++) {
    if (p.due(2, (uint16_t)ms)) p.verified(events, ms, 2, node::kNobodyThere);
    uint16_t n = events.count();
    left += tell(events, number);
    number += n;
  }
  CHECK(left == "-A-B-C" && p.count(2) == 0, "left: %s", left.c_str());
}

static void test_events() {
  node::Events e = node::Events();
  e.begin(7);
  Line line;
  node::Tag t = tag_of('A');
  e.push(1, node::kArrived, 1, true, &t);
  e.push(1, node::kNoise, 1, false, 0);
  e.send(line, 0), e.send(line, 0), e.send(line, 0);
  CHECK(line.sent.size() == 2, "%zu sent", line.sent.size());
  CHECK(text(line.sent[0]) == "830700000100000091000102" "0341", "%s", text(line.sent[0]).c_str());
  e.send(line, node::kResendMs - 1);
  CHECK(line.sent.size() == 2, "sent again too soon");
  e.send(line, node::kResendMs);
  CHECK(line.sent.size() == 3 && line.sent[2] == line.sent[0], "goes back to the oldest");
  e.acknowledge(6, 1, 0);
  CHECK(e.count() == 2, "an old stream's acknowledgement");
  e.acknowledge(7, 3, 0);
  CHECK(e.count() == 2, "an acknowledgement of what was never sent");
  e.acknowledge(7, 1, 100);
  CHECK(e.count() == 1, "one acknowledged");
  line.full = true;
  e.send(line, 300);
  line.full = false;
  e.send(line, 301);
  CHECK(line.sent.back()[2] == 1, "number 1 is sent when there is place again");
  e.acknowledge(7, 2, 400);
  for (int i = 0; i < node::Events::kSize; i++) e.push(2, node::kDown, 0, false, 0);
  CHECK(e.room() == 0, "full");
}

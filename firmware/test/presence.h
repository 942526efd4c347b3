#include "../node/src/core/presence.h"

static node::Tag tag_of(char letter) {
  node::Tag t = {4, 0, {1, 2, 3, (uint8_t)letter}};
  return t;
}

// Line is a link that keeps what events send.
struct Line {
  std::vector<Bytes> sent;
  bool full;
  Line() : full(false) {}
  bool send(const uint8_t* b, uint8_t n) {
    if (!full) sent.push_back(Bytes(b, b + n));
    return !full;
  }
};

// tell empties a queue into text, and checks that all but the last say that more follows.
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
  for (const std::string& l : vectors("presence.txt")) {
    if (l.compare(0, 5, "case ") == 0) {
      name = l.substr(5);
      p.begin();
      events.begin(0);
      number = 0;
      continue;
    }
    size_t gt = l.find(" > ");
    std::istringstream in(l.substr(0, gt));
    uint32_t at;
    std::string scan, want = gt == std::string::npos ? "" : l.substr(gt + 3);
    in >> at >> scan;
    std::vector<node::Tag> tags;
    for (size_t i = 1; i < scan.size(); i++) tags.push_back(tag_of(scan[i]));
    CHECK(events.room() >= p.need() || p.need() > node::Events::kSize, "room");
    uint8_t before = events.room(), need = p.need();
    if (scan[0] == 'x') p.failed(events, 65000 + at, 2);  // across the wrap of 16 bits
    else p.scanned(events, 65000 + at, 2, tags.data(), (uint8_t)tags.size(), scan[0] == '.');
    CHECK(before - events.room() <= need, "%s: more events than it said", name.c_str());
    uint16_t n = events.count();
    std::string got = tell(events, number);
    number += n;
    CHECK(got == want, "%s, at %u: %s, want %s", name.c_str(), at, got.c_str(), want.c_str());
  }
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

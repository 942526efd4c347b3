#include "../node/src/core/frame.h"

static Bytes wire_of(const Bytes& body) {
  Bytes wire;
  node::encode(body.data(), (uint8_t)body.size(), [&](uint8_t b) { wire.push_back(b); });
  return wire;
}

static std::string bodies_of(const Bytes& line) {
  node::Decoder d = node::Decoder();
  std::string s;
  for (size_t i = 0; i < line.size(); i++)
    if (d.take(line[i])) s += (s.empty() ? "" : " ") + text(Bytes(d.body(), d.body() + d.size()));
  return s;
}

static void test_frames() {
  const char* nine = "123456789";
  CHECK(node::crc16((const uint8_t*)nine, 9) == 0x29B1, "CRC-16/IBM-3740");
  for (const std::string& l : vectors("frames.txt")) {
    std::istringstream in(l);
    std::string name, body, wire;
    in >> name >> body >> wire;
    CHECK(text(wire_of(hex(body))) == wire, "%s encodes as %s", name.c_str(), text(wire_of(hex(body))).c_str());
    CHECK(bodies_of(hex(wire)) == body, "%s decodes as %s", name.c_str(), bodies_of(hex(wire)).c_str());
  }
  for (const std::string& l : vectors("streams.txt")) {
    size_t a = l.find(" | "), b = l.find(" | ", a + 3);
    std::string got = bodies_of(hex(l.substr(a + 3, b - a - 3)));
    CHECK(got == l.substr(b + 3), "%s: %s", l.substr(0, a).c_str(), got.c_str());
  }
}

// Any body is decoded after any noise, and noise is taken for a body only with the odds of the CRC.
static void test_random_frames(Random& r) {
  for (int i = 0; i < 20000; i++) {
    Bytes body(1 + r.below(node::kMaxBody)), line;
    for (size_t k = 0; k < body.size(); k++) body[k] = r.below(3) ? (uint8_t)r.next() : 0;
    for (uint32_t k = r.below(100); k > 0; k--) line.push_back((uint8_t)(1 + r.below(255)));
    Bytes w = wire_of(body);
    line.insert(line.end(), w.begin(), w.end());
    CHECK(w.size() == body.size() + node::kFrame, "%zu bytes", w.size());
    CHECK(bodies_of(line) == text(body), "round %d", i);
  }
}

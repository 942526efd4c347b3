// An ideal field of tags, each the state machine of ISO/IEC 14443-3 figure 7. There is no time, and only the
// requested noise.
#include "../node/src/core/iso14443.h"

struct Card {
  std::vector<Bytes> cl;  // UID CLn with check byte
  enum { kIdle, kReady, kActive } state;
  bool halted, wrong_check, wrong_crc;
  size_t level;

  explicit Card(const std::string& uid) : state(kIdle), halted(false), wrong_check(false), wrong_crc(false), level(0) {
    Bytes u = hex(uid);
    size_t at = 0;
    for (; u.size() - at > 4; at += 3) add(0x88, u[at], u[at + 1], u[at + 2]);
    add(u[at], u[at + 1], u[at + 2], u[at + 3]);
  }
  void add(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
    uint8_t v[] = {a, b, c, d, (uint8_t)(a ^ b ^ c ^ d)};
    cl.push_back(Bytes(v, v + 5));
  }
  static std::vector<int> bits(const Bytes& b) {
    std::vector<int> v;
    for (uint8_t x : b)
      for (int i = 0; i < 8; i++) v.push_back(x >> i & 1);
    return v;
  }
  std::vector<int> fall() {
    state = kIdle;
    return std::vector<int>();
  }
  // hear returns the bits that the card sends.
  std::vector<int> hear(const Bytes& f, int tx_bits) {
    if (tx_bits == 7 && f.size() == 1) {
      if (state != kIdle) return fall();
      if (f[0] != 0x52 && (halted || f[0] != 0x26)) return fall();
      state = kReady;
      level = 0;
      return bits(hex("4400"));
    }
    if (state == kActive && f[0] == 0x50) halted = true;
    if (state != kReady || f.size() < 2 || f[0] != 0x93 + 2 * level) return fall();
    Bytes mine = cl[level];
    if (wrong_check) mine[4] ^= 1;
    if (f[1] == 0x70) {
      uint16_t crc = node::crc_a(f.data(), 7);
      if (f.size() != 9 || f[7] != (uint8_t)crc || f[8] != crc >> 8 || Bytes(f.begin() + 2, f.begin() + 7) != mine) return fall();
      uint8_t sak[3] = {(uint8_t)(level + 1 < cl.size() ? 0x04 : 0x08)};
      crc = node::crc_a(sak, 1) ^ (wrong_crc ? 1 : 0);
      sak[1] = (uint8_t)crc, sak[2] = crc >> 8;
      if (level + 1 < cl.size()) level++;
      else state = kActive;
      return bits(Bytes(sak, sak + 3));
    }
    size_t known = ((f[1] >> 4) - 2) * 8 + (f[1] & 7);
    std::vector<int> all = bits(mine), asked = bits(Bytes(f.begin() + 2, f.end()));
    for (size_t i = 0; i < known; i++)
      if (all[i] != asked[i]) return fall();
    return std::vector<int>(all.begin() + known, all.end());
  }
};

struct Field {
  std::vector<Card> cards;
  int exchanges, garble;  // garble: number of the exchange to spoil, -1: none
  int spark;              // the next spark silences get an answer
  bool garble_all;        // every answer is spoilt
  Field() : exchanges(0), garble(-1), spark(0), garble_all(false) {}

  void exchange(node::Frame& f) {
    std::vector<int> zero, one;
    for (Card& c : cards) {
      std::vector<int> b = c.hear(Bytes(f.tx, f.tx + f.tx_len), f.tx_bits);
      if (b.size() > zero.size()) zero.resize(b.size()), one.resize(b.size());
      for (size_t i = 0; i < b.size(); i++) (b[i] ? one : zero)[i] = 1;
    }
    for (uint8_t i = 0; i < sizeof f.rx; i++) f.rx[i] = 0;
    f.rx_len = f.rx_bits = f.collision = 0;
    f.outcome = zero.empty() ? node::kSilence : node::kAnswer;
    size_t total = f.rx_align + zero.size();
    for (size_t i = 0; i < zero.size(); i++) {
      size_t at = i + f.rx_align;
      if (zero[i] && one[i]) {
        f.outcome = node::kCollision;
        f.collision = at < 32 ? (uint8_t)(at + 1) : 0;
        break;
      }
      f.rx[at / 8] |= (uint8_t)(one[i] << at % 8);
    }
    if (!zero.empty()) f.rx_len = (uint8_t)((total + 7) / 8), f.rx_bits = total % 8;
    if (exchanges++ == garble || (garble_all && f.outcome == node::kAnswer)) f.outcome = node::kGarbled;
    if (f.outcome == node::kSilence && f.tx_bits == 7 && spark > 0) spark--, f.outcome = node::kGarbled;
  }
};

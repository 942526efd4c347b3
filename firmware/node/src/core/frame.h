// Frames: COBS with a CRC-16, as in PROTOCOL.md. Bytes are decoded into whole bodies (type and payload).
// Nothing is allocated; a frame that is broken in any way is dropped as a whole.
#pragma once
#include <stdint.h>

namespace node {

const uint8_t kMaxBody = 62;  // type and payload
const uint8_t kFrame = 5;     // overhead of a frame: CRC, COBS code, two delimiters

// crc16 continues a CRC-16/IBM-3740 by one byte; the first value is 0xFFFF. It works in halves, because a chip
// of 8 bits needs 0.6 ms for a strip of 120 this way and 2.5 ms in whole words.
inline uint16_t crc16(uint16_t crc, uint8_t b) {
  uint8_t x = (uint8_t)(crc >> 8) ^ b;
  x ^= x >> 4;
  uint8_t high = (uint8_t)crc ^ (uint8_t)(x << 4) ^ (uint8_t)(x >> 3);
  uint8_t low = (uint8_t)(x << 5) ^ x;
  return (uint16_t)((uint16_t)high << 8 | low);
}

inline uint16_t crc16(const uint8_t* b, uint16_t n) {
  uint16_t crc = 0xFFFF;
  while (n--) crc = crc16(crc, *b++);
  return crc;
}

// encode calls put with each byte of the frame of a body of 1 to kMaxBody bytes: n + kFrame of them. There is
// no COBS code FF, because the frame is too short.
template <class Put>
inline void encode(const uint8_t* body, uint8_t n, Put put) {
  uint16_t crc = crc16(body, n);
  uint8_t tail[] = {(uint8_t)crc, (uint8_t)(crc >> 8)};
  uint8_t size = n + sizeof tail;
  put(0);
  for (uint8_t from = 0; from <= size; from++) {  // from one zero to the next, or to the end
    uint8_t to = from;
    while (to < size && (to < n ? body[to] : tail[to - n])) to++;
    put(to - from + 1);
    for (; from < to; from++) put(from < n ? body[from] : tail[from - n]);
  }
  put(0);
}

// Decoder decodes a line byte by byte.
//
// Invariants:
//  1. Between frames n, left and code are 0 and bad is false.
//  2. n never exceeds the buffer.
class Decoder {
 public:
  // take returns true when b ends a valid frame; body and size are valid until the next call.
  bool take(uint8_t b) {
    if (b == 0) return end();
    if (left_ == 0) {
      if (code_ != 0 && code_ != 0xFF) push(0);
      code_ = b;
      left_ = b - 1;
    } else {
      push(b);
      left_--;
    }
    return false;
  }

  const uint8_t* body() const { return buf_; }
  uint8_t size() const { return size_; }
  uint16_t broken() const { return broken_; }  // frames dropped so far

 private:
  void push(uint8_t b) {
    if (n_ == sizeof buf_) bad_ = true;
    else buf_[n_++] = b;
  }

  bool end() {
    bool some = code_ != 0;
    bool good = some && !bad_ && left_ == 0 && n_ >= 3;
    if (good) {
      size_ = n_ - 2;
      uint16_t crc = crc16(buf_, size_);
      good = buf_[size_] == (uint8_t)crc && buf_[size_ + 1] == (uint8_t)(crc >> 8);
    }
    if (some && !good) broken_++;
    n_ = left_ = code_ = 0;
    bad_ = false;
    return good;
  }

  uint8_t buf_[kMaxBody + 2];
  uint8_t n_, left_, code_, size_;
  bool bad_;
  uint16_t broken_;
};

}  // namespace node

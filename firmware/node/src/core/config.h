// The contents of the EEPROM: name, pins, number of starts.
#pragma once
#include "frame.h"
#include "protocol.h"

namespace node {

const uint8_t kNoPin = 0xFF;

enum StripKind { kNoStrip, kWs2812Grb, kWs2812Rgb, kApa102, kStripKinds };

// Config has the layout of the messages SET and CONFIG.
struct Config {
  char name[kMaxName];
  uint8_t select[kReaders];
  uint8_t strip, pixels, data, clock;
  uint8_t button[kButtons];
  uint8_t gain;
  uint8_t zero[3];

  // standard sets the configuration of a chip that was never configured.
  template <class Hal>
  void standard() {
    uint8_t* b = (uint8_t*)this;
    for (uint8_t i = 0; i < sizeof *this; i++) b[i] = 0;
    for (uint8_t i = 0; i < kReaders; i++) select[i] = kNoPin;
    for (uint8_t i = 0; i < kButtons; i++) button[i] = kNoPin;
    data = clock = kNoPin;
    gain = 0x50;
    Hal::standard(*this);
  }

  // valid reports whether every pin exists, none is used twice, each button has a pin that the chip never
  // drives, and the strip has the pins it needs. With any other configuration the chip could not be reached any
  // more, or would drive its own line.
  template <class Hal>
  bool valid() const {
    uint32_t used = 0;
    bool ok = strip < kStripKinds && pixels <= kMaxPixels && (gain & 0x8F) == 0;
    for (uint8_t i = 0; i < kReaders; i++) ok = ok && (select[i] == kNoPin || take<Hal>(used, select[i]));
    for (uint8_t i = 0; i < kButtons; i++) ok = ok && (button[i] == kNoPin || (Hal::input(button[i]) && take<Hal>(used, button[i])));
    if (strip != kNoStrip) ok = ok && take<Hal>(used, data);
    if (strip == kApa102) ok = ok && take<Hal>(used, clock);
    bool ended = false;
    for (uint8_t i = 0; i < kMaxName; i++) {
      char c = name[i];
      ended = ended || c == 0;
      ok = ok && (ended ? c == 0 : c >= 0x20 && c < 0x7F);
    }
    return ok;
  }

  uint8_t name_size() const {
    uint8_t n = 0;
    while (n < kMaxName && name[n]) n++;
    return n;
  }

 private:
  template <class Hal>
  static bool take(uint32_t& used, uint8_t pin) {
    if (pin > 31 || !Hal::usable(pin)) return false;
    uint32_t bit = (uint32_t)1 << pin;
    bool free = !(used & bit);
    used |= bit;
    return free;
  }
};

// EEPROM layout: number of starts, u16, at 0; at 8 a mark, the configuration, its CRC-16.
template <class Hal>
struct Store {
  static const uint8_t kMark = 0x4D, kAt = 8;

  // started counts this start and returns its number.
  static uint16_t started() {
    uint16_t n = (uint16_t)(Hal::eeprom_read(0) | Hal::eeprom_read(1) << 8) + 1;
    Hal::eeprom_write(0, (uint8_t)n);
    Hal::eeprom_write(1, (uint8_t)(n >> 8));
    return n;
  }

  // load reads the configuration, or sets the standard one if the stored one is not valid.
  static void load(Config& c) {
    uint8_t* b = (uint8_t*)&c;
    for (uint8_t i = 0; i < sizeof c; i++) b[i] = Hal::eeprom_read(kAt + 1 + i);
    uint8_t end = kAt + 1 + sizeof c;
    uint16_t crc = (uint16_t)(Hal::eeprom_read(end) | Hal::eeprom_read(end + 1) << 8);
    if (Hal::eeprom_read(kAt) != kMark || crc != crc16(b, sizeof c) || !c.valid<Hal>()) c.standard<Hal>();
  }

  // save takes about 120 ms on the chip. A power failure meanwhile leaves a bad CRC, hence the standard
  // configuration.
  static void save(const Config& c) {
    const uint8_t* b = (const uint8_t*)&c;
    uint8_t end = kAt + 1 + sizeof c;
    uint16_t crc = crc16(b, sizeof c);
    Hal::eeprom_write(kAt, kMark);
    for (uint8_t i = 0; i < sizeof c; i++) Hal::eeprom_write(kAt + 1 + i, b[i]);
    Hal::eeprom_write(end, (uint8_t)crc);
    Hal::eeprom_write(end + 1, (uint8_t)(crc >> 8));
  }
};

}  // namespace node

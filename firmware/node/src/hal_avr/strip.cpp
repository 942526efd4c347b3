#ifdef __AVR__
#include "hal.h"

namespace node {
namespace {

// ws2812_byte sends one byte at 16 MHz, interrupts off: a zero is high for 6 cycles (0.38 us), a one for 13 (0.81 us), a
// bit lasts 20 or 21 (1.25, 1.31 us). Data sheet of the WS2812B: 0.4 and 0.8 us, 0.15 more or less.
inline void ws2812_byte(volatile uint8_t* port, uint8_t high, uint8_t low, uint8_t b) {
  uint8_t n = 8;
  asm volatile(
      "1: st %a[port], %[high] \n\t"
      "   rjmp .+0             \n\t"
      "   nop                  \n\t"
      "   sbrs %[b], 7         \n\t"
      "   st %a[port], %[low]  \n\t"
      "   rjmp .+0             \n\t"
      "   rjmp .+0             \n\t"
      "   rjmp .+0             \n\t"
      "   st %a[port], %[low]  \n\t"
      "   lsl %[b]             \n\t"
      "   nop                  \n\t"
      "   dec %[n]             \n\t"
      "   brne 1b              \n\t"
      : [b] "+r"(b), [n] "+d"(n)
      : [port] "e"(port), [high] "r"(high), [low] "r"(low)
      : "memory");
}

// After every byte the receiver is emptied: at 500000 baud a byte arrives each 20 us, and the chip holds three.
// That takes 2 us, far from the 50 us that a strip takes for the end of a frame, and from the 5 us of old parts.
void ws2812(const Config& c, const uint8_t* rgb, bool dim) {
  Pin pin(c.data);
  uint8_t order = c.strip == kWs2812Grb ? 1 : 0;
  uint8_t s = SREG;
  cli();
  uint8_t high = *pin.port | pin.mask, low = *pin.port & (uint8_t)~pin.mask;
  for (uint8_t n = c.pixels; n > 0; n--, rgb += 3) {
    uint8_t v[3] = {rgb[order], rgb[1 - order], rgb[2]};
    for (uint8_t k = 0; k < 3; k++) {
      ws2812_byte(pin.port, high, low, dim ? v[k] >> 3 : v[k]);
      while (receive_now()) {}
    }
  }
  SREG = s;
}

void apa102_byte(const Pin& data, const Pin& clock, uint8_t b) {
  for (uint8_t n = 8; n > 0; n--, b <<= 1) {
    data.write(b & 0x80);
    clock.write(true);
    clock.write(false);
  }
}

// apa102 takes its time: the strip has a clock, and interrupts stay on. The zeros at the end are for SK9822, which
// shows a frame only then, and carry the last colours to the end of the strip (half a clock for each LED).
void apa102(const Config& c, const uint8_t* rgb, bool dim) {
  Pin data(c.data), clock(c.clock);
  for (uint8_t i = 0; i < 4; i++) apa102_byte(data, clock, 0);
  for (uint8_t n = c.pixels; n > 0; n--, rgb += 3) {
    apa102_byte(data, clock, 0xFF);
    for (uint8_t k = 3; k > 0; k--) apa102_byte(data, clock, dim ? rgb[k - 1] >> 3 : rgb[k - 1]);
  }
  for (uint8_t i = 0; i < 4 + c.pixels / 16 + 1; i++) apa102_byte(data, clock, 0);
}

}  // namespace

void Avr::show(const Config& c, const uint8_t* rgb, bool dim) {
  static uint16_t ended;
  if (c.strip == kNoStrip) return;
  if (c.strip == kApa102) return apa102(c, rgb, dim);
  // Newer WS2812 want 280 us of silence before the next frame.
  while ((uint16_t)(ticks() - ended) < 75) {}
  ws2812(c, rgb, dim);
  ended = ticks();
}

}  // namespace node
#endif

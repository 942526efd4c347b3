#ifdef __AVR__
#include "hal.h"

namespace node {
namespace {

// ws2812_byte sends one byte at 16 MHz, interrupts off: a zero is high for 6 cycles (0.38 us), a one for 13 (0.81 us), a
// bit lasts 20 or 21 (1.25, 1.31 us). Data sheet of the WS2812B: 0.4 and 0.8 us, 0.15 more or less.
__attribute__((always_inline)) inline void ws2812_byte(volatile uint8_t* port, uint8_t high, uint8_t low, uint8_t b) {
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

// lit returns the value of a channel to show. It uses part only if the frame is mixed.
template <bool kMixes>
__attribute__((always_inline)) inline uint8_t lit(uint8_t v, uint8_t* part, bool dim) {
  if (kMixes) return mixed(v, part);
  return dim ? v >> 3 : v;
}

// After every byte of the strip, 11 us, one byte is read from the receiver: at 500000 baud they arrive every 20
// us, and the chip stores three. Only one, and nothing else between two bytes, so that the line of the strip is
// low for less than the 5 us that old parts take for the end of a frame.
template <bool kMixes, uint8_t kFirst>
void ws2812(const Config& c, uint8_t* rgb, bool dim) {
  Pin pin(c.data);
  volatile uint8_t* port = pin.port;
  uint8_t n = c.pixels;
  uint8_t* part = rgb + 3 * (uint16_t)n;
  uint8_t s = SREG;
  cli();
  uint8_t high = *port | pin.mask, low = *port & (uint8_t)~pin.mask;
  {
    Receiver line;
    while (line.take()) {}
    for (; n > 0; n--, rgb += 3, part += 3) {
      ws2812_byte(port, high, low, lit<kMixes>(rgb[kFirst], part + kFirst, dim));
      line.take();
      ws2812_byte(port, high, low, lit<kMixes>(rgb[1 - kFirst], part + 1 - kFirst, dim));
      line.take();
      ws2812_byte(port, high, low, lit<kMixes>(rgb[2], part + 2, dim));
      line.take();
    }
  }
  SREG = s;
}

template <bool kMixes>
void ws2812(const Config& c, uint8_t* rgb, bool dim) {
  if (c.strip == kWs2812Grb) ws2812<kMixes, 1>(c, rgb, dim);
  else ws2812<kMixes, 0>(c, rgb, dim);
}

void apa102_byte(const Pin& data, const Pin& clock, uint8_t b) {
  for (uint8_t n = 8; n > 0; n--, b <<= 1) {
    data.write(b & 0x80);
    clock.write(true);
    clock.write(false);
  }
}

// apa102 is slow: the strip has a clock, and interrupts stay on. The zeros at the end are for SK9822, which
// shows a frame only then, and carry the last colours to the end of the strip (half a clock for each LED).
void apa102(const Config& c, uint8_t* rgb, Light how) {
  Pin data(c.data), clock(c.clock);
  uint8_t* part = rgb + 3 * (uint16_t)c.pixels;
  for (uint8_t i = 0; i < 4; i++) apa102_byte(data, clock, 0);
  for (uint8_t n = c.pixels; n > 0; n--, rgb += 3, part += 3) {
    apa102_byte(data, clock, 0xFF);
    for (uint8_t k = 3; k > 0; k--) apa102_byte(data, clock, how == kMixed ? mixed(rgb[k - 1], part + k - 1) : lit<false>(rgb[k - 1], part, how == kDim));
  }
  for (uint8_t i = 0; i < 4 + c.pixels / 16 + 1; i++) apa102_byte(data, clock, 0);
}

}  // namespace

void Avr::show(const Config& c, uint8_t* rgb, Light how) {
  static uint16_t ended;
  if (c.strip == kNoStrip) return;
  if (c.strip == kApa102) return apa102(c, rgb, how);
  // Newer WS2812 need 280 us of silence before the next frame.
  while ((uint16_t)(ticks() - ended) < 75) {}
  if (how == kMixed) ws2812<true>(c, rgb, false);
  else ws2812<false>(c, rgb, how == kDim);
  ended = ticks();
}

}  // namespace node
#endif

// The node connects its parts. It is a template over a Hal, a class of static functions for the chip; for
// another chip only another Hal is needed. There are no virtual calls and no heap.
//
//   static bool usable(uint8_t pin);             a wire is allowed at this pin; pins are numbered below 32
//   static bool input(uint8_t pin);              the chip never drives this pin: a pressed button connects it to ground
//   static void standard(Config&);               the pins of a board that was never configured
//   static uint16_t ticks();                     time in units of 4 us, modulo 65536
//   static void begin(const Config&);            pins, bus, line; called once, first
//   static bool receive(uint8_t*);               next byte of the line, false if there is none
//   static uint16_t overruns();                  received bytes that found no room, modulo 65536
//   static uint8_t window();                     bytes that may wait to be received
//   static uint8_t send_room(); static void send(uint8_t);
//   static void select(uint8_t reader, bool);    chip select, on is low
//   static uint8_t transfer(uint8_t);            one byte over the readers' bus, at most 10 MHz, mode 0
//   static void show(const Config&, uint8_t* rgb, Light);  see Light
//   static uint8_t pressed(const Config&);       buttons, one bit each
//   static uint8_t eeprom_read(uint8_t); static void eeprom_write(uint8_t, uint8_t);
//   static uint8_t reset_cause();                bits as in HELLO
//   static void alive();                         resets the watchdog
//   static void restart();                       does not return
#pragma once
#include "buttons.h"
#include "config.h"
#include "link.h"
#include "scan.h"

namespace node {

// Node is the whole node.
//
// Invariants:
//  1. Before the first ASK of its version it sends HELLO and scans nothing.
//  2. The strip shows a frame whose CRC the host gave, or the same one dim, or it is dark. A mixed one is shown
//     again every kMixTicks, and may already have pixels of the next one.
//  3. step returns within 6 ms: 4 of them are a strip of 120 WS2812. A valid SET takes longer, and never
//     returns.
template <class Hal>
class Node {
 public:
  void begin() {
    Store<Hal>::load(config_);
    boots_ = Store<Hal>::started();
    Hal::begin(config_);
    scanner_.begin(config_);
    if (fits()) // so that neighbours make their steps at different times
      for (uint16_t i = 3 * (uint16_t)config_.pixels; i < sizeof pixels_; i++) pixels_[i] = (i * 159) & 0xF0;
    last_ticks_ = Hal::ticks();
    hello_ = true;
    redraw_ = true;
  }

  void step() {
    Hal::alive();
    uint16_t ticks = Hal::ticks();
    // 250 ticks of 4 us are a millisecond.
    for (uint16_t d = (uint16_t)(ticks - last_ticks_); d >= 250; d -= 250, last_ticks_ += 250) ms_++;
    link_.poll(*this);
    if (session_ != 0) {
      buttons_.step(Hal::pressed(config_), ms_, events_);
      scanner_.step(ms_, ticks, events_);
      events_.send(link_, (uint16_t)ms_);
    }
    if (hello_) hello_ = !say_hello();
    if (shown_) shown_ = !say_shown();
    if (!dim_ && ms_ - heard_ >= kSilenceMs) {
      dim_ = redraw_ = true;
    }
    if (mixed_ && !dim_ && (uint16_t)(ticks - drawn_) >= kMixTicks) redraw_ = true;
    if (redraw_) {
      redraw_ = false;
      drawn_ = ticks;
      Hal::show(config_, pixels_, dim_ ? kDim : mixed_ ? kMixed : kPlain);
    }
  }

  // frame handles a valid message of the host.
  void frame(const uint8_t* b, uint8_t n) {
    heard_ = ms_;
    if (dim_) {
      dim_ = false;
      redraw_ = true;
    }
    switch (b[0]) {
      case kAsk: if (n >= 5) ask(b); break;
      case kAck: if (n >= 4) events_.acknowledge(b[1], b[2] | (uint16_t)b[3] << 8, (uint16_t)ms_); break;
      case kPixels: if (n >= 5) pixels(b[1], b + 2, n - 2); break;
      case kFine: if (n >= 8) fine(b[1], b + 2, n - 2); break;
      case kShow: if (n >= 4) show(b, n >= 5 && b[4] == kParts); break;
      case kGet: say_config(0); break;
      case kSet: if (n >= 1 + sizeof(Config)) set(b + 1); break;
    }
  }

  const Events& events() const { return events_; }

 private:
  void ask(const uint8_t* b) {
    nonce_ = b[2];
    taken_ = link_.taken();
    hello_ = true;
    if (b[1] != kVersion) return;
    uint16_t session = b[3] | (uint16_t)b[4] << 8;
    if (session == session_ || session == 0) return;
    session_ = session;
    events_.begin((uint8_t)(boots_ + session));
    scanner_.restart();
    buttons_.restart();
  }

  void pixels(uint8_t first, const uint8_t* rgb, uint8_t n) {
    if (n % 3 || first >= kMaxPixels) return;
    uint16_t at = 3 * (uint16_t)first;
    mixed_ = false;
    for (; n > 0 && at < sizeof pixels_; n--) pixels_[at++] = *rgb++;
  }

  // fine stores colours and their parts, see Light.
  void fine(uint8_t first, const uint8_t* b, uint8_t n) {
    uint16_t parts = 3 * (uint16_t)config_.pixels, at = 3 * (uint16_t)first;
    if (n % 6 || !fits()) return;
    for (; n > 0 && at < parts; n -= 6, b += 6) {
      for (uint8_t k = 0; k < 3; k++, at++) {
        pixels_[at] = b[k];
        uint8_t* part = pixels_ + parts + at;
        *part = (*part & 0xF0) | (b[3 + k] & 0x0F);
      }
    }
  }

  // fits reports whether the parts have room behind the colours.
  bool fits() const { return config_.pixels <= kMaxPixels / 2; }

  // show answers when the strip has been written. A frame with another CRC is not shown.
  void show(const uint8_t* b, bool parts) {
    uint16_t size = 3 * (uint16_t)config_.pixels, crc = crc16(pixels_, size);
    parts = parts && fits();
    for (uint16_t i = size; parts && i < 2 * size; i++) crc = crc16(crc, pixels_[i] & 0x0F);
    shown_ = true;
    frame_ = b[1];
    good_ = crc == (b[2] | (uint16_t)b[3] << 8);
    if (!good_) return;
    // A new mixed frame waits for the next kMixTicks: each is shown for the same time.
    if (!parts || !mixed_) redraw_ = true;
    mixed_ = parts;
  }

  void set(const uint8_t* b) {
    Config c;
    for (uint8_t i = 0; i < sizeof c; i++) ((uint8_t*)&c)[i] = b[i];
    if (!c.valid<Hal>()) return say_config(1);
    Store<Hal>::save(c);
    config_ = c;
    say_config(0);
    Hal::restart();
  }

  void say_config(uint8_t status) {
    uint8_t m[2 + sizeof(Config)] = {kConfig, status};
    for (uint8_t i = 0; i < sizeof(Config); i++) m[2 + i] = ((const uint8_t*)&config_)[i];
    link_.send(m, sizeof m);
  }

  bool say_shown() {
    uint8_t m[] = {kShown, frame_, good_};
    return link_.send(m, sizeof m);
  }

  bool say_hello() {
    uint16_t lost = Hal::overruns() + link_.broken();
    uint8_t m[30 + kMaxName] = {
        kHello, kVersion, nonce_, (uint8_t)session_, (uint8_t)(session_ >> 8), (uint8_t)boots_, (uint8_t)(boots_ >> 8),
        (uint8_t)ms_, (uint8_t)(ms_ >> 8), (uint8_t)(ms_ >> 16), (uint8_t)(ms_ >> 24), (uint8_t)taken_,
        (uint8_t)(taken_ >> 8), Hal::window(), Hal::reset_cause(), kFirmwareMajor, kFirmwareMinor, scanner_.configured()};
    uint8_t n = 18;
    for (uint8_t i = 0; i < kReaders; i++) m[n++] = scanner_.version(i);
    m[n++] = config_.strip;
    m[n++] = config_.pixels;
    uint8_t buttons = 0;
    for (uint8_t i = 0; i < kButtons; i++) buttons |= (config_.button[i] != kNoPin) << i;
    m[n++] = buttons;
    m[n++] = (uint8_t)lost;
    m[n++] = (uint8_t)(lost >> 8);
    m[n++] = (uint8_t)events_.first();
    m[n++] = (uint8_t)(events_.first() >> 8);
    m[n++] = config_.name_size();
    for (uint8_t i = 0; i < config_.name_size(); i++) m[n++] = config_.name[i];
    return link_.send(m, n);
  }

  Config config_;
  Link<Hal> link_;
  Events events_;
  Scanner<Hal> scanner_;
  Buttons buttons_;
  uint8_t pixels_[3 * kMaxPixels];
  uint32_t ms_, heard_;
  uint16_t last_ticks_, session_, boots_, taken_, drawn_;
  uint8_t nonce_, frame_, good_;
  bool hello_, shown_, dim_, redraw_, mixed_;
};

}  // namespace node

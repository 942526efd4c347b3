// One MFRC522 on the shared bus: its registers, its field, one exchange at a time without waiting. Register
// numbers and values are from the MFRC522 data sheet, rev. 3.9; the set-up is the same as in the daemon's
// package mfrc522.
#pragma once
#include "iso14443.h"

namespace node {

enum Poll { kPending, kDone, kBroken };

// Chip accesses the reader with the given index. It has no state.
template <class Hal>
struct Chip {
  enum Register {
    kCommand = 0x01, kComIrq = 0x04, kError = 0x06, kStatus2 = 0x08, kFifo = 0x09, kFifoLevel = 0x0A,
    kControl = 0x0C, kBitFraming = 0x0D, kColl = 0x0E, kMode = 0x11, kTxMode = 0x12, kRxMode = 0x13,
    kTxControl = 0x14, kTxAsk = 0x15, kModWidth = 0x24, kRfCfg = 0x26, kTMode = 0x2A, kTPrescaler = 0x2B,
    kTReloadH = 0x2C, kTReloadL = 0x2D, kVersion = 0x37
  };
  enum Command { kIdle = 0x00, kTransceive = 0x0C, kSoftReset = 0x0F };

  static void write(uint8_t reader, uint8_t reg, uint8_t v) { write(reader, reg, &v, 1); }

  static void write(uint8_t reader, uint8_t reg, const uint8_t* v, uint8_t n) {
    Hal::select(reader, true);
    Hal::transfer(reg << 1);
    while (n--) Hal::transfer(*v++);
    Hal::select(reader, false);
  }

  // read reads n registers in one transfer: each value comes one byte after its address.
  static void read(uint8_t reader, const uint8_t* regs, uint8_t* v, uint8_t n) {
    Hal::select(reader, true);
    Hal::transfer(regs[0] << 1 | 0x80);
    for (uint8_t i = 1; i <= n; i++) v[i - 1] = Hal::transfer(i < n ? (uint8_t)(regs[i] << 1 | 0x80) : 0);
    Hal::select(reader, false);
  }

  static uint8_t read(uint8_t reader, uint8_t reg) {
    uint8_t v;
    read(reader, &reg, &v, 1);
    return v;
  }

  // version returns 00 or FF when nothing answers.
  static uint8_t version(uint8_t reader) { return read(reader, kVersion); }

  static void reset(uint8_t reader) { write(reader, kCommand, kSoftReset); }

  // awake reports whether the oscillator runs again after a reset (PowerDown reads 0).
  static bool awake(uint8_t reader) { return !(read(reader, kCommand) & 0x10); }

  // configure writes every register that this code relies on. The field stays off.
  static void configure(uint8_t reader, uint8_t gain) {
    const uint8_t set[][2] = {
        {kCommand, kIdle},   {kBitFraming, 0},
        {kTMode, 0x80},       // the timer starts automatically at the end of a frame
        {kTPrescaler, 67},    // ticks of 9.96 us
        {kTReloadH, 0},
        {kTReloadL, 24},      // 249 us; a tag answers after 91
        {kTxAsk, 0x40},       // 100 % ASK
        {kMode, 0x3D},       {kTxMode, 0},   {kModWidth, 0x26},
        {kRxMode, 0x08},      // RxNoErr: fewer than four bits are no answer
        {kColl, 0},           // bits after a collision read 0
        {kStatus2, 0},        // no Crypto1
        {kRfCfg, (uint8_t)(gain | 0x08)},  // the low bits are reserved: 8 after a reset, unknown on a clone
        {kTxControl, 0x80},
    };
    for (uint8_t i = 0; i < sizeof set / sizeof set[0]; i++) write(reader, set[i][0], set[i][1]);
  }

  static void field(uint8_t reader, bool on) { write(reader, kTxControl, on ? 0x83 : 0x80); }

  // healthy checks the registers that a brown-out, a hang or a loose wire would change. The field must be on.
  static bool healthy(uint8_t reader, uint8_t version, uint8_t gain) {
    const uint8_t regs[] = {kVersion, kTxControl, kStatus2, kTMode, kTReloadL, kRfCfg};
    uint8_t v[sizeof regs];
    read(reader, regs, v, sizeof regs);
    return v[0] == version && (v[1] & 3) == 3 && !(v[2] & 8) && v[3] == 0x80 && v[4] == 24 && (v[5] & 0x70) == gain;
  }

  // start sends a frame. It starts Transceive again each time: after silence the receiver is still open and may
  // have received stray bits, and only a new command is sure to end that (data sheet, 10.2).
  static void start(uint8_t reader, const Frame& f) {
    uint8_t framing = (uint8_t)(f.rx_align << 4) | f.tx_bits;
    write(reader, kBitFraming, framing);
    write(reader, kComIrq, 0x7F);
    write(reader, kCommand, kIdle);
    write(reader, kCommand, kTransceive);
    write(reader, kFifoLevel, 0x80);
    write(reader, kFifo, f.tx, f.tx_len);
    write(reader, kBitFraming, 0x80 | framing);
  }

  // poll checks once for the end of the exchange and fills the outcome.
  static Poll poll(uint8_t reader, uint8_t version, Frame& f) {
    const uint8_t regs[] = {kComIrq, kError, kFifoLevel, kControl, kColl, kVersion};
    uint8_t v[sizeof regs];
    read(reader, regs, v, sizeof regs);
    uint8_t irq = v[0], errors = v[1] & 0x1B, level = v[2];  // overflow, collision, parity, protocol
    if ((irq & 0x80) || v[5] != version) return kBroken;
    if (irq & 0x20) {
      bool collided = errors & 0x08;
      f.outcome = kGarbled;
      if ((!collided && errors) || level == 0 || level > sizeof f.rx) return kDone;
      Hal::select(reader, true);
      Hal::transfer(kFifo << 1 | 0x80);
      for (uint8_t i = 1; i <= level; i++) f.rx[i - 1] = Hal::transfer(i < level ? kFifo << 1 | 0x80 : 0);
      Hal::select(reader, false);
      f.rx_len = level;
      f.rx_bits = v[3] & 7;
      f.outcome = collided ? kCollision : kAnswer;
      f.collision = (v[4] & 0x20) ? 0 : (v[4] & 0x1F) ? v[4] & 0x1F : 32;
      return kDone;
    }
    if (!(irq & 0x01)) return kPending;
    f.outcome = errors || level ? kGarbled : kSilence;
    return kDone;
  }
};

}  // namespace node

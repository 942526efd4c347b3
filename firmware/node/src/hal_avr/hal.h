// The ATmega328P at 16 MHz (Arduino Nano, Uno, Pro Mini) as a Hal for core/node.h. Section numbers refer to its
// data sheet, DS40002061.
//
// The line is USART0 at 500000 baud, which 16 MHz divides exactly. The readers share SPI at 4 MHz. Timer 1 runs
// free in ticks of 4 us without an interrupt, so that time goes on while a strip has all interrupts off.
#pragma once
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <stdint.h>

#include "../core/config.h"

namespace node {

// Pin is a digital pin by Arduino's number, looked up at run time.
struct Pin {
  volatile uint8_t* port;  // PORTx; DDRx is one below, PINx two
  uint8_t mask;

  explicit Pin(uint8_t number) {
    if (number < 8) port = &PORTD, mask = 1 << number;
    else if (number < 14) port = &PORTB, mask = 1 << (number - 8);
    else port = &PORTC, mask = 1 << (number - 14);
  }
  void output(bool high) const {
    write(high);
    port[-1] |= mask;
  }
  void write(bool high) const {
    if (high) *port |= mask;
    else *port &= (uint8_t)~mask;
  }
  bool read() const { return port[-2] & mask; }
};

struct Avr {
  static const uint8_t kReceive = 128, kSend = 64;  // powers of two

  // D11 to D13 are the bus of the readers, D0 and D1 the line.
  static bool usable(uint8_t pin) { return pin >= 2 && pin <= 19 && (pin < 11 || pin > 13); }
  // D10 is SS, which must be an output while the chip is the master of its bus (18.3.2).
  static bool input(uint8_t pin) { return pin != 10; }
  static void standard(Config& c) {
    for (uint8_t i = 0; i < kReaders; i++) c.select[i] = 10 - i;
    for (uint8_t i = 0; i < kButtons; i++) c.button[i] = 14 + i;
    c.strip = kWs2812Grb;
    c.pixels = 60;
    c.data = 6;
  }

  static void begin(const Config& c);
  static uint16_t ticks() {
    uint8_t s = SREG;
    cli();  // the two halves share a latch (16.3)
    uint16_t t = TCNT1;
    SREG = s;
    return t;
  }

  static bool receive(uint8_t* b);
  static uint16_t overruns();
  static uint8_t window() { return kReceive - 1; }
  static uint8_t send_room();
  static void send(uint8_t b);

  static void select(uint8_t reader, bool on);
  static uint8_t transfer(uint8_t b) {
    SPDR = b;
    while (!(SPSR & _BV(SPIF))) {}
    return SPDR;
  }

  static void show(const Config& c, uint8_t* rgb, Light how);
  static uint8_t pressed(const Config& c);

  static uint8_t eeprom_read(uint8_t at) { return eeprom_read_byte((const uint8_t*)(uint16_t)at); }
  static void eeprom_write(uint8_t at, uint8_t v) {
    eeprom_update_byte((uint8_t*)(uint16_t)at, v);
    alive();
  }

  static uint8_t reset_cause();
  static void alive() { wdt_reset(); }
  static void watch(uint8_t time);
  // restart resets the program after everything in the send buffer is sent.
  static void restart() {
    watch(WDTO_15MS);
    for (;;) {}
  }
};

// The receive ring is written by interrupt, or by a Receiver while interrupts are off, and read by
// Avr::receive.
extern uint8_t rx_ring[Avr::kReceive];
extern volatile uint8_t rx_head, rx_tail;
extern volatile uint16_t rx_lost;

// Receiver empties the receiver of the chip while interrupts are off. It is fast: the ends of the ring are in
// registers.
class Receiver {
 public:
  Receiver() : head_(rx_head), tail_(rx_tail) {}
  ~Receiver() { rx_head = head_; }

  // take reads one byte, if there is one. The chip itself stores three.
  __attribute__((always_inline)) bool take() {
    uint8_t status = UCSR0A;
    if (!(status & _BV(RXC0))) return false;
    uint8_t b = UDR0, next = (head_ + 1) % Avr::kReceive;
    if (status & _BV(DOR0)) rx_lost++;
    if (next == tail_) {
      rx_lost++;
    } else {
      rx_ring[head_] = b;
      head_ = next;
    }
    return true;
  }

 private:
  uint8_t head_, tail_;
};

}  // namespace node

// The node on an ATmega328P. What it does is in core/node.h, what it says in PROTOCOL.md.
#ifdef __AVR__
#include "../core/node.h"
#include "hal.h"

namespace node {
namespace {

uint8_t cause __attribute__((section(".noinit")));

// A chip that was reset by its watchdog starts with the watchdog running at 15 ms: it is stopped before anything
// else (11.9.2). A boot loader that clears MCUSR, as Optiboot does, leaves cause 0.
void first() __attribute__((naked, used, section(".init3")));
void first() {
  cause = MCUSR;
  MCUSR = 0;
  wdt_disable();
}

uint8_t select_pin[kReaders];

Node<Avr> the_node;

}  // namespace

void Avr::begin(const Config& c) {
  // Timer 1, 16 MHz / 64.
  TCCR1A = 0;
  TCCR1B = _BV(CS11) | _BV(CS10);
  for (uint8_t i = 0; i < kReaders; i++) {
    select_pin[i] = c.select[i];
    if (c.select[i] != kNoPin) Pin(c.select[i]).output(true);
  }
  // D10 is SS: as an input that reads low it would make the chip a slave (18.3.2). MOSI 11, SCK 13.
  DDRB |= _BV(PB2);
  Pin(11).output(false);
  Pin(13).output(false);
  SPCR = _BV(SPE) | _BV(MSTR);
  if (c.strip != kNoStrip) Pin(c.data).output(false);
  if (c.strip == kApa102) Pin(c.clock).output(false);
  for (uint8_t i = 0; i < kButtons; i++)
    if (c.button[i] != kNoPin) Pin(c.button[i]).write(true);  // pull-up
  // 16 MHz / 8 / (3 + 1) = 500000.
  UBRR0 = 3;
  UCSR0A = _BV(U2X0);
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
  sei();
  wdt_enable(WDTO_250MS);
}

void Avr::select(uint8_t reader, bool on) { Pin(select_pin[reader]).write(!on); }

uint8_t Avr::pressed(const Config& c) {
  uint8_t down = 0;
  for (uint8_t i = 0; i < kButtons; i++)
    if (c.button[i] != kNoPin && !Pin(c.button[i]).read()) down |= 1 << i;
  return down;
}

uint8_t Avr::reset_cause() { return cause; }

}  // namespace node

int main() {
  node::the_node.begin();
  for (;;) node::the_node.step();
}
#endif

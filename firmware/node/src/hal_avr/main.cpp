// The node on an ATmega328P. core/node.h has its behaviour, PROTOCOL.md its messages.
#ifdef __AVR__
#include "../core/node.h"
#include "hal.h"

namespace node {
namespace {

uint8_t cause __attribute__((section(".noinit")));

// again restarts the program without a reset of the chip. It switches everything off, as after a reset, and
// reports the restart to first() in GPIOR0, which a real reset clears. The boot loader of Nanos up to 2018 does
// not stop a watchdog that has reset the chip, and would be reset by it for ever.
void again() __attribute__((noreturn));
void again() {
  cli();
  UCSR0B = 0;
  SPCR = 0;
  TCCR1B = 0;
  DDRB = DDRC = DDRD = 0;
  PORTB = PORTC = PORTD = 0;
  GPIOR0 = _BV(WDRF);
  asm volatile("jmp 0");
  __builtin_unreachable();
}

// first runs before main: it stops the watchdog until begin() and reads the cause of the start. A boot loader
// that clears MCUSR, as Optiboot does, leaves cause 0; a start without a reset has the watchdog as its cause.
void first() __attribute__((naked, used, section(".init3")));
void first() {
  cause = MCUSR | GPIOR0;
  MCUSR = 0;
  GPIOR0 = 0;
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
  watch(WDTO_250MS);
}

// watch makes the watchdog interrupt after a time, and never reset (11.9.2: WDE is off). It cannot end a loop
// with interrupts off; all of these are bounded: ticks(), a frame of a WS2812, and the library's writing of an
// EEPROM byte.
void Avr::watch(uint8_t time) {
  uint8_t s = SREG;
  cli();
  wdt_reset();
  WDTCSR = _BV(WDCE) | _BV(WDE);
  WDTCSR = _BV(WDIE) | time;  // within four cycles; times beyond one second have a bit elsewhere
  SREG = s;
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

ISR(WDT_vect, ISR_NAKED) {
  asm volatile("clr r1");  // the compiler's zero register, which the interrupted code may have been using
  node::again();
}

int main() {
  node::the_node.begin();
  for (;;) node::the_node.step();
}
#endif

#ifdef __AVR__
#include "hal.h"

namespace node {

uint8_t rx_ring[Avr::kReceive];
volatile uint8_t rx_head, rx_tail;
volatile uint16_t rx_lost;

namespace {

uint8_t tx_ring[Avr::kSend];  // read by interrupt
volatile uint8_t tx_head, tx_tail;

}  // namespace

bool Avr::receive(uint8_t* b) {
  uint8_t t = rx_tail;
  if (t == rx_head) return false;
  *b = rx_ring[t];
  rx_tail = (t + 1) % kReceive;
  return true;
}

uint16_t Avr::overruns() {
  uint8_t s = SREG;
  cli();
  uint16_t n = rx_lost;
  SREG = s;
  return n;
}

uint8_t Avr::send_room() { return (uint8_t)(tx_tail - tx_head - 1) % kSend; }

void Avr::send(uint8_t b) {
  uint8_t h = tx_head;
  tx_ring[h] = b;
  tx_head = (h + 1) % kSend;
  UCSR0B |= _BV(UDRIE0);
}

}  // namespace node

ISR(USART_RX_vect) { node::Receiver().take(); }

ISR(USART_UDRE_vect) {
  uint8_t t = node::tx_tail;
  if (t == node::tx_head) {
    UCSR0B &= (uint8_t)~_BV(UDRIE0);
    return;
  }
  UDR0 = node::tx_ring[t];
  node::tx_tail = (t + 1) % node::Avr::kSend;
}
#endif

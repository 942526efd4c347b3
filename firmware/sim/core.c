//go:build simavr

#include "core.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_spi.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_io.h>

DEFINE_FIFO(avr_int_vector_p, avr_int_pending);

// In Go: writes or reads a register of a reader.
extern uint8_t boardAccess(uintptr_t handle, int reader, uint8_t address, uint8_t value);

enum { PAINT = 0xC5, MCUSR_AT = 0x54, RESET_LOW = 50 * 16 };

// Data space addresses of the ATmega328P (data sheet, section 30).
enum { UCSRA = 0xC0, UBRRL = 0xC4, UDR = 0xC6 };
enum { RXC = 0x80, DOR = 0x08, U2X = 0x02, RXCIE = 0x80 };

struct board {
  avr_io_t io;  // must be first: on_reset casts it to board
  avr_t *avr;
  uintptr_t handle;
  uint32_t resets, ram_from;

  // The receiver: a shift register, then two bytes (data sheet, 20.7.1).
  avr_uart_t *uart;
  uint8_t feed[MAX_FEED];
  uint32_t feed_head, feed_tail;
  int feeding;
  uint8_t fifo[2], shift;
  int fifo_n, shift_full;
  uint32_t overruns;
  uint8_t out[MAX_OUT];
  uint32_t out_head, out_tail;

  avr_spi_t *spi;
  uint8_t selected;  // bit n: reader n
  uint8_t address, miso;
  int first;
  uint32_t spi_bytes, clashes;

  uint8_t buttons;

  leds ws, apa;
  uint64_t ws_rise;
  int ws_bits;
  uint8_t ws_rgb[3 * MAX_LEDS];
  uint32_t apa_word;
  int apa_bits, apa_zeros, apa_in, apa_data;
  uint8_t apa_rgb[3 * MAX_LEDS];
  uint32_t apa_n;
};

static avr_io_t *module(avr_t *avr, const char *kind) {
  for (avr_io_t *io = avr->io_port; io; io = io->next)
    if (io->kind && strcmp(io->kind, kind) == 0) return io;
  return NULL;
}

static void silent(avr_t *avr, const int level, const char *format, va_list ap) {
  (void)avr, (void)level, (void)format, (void)ap;
}

static void awake(avr_t *avr, avr_cycle_count_t cycles) { (void)avr, (void)cycles; }

// --- The receiver. In 1.6 it never overruns.

static avr_cycle_count_t byte_cycles(board *b) {
  uint8_t *d = b->avr->data;
  return (avr_cycle_count_t)((d[UBRRL] | (d[UBRRL + 1] & 0x0F) << 8) + 1) * (d[UCSRA] & U2X ? 8 : 16) * 10;
}

// level drives RXC and its interrupt by level, as the chip does. The vector is queued at most once: simavr
// services the queue and drops a vector that is no longer pending.
static void level(board *b) {
  avr_t *avr = b->avr;
  avr_int_vector_t *v = &b->uart->rxc;
  if (b->fifo_n == 0) {
    avr->data[UCSRA] &= (uint8_t)~RXC;
    v->pending = 0;
    return;
  }
  avr->data[UCSRA] |= RXC;
  avr_int_pending_t *q = &avr->interrupts.pending;
  for (int i = 0; i < avr_int_pending_get_read_size(q); i++) {
    if (avr_int_pending_read_at(q, i) == v) {
      v->pending = 1;
      return;
    }
  }
  v->pending = 0;
  avr_raise_interrupt(avr, v);
}

// starts handles the start bit of a byte: a byte that still waits in the shift register is lost (20.7.4). The
// next start bit comes right after the byte before.
static void starts(board *b) {
  if (!b->shift_full) return;
  b->shift_full = 0;
  b->overruns++;
  b->avr->data[UCSRA] |= DOR;
}

static avr_cycle_count_t arrive(avr_t *avr, avr_cycle_count_t when, void *param) {
  board *b = param;
  uint8_t v = b->feed[b->feed_tail++ % MAX_FEED];
  if (!(avr->data[UCSRA + 1] & 0x10)) {
    // RXEN is off: the byte is ignored.
  } else if (b->fifo_n < 2) {
    b->fifo[b->fifo_n++] = v;
  } else {
    b->shift = v;
    b->shift_full = 1;
  }
  level(b);
  b->feeding = b->feed_head != b->feed_tail;
  if (!b->feeding) return 0;
  starts(b);
  return when + byte_cycles(b);
}

static uint8_t udr_read(avr_t *avr, avr_io_addr_t addr, void *param) {
  (void)addr;
  board *b = param;
  uint8_t v = b->fifo[0];
  if (b->fifo_n > 0) {
    b->fifo[0] = b->fifo[1];
    b->fifo_n--;
  }
  if (b->shift_full) {
    b->fifo[b->fifo_n++] = b->shift;
    b->shift_full = 0;
  }
  avr->data[UCSRA] &= (uint8_t)~DOR;
  level(b);
  return v;
}

static void sent(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  board *b = param;
  if (b->out_head - b->out_tail < MAX_OUT) b->out[b->out_head++ % MAX_OUT] = (uint8_t)value;
}

// --- SPI. In 1.6 a byte takes 100 us at any clock.

static avr_cycle_count_t spi_done(avr_t *avr, avr_cycle_count_t when, void *param) {
  (void)when;
  board *b = param;
  uint8_t mosi = b->spi->input_data_register;
  int reader = -1;
  for (int i = 0; i < 4; i++)
    if (b->selected >> i & 1) reader = reader < 0 ? i : 4;
  b->miso = 0xFF;
  b->spi_bytes++;
  if (reader < 0 || reader > 3) {
    b->clashes++;
  } else if (b->first) {
    b->address = mosi;
    b->first = 0;
    b->miso = 0;
  } else if (b->address & 0x80) {
    b->miso = boardAccess(b->handle, reader, b->address, 0);
    b->address = mosi;
  } else {
    boardAccess(b->handle, reader, b->address, mosi);
  }
  avr_raise_interrupt(avr, &b->spi->spi);
  return 0;
}

static void spdr_write(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *param) {
  (void)addr;
  board *b = param;
  static const int divider[] = {4, 16, 64, 128};
  avr_regbit_clear(avr, b->spi->spi.raised);
  int d = divider[avr->data[b->spi->r_spcr] & 3];
  if (avr->data[b->spi->r_spsr] & 1) d /= 2;
  b->spi->input_data_register = v;
  avr_cycle_timer_register(avr, 8 * d, spi_done, b);
}

static uint8_t spdr_read(avr_t *avr, avr_io_addr_t addr, void *param) {
  (void)addr;
  board *b = param;
  avr_regbit_clear(avr, b->spi->spi.raised);
  return b->miso;
}

// --- Pins.

static void pin(board *b, int reader, int high) {
  uint8_t bit = 1 << reader;
  if (high) {
    b->selected &= ~bit;
  } else {
    b->selected |= bit;
    b->first = 1;
  }
}
static void cs0(struct avr_irq_t *i, uint32_t v, void *p) { (void)i; pin(p, 0, v & 1); }
static void cs1(struct avr_irq_t *i, uint32_t v, void *p) { (void)i; pin(p, 1, v & 1); }
static void cs2(struct avr_irq_t *i, uint32_t v, void *p) { (void)i; pin(p, 2, v & 1); }
static void cs3(struct avr_irq_t *i, uint32_t v, void *p) { (void)i; pin(p, 3, v & 1); }

static void ws_end(board *b) {
  if (b->ws_bits == 0) return;
  if (b->ws_bits % 24) b->ws.bad++;
  b->ws.frames++;
  b->ws.leds = b->ws_bits / 24;
  memcpy(b->ws.rgb, b->ws_rgb, sizeof b->ws_rgb);
  b->ws_bits = 0;
}

// data handles the line of a WS2812 strip, which takes green first, and the data of an APA102.
static void data(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  board *b = param;
  uint64_t now = b->avr->cycle;
  value &= 1;
  if ((int)value == b->apa_data) return;
  b->apa_data = (int)value;
  if (value) {
    uint64_t low = now - b->ws.ended;
    if (low >= RESET_LOW) ws_end(b);
    else if (b->ws_bits && low > b->ws.longest_gap) b->ws.longest_gap = low;
    b->ws_rise = now;
    return;
  }
  uint64_t high = now - b->ws_rise;  // windows of the data sheet: 0.25 to 0.55, 0.65 to 0.95 us
  int one = high >= 11;
  if (high < 4 || high > 15 || (high > 8 && high < 11)) b->ws.bad++;
  b->ws.ended = now;
  int led = b->ws_bits / 24, color = b->ws_bits % 24 / 8;
  static const int place[] = {1, 0, 2};
  if (led < MAX_LEDS) {
    uint8_t *p = &b->ws_rgb[3 * led + place[color]];
    *p = (uint8_t)(*p << 1 | one);
  }
  b->ws_bits++;
}

// An APA102 shifts at the rising clock: 32 zeros, then for each LED 111, brightness, blue, green, red.
static void apa_clock(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  board *b = param;
  if (!(value & 1)) return;
  if (!b->apa_in) {
    if (!b->apa_data) {
      b->apa_zeros++;
      return;
    }
    if (b->apa_zeros < 32) {
      b->apa.bad++;
      b->apa_zeros = 0;
      return;
    }
    b->apa_in = 1;
    b->apa_bits = 0;
    b->apa_n = 0;
  }
  b->apa_word = b->apa_word << 1 | (uint32_t)b->apa_data;
  if (++b->apa_bits < 32) return;
  b->apa_bits = 0;
  if (b->apa_word >> 29 != 7) {
    b->apa.frames++;
    b->apa.leds = b->apa_n;
    memcpy(b->apa.rgb, b->apa_rgb, sizeof b->apa_rgb);
    b->apa_in = 0;
    b->apa_zeros = 32;
    if (b->apa_word) b->apa.bad++;
  } else if (b->apa_n < MAX_LEDS) {
    uint8_t *p = &b->apa_rgb[3 * b->apa_n++];
    p[0] = (uint8_t)b->apa_word, p[1] = (uint8_t)(b->apa_word >> 8), p[2] = (uint8_t)(b->apa_word >> 16);
  }
}

static void drive_buttons(board *b) {
  for (int i = 0; i < 4; i++)
    avr_raise_irq(avr_io_getirq(b->avr, AVR_IOCTL_IOPORT_GETIRQ('C'), i), !(b->buttons >> i & 1));
}

// on_reset runs within every reset of the chip, which has forgotten timers and pins.
static void on_reset(avr_io_t *io) {
  board *b = (board *)io;
  b->resets++;
  b->fifo_n = b->shift_full = 0;
  b->selected = 0;
  b->feeding = 0;
  uint32_t flags = 0;
  avr_ioctl(b->avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
}

board *board_new(uintptr_t handle, const uint8_t *flash, uint32_t size, uint32_t ram_from) {
  avr_global_logger_set(silent);
  board *b = calloc(1, sizeof *b);
  avr_t *avr = avr_make_mcu_by_name("atmega328p");
  if (!b || !avr) return NULL;
  b->avr = avr;
  b->handle = handle;
  b->ram_from = ram_from;
  avr_init(avr);
  avr->frequency = 16000000;
  avr->log = LOG_NONE;
  avr->sleep = awake;
  avr_loadcode(avr, (uint8_t *)flash, size, 0);
  b->uart = (avr_uart_t *)module(avr, "uart");
  b->spi = (avr_spi_t *)module(avr, "spi");
  avr->io[AVR_DATA_TO_IO(UDR)].r.c = udr_read;
  avr->io[AVR_DATA_TO_IO(UDR)].r.param = b;
  avr->io[AVR_DATA_TO_IO(b->spi->r_spdr)].w.c = spdr_write;
  avr->io[AVR_DATA_TO_IO(b->spi->r_spdr)].w.param = b;
  avr->io[AVR_DATA_TO_IO(b->spi->r_spdr)].r.c = spdr_read;
  avr->io[AVR_DATA_TO_IO(b->spi->r_spdr)].r.param = b;
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), sent, b);
  static const struct { char port; int bit; avr_irq_notify_t to; } pins[] = {
      {'B', 2, cs0}, {'B', 1, cs1}, {'B', 0, cs2}, {'D', 7, cs3}, {'D', 6, data}, {'D', 5, apa_clock}};
  for (unsigned i = 0; i < sizeof pins / sizeof *pins; i++)
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pins[i].port), pins[i].bit), pins[i].to, b);
  b->io.kind = "board";
  b->io.reset = on_reset;
  avr_register_io(avr, &b->io);
  memset(avr->data + ram_from, PAINT, avr->ramend + 1 - ram_from);
  avr->data[MCUSR_AT] = 1;
  on_reset(&b->io);
  b->resets = 0;
  drive_buttons(b);
  return b;
}

void board_free(board *b) {
  avr_terminate(b->avr);
  free(b->avr);
  free(b);
}

int board_run(board *b, uint64_t cycles) {
  avr_t *avr = b->avr;
  uint64_t end = avr->cycle + cycles;
  uint32_t resets = b->resets;
  while (avr->cycle < end) {
    b->uart->cycles_per_byte = byte_cycles(b);  // 1.6 counts a parity bit that is not sent
    if (!b->feeding && b->feed_head != b->feed_tail) {
      b->feeding = 1;
      starts(b);
      avr_cycle_timer_register(avr, byte_cycles(b), arrive, b);
    }
    int state = avr_run(avr);
    if (state == cpu_Done || state == cpu_Crashed) return 1;
    if (b->resets != resets) {
      resets = b->resets;
      drive_buttons(b);
    }
  }
  return 0;
}

uint64_t board_cycle(board *b) { return b->avr->cycle; }

void board_reset(board *b, uint8_t cause) {
  avr_reset(b->avr);
  if (cause & 1)
    for (uint32_t i = b->ram_from; i <= b->avr->ramend; i++) b->avr->data[i] = PAINT;
  b->avr->data[MCUSR_AT] = cause;
  drive_buttons(b);
}

void board_hang(board *b) {
  while (!b->avr->sreg[S_I] && avr_run(b->avr) != cpu_Crashed) {}  // until interrupts are on
  uint32_t end = b->avr->flashend - 1;  // never used by the image
  b->avr->flash[end] = 0xFF;            // rjmp .-2
  b->avr->flash[end + 1] = 0xCF;
  b->avr->pc = end;
}

void board_old_loader(board *b) {
  static const uint16_t wait[] = {
      0xE520, 0xE030, 0xE040,  // ldi r18, 80; ldi r19, 0; ldi r20, 0
      0x954A, 0xF7F1,          // dec r20; brne .-4
      0x953A, 0xF7E1,          // dec r19; brne .-8
      0x952A, 0xF7D1,          // dec r18; brne .-12
      0x940C, 0x0000,          // jmp 0
  };
  enum { AT = 0x7800 };
  for (unsigned i = 0; i < sizeof wait / sizeof *wait; i++) {
    b->avr->flash[AT + 2 * i] = (uint8_t)wait[i];
    b->avr->flash[AT + 2 * i + 1] = (uint8_t)(wait[i] >> 8);
  }
  b->avr->reset_pc = b->avr->pc = AT;
}

uint32_t board_resets(board *b) { return b->resets; }

uint32_t board_feed(board *b, const uint8_t *bytes, uint32_t n) {
  uint32_t i = 0;
  for (; i < n && b->feed_head - b->feed_tail < MAX_FEED; i++) b->feed[b->feed_head++ % MAX_FEED] = bytes[i];
  return i;
}

uint32_t board_output(board *b, uint8_t *bytes, uint32_t n) {
  uint32_t i = 0;
  for (; i < n && b->out_head != b->out_tail; i++) bytes[i] = b->out[b->out_tail++ % MAX_OUT];
  return i;
}

uint32_t board_overruns(board *b) { return b->overruns; }

void board_button(board *b, int button, int down) {
  if (down) b->buttons |= 1 << button;
  else b->buttons &= ~(1 << button);
  drive_buttons(b);
}

void board_set_eeprom(board *b, uint16_t at, uint8_t v) {
  avr_eeprom_desc_t d = {.ee = &v, .offset = at, .size = 1};
  avr_ioctl(b->avr, AVR_IOCTL_EEPROM_SET, &d);
}

void board_ws2812(board *b, leds *out) {
  if (b->avr->cycle - b->ws.ended >= RESET_LOW) ws_end(b);
  *out = b->ws;
}

void board_apa102(board *b, leds *out) { *out = b->apa; }

uint32_t board_untouched(board *b) {
  uint32_t n = 0;
  while (b->ram_from + n <= b->avr->ramend && b->avr->data[b->ram_from + n] == PAINT) n++;
  return n;
}

uint32_t board_spi_bytes(board *b) { return b->spi_bytes; }
uint32_t board_clashes(board *b) { return b->clashes; }

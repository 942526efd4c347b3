// The ATmega328P of libsimavr, with the parts that version 1.6 lacks; see doc.go.
#ifndef CORE_H
#define CORE_H
#include <stdint.h>

enum { MAX_FEED = 1 << 16, MAX_OUT = 1 << 16, MAX_LEDS = 256 };

typedef struct board board;

board *board_new(uintptr_t handle, const uint8_t *flash, uint32_t size, uint32_t ram_end_of_static);
void board_free(board *b);

// board_run runs the chip for so many cycles. It returns 0, or 1 when the program crashed.
int board_run(board *b, uint64_t cycles);
uint64_t board_cycle(board *b);

// board_reset restarts the chip; cause has the bits of MCUSR. A power cycle also overwrites the memory.
void board_reset(board *b, uint8_t cause);
uint32_t board_resets(board *b);

// board_feed sends bytes to the chip; they arrive one after the other at its speed. It returns how many fit.
uint32_t board_feed(board *b, const uint8_t *bytes, uint32_t n);
// board_output returns the bytes that the chip has sent since the last call.
uint32_t board_output(board *b, uint8_t *bytes, uint32_t n);
// board_overruns counts bytes that the receiver of the chip lost.
uint32_t board_overruns(board *b);

// board_old_loader puts the boot loader of Nanos up to 2018 before the program: after each reset it waits a
// second for a new program, and neither feeds nor stops a watchdog. A watchdog that has reset the chip goes on
// at 16 ms (data sheet, 11.9.2), and resets it again, for ever.
void board_old_loader(board *b);

// board_hang makes the program loop for ever with interrupts on.
void board_hang(board *b);

void board_button(board *b, int button, int down);

void board_set_eeprom(board *b, uint16_t at, uint8_t v);

// The state of a WS2812 strip at D6, or of an APA102 strip at D6 and D5.
typedef struct {
  uint32_t frames;       // ended by 50 us of low
  uint32_t leds;         // of the last one
  uint8_t rgb[3 * MAX_LEDS];
  uint32_t bad;          // pulses that are neither zero nor one, frames that end within an LED
  uint64_t longest_gap;  // cycles low inside a frame
  uint64_t ended;        // cycle of the last falling edge
} leds;
void board_ws2812(board *b, leds *out);
void board_apa102(board *b, leds *out);

// board_untouched counts the bytes between static memory and the deepest stack so far.
uint32_t board_untouched(board *b);
uint32_t board_spi_bytes(board *b);
uint32_t board_clashes(board *b);  // bytes sent with more than one reader selected, or none

#endif

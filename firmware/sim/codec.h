// The frames of the firmware, for a comparison with those of the daemon.
#ifndef CODEC_H
#define CODEC_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
// codec_encode writes the frame of a body of 1 to 62 bytes and returns its length, at most 67.
int codec_encode(const uint8_t *body, int n, uint8_t *wire);
// codec_decode writes the bodies in a line one after the other, each after a byte with its length, and returns
// the number of bytes written: never more than the line has. broken counts the dropped frames.
int codec_decode(const uint8_t *line, int n, uint8_t *bodies, int *broken);
#ifdef __cplusplus
}
#endif
#endif

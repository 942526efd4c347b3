//go:build simavr

#include "codec.h"

#include "../node/src/core/frame.h"

int codec_encode(const uint8_t *body, int n, uint8_t *wire) {
  int out = 0;
  node::encode(body, (uint8_t)n, [&](uint8_t b) { wire[out++] = b; });
  return out;
}

int codec_decode(const uint8_t *line, int n, uint8_t *bodies, int *broken) {
  node::Decoder d = node::Decoder();
  int out = 0;
  for (int i = 0; i < n; i++) {
    if (!d.take(line[i])) continue;
    bodies[out++] = d.size();
    for (int k = 0; k < d.size(); k++) bodies[out++] = d.body()[k];
  }
  *broken = d.broken();
  return out;
}

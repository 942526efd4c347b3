// The core of the node on this computer. firmware/Makefile runs it under the sanitizers: `host TESTDATA [SEED]`.
#include "check.h"

int checks, failures;
std::string testdata;

#include "frames.h"
#include "presence.h"
#include "inventory.h"
#include "whole.h"

int main(int argc, char** argv) {
  testdata = argc > 1 ? argv[1] : "testdata";
  Random r = {argc > 2 ? (uint32_t)std::stoul(argv[2]) : 20110};
  printf("seed %u (repeat with: build/host testdata SEED)\n", r.s);
  test_frames();
  test_random_frames(r);
  test_presence();
  test_full_pile();
  test_turns_of_a_pile();
  test_events();
  test_inventory();
  test_one_spoilt_exchange();
  test_pile_of_tags();
  test_sparks();
  test_random_fields(r);
  test_config();
  test_hello();
  test_readers();
  test_reader_trouble();
  test_light();
  test_mixed_light();
  test_buttons();
  test_silence_of_the_host();
  test_garbage(r);
  printf("%d passed, %d failed\n", checks - failures, failures);
  return failures != 0;
}

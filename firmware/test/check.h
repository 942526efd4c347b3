// A test is a function. CHECK counts, and prints a failure; the runner exits with 1 if anything failed.
#pragma once
#include <stdint.h>
#include <stdio.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

extern int checks, failures;
extern std::string testdata;

#define CHECK(ok, ...)                                      \
  do {                                                      \
    checks++;                                               \
    if (!(ok)) {                                            \
      failures++;                                           \
      printf("%s:%d: %s: ", __FILE__, __LINE__, #ok);       \
      printf(__VA_ARGS__);                                  \
      printf("\n");                                         \
    }                                                       \
  } while (0)

typedef std::vector<uint8_t> Bytes;

inline Bytes hex(const std::string& s) {
  Bytes b;
  for (size_t i = 0; i + 1 < s.size(); i += 2) b.push_back((uint8_t)std::stoi(s.substr(i, 2), 0, 16));
  return b;
}

inline std::string text(const Bytes& b) {
  std::string s;
  char two[3];
  for (size_t i = 0; i < b.size(); i++) snprintf(two, sizeof two, "%02x", b[i]), s += two;
  return s;
}

// vectors returns the lines of a file of vectors, without comments and blank lines.
inline std::vector<std::string> vectors(const char* name) {
  std::ifstream in((testdata + "/" + name).c_str());
  std::vector<std::string> lines;
  for (std::string l; std::getline(in, l);)
    if (!l.empty() && l[0] != '#') lines.push_back(l);
  CHECK(!lines.empty(), "%s is empty or missing", name);
  return lines;
}

// Random gives the same numbers on every computer; the runner prints its seed.
struct Random {
  uint32_t s;
  uint32_t next() {
    s ^= s << 13;
    s ^= s >> 17;
    return s ^= s << 5;
  }
  uint32_t below(uint32_t n) { return next() % n; }
};

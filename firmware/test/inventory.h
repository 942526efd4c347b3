#include <algorithm>

#include "field.h"

// inventory returns the tags in a field, sorted, with ~ for noise.
static std::string inventory(node::Inventory& inv, Field& f, bool arrivals = false) {
  if (arrivals) inv.arrivals();
  else inv.begin(false);
  do f.exchange(inv.frame);
  while (inv.next());
  std::vector<std::string> names;
  for (uint8_t i = 0; i < inv.count(); i++) names.push_back(text(Bytes(inv.tags()[i].uid, inv.tags()[i].uid + inv.tags()[i].len)));
  std::sort(names.begin(), names.end());
  std::string s = inv.heard() == node::kNoisy ? "~" : inv.heard() == node::kSpark ? "!" : "";
  for (const std::string& n : names) s += (s.empty() ? "" : " ") + n;
  return s;
}

static void test_inventory() {
  const uint8_t halt[] = {0x50, 0x00}, zeros[] = {0, 0};
  CHECK(node::crc_a(halt, 2) == 0xCD57, "CRC_A of HLTA");
  CHECK(node::crc_a(zeros, 2) == 0x1EA0, "CRC_A, annex B");
  const char* fields[][3] = {
      {0},
      {"deadbeef"},
      {"04010203040506"},
      {"04010203040506070809"},
      {"01020304", "04010203040506", "04010203040506070809"},
      {"01020304", "01020384"},
      {"10020304", "11020304"},
      {"04010203040506", "04010203040507"},
      {"04010203040506070809", "04010203040506070889"},
      {"04010203040580", "04010203040581", "04010203040582"},
  };
  for (const auto& names : fields) {
    Field f;
    std::string want;
    for (int i = 0; i < 3 && names[i]; i++) {
      f.cards.push_back(Card(names[i]));
      want += (want.empty() ? "" : " ") + std::string(names[i]);
    }
    node::Inventory inv = node::Inventory();
    for (int round = 0; round < 3; round++) {  // the later ones find them halted
      std::string got = inventory(inv, f);
      CHECK(got == want, "round %d: %s, want %s", round, got.c_str(), want.c_str());
    }
  }
  Field two;
  two.cards.push_back(Card("01020304"));
  node::Inventory inv = node::Inventory();
  two.cards[0].wrong_check = true;
  CHECK(inventory(inv, two) == "~", "a wrong check byte is noise");
  two.cards[0].wrong_check = false;
  two.cards[0].wrong_crc = true;
  CHECK(inventory(inv, two) == "~", "a wrong CRC of the SAK is noise");
  two.cards[0].wrong_crc = false;
  CHECK(inventory(inv, two) == "01020304", "and then it is sound");
  Field four;
  for (const char* u : {"01020300", "01020301", "01020302", "01020303"}) four.cards.push_back(Card(u));
  std::string got = inventory(inv, four);
  CHECK(got[0] == '~' && inv.count() == 3, "a fourth tag is noise: %s", got.c_str());
}

// One spoilt exchange at any place loses no tag: the walk is repeated.
static void test_one_spoilt_exchange() {
  for (int at = 0; at < 12; at++) {
    Field f;
    f.cards.push_back(Card("04010203040506"));
    f.garble = at;
    node::Inventory inv = node::Inventory();
    std::string got = inventory(inv, f);
    CHECK(got == "04010203040506", "spoilt at %d: %s", at, got.c_str());
  }
}

static node::Tag named(const std::string& uid) {
  Bytes b = hex(uid);
  node::Tag t = {(uint8_t)b.size(), 0, {0}};
  std::copy(b.begin(), b.end(), t.uid);
  return t;
}

// New tags in a pile are named once; known ones are asked for, and stay silent.
static void test_pile_of_tags() {
  Field f;
  node::Inventory inv = node::Inventory();
  std::vector<std::string> all;
  for (int i = 0; i < 20; i++) {
    const char* d = "0123456789abcdef";
    std::string u = std::string("0401020") + d[i % 16] + "04050" + d[i / 16];
    u += u.size() % 2 ? "" : i % 3 ? "" : "6";
    u.resize(14, '7');
    all.push_back(u);
    f.cards.push_back(Card(u));
  }
  size_t got = 0;
  for (int scan = 0; scan < 12; scan++) {
    std::string s = inventory(inv, f, true);
    CHECK(s[0] != '~' && s[0] != '!', "of a new pile the rest is no noise: %s", s.c_str());
    got += inv.count();
  }
  CHECK(got == 20, "%zu of 20 named", got);
  auto verify = [&](const std::string& uid) {
    inv.verify(named(uid));
    do f.exchange(inv.frame);
    while (inv.next());
    node::Found found = inv.found();
    std::string s = inventory(inv, f, true);
    CHECK(s == "", "verified, and then named as new: %s", s.c_str());
    return found;
  };
  for (const std::string& u : all) CHECK(verify(u) == node::kThere, "%s is there", u.c_str());
  f.cards.erase(f.cards.begin());
  CHECK(verify(all[0]) == node::kGone, "one is gone");
  f.garble_all = true;
  inv.verify(named(all[1]));
  do f.exchange(inv.frame);
  while (inv.next());
  CHECK(inv.found() == node::kUnsure, "garbled answers prove nothing");
  f.garble_all = false;
  f.cards.clear();
  CHECK(verify(all[1]) == node::kNobodyThere, "all are gone");
  for (const char* u : {"01020304", "04010203040506070809"}) {
    f.cards.push_back(Card(u));
    inventory(inv, f, true);
    CHECK(verify(u) == node::kThere, "%s is there", u);
  }
}

// A wake-up whose second try meets silence was a spark; garbled answers are no evidence of a tag, complete ones
// are.
static void test_sparks() {
  for (int n = 0; n < 3; n++) {
    Field f;
    f.spark = n;
    node::Inventory inv = node::Inventory();
    std::string s = inventory(inv, f);
    const char* want[] = {"", "", "!"};
    CHECK(s == want[n], "%d sparks in a row: %s", n, s.c_str());
  }
}

static void test_random_fields(Random& r) {
  for (int i = 0; i < 3000; i++) {
    Field f;
    std::vector<std::string> names;
    for (uint32_t n = r.below(4); n > 0; n--) {
      Bytes u(4 + 3 * r.below(3));
      for (size_t k = 0; k < u.size(); k++) u[k] = (uint8_t)(r.below(2) + (k == 0 ? 4 : 0));  // close together
      if (std::find(names.begin(), names.end(), text(u)) != names.end()) continue;
      names.push_back(text(u));
      f.cards.push_back(Card(text(u)));
    }
    std::sort(names.begin(), names.end());
    std::string want;
    for (const std::string& n : names) want += (want.empty() ? "" : " ") + n;
    node::Inventory inv = node::Inventory();
    std::string got = inventory(inv, f);
    CHECK(got == want, "field %d: %s, want %s", i, got.c_str(), want.c_str());
  }
}

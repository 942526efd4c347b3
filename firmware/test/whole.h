// The whole node on a Hal of this computer: chips answer register by register, time passes when it is read.
#include <deque>

#include "../node/src/core/node.h"

// FakeChip is an MFRC522 with the registers that the node uses. It is strict: a command that is written again
// is ignored, a reset takes time, reserved bits cannot be written.
struct FakeChip {
  Field field;
  uint8_t reg[64];
  std::deque<uint8_t> fifo;
  bool there, hung, selected, lit, open;  // open: a transceive that met silence goes on
  int address, asleep;  // asleep: looks at CommandReg until a reset is over

  FakeChip() : there(true), hung(false), selected(false), lit(false), address(-1), asleep(0) { reset(); }
  void reset() {
    for (uint8_t& r : reg) r = 0;
    reg[0x37] = 0x92;
    reg[0x14] = 0x80;
    reg[0x26] = 0x48;
    open = false;
  }
  void select(bool on) {
    selected = on;
    address = -1;
  }
  uint8_t transfer(uint8_t b) {
    if (!there) return 0xFF;
    uint8_t out = 0;
    if (address >= 0 && (address & 0x80)) out = read(address >> 1 & 0x3F);
    else if (address >= 0) write(address >> 1 & 0x3F, b);
    if (address < 0 || (address & 0x80)) address = b;
    return out;
  }
  uint8_t read(uint8_t r) {
    if (asleep > 0) return r == 0x01 ? (asleep--, 0x1F) : 0;
    if (r == 0x0A) return (uint8_t)fifo.size();
    if (r != 0x09) return reg[r];
    uint8_t v = fifo.empty() ? 0 : fifo.front();
    if (!fifo.empty()) fifo.pop_front();
    return v;
  }
  void write(uint8_t r, uint8_t v) {
    if (asleep > 0) return;
    if (r == 0x01) open = open && v == reg[r];
    if (r == 0x09) fifo.push_back(v);
    else if (r == 0x0A) fifo.clear();
    else if (r == 0x04) reg[r] = (uint8_t)(reg[r] & ~v);
    else if (r == 0x01 && v == 0x0F) reset(), asleep = 40;
    else if (r == 0x26) reg[r] = (v & 0x70) | 0x08;
    else reg[r] = v;
    if (r == 0x14) lit = v & 3;
    if (r == 0x0D && (v & 0x80)) send(v);
  }
  void send(uint8_t framing) {
    node::Frame f = node::Frame();
    f.tx_len = (uint8_t)fifo.size();
    for (uint8_t i = 0; i < f.tx_len; i++) f.tx[i] = fifo[i];
    f.tx_bits = framing & 7;
    f.rx_align = framing >> 4 & 7;
    if (hung || open || reg[0x01] != 0x0C) return;
    fifo.clear();
    if (lit) field.exchange(f);
    reg[0x06] = f.outcome == node::kCollision ? 0x08 : f.outcome == node::kGarbled ? 0x02 : 0;
    reg[0x04] |= f.outcome == node::kSilence ? 0x01 : 0x20;
    open = f.outcome == node::kSilence;
    reg[0x0C] = f.rx_bits;
    reg[0x0E] = f.collision == 0 ? 0x20 : f.collision & 0x1F;
    for (uint8_t i = 0; i < f.rx_len; i++) fifo.push_back(f.rx[i]);
  }
};

struct Fake {
  static FakeChip chip[4];
  static uint8_t eeprom[256], buttons, cause;
  static uint32_t clock;  // ticks
  static std::deque<uint8_t> in;
  static Bytes out, shown;
  static node::Light how;
  static bool restarted;
  static int shows;

  static void fresh() {
    for (FakeChip& c : chip) c = FakeChip();
    for (uint8_t& e : eeprom) e = 0xFF;
    buttons = 0, cause = 1, clock = 0, shows = 0;
    in.clear(), out.clear(), shown.clear();
    restarted = false, how = node::kPlain;
  }
  static uint16_t ticks() { return (uint16_t)(clock += 20); }
  static void begin(const node::Config&) {}
  static bool receive(uint8_t* b) {
    if (in.empty()) return false;
    *b = in.front();
    in.pop_front();
    return true;
  }
  static uint16_t overruns() { return 0; }
  static uint8_t window() { return 127; }
  static uint8_t send_room() { return 63; }
  static void send(uint8_t b) { out.push_back(b); }
  static void select(uint8_t r, bool on) { chip[r].select(on); }
  static uint8_t transfer(uint8_t b) {
    uint8_t v = 0xFF;
    int lit = 0, selected = 0;
    for (FakeChip& c : chip) {
      if (c.selected) v = c.transfer(b), selected++;
      lit += c.lit;
    }
    CHECK(selected == 1, "%d chips selected", selected);
    CHECK(lit <= 1, "%d fields at once", lit);
    return v;
  }
  static void show(const node::Config& c, uint8_t* rgb, node::Light light) {
    how = light;
    shown = Bytes(rgb, rgb + 3 * c.pixels);
    if (how == node::kMixed)
      for (size_t i = 0; i < shown.size(); i++) shown[i] = node::mixed(shown[i], rgb + shown.size() + i);
    shows++;
  }
  static uint8_t pressed(const node::Config&) { return buttons; }
  // The pins of another board, which its Hal decides.
  static bool usable(uint8_t pin) { return pin >= 2 && pin <= 28 && (pin < 11 || pin > 13); }
  static bool input(uint8_t pin) { return pin != 27; }
  static void standard(node::Config& c) {
    for (uint8_t i = 0; i < 4; i++) c.select[i] = 10 - i, c.button[i] = 14 + i;
    c.strip = node::kWs2812Grb;
    c.pixels = 60;
    c.data = 6;
  }
  static uint8_t eeprom_read(uint8_t at) { return eeprom[at]; }
  static void eeprom_write(uint8_t at, uint8_t v) { eeprom[at] = v; }
  static uint8_t reset_cause() { return cause; }
  static void alive() {}
  static void restart() { restarted = true; }
};
FakeChip Fake::chip[4];
uint8_t Fake::eeprom[256], Fake::buttons, Fake::cause;
uint32_t Fake::clock;
std::deque<uint8_t> Fake::in;
Bytes Fake::out, Fake::shown;
node::Light Fake::how;
bool Fake::restarted;
int Fake::shows;

// Table is a node and the host at the far end of its line.
struct Table {
  node::Node<Fake> node;
  node::Decoder decoder;
  uint16_t next;
  bool acknowledges;

  Table() : node(), decoder(), next(0), acknowledges(true) { node.begin(); }
  void say(const std::string& body) {
    Bytes w = wire_of(hex(body));
    Fake::in.insert(Fake::in.end(), w.begin(), w.end());
  }
  // run runs the node for ms and returns its messages except CREDIT, in order.
  std::vector<std::string> run(int ms) {
    std::vector<std::string> said;
    for (uint32_t end = Fake::clock + ms * 250; Fake::clock < end;) {
      node.step();
      Bytes line;
      line.swap(Fake::out);
      for (uint8_t b : line) {
        if (!decoder.take(b)) continue;
        Bytes m(decoder.body(), decoder.body() + decoder.size());
        if (m[0] == 0x82) continue;
        if (m[0] == 0x83 && acknowledges) {
          uint16_t number = (uint16_t)(m[2] | m[3] << 8);
          if (number != next) continue;
          next++;
          char ack[9];
          snprintf(ack, sizeof ack, "02%02x%02x%02x", m[1], next & 255, next >> 8);
          say(ack);
        }
        said.push_back(text(m));
      }
    }
    return said;
  }
  // events runs the node and returns its events, without stream, number and time.
  std::string events(int ms) {
    std::string s;
    for (const std::string& m : run(ms))
      if (m.compare(0, 2, "83") == 0) s += (s.empty() ? "" : " ") + m.substr(16);
    return s;
  }
};

static void test_config() {
  node::Config c;
  c.standard<Fake>();
  CHECK(sizeof c == 32 && c.valid<Fake>(), "the standard configuration is valid");
  CHECK(c.clock == node::kNoPin && c.gain == 0x50 && c.name_size() == 0, "and has nothing that nobody named");
  c.select[0] = 6;
  CHECK(!c.valid<Fake>(), "a pin for two");
  c.select[0] = 27;
  CHECK(c.valid<Fake>(), "a pin that this board has");
  c.select[0] = 29;
  CHECK(!c.valid<Fake>(), "a pin that it has not");
  c.standard<Fake>(), c.button[3] = 27;
  CHECK(!c.valid<Fake>(), "a button at a pin that the chip drives");
  c.standard<Fake>(), c.button[3] = 13;
  CHECK(!c.valid<Fake>(), "a pin of the bus");
  c.standard<Fake>(), c.strip = node::kApa102;
  CHECK(!c.valid<Fake>(), "an APA102 without a clock");
  c.clock = 5;
  CHECK(c.valid<Fake>(), "an APA102 with a clock");
  c.standard<Fake>(), c.name[1] = 'x';
  CHECK(!c.valid<Fake>(), "a name with a zero in it");
  c.standard<Fake>(), c.pixels = 121;
  CHECK(!c.valid<Fake>(), "too long a strip");

  Fake::fresh();
  Table t;
  for (const std::string& l : vectors("frames.txt")) {
    std::istringstream in(l);
    std::string name, body, config;
    in >> name >> body;
    if (name == "set") {
      t.run(5);
      t.say("05");
      CHECK(t.run(5)[0].compare(0, 4, "8500") == 0, "a CONFIG");
      t.say(body);
      std::vector<std::string> said = t.run(5);
      CHECK(said.size() == 1 && said[0] == "8500" + body.substr(2), "the new CONFIG");
      CHECK(Fake::restarted, "restarts with it");
    }
  }
  Table again;
  std::string hello = again.run(5)[0];
  CHECK(hello.substr(hello.size() - 8) == "0375726e", "the name is kept: %s", hello.c_str());
  CHECK(hello.substr(10, 4) == "0100", "starts are counted, from FFFF: %s", hello.c_str());
  again.say("06" + std::string(64, '0'));
  CHECK(again.run(5)[0].compare(0, 4, "8501") == 0, "a configuration that cannot work is refused");
  Fake::eeprom[20] ^= 1;
  Table broken;
  hello = broken.run(5)[0];
  CHECK(hello.substr(hello.size() - 2) == "00", "a broken one is not used: %s", hello.c_str());
}

static void test_hello() {
  Fake::fresh();
  Fake::cause = 8;
  Fake::chip[2].there = false;
  Table t;
  std::vector<std::string> said = t.run(50);
  CHECK(said.size() == 1, "one HELLO, then it waits");
  CHECK(said[0].compare(0, 14, "81010000000000") == 0, "%s", said[0].c_str());
  CHECK(said[0].substr(26, 8) == "7f080101", "window, cause, firmware: %s", said[0].c_str());
  CHECK(said[0].substr(34, 10) == "0f92920092", "readers and their chips: %s", said[0].c_str());
  t.say("0102073412");  // another version
  said = t.run(50);
  CHECK(said.size() == 1 && said[0].compare(0, 10, "8101070000") == 0, "told, and no session: %s", said[0].c_str());
  t.say("0101083412");
  said = t.run(5);
  CHECK(said[0].compare(0, 10, "8101083412") == 0, "%s", said[0].c_str());
  CHECK(said[0].substr(22, 4) == "1400", "taken counts up to the ASK: %s", said[0].c_str());
  t.say("7f00ff");  // unknown, and then known
  t.say("01010934120000");
  CHECK(t.run(5)[0].compare(0, 6, "810109") == 0, "a longer payload is read as far as it is known");
}

static void test_readers() {
  Fake::fresh();
  Fake::chip[2].there = false;
  Table t;
  CHECK(t.events(200) == "", "nothing without a session");
  t.say("0101013412");
  std::string got = t.events(300);
  CHECK(got == "16 36 06", "three of four work: %s", got.c_str());
  Fake::chip[1].field.cards.push_back(Card("04a1b2c3d4e5f6"));
  Fake::chip[1].field.cards.push_back(Card("deadbeef"));
  got = t.events(100);
  CHECK(got == "910804a1b2c3d4e5f6 1108deadbeef" || got == "9108deadbeef 110804a1b2c3d4e5f6", "%s", got.c_str());
  CHECK(t.events(500) == "", "they lie there");
  Fake::chip[1].field.cards.pop_back();
  CHECK(t.events(400) == "1208deadbeef", "one leaves");
  t.say("0101024412");
  t.next = 0;
  got = t.events(300);
  const std::string turns = "06 96 110804a1b2c3d4e5f6 36 06 96 110804a1b2c3d4e5f6 36";  // whose turn it is
  CHECK(got.size() == 27 && turns.find(got) != std::string::npos, "a new session is told anew what lies there: %s", got.c_str());
}

static void test_reader_trouble() {
  Fake::fresh();
  Table t;
  t.say("0101013412");
  t.events(300);
  Fake::chip[3].field.cards.push_back(Card("deadbeef"));
  CHECK(t.events(100) == "3108deadbeef", "a card");
  Fake::chip[3].there = false;
  CHECK(t.events(1000) == "35", "the reader is lost, not the card");
  Fake::chip[3].there = true;
  Fake::chip[3].reset();
  CHECK(t.events(500) == "36", "and comes back with it");
  Fake::chip[3].reset();
  CHECK(t.events(500) == "", "a brown-out is mended and not worth a word");
  Fake::chip[3].hung = true;
  CHECK(t.events(1000) == "35", "a chip that sends nothing is lost, though its registers answer");
  Fake::chip[3].hung = false;
  CHECK(t.events(500) == "36", "until it does");
  // Without acknowledgement no event is dropped, and nothing is scanned whose events would find no room.
  t.acknowledges = false;
  for (int i = 0; i < 12; i++) {
    Fake::chip[0].field.cards.assign(1, Card("0102030" + std::string(1, "0123456789abcdef"[i])));
    t.run(300);
  }
  CHECK(t.node.events().count() >= 5 && t.node.events().room() < 9, "%d kept", t.node.events().count());
  t.acknowledges = true;
  std::string got = t.events(1000);
  CHECK(got.compare(0, 12, "010801020300") == 0 && got.find("01080102030b") != std::string::npos, "%s", got.c_str());
}

static std::string show_of(int pixels, const Bytes& rgb) {
  uint16_t crc = node::crc16(rgb.data(), (uint16_t)(3 * pixels));
  char s[9];
  snprintf(s, sizeof s, "0407%02x%02x", crc & 255, crc >> 8);
  return s;
}

static void test_light() {
  Fake::fresh();
  Table t;
  t.run(5);
  CHECK(Fake::shows == 1 && Fake::shown == Bytes(180), "dark at first");
  Bytes rgb(180);
  for (int i = 0; i < 180; i++) rgb[i] = (uint8_t)(i + 1);
  for (int i = 0; i < 60; i += 15) {
    char head[5];
    snprintf(head, sizeof head, "03%02x", i);
    t.say(head + text(Bytes(rgb.begin() + 3 * i, rgb.begin() + 3 * i + 45)));
  }
  CHECK(t.run(5).empty() && Fake::shows == 1, "not before SHOW");
  t.say(show_of(60, rgb));
  CHECK(t.run(5)[0] == "840701" && Fake::shown == rgb, "shown");
  t.say("0300ffffff");
  t.say(show_of(60, rgb));
  CHECK(t.run(5)[0] == "840700" && Fake::shown == rgb && Fake::shows == 2, "not what was meant, so not shown");
  t.say("0377ffffffffffff");
  t.say("0378ffffff");
  t.say("03ffffffff");
  t.say("0300ffff");
  CHECK(t.run(5).empty(), "pixels beyond the end fall off, parts of one are skipped");
}

// A frame with parts is shown again and again, and each channel is one step brighter in as many frames of 16 as
// its part says, spread as evenly as possible.
static void test_mixed_light() {
  Fake::fresh();
  Table t;
  t.run(5);
  Bytes rgb(360);
  for (int i = 0; i < 180; i++) rgb[i] = (uint8_t)(i + 1), rgb[180 + i] = (uint8_t)(i % 16);
  for (int i = 0; i < 60; i += 10) {
    Bytes body = {node::kFine, (uint8_t)i};
    for (int p = i; p < i + 10; p++)
      for (int row : {0, 180}) body.insert(body.end(), rgb.begin() + row + 3 * p, rgb.begin() + row + 3 * p + 3);
    t.say(text(body));
  }
  CHECK(t.run(5).empty() && Fake::shows == 1, "not before SHOW");
  t.say(show_of(120, rgb) + "01");
  std::vector<int> lit(180);
  int frames = 0, before = Fake::shows;
  for (int ms = 0; frames < 100 && ms < 2000; ms++) {
    if (ms % 500 == 0) t.say("0101013412");  // the host lives
    t.run(1);
    if (Fake::shows == before) continue;
    CHECK(Fake::how == node::kMixed && Fake::shows == before + 1, "mixed, one at a time");
    before = Fake::shows, frames++;
    for (int i = 0; i < 180; i++) {
      lit[i] += Fake::shown[i] - rgb[i];
      int off = 16 * lit[i] - frames * rgb[180 + i];
      CHECK(off > -16 && off < 16, "channel %d: lit in %d of %d frames for a part of %d", i, lit[i], frames, rgb[180 + i]);
    }
  }
  CHECK(frames == 100, "%d frames in 2 s", frames);
  t.run(2500);
  CHECK(Fake::how == node::kDim, "dim after two seconds");
  before = Fake::shows;
  t.run(50);
  CHECK(Fake::shows == before, "dim is not mixed");
  t.say("0101013412");
  t.run(10);
  CHECK(Fake::how == node::kMixed, "mixed again");
  t.say("0300010203");
  t.run(1);
  before = Fake::shows;
  t.run(50);
  CHECK(Fake::shows == before, "what comes without parts is not mixed with the parts of before");
  t.say("0704ffffff0000");
  t.say("073cffffffffffff");
  t.say("0700ffffff");
  CHECK(t.run(5).empty(), "pixels beyond the end fall off, parts of one are skipped");
}

static void test_buttons() {
  Fake::fresh();
  Fake::buttons = 8;
  Table t;
  t.say("0101013412");
  CHECK(t.events(300).find("38") == std::string::npos, "the press that lasted since before");
  Fake::buttons = 9;
  CHECK(t.events(10) == "", "bounces");
  Fake::buttons = 8;
  CHECK(t.events(50) == "", "are not told");
  Fake::buttons = 9;
  CHECK(t.events(50) == "07", "down");
  Fake::buttons = 0;
  CHECK(t.events(50) == "08 38", "up");
}

static void test_silence_of_the_host() {
  Fake::fresh();
  Table t;
  t.say("0101013412");
  t.run(1900);
  CHECK(Fake::how != node::kDim, "not yet");
  t.run(300);
  CHECK(Fake::how == node::kDim, "dim after two seconds");
  t.say("0101023412");
  t.run(10);
  CHECK(Fake::how != node::kDim, "bright again");
}

// After any bytes on the line the node keeps running, and has counted every byte.
static void test_garbage(Random& r) {
  Fake::fresh();
  Table t;
  for (int i = 0; i < 3000; i++) {
    for (uint32_t n = r.below(40); n > 0; n--) Fake::in.push_back(r.below(8) ? (uint8_t)r.next() : 0);
    if (r.below(4) == 0) {
      Bytes body(1 + r.below(60));
      for (uint8_t& b : body) b = (uint8_t)r.next();
      body[0] = (uint8_t)(1 + r.below(5));  // sound frames with any payload; SET would need a sound configuration
      t.say(text(body));
    }
    t.run(1);
    Fake::restarted = false;
  }
  t.say("00");
  t.say("0101553412");
  bool answered = false;
  for (const std::string& m : t.run(10)) answered = answered || m.compare(0, 10, "8101553412") == 0;
  CHECK(answered, "answers after garbage");
}

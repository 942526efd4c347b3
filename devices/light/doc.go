// Package light turns the public state of the table into light.
//
// A Cue is plain data: the lamps of the places, the round clock, the glow of the two readers, the mood. A
// Layout assigns the LEDs of a strip to them. A Stage is a pure function: cues and the times at which they were
// set give each frame, at any frame rate; it reads no clock. Run plays cues on a strip, and a Mailbox delivers
// them without ever making the sender wait.
//
// # What may leak
//
// Nothing, if the sender builds cues from the public view: a Cue has no field for anything else. GlowAccepted
// looks the same for every seat, and GlowAgain is the same for a failed reading and for a refusal whose reason
// is secret (GEN-004).
//
// # From a cue to bytes
//
//  1. Each part of the layout is painted in 16-bit colours whose steps look even to the eye, and fades from its
//     earlier colours: 420 ms, 1200 ms for the clock.
//  2. Gamma (2.4, from 2.2 to 2.8) and the brightness ceiling make linear light of it.
//  3. The current is estimated from the sum of all channels (16, 11 and 15 mA for red, green and blue at full,
//     1 mA for an idle LED). Above the budget (850 mA) the whole frame is scaled by one factor, so no hue
//     shifts. The factor falls at once and recovers over 10 s, so that one part that comes and goes does not
//     make all others pump.
//  4. Strip.ShowFrame takes linear light in 8 bits. That is too coarse for a dim room: brass would become the
//     red of a crime, and a slow change would go in steps. A fast strip (devices.TimedStrip) therefore gets a
//     frame every 5 ms, and what one frame cannot show of a step, the next ones add: the eye sees the right
//     light at any brightness. A strip that mixes (devices.MixingStrip), such as that of a node, gets 16ths of
//     a step in addition. Any other strip gets whole steps whose proportions are preserved: dim brass is
//     (2,1,0), not (1,0,0), and slow changes go in steps.
//
// # Safety of eyes and supplies
//
// No LED flashes faster than 3 times a second, whatever cues are sent: a part keeps each state for a third of a
// second, no animation is faster than 1.3 Hz, and the power limit releases slowly. Opts.Calm stops all
// animation; the states still differ in colour and pattern. No frame exceeds the budget, no budget exceeds
// HardCap.
//
// # Colours
//
// Candle orange means now or here, and no other state has it (the amber of seat 5, which the pages define,
// comes close). Open places are dim brass, a closed one is dark, the place of a crime is garnet at its ends. At
// the end of a game places are in the winner's colour; in a pause only their middle is lit. When the urn is
// opened the places of a crime darken one after the other, the first after 6 s, each further one 5.6 s later,
// as on the display. On the clock, past rounds are brass, the current one candle, and the round in which
// accusations open is oxblood. In a Cluedo the hours are the Time cards on the track; once the next one kills,
// its hour is oxblood, and a murder makes the last hour strike for 9.6 s. A room within reach begins in the
// mover's colour. A reader glows in the colour of the seat it waits for.
//
// # Limits
//
// 16 places, 8 seat colours (others glow brass), 1024 LEDs, 60 frames a second or 200 mixed ones, any number of
// cues.
package light

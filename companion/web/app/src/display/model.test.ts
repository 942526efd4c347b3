import { describe, expect, it } from 'vitest';
import { clueSamples } from '../dev/clue';
import { names, samples, update } from '../dev/fixtures';
import { voiceOf } from '../dev/voice';
import { lostReaders } from '../lib/readers';
import { type Lang, LANGS } from '../lib/words';
import { clockLabel, headline, openCards, openHands, phaseName, planLabel, publicNotice, readerKey, roomViews, seatCards, storyLines,
  titleOf, urnLine, voteLine, widthOnTwoLines, winnerLine } from './model';

const PLAYERS = { 'seat-1': 'Anne', 'seat-2': 'Bruno', 'seat-3': 'Chloé', 'seat-4': 'David' };
const voice = (lang: Lang, players: Record<string, string> = PLAYERS) => voiceOf(lang, names, players);

const en = voice('en');
const fr = voice('fr');

describe('the round', () => {
  it('is counted, and tells when accusations open (HC-090)', () => {
    expect(headline(update({ clock: { at: 3, of: 8, mark: 5, open: false } }), en)).toEqual({
      title: 'Round 3 of 8',
      under: 'Accusations open in round 5.',
    });
    expect(headline(update(), en).under).toBe('Accusations are open.');
  });
  it('says nothing of accusations in the Confrontation (HC-202)', () => {
    const u = update();
    expect(headline(u, fr).under).toBe('Les accusations sont ouvertes.');
    u.view.mood = 'confrontation';
    expect(headline(u, fr).under).toBe('La Confrontation\u00a0: il n’en reste que deux.');
  });
  it('has no last one in a Confrontation without a limit (HC-211)', () => {
    const u = update({ clock: { at: 9, of: 0, mark: 0, open: false }, mood: 'confrontation' });
    expect([headline(u, fr).title, clockLabel(u, fr)]).toEqual(['Tour\u00a09', 'Horloge\u00a0: tour 9, sans limite.']);
    expect([headline(u, en).title, clockLabel(u, en)]).toEqual(['Round 9', 'Clock: round 9, without a limit.']);
    expect(clockLabel(update({ clock: { at: 3, of: 8, mark: 5, open: false } }), en)).toBe('Clock: round 3 of 8.');
  });
  it('has no number before the first', () => {
    expect(headline(samples['lobby']!(), en).title).toBe('The table is being laid');
    expect(headline(update({ clock: { at: 0, of: 8, mark: 5, open: false }, phase: 'pick' }), en).title).toBe('Before the first round');
  });
});

describe('places', () => {
  it('show the weapon that belongs there, until they are closed or a crime was done', () => {
    const u = update();
    u.view.places[2]!.lamp = 'closed';
    u.view.places[3]!.lamp = 'crime';
    expect(roomViews(u, en).map((r) => r.note)).toEqual(['Rope', 'Poker', 'closed', 'crime scene', 'Weapon 5', 'Weapon 6', 'Weapon 7']);
  });
  it('are told to those who hear the page', () => {
    const label = planLabel(roomViews(update(), en), en);
    expect(label).toContain('Drawing room: Poker, clues: 4, pawns: Anne, Chloé.');
    expect(label).not.toContain('{');
  });
});

describe('seats', () => {
  it('light up for those who act, alive, while the game lasts', () => {
    const u = update({ active: [1, 2] });
    u.view.seats[1]!.alive = false;
    expect(seatCards(u, en).map((s) => s.now)).toEqual([true, false, false, false]);
    expect(seatCards(samples['over']!(), en).some((s) => s.now || s.urn)).toBe(false);
  });
  it('of the dead tell the role only when it lies open (HC-131)', () => {
    const u = update();
    u.view.seats[0]!.alive = false;
    expect(seatCards(u, en)[0]?.caption).toBe('victim');
    u.view.seats[0]!.role = 'role-innocent-1';
    expect(seatCards(u, en)[0]?.caption).toBe('victim · Innocent');
  });
  it('wait for phones in the lobby', () => {
    const dealing = update({ phase: 'dealing' });
    Object.assign(dealing.view.seats[0]!, { cards: 5, done: true });
    Object.assign(dealing.view.seats[1]!, { cards: 5, done: false });
    expect(seatCards(dealing, fr).slice(0, 2).map((s) => s.cards)).toEqual([5, 0]); // only the cards that are dealt already
    const [ready, awaited] = ['téléphone prêt', 'téléphone attendu'];
    expect(seatCards(samples['lobby']!(), fr).map((s) => s.caption)).toEqual([ready, awaited, ready, awaited]);
  });
});

describe('what a seat has done', () => {
  it('is told in its phase: who has deposited (HC-120)', () => {
    const u = update({ phase: 'deposit' });
    u.view.seats[1]!.done = true;
    expect(seatCards(u, en).map((s) => s.caption)).toEqual(['Lady Borrow', 'has deposited', 'Miss Peely', 'Dr Lecomte']);
  });
  it('winners show their role, too (HC-157)', () => {
    expect(seatCards(samples['over']!(), en)[0]?.caption).toBe('wins · Innocent');
  });
});

it('the hands stand apart from the story, and only after the end (GEN-008)', () => {
  const u = samples['curtain']!();
  expect(openHands(u, en)).toHaveLength(1);
  expect(storyLines(u, en).some((t) => openHands(u, en).includes(t.text))).toBe(false);
  delete u.view.result;
  expect(openHands(u, en)).toEqual([]);
});

it('the solution is drawn over the hands, and not told among them once more', () => {
  const u = clueSamples['c-ten']!();
  expect(openHands(u, en)).toHaveLength(10);
  delete u.view.result!.solution;
  expect(openHands(u, en)).toHaveLength(11);
});

it('a correction that is asked for is counted, not named (GEN-009)', () => {
  const u = update();
  expect(voteLine(u, en)).toBe('');
  u.vote = { by: 1, agreed: [1, 2], of: [1, 2, 3, 4] };
  expect(voteLine(u, en)).toBe('A correction is proposed; agreed: 2 of 4');
});

it('a count of the cards is named as such (GEN-E09)', () => {
  expect(phaseName(update({ mood: 'count' }), en)).toBe('The cards are being counted');
});

describe('the urn', () => {
  it('is held by the first player and counts what lies in it (HC-031, HC-120)', () => {
    expect(urnLine(update(), en)).toBe('Anne holds the urn.');
    expect(urnLine(update({ urn: 2 }), en)).toBe('In the urn: 2');
    expect(urnLine(update({ urn: 4 }), en)).toBe('The urn is complete: 4');
  });
});

it('cards shown to all keep the order of the view (GEN-006)', () => {
  expect(openCards(['weapon-tisonnier', 'clue-worms-3'], en).map((c) => [c.name, c.of])).toEqual([['Poker', 'murder weapon'], [
    'Inspector Worms’s clue no. 3',
    'clue',
  ]]);
});

describe('what is told to one seat', () => {
  it('stays off the display: story lines', () => {
    const u = update();
    u.view.log.push({ n: 9, round: 5, own: true, msg: { k: 'ui.display.closed' } });
    expect(storyLines(u, en).map((t) => t.n)).toEqual([5, 4, 3, 2, 1]);
  });
  it('stays off the display: notices', () => {
    const u = update();
    u.notice = { n: 1, msg: { k: 'gen.again', a: { seat: 'seat-2' } }, private: true, signal: 'again' };
    expect(publicNotice(u)).toBeUndefined();
    u.notice.private = false;
    expect(publicNotice(u)).toEqual({ n: 1, msg: u.notice.msg, again: true });
  });
});

it('names the readers that do not answer', () => {
  const u = update();
  u.table.readers = { urn: 'lost', show: 'ok', 'place-3': 'lost' };
  expect(lostReaders(u).map(readerKey)).toEqual(['ui.display.reader.other', 'ui.display.reader.urn']);
});

it('the winners are named, one, several or none (HC-155)', () => {
  const cards = seatCards(samples['over']!(), en);
  expect(winnerLine(cards.slice(0, 1), en)).toBe('Anne wins');
  expect(winnerLine(cards.slice(0, 2), fr)).toBe('Anne et Bruno gagnent');
  expect(winnerLine(cards.slice(0, 3), en)).toBe('Anne, Bruno and Chloé win');
  expect(winnerLine([], fr)).toBe('Personne ne gagne');
});

it('a name of several words is as wide as its longer line', () => {
  expect(widthOnTwoLines('Maximilienne')).toBe(12);
  expect(widthOnTwoLines('Barthélemy-François')).toBe(11);
  expect(widthOnTwoLines('Jean-Christophe B.')).toBe(13);
  expect(widthOnTwoLines('Ada Lovelace')).toBe(8);
});

it('the title uses only drawn letters', () => {
  expect(titleOf('huis-clos', fr)).toBe('HUIS CLOS');
  expect(titleOf('cluedo-2008', fr)).toBe('CLUEDO');
});

it.each(LANGS)('every phase of the samples has a name (%s)', (lang) => {
  for (const name of Object.keys(samples)) expect(phaseName(samples[name]!(), voice(lang))).not.toBe('');
});

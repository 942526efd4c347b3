import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { caseNames, caseSamples } from '../../dev/clueseats';
import { held } from '../../lib/hold.svelte';
import { language } from '../../lib/language.svelte';
import type { Heard, Update } from '../../lib/wire';
import Seat from '../../phone/Seat.svelte';
import { part } from './phone';
import { BLANK, markAt, parseSheet, setMark, formatSheet } from '../../phone/notes';

let done: [string, Record<string, string>][];
let noted: string[];

function open(sample: string, change: (u: Update) => void = () => {}) {
  const update = (caseSamples[sample] as () => Update)();
  change(update);
  language.learnSeats(update.view.seats);
  done = [];
  noted = [];
  history.replaceState(null, ''); // it opens with its first tab
  return render(Seat, {
    update,
    connection: 'live',
    state: { is: 'idle' },
    ondismiss: () => {},
    onforget: () => {},
    onact: (act, args) => void done.push([act, args]),
    onnote: (m) => noted.push(m) > 0,
  });
}

beforeEach(() => {
  language.learnNames(caseNames());
  language.lang = 'en';
});
afterEach(() => {
  cleanup();
  held.hide();
  vi.restoreAllMocks();
});
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const press = (e: HTMLElement) => fireEvent.pointerDown(e, { isPrimary: true, button: 0, pointerId: 1 });
async function openNotes(): Promise<void> {
  await fireEvent.click(button('Notes'));
  await waitFor(() => expect(document.querySelector('.page.keep section')).not.toBeNull());
}
const page = (sample: string, change?: (u: Update) => void) => {
  const { container } = open(sample, change);
  const html = container.innerHTML.replace(/s-[\w-]+/g, '');
  cleanup();
  return html;
};

it('does not leave the last hypothesis on the page at the end, to be taken for the solution', () => {
  const { hypothesis } = caseSamples['c-answer']!().view.case!;
  const named = (result: boolean) =>
    page(result ? 'c-nobody' : 'c-start', (u) => (u.view.case!.hypothesis = hypothesis!)).includes('class="said');
  expect([named(false), named(true)]).toEqual([true, false]);
});

it('shows no card of a hand before it is dealt, and all of it from then on', () => {
  const dealt = (change: (u: Update) => void) => {
    open('c-start', (u) => {
      Object.assign(u.view, { phase: 'dealing', offers: [] });
      Object.assign(u.view.me!, { hand: [], seen: [] });
      Object.assign(u.view.seats.find((s) => s.seat === u.view.me!.seat)!, { cards: 7, done: false });
      change(u);
    });
    const n = document.querySelectorAll('.hand .laid button').length;
    const said = document.querySelector('.hand')!.textContent;
    cleanup();
    return [n, said.includes(language.t('phone.lot.cards.none'))];
  };
  const seat = (u: Update) => u.view.seats.find((s) => s.seat === u.view.me!.seat)!;
  expect(dealt(() => {})).toEqual([0, true]);
  expect(dealt((u) => (seat(u).done = true))[1]).toBe(false);
  expect(dealt((u) => (u.view.phase = 'turn'))[1]).toBe(false);
});

describe('phones look alike while covered (GEN-002)', () => {
  it('whether or not a card of the hand answers the hypothesis', () => expect(page('c-answer')).toBe(page('c-none')));
  it('with a hand of weapons only', () => {
    const hand = ['weapon-poignard', 'weapon-hache', 'weapon-batte', 'weapon-corde', 'weapon-poison', 'butler-stay', 'butler-replay-3'];
    expect(page('c-start', (u) => (u.view.me!.hand = hand.map((card) => ({ card }))))).toBe(page('c-start'));
  });
  it('on the sheet for an answer, with no tile told from another', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    const sheet = async (sample: string) => {
      open(sample);
      await fireEvent.click(button('Show a card'));
      const html = screen.getByRole('dialog').outerHTML;
      cleanup();
      return html;
    };
    expect(await sheet('c-none')).toBe(await sheet('c-answer'));
  });
  it('on the note sheet, whatever is marked or held', async () => {
    const sheet = async (change: (u: Update) => void) => {
      const { container } = open('c-notes', change);
      await openNotes();
      // A part that is loaded later leaves a comment in the page, whenever it comes.
      const html = container.innerHTML.replace(/s-[\w-]+|<!---->/g, '');
      cleanup();
      return html;
    };
    expect(
      await sheet((u) => {
        delete u.notes;
        u.view.me!.seen = [];
      }),
    ).toBe(await sheet(() => {}));
  });
});

it('a hypothesis is three taps', async () => {
  open('c-act');
  await fireEvent.click(button('Make a hypothesis'));
  await fireEvent.click(button('Mrs White'));
  await fireEvent.click(button('Poison'));
  const say = screen.getAllByRole('button', { name: 'Make a hypothesis' });
  await fireEvent.click(say[say.length - 1]!);
  expect(done).toEqual([['hypothesis', { suspect: 'suspect-leblanc', weapon: 'weapon-poison' }]]);
});

it('an accusation is asked twice', async () => {
  open('c-pool');
  await fireEvent.click(button('Accuse'));
  for (const name of ['Mrs White', 'Poison', 'Spa', 'Continue']) await fireEvent.click(button(name));
  expect(done).toEqual([]);
  const say = screen.getAllByRole('button', { name: 'Accuse' });
  await fireEvent.click(say[say.length - 1]!);
  expect(done).toEqual([['accuse', { suspect: 'suspect-leblanc', weapon: 'weapon-poison', room: 'room-spa' }]]);
});

it('an accusation that nobody may hear shows only while it is held (SC-092)', async () => {
  open('c-pool', (u) => u.view.offers.forEach((o) => o.params?.forEach((p) => delete p.aloud)));
  await fireEvent.click(button('Accuse'));
  const chosen = () => document.querySelectorAll('.name[aria-pressed="true"]').length;
  const said = () => document.querySelector('.said')?.textContent ?? '';
  for (const name of ['Mrs White', 'Poison', 'Spa']) await fireEvent.click(button(name));
  expect([chosen(), said()]).toEqual([0, '✓ · ✓ · ✓']);
  const read = screen.getByRole('button', { name: /Hold to read/ });
  await fireEvent.pointerDown(read, { isPrimary: true, button: 0 });
  expect([chosen(), said()]).toEqual([3, 'Mrs White · Poison · Spa']);
  await fireEvent.pointerUp(read);
  expect(chosen()).toBe(0);
  await fireEvent.click(button('Continue'));
  expect(said()).toBe('✓ · ✓ · ✓');
});

it('dice are declared as they lie, or rolled by the machine', async () => {
  open('c-start');
  await fireEvent.click(button('Roll the dice'));
  await fireEvent.click(screen.getAllByRole('button', { name: '5' })[0]!);
  await fireEvent.click(screen.getAllByRole('button', { name: '?' })[1]!);
  await fireEvent.click(button(/^Say/));
  await fireEvent.click(button('Roll the dice'));
  await fireEvent.click(button('Majordome rolls the dice'));
  expect(done).toEqual([['roll', { dice: '?+5' }], ['roll', {}]]);
});

it('a turn with real dice: two taps to the room, and what the dice bring is one', async () => {
  open('c-said');
  for (const name of ['I am…', 'Take the passage', '“?”: Time card', '“?”: Butler card', 'Count the squares']) button(name);
  await fireEvent.click(button('I am…'));
  await fireEvent.click(await screen.findByRole('button', { name: 'Spa' }));
  expect(done).toEqual([['move', { to: 'room-spa' }]]);
  await fireEvent.click(button('“?”: Time card'));
  expect(done.at(-1)).toEqual(['draw', { kind: 'time' }]);
});

it('a square is found with the keys, or the move is said in words', async () => {
  open('c-move');
  await fireEvent.click(button('Move'));
  await fireEvent.click(await screen.findByRole('button', { name: 'Square to the right' }));
  await fireEvent.click(button(/^(Here|Marked square): .+ \d+ squares? away/));
  expect(done).toMatchObject([['move', { to: expect.stringMatching(/^\d+,\d+$/) as string }]]);
  cleanup();
  open('c-words');
  await fireEvent.click(button('I am…'));
  await fireEvent.click(await screen.findByRole('button', { name: 'In a corridor' }));
  expect(done).toEqual([['move', { to: 'corridor' }]]);
});

it('a move is chosen from a list where the board does not come', async () => {
  vi.spyOn(part, 'loadGoals').mockRejectedValue(new Error('no answer'));
  open('c-words');
  await fireEvent.click(button('I am…'));
  await fireEvent.click(await screen.findByRole('button', { name: /corridor/i }));
  expect(done).toEqual([['move', { to: 'corridor' }]]);
});

it('the board names its rooms, marks their doors, and turns to lie as it lies before the player', async () => {
  localStorage.clear();
  open('c-move');
  await fireEvent.click(button('Move'));
  await screen.findByRole('button', { name: 'Turn the board' });
  const drawn = () => {
    const [board] = document.getElementsByClassName('board');
    const at = (x: string) => [...board!.querySelectorAll(x)].map((e) => `${e.getAttribute('x')},${e.getAttribute('y')}`);
    return {
      rooms: [...board!.querySelectorAll('text.hall')].map((e) => e.textContent),
      doors: board!.querySelector('.door')!.getAttribute('d')!,
      free: at('.free'),
    };
  };
  const lies = drawn();
  expect(lies.rooms.length).toBeGreaterThan(2);
  expect(lies.rooms.every((r) => /[A-Za-z]{3}/.test(r ?? ''))).toBe(true);
  expect(lies.doors.match(/M/g)?.length).toBeGreaterThan(1);
  await fireEvent.click(button('Turn the board'));
  const turned = drawn();
  expect(turned.free).toHaveLength(lies.free.length);
  expect(turned.free).not.toEqual(lies.free);
  for (let i = 0; i < 3; i++) await fireEvent.click(button('Turn the board'));
  expect(drawn()).toEqual(lies);
});

describe('the note sheet', () => {
  const at = (m: string | undefined, col: number) => markAt(parseSheet(m ?? ''), 11, col); // the rope is the twelfth card
  it('covered, asks what to write and shows nothing of what stands', async () => {
    open('c-notes', (u) => delete u.notes);
    await openNotes();
    await fireEvent.click(button('Rope, Bruno'));
    await fireEvent.click(button('Maybe'));
    await fireEvent.click(button('Hand'));
    expect(at(noted.at(-1), 2)).toBe(2);
  });
  it('read with one finger, is marked with another', async () => {
    open('c-notes', (u) => delete u.notes);
    await openNotes();
    await press(button(/^Hold to read/));
    for (let i = 0; i < 3; i++) await fireEvent.pointerDown(button(/^Rope, Bruno/), { isPrimary: false, button: 0, pointerId: 2 });
    expect(button(/^Rope, Bruno: Yes/)).toBeDefined();
    await fireEvent.pointerUp(button(/^Hold to read/));
    await fireEvent.click(button('Undo'));
    await fireEvent.click(button('Hand'));
    expect(at(noted.at(-1), 2)).toBe(2);
  });
  it.each([true, false])('has the page to itself, with what is asked on one line that leads back (dealt by Majordome: %s)',
    async (dealt) => {
      open('c-answer', (u) => (u.view.case!.virtual = dealt));
      const prompt = document.querySelector('.turn .line p')!.textContent!;
      await openNotes();
      expect(document.querySelector('nav, .bottom, header')).toBeNull();
      expect(document.querySelector('.fold p')!.textContent).toBe(prompt);
      expect(document.querySelector('.fold.calls')).not.toBeNull();
      await fireEvent.click(button('Hand'));
      expect(document.querySelector('nav')).not.toBeNull();
    });
  it('tells that another may act for a short while', async () => {
    open('c-shown');
    await openNotes();
    expect(document.querySelector('.fold.calls')).not.toBeNull();
  });
  it('stays open without a finger for who sits alone, and covers itself when the page is left or forgotten', async () => {
    const { unmount } = open('c-notes', (u) => delete u.notes);
    await openNotes();
    vi.useFakeTimers();
    const lock = () => fireEvent.click(button('Leave it open: nobody is looking'));
    const rope = () => screen.queryByRole('button', { name: /^Rope, Bruno: / })?.getAttribute('aria-label');
    for (
      const leave of [lock, () => fireEvent.blur(window), () => vi.advanceTimersByTimeAsync(121_000),
        () => fireEvent.pointerUp(button(/^Hold to read/))]
    ) {
      await lock();
      expect(rope()).toBeDefined();
      await leave();
      expect(rope()).toBeUndefined();
    }
    await lock();
    const before = rope();
    await fireEvent.pointerDown(button(/^Rope, Bruno/), { isPrimary: true, button: 0 }); // it may begin to scroll
    expect(rope()).toBe(before);
    await fireEvent.click(button(/^Rope, Bruno/));
    expect(rope()).not.toBe(before);
    vi.useRealTimers();
    await fireEvent.click(button('Hand'));
    await openNotes();
    expect(rope()).toBeUndefined();
    unmount();
  });
  it('is what the daemon kept', async () => {
    open('c-notes', (u) => (u.notes = formatSheet(setMark(BLANK, 11, 2, 2))));
    await openNotes();
    await press(button(/^Hold to read/));
    expect(button('Rope, Bruno: Maybe')).toBeDefined();
    expect(button('Mr Green, Bruno: shown')).toBeDefined(); // ticks itself
  });
});

describe('a card that was shown to this seat', () => {
  const announced = () => screen.queryByRole('button', { name: /^A card for your eyes only/ });
  const later = (turns: number) => (u: Update) => u.view.log.forEach((l) => (l.round += turns));
  it('is announced, and read while held', async () => {
    open('c-peek');
    const see = button(/^A card for your eyes only/);
    expect(document.body.innerHTML).not.toContain('Poison</b>');
    await press(see);
    expect(document.body.innerHTML).toContain('Poison</b>');
  });
  it('waits through the turns of the others, for its own turn passes as soon as it is shown', async () => {
    open('c-peek', later(1));
    expect(announced()).not.toBeNull();
    await fireEvent.click(button('OK'));
    expect(announced()).toBeNull();
    cleanup();
    open('c-peek', (u) => later(u.view.seats.length - 1)(u));
    expect(announced()).not.toBeNull();
  });
  it('but not into its own next turn', () => {
    open('c-peek', (u) => later(u.view.seats.length)(u));
    expect(announced()).toBeNull();
  });
  it('nor over the end', () => {
    open('c-peek', (u) => (u.view.result = { rule: 'C8-191', winners: [1], msg: { k: 'cl.over.right', a: { seat: 'seat-1' } } }));
    expect(announced()).toBeNull();
  });
});

describe('the hypotheses as this seat heard them', () => {
  const list = () => [...document.querySelectorAll('.heard li')].map((l) => l.textContent?.trim());
  const past = async (heard: Heard[]) => {
    open('c-wait', (u) => (u.view.case!.past = heard));
    await openNotes();
    await fireEvent.click(button('Hypotheses'));
  };
  it('stand newest first, each with its answers, and a card of its own reads while held', async () => {
    await past([
      { n: 1, round: 3, by: 1, cards: ['suspect-rose', 'weapon-corde', 'room-spa'], none: [2, 4], unrefuted: true },
      {
        n: 2,
        round: 4,
        by: 1,
        cards: ['suspect-olive', 'weapon-hache', 'room-hall'],
        none: [2],
        shown: 3,
        to: 1,
        saw: [4],
        card: 'weapon-hache',
      },
      { n: 3, round: 4, by: 2, shown: 2, to: 1 },
      { n: 4, round: 5, by: 2, cards: ['suspect-olive', 'weapon-hache', 'room-hall'], hushed: 4 },
    ]);
    expect(list()).toEqual([
      'Bruno · Round 5Mr Green · Axe · Hall David plays a card: nobody answers any more.',
      'Bruno puts an earlier answer right.Bruno shows a card to Anne.',
      'Anne · Round 4Mr Green · Axe · Hall Bruno has nothing to show.Chloé shows a card to Anne.David has seen this card too. For you alone: hold to read',
      'Anne · Round 3Miss Scarlett · Rope · Spa Bruno has nothing to show.David has nothing to show.Nobody has refuted the hypothesis.',
    ]);
    await press(button('For you alone: hold to read'));
    expect(document.body.textContent).toContain('You showed to Anne: Axe.');
  });
  it('have a card of each who has shown one', async () => {
    await past([{
      n: 1,
      round: 3,
      by: 1,
      cards: ['suspect-rose', 'weapon-corde', 'room-spa'],
      shown: 2,
      to: 1,
      more: [3, 4],
      moreCards: ['room-spa', ''],
    }]);
    expect(list()[0]).toContain('Bruno shows a card to Anne.Chloé shows a card to Anne.David shows a card to Anne.');
    await press(button('For you alone: hold to read'));
    expect(document.body.textContent).toContain('You showed to Anne: Spa.');
  });
  it('tell how many are no longer shown', async () => {
    await past([{ n: 7, round: 3, by: 2, upheld: true }]);
    expect(list().slice(-2)).toEqual(['Bruno puts an earlier answer right.Bruno has nothing to put right.',
      'Earlier ones, which are no longer shown: 6.']);
  });
});

it('says of a hypothesis of an earlier turn that it is the last one, and of the present one not', () => {
  open('c-wait');
  expect(document.querySelector('.top-case')?.textContent).toMatch(/Last hypothesis: \S/);
  cleanup();
  open('c-answer');
  expect(document.querySelector('.top-case .said')).not.toBeNull();
  expect(document.querySelector('.top-case')?.textContent).not.toContain('Last hypothesis');
});

it('does not press a player to say that the cards are there', () => {
  open('c-dealing');
  expect(screen.getByRole('button', { name: 'I have my cards' }).classList.contains('main')).toBe(false);
});

import { cleanup, fireEvent, screen, waitFor } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ActState } from '../lib/acts.svelte';
import { held } from '../lib/hold.svelte';
import type { Line, Notice, Update } from '../lib/wire';
import { done, eachTest, open, press, secret, text } from '../dev/seatpage';
import { seatSamples } from '../dev/seats';
import { byPlace, byPlayer, newestSighting } from './know';
import { pulseLength } from './pulse.svelte';

eachTest();
const card = () => screen.getByRole('button', { name: /^Card 1 of 4/ });

describe('a secret card', () => {
  it('is not in the page until it is held', async () => {
    open('move');
    expect(document.body.innerHTML).not.toContain(secret);
    await press(card());
    expect(text()).toContain(secret);
    expect(card().getAttribute('aria-pressed')).toBe('true');
  });
  it.each(['pointerUp', 'pointerLeave', 'pointerCancel', 'blur'] as const)('turns back at once on %s', async (event) => {
    open('move');
    await press(card());
    await fireEvent[event](card());
    expect(document.body.innerHTML).not.toContain(secret);
  });
  it('turns back when the window loses the focus', async () => {
    open('move');
    await press(card());
    await fireEvent(window, new Event('blur'));
    expect(document.body.innerHTML).not.toContain(secret);
  });
  it('turns back when the page is hidden', async () => {
    open('move');
    await press(card());
    await fireEvent(document, new Event('visibilitychange'));
    expect(document.body.innerHTML).not.toContain(secret);
  });
  it('shows while the space bar is down', async () => {
    open('move');
    await fireEvent.keyDown(card(), { key: ' ' });
    expect(text()).toContain(secret);
    await fireEvent.keyUp(card(), { key: ' ' });
    expect(text()).not.toContain(secret);
  });
  it('does not open by a second finger or another mouse button', async () => {
    open('move');
    await fireEvent.pointerDown(card(), { isPrimary: false, button: 0 });
    await fireEvent.pointerDown(card(), { isPrimary: true, button: 2 });
    expect(text()).not.toContain(secret);
  });
  it('dims everything else', async () => {
    open('move');
    await press(card());
    expect(document.querySelector('main')?.classList.contains('dim')).toBe(true);
  });
  it('turns back when the view takes it away', async () => {
    const { rerender } = open('move');
    await press(card());
    const after = (seatSamples['move'] as () => Update)();
    if (after.view.me) after.view.me.hand = after.view.me.hand.slice(1);
    await rerender({ update: after });
    expect(text()).not.toContain(secret);
    expect(held.any).toBe(false);
  });
});

describe('two phones of different roles look alike', () => {
  // Secrets of this seat may change nothing that is visible without a press.
  it.each(['move', 'search', 'deposit'])('%s', async (sample) => {
    const page = (change: (u: Update) => void) => {
      const { container } = open(sample, {}, change);
      const html = container.innerHTML.replace(/bound|s-[\w-]+/g, '');
      cleanup();
      return html;
    };
    const one = page((u) => {
      if (u.view.me) Object.assign(u.view.me, { role: 'role-murderer', facts: [{ k: 'ui.dead' }] });
    });
    const other = page((u) => {
      if (!u.view.me) return;
      Object.assign(u.view.me, { role: 'role-innocent-1', facts: [] });
      u.view.me.hand = ['weapon-3', 'weapon-4', 'clue-lecomte-1'].map((c) => ({ card: c }));
    });
    expect(other).toBe(one);
  });
});

describe('a refusal', () => {
  const refused: ActState = {
    is: 'refused',
    act: 'deposit',
    reject: { code: 'forbidden', rule: 'HC-122', why: { k: 'ui.card.kills', a: { place: 'place-salon' } } },
  };
  it('tells its reason and rule only while held', async () => {
    open('move', { state: refused });
    expect(text()).not.toContain('HC-122');
    await press(screen.getByRole('button', { name: /Not possible/ }));
    expect(text()).toContain('Kills in this place: Drawing room');
    expect(text()).toContain('HC-122');
  });
  it('a private notice does the same', async () => {
    open('deposit');
    expect(text()).not.toContain('would kill somebody');
    await press(screen.getByRole('button', { name: /A word, for you alone/ }));
    expect(text()).toContain('would kill somebody');
  });
});

describe('a notice to everybody', () => {
  afterEach(() => void vi.useRealTimers());
  const told = (over: Partial<Notice>) => (u: Update) =>
    void (u.notice = { n: 9, msg: { k: 'table.accepted' }, signal: 'accepted', reader: 'urn', ...over });
  const ok = () => screen.queryByRole('button', { name: 'OK' });
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('that a card was accepted passes by itself, whatever views come meanwhile', async () => {
    vi.useFakeTimers();
    const { rerender } = open('move', {}, told({}));
    expect(text()).toContain('Card accepted.');
    expect(ok()).toBeNull();
    await later(3000);
    const after = (seatSamples['move'] as () => Update)();
    told({})(after);
    await rerender({ update: after });
    expect(text()).toContain('Card accepted.');
    await later(1100);
    expect(text()).not.toContain('Card accepted.');
  });
  it.each([['again', false], ['accepted', true]] as const)('with the signal %s, private: %s, stays until it is read',
    async (signal, secret) => {
      vi.useFakeTimers();
      open('move', {}, told({ msg: { k: 'gen.again', a: { seat: 'seat-3' } }, signal, private: secret }));
      await later(60_000);
      expect(ok()).not.toBeNull();
      await fireEvent.click(ok()!);
      expect(ok()).toBeNull();
    });
});

describe('the tray', () => {
  it('is read all at once while it is held', async () => {
    open('search');
    const tray = screen.getByRole('button', { name: /^To look through/ });
    expect(text()).not.toContain('Weapon 4');
    await press(tray);
    expect(text()).toContain('Weapon 4');
    expect(text()).toContain('kills: Place 4');
  });
  it('is gone from the page when the search ends, even under the finger', async () => {
    const { rerender } = open('search');
    await press(screen.getByRole('button', { name: /^To look through/ }));
    await rerender({ update: (seatSamples['move'] as () => Update)() });
    expect(screen.queryByRole('button', { name: /^To look through/ })).toBeNull();
    expect(document.body.innerHTML).not.toContain('Weapon 4');
    expect(held.any).toBe(false);
  });
});

describe('a hand', () => {
  it('shows as many cards as everybody counts, named or not', () => {
    open('unnamed');
    expect(screen.getByRole('button', { name: /^Card 1 of 4/ })).toBeDefined();
  });
});

describe('what was shown to this seat', () => {
  it('is told in private, with who and where, until it was read', async () => {
    open('peek');
    expect(text()).not.toContain('Weapon 4');
    expect(text()).not.toContain('Anne took');
    await press(screen.getByRole('button', { name: /A card for your eyes only/ }));
    expect(text()).toContain('Weapon 4');
    expect(text()).toContain('Anne took it here: Drawing room');
    await fireEvent.click(screen.getByRole('button', { name: 'OK' }));
    expect(screen.queryByRole('button', { name: /A card for your eyes only/ })).toBeNull();
  });
  const taken = { cards: ['weapon-4'], how: 'taken', place: 'place-3', other: 1, round: 5 };
  it.each([
    ['of this round', [taken], 5, taken],
    ['not of an earlier one', [taken], 6, undefined],
    ['not what everybody saw', [{ ...taken, how: 'shown' }], 5, undefined],
    ['not what the seat did itself', [{ ...taken, how: 'there' }], 5, undefined],
  ])('%s', (_, seen, round, want) => expect(newestSighting(seen, round, '')).toEqual(want));
});

describe('what I know', () => {
  it('is covered, and looks the same whatever was seen', async () => {
    const page = async (change: (u: Update) => void) => {
      open('know', {}, change);
      await fireEvent.click(screen.getByRole('button', { name: 'Memory' }));
      await waitFor(() => expect(document.querySelector('.know')).not.toBeNull());
      return document.querySelector('.know')!.outerHTML;
    };
    const much = await page(() => {});
    cleanup();
    expect(await page((u) => (u.view.me!.seen = []))).toBe(much);
  });
  it('is read by place and by player while held', async () => {
    open('know');
    await fireEvent.click(screen.getByRole('button', { name: 'Memory' }));
    await press(await screen.findByRole('button', { name: 'Drawing room' }));
    expect(text()).toMatch(/Round 4.*Anne took it here.*Weapon 4.*Round 3.*seen while searching.*Inspector Worms’s clue no.\u00a01/s);
    await fireEvent.pointerUp(screen.getByRole('button', { name: 'Drawing room' }));
    expect(text()).not.toContain('Weapon 4');
    await fireEvent.click(screen.getByRole('button', { name: 'By player' }));
    await press(screen.getByRole('button', { name: 'Bruno' }));
    expect(text()).toContain('drawn in an exchange with Bruno');
  });
  it('loses no sighting in either order', () => {
    const { view } = (seatSamples['know'] as () => Update)();
    const seen = view.me!.seen;
    for (const pages of [byPlace(seen, view.places), byPlayer(seen, view.seats, 3)]) {
      expect(new Set(pages.flatMap((p) => p.sightings))).toEqual(new Set(seen));
    }
  });
});

describe('a seat that has left the game', () => {
  it('sees the whole story, and has nothing to do', async () => {
    open('dead');
    await screen.findByText(/You haunt the manor/); // a part of its own
    expect(screen.queryByRole('group', { name: 'What you can do' })).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: /Story/ }));
    expect(document.querySelectorAll('.story li')).toHaveLength(seatSamples['dead']!().view.log.length + 1); // and one about the older lines
  });
});

describe('a proposed correction (GEN-009)', () => {
  it('is answered on its card, and not among the moves', async () => {
    open('vote');
    expect(text()).toContain('Anne proposes');
    expect(screen.getAllByRole('button', { name: 'Agree' })).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Correct the record' })).toBeNull(); // nor in the menu
    await fireEvent.click(screen.getByRole('button', { name: 'Disagree' }));
    expect(done).toEqual([['refuse-undo', {}]]);
  });
  it('is only told to those who have answered', () => {
    open('vote', {}, (u) => (u.view.offers = []));
    expect(text()).toContain('Anne proposes');
    expect(screen.queryByRole('button', { name: 'Agree' })).toBeNull();
  });
});

it('says to everybody that the cards are counted', () => {
  open('count');
  expect(text()).toContain('Play pauses until the count is done');
});

it('announces politely that this seat may observe', () => {
  open('window');
  expect(screen.getAllByRole('status').some((e) => e.textContent?.includes('You may observe: Anne'))).toBe(true);
});

it('tells the story as the view has it, and says when older lines are left out', async () => {
  const line = (n: number, k: string) => ({ n, round: 3, msg: { k: `hc.log.${k}`, a: { seat: 'seat-1', place: 'place-3' } } });
  const story = async (log: Line[]) => {
    open('move', {}, (u) => (u.view.log = log));
    await fireEvent.click(screen.getByRole('button', { name: 'Story' }));
    const told = [...document.querySelectorAll('.story li')].map((l) => l.textContent?.trim());
    cleanup();
    return told;
  };
  const told = ['Round 3 Place 3. Anne searches.', 'Place 3. Anne comes in.'];
  expect(await story([line(1, 'moved'), line(2, 'searched')])).toEqual(told);
  expect(await story([line(1, 'moved'), line(14, 'searched')])).toEqual([...told, 'Older lines are not all shown.']);
});

describe('a buzz', () => {
  const before = { game: 'huis-clos', happened: [{ n: 4, what: 'turn', seat: 1 }] };
  const then = (...whats: string[]) => ({ ...before, happened: [...before.happened, ...whats.map((what, i) => ({ n: 5 + i, what }))] });
  it.each([
    ['the first view', undefined, then('over'), 0],
    ['nothing new', before, before, 0],
    ['the urn is opened, and somebody dies', before, then('opened', 'crime', 'died'), 120],
    ['a clue is recovered', before, then('recovered'), 0],
    ['the Confrontation, by what was in the urn', before, then('opened', 'died', 'confrontation'), 250],
    ['the cards are counted', before, then('counting'), 250],
    ['a card is shown, the turn going on at once', before, then('shown', 'turn'), 60],
    ['a card is drawn from a hand and looked at', before, then('looked'), 60],
    ['the same view again', then('shown'), then('shown'), 0],
    ['nothing to show', before, then('none'), 0],
    ['the answer is taken back', then('none', 'shown'), then('none'), 0],
    ['a murder', before, then('struck', 'murdered', 'turn'), 250],
    ['a hand laid open', before, then('exposed'), 250],
    ['the end', before, then('accused', 'over'), 400],
    ['another game', then('shown'), { ...then('shown', 'over'), game: 'cluedo-2008' }, 0],
  ])('%s', (_, last, now, ms) => expect(pulseLength(last, now)).toBe(ms));
});

it('says after the end who can begin another game, and once how it went', async () => {
  open('over');
  expect(text()).toContain('The host can begin another game.');
  const how = (await screen.findByRole('heading', { level: 2 })).textContent ?? '';
  expect(text().split(how)).toHaveLength(2);
  await fireEvent.click(screen.getByRole('button', { name: 'Manor' })); // the only place that shows it
  await vi.waitFor(() => expect(text().split(how)).toHaveLength(2));
  cleanup();
  open('move');
  expect(text()).not.toContain('The host can begin');
});

it('marks a demonstration', () => {
  open('move');
  expect(text()).toContain('Demonstration');
});

it('says that the game is paused, and offers nothing', () => {
  open('paused');
  expect(text()).toContain('The game is paused: Majordome can note nothing.');
  expect(screen.queryByRole('button', { name: 'Move' })).toBeNull();
});

it('covers itself while somebody has stopped the game, a sheet that is locked open, too', async () => {
  const { rerender } = open('move');
  await press(screen.getAllByRole('button', { name: /^Card 1 of/ })[0]!);
  expect(held.any).toBe(true);
  const u = seatSamples['move']!();
  u.paused = { k: 'table.paused.host' };
  u.hold = { by: 'host' };
  await rerender({ update: u });
  expect(held.any).toBe(false);
  expect(text()).toContain('Your hand is covered.');
  expect(text()).toContain('The host has paused the game.');
  expect(screen.queryAllByRole('button', { name: /^Card/ })).toHaveLength(0);
  await rerender({ update: seatSamples['move']!() });
  expect(screen.getAllByRole('button', { name: /^Card 1 of/ })).toHaveLength(1);
});

describe('a hint of the host', () => {
  const own = 'Somebody keeps coming back';
  it('for this seat alone is read under a finger only, and is put away', async () => {
    open('hint');
    expect(document.body.innerHTML).not.toContain(own);
    const see = screen.getByRole('button', { name: /A hint, for you alone/ });
    await press(see);
    expect(text()).toContain(own);
    await fireEvent.pointerUp(see);
    expect(document.body.innerHTML).not.toContain(own);
    await fireEvent.click(screen.getAllByRole('button', { name: 'OK' })[0]!);
    expect(text()).not.toContain('A hint, for you alone');
    expect(done).toEqual([]); // no traffic reveals that the hint is read
  });
  it('for all stands there to be read', () => {
    open('hint-all');
    expect(text()).toContain('Read your notes again.');
  });
  it('is asked for at one tap, and that is taken back at another', async () => {
    open('hint');
    await fireEvent.click(screen.getByRole('button', { name: 'Ask the host for a hint' }));
    cleanup();
    expect(done).toEqual([['ask-hint', { on: 'yes' }]]);
    open('hint-all');
    await fireEvent.click(screen.getByRole('button', { name: /The host knows/ }));
    expect(done).toEqual([['ask-hint', { on: 'no' }]]);
  });
});

it('says that a reader is lost', () => {
  open('wait');
  expect(text()).toContain('The urn’s reader has stopped answering');
});

it('keeps lines told to this seat covered in the story', async () => {
  open('peek');
  await fireEvent.click(screen.getByRole('button', { name: /Story/ }));
  expect(text()).not.toContain('Weapon 4');
  await press(screen.getByRole('button', { name: /For you alone/ }));
  expect(text()).toContain('Weapon 4');
});

it('speaks both languages', async () => {
  open('move');
  await fireEvent.click(screen.getByRole('button', { name: 'FR: Français' }));
  expect(screen.getByRole('button', { name: 'Se déplacer' })).toBeDefined();
  expect(localStorage.getItem('majordome:lang')).toBe('fr');
});

it('shows no more backs in the fan than there are other cards', () => {
  const backs = () => document.querySelectorAll('.fan .back').length;
  open('act');
  expect(backs()).toBe(2);
  cleanup();
  open('roles');
  expect(backs()).toBe(0);
});

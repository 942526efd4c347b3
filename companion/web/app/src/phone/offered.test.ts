import { cleanup, fireEvent, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import type { Update } from '../lib/wire';
import { held } from '../lib/hold.svelte';
import { done, eachTest, open, paramOf, press, secret, text } from '../dev/seatpage';
import { seatSamples } from '../dev/seats';

eachTest();

describe('an offered act', () => {
  it('without parameters is one tap', async () => {
    open('act');
    await fireEvent.click(screen.getByRole('button', { name: 'Search' }));
    expect(done).toEqual([['search', {}]]);
  });
  it('shows on its question how long there is left, while a window is open', async () => {
    for (const closes of [0, 60_000]) {
      open('move', {}, (u) => {
        u.left = closes;
        u.view.case = { opened: 0, closes } as NonNullable<Update['view']['case']>;
      });
      await fireEvent.click(screen.getByRole('button', { name: 'Move' }));
      expect(screen.getByRole('dialog').textContent.includes('60')).toBe(closes > 0);
      cleanup();
    }
  });
  it('with one public parameter is a list by name', async () => {
    open('move');
    await fireEvent.click(screen.getByRole('button', { name: 'Move' }));
    await fireEvent.click(screen.getByRole('button', { name: /^Place 3/ }));
    expect(done).toEqual([['move', { place: 'place-3' }]]);
  });
  it('with a secret parameter is chosen by its place in the list, read while held', async () => {
    open('search');
    await fireEvent.click(screen.getByRole('button', { name: 'Take' }));
    expect(text()).not.toContain('Weapon 4');
    const read = screen.getByRole('button', { name: /^Hold to read/ });
    await press(read);
    expect(text()).toContain('Weapon 4');
    await fireEvent.pointerUp(read);
    expect(text()).not.toContain('Weapon 4');
    await fireEvent.click(screen.getByRole('button', { name: 'Choice no.\u00a01' }));
    expect(done).toEqual([]);
    await fireEvent.click(screen.getByRole('button', { name: 'Choose no.\u00a01' }));
    expect(done).toEqual([['take', { card: 'weapon-4' }]]);
  });
  it('is chosen by a finger that holds to read, glides to the card and is lifted there', async () => {
    open('search');
    await fireEvent.click(screen.getByRole('button', { name: 'Take' }));
    await press(screen.getByRole('button', { name: /^Hold to read/ }));
    expect(text()).toContain('Weapon 4');
    await fireEvent.pointerUp(screen.getByRole('button', { name: /^Choice no.\u00a02/ }));
    expect(text()).not.toContain('Weapon 4');
    await fireEvent.click(screen.getByRole('button', { name: 'Choose no.\u00a02' }));
    expect(done).toHaveLength(1);
  });
  it.each(['search', 'deposit'])('at %s has for each card the number that it has on the page', async (sample) => {
    let n = 0;
    vi.spyOn(Math, 'random').mockImplementation(() => (n = (n * 7 + 3) % 10) / 10); // another order at each shuffling
    open(sample, {}, ({ view: { me, offers } }) => {
      const less = <T>(list: T[]): T[] => list.slice(0, -1); // other cards than in other tests
      if (sample === 'search') me!.tray = less(me!.tray);
      else me!.hand = [...me!.hand, { card: 'weapon-4' }];
      const p = offers.find((o) => o.act === (sample === 'search' ? 'take' : 'deposit'))!.params![0]!;
      if (sample === 'search') p.domain = me!.tray;
      else p.all = me!.hand.map((c) => c.card);
    });
    const said = (): string[] =>
      [...document.querySelectorAll('.tile')].map((t) =>
        `${t.querySelector('.n')?.textContent} ${t.querySelector('.name > span')?.textContent}`
      );
    let before: string[] = [];
    if (sample === 'search') {
      await press(screen.getByRole('button', { name: /^To look through/ }));
      before = said();
      held.hide();
    } else {
      for (let n = 1; n <= 4; n++) {
        await press(screen.getByRole('button', { name: new RegExp(`^Card ${n} of`) }));
        before.push(`${n} ${text()}`);
        held.hide();
        await fireEvent.click(screen.getByRole('button', { name: 'Next card' }));
      }
    }
    await fireEvent.click(screen.getByRole('button', { name: sample === 'search' ? 'Take' : 'Deposit' }));
    await press(screen.getByRole('button', { name: /^Hold to read/ }));
    const asked = [...screen.getByRole('dialog').querySelectorAll('.tile')].map((t) =>
      [t.querySelector('.n')?.textContent, t.querySelector('.name > span')?.textContent] as const
    );
    expect(asked.length).toBeGreaterThan(2);
    for (const [n, name] of asked) expect(before.find((b) => b.startsWith(`${n} `))).toContain(name);
  });
  it('among the cards that lie open names them all, and looks the same for every role (HC-137)', async () => {
    const sheet = async (off: number[]) => {
      open('recover', {}, (u) => (paramOf(u, 'recover').no![0]!.at = off));
      await fireEvent.click(screen.getByRole('button', { name: 'Recover' }));
      return screen.getByRole('dialog').outerHTML;
    };
    const murderer = await sheet([]);
    cleanup();
    expect(await sheet([0, 1])).toBe(murderer);
    await fireEvent.click(screen.getByRole('button', { name: /^Weapon 4/ }));
    expect(done).toEqual([]); // nothing is sent: this phone knows why not, and says so in private
    await press(screen.getByRole('button', { name: /^Not possible/ }));
    expect(text()).toContain('You hold a weapon already');
  });
  it('that this seat alone knows to be forbidden looks like any other, and says why when it is tapped (HC-188)', async () => {
    const page = (sample: string) => {
      open(sample);
      return screen.getByRole('group', { name: 'What you can do' }).outerHTML;
    };
    const free = page('act');
    cleanup();
    expect(page('excess')).toBe(free);
    await fireEvent.click(screen.getByRole('button', { name: 'Force an exchange' }));
    await fireEvent.click(screen.getByRole('button', { name: /^Anne/ }));
    expect([done, text().includes('Several weapons')]).toEqual([[], false]);
    await press(screen.getByRole('button', { name: /^Not possible/ }));
    expect(text()).toContain('Several weapons');
    held.hide();
    await fireEvent.click(screen.getByRole('button', { name: 'Search' }));
    expect(done).toEqual([['search', {}]]);
    expect(screen.queryByRole('button', { name: /^Not possible/ })).toBeNull();
  });
  it('that is grave asks once more', async () => {
    open('act');
    await fireEvent.click(screen.getByRole('button', { name: 'Accuse' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Anne' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Choice no.\u00a01' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(done).toEqual([]);
    expect(text()).toContain('no way back');
    expect(text()).not.toContain(secret);
    const buttons = screen.getAllByRole('button', { name: 'Accuse' });
    await fireEvent.click(buttons[buttons.length - 1] as HTMLElement);
    expect(done).toEqual([['accuse', { seat: 'seat-1', card: 'clue-borrow-2' }]]);
  });
  it('lists the whole hand, whatever may be chosen, and keeps what may not be to itself (HC-045)', async () => {
    const sheet = async (off: number[]) => {
      open('deposit', {}, (u) => (paramOf(u, 'deposit').no![0]!.at = off));
      await fireEvent.click(screen.getByRole('button', { name: 'Deposit' }));
      return screen.getByRole('dialog').outerHTML;
    };
    const free = await sheet([]);
    cleanup();
    expect(await sheet([0])).toBe(free);
    const read = screen.getByRole('button', { name: /^Hold to read/ });
    await press(read);
    expect(text()).toContain('kills: The Blue Suite');
    expect(text()).toContain('not possible');
    expect(text()).toContain('would kill somebody'); // the limit, before the choice
    await fireEvent.pointerUp(read);
    expect(text()).not.toContain('would kill somebody');
    await fireEvent.click(screen.getByRole('button', { name: 'Choice no.\u00a01' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Choose no.\u00a01' }));
    expect(done).toEqual([]);
    expect(text()).toContain('hold to read why');
    expect(text()).not.toContain('deposit another clue');
    await press(read);
    expect(text()).toContain('This weapon would kill somebody: deposit another clue.');
  });
  it('that is asked openly has a key to what binds this seat, on every phone alike', async () => {
    const sheet = async (change: (u: Update) => void) => {
      open('move', {}, change);
      await fireEvent.click(screen.getByRole('button', { name: 'Move' }));
      return screen.getByRole('dialog').outerHTML;
    };
    const free = await sheet(() => {});
    cleanup();
    expect(await sheet((u) => (u.view.me!.facts = [{ k: 'hc.fact.excess' }]))).toBe(free);
    await press(screen.getByRole('button', { name: /^What you may not do: hold/ }));
    expect(text()).toContain('Several weapons');
  });
  it('without naming the card is a plain button below the named choice (GEN-024)', async () => {
    open('unnamed');
    await fireEvent.click(screen.getByRole('button', { name: 'Deposit' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Without naming it' }));
    const sure = screen.getAllByRole('button', { name: 'Deposit' });
    await fireEvent.click(sure[sure.length - 1] as HTMLElement); // it is grave
    expect(done).toEqual([['deposit', { card: 'unnamed' }]]);
  });
  it('that all hear is named openly among very many cards, or not named at all (CC-030)', async () => {
    const cards = Array.from({ length: 14 }, (_, i) => (i < 7 ? `weapon-${i + 1}` : `card-${i}`));
    const drawn = () =>
      open('act', {},
        (u) => (u.view.offers = [{ act: 'draw', rule: 'CC-030', params: [{ name: 'card', kind: 'card', aloud: true, domain: cards }] }, {
          act: 'draw',
          rule: 'CC-030',
          fixed: { card: 'unnamed' },
        }]));
    drawn();
    await fireEvent.click(screen.getByRole('button', { name: 'Draw at random' }));
    await fireEvent.click(screen.getByRole('button', { name: /^Weapon 4/ }));
    expect(done).toEqual([['draw', { card: 'weapon-4' }]]);
    cleanup();
    drawn();
    await fireEvent.click(screen.getByRole('button', { name: 'Draw at random' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Without naming it' }));
    expect(done).toEqual([['draw', { card: 'unnamed' }]]);
  });
  it('among very many cards asks for the kind first, then for the card', async () => {
    open('unnamed');
    await fireEvent.click(screen.getByRole('button', { name: 'Deposit' }));
    expect(screen.getAllByRole('button', { name: /^Choice no/ }).length).toBeLessThanOrEqual(10);
    await press(screen.getByRole('button', { name: /^Hold to read/ }));
    const weapons = screen.getByRole('button', { name: /Weapons/ });
    await fireEvent.pointerUp(screen.getByRole('button', { name: /^Hold to read/ }));
    await fireEvent.click(weapons);
    await fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(screen.getAllByRole('button', { name: /^Choice no/ })).toHaveLength(7); // all weapons: the allowed ones depend on the role
    await fireEvent.click(screen.getByRole('button', { name: 'Choice no.\u00a07' }));
    expect(text()).toContain('no way back');
    await fireEvent.click(screen.getByRole('button', { name: 'Choose no.\u00a07' }));
    expect(done).toEqual([['deposit', { card: 'weapon-7' }]]);
  });
  it('against somebody known to be innocent says so before it is confirmed (HC-099)', async () => {
    open('known');
    await fireEvent.click(screen.getByRole('button', { name: 'Accuse' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Anne' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Choice no.\u00a01' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(text()).toContain('lies face up already');
    expect(done).toEqual([]);
    const sure = screen.getAllByRole('button', { name: 'Accuse' });
    await fireEvent.click(sure[sure.length - 1] as HTMLElement);
    expect(done).toEqual([['accuse', { seat: 'seat-1', card: 'clue-borrow-2', confirm: 'known-innocent' }]]);
  });
  it('that comes next after an act of this phone asks by itself, once', async () => {
    const { rerender } = open('act');
    const search = { update: (seatSamples['search'] as () => Update)() };
    const dialog = () => screen.queryByRole('dialog');
    await rerender(search);
    expect(dialog()).toBeNull(); // this phone has done nothing
    await rerender({ update: (seatSamples['act'] as () => Update)() });
    await fireEvent.click(screen.getByRole('button', { name: 'Search' }));
    expect(dialog()).toBeNull();
    await rerender(search);
    expect(dialog()?.textContent).toContain('Take');
    await fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(dialog()).toBeNull();
    await rerender({ update: (seatSamples['search'] as () => Update)() });
    expect(dialog()).toBeNull();
  });
  it('that is pulled asks under the finger, and has as its answer what the finger leaves', async () => {
    let under: Element | null = null;
    document.elementFromPoint = () => under;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
    open('search');
    const key = screen.getByRole('button', { name: 'Take' });
    await press(key);
    await fireEvent.pointerMove(window, { clientX: 5, clientY: -5 });
    expect(screen.queryByRole('dialog')).toBeNull(); // a tap that trembles
    await fireEvent.pointerMove(window, { clientX: 5, clientY: -50 });
    expect(text()).toContain('Weapon 4');
    under = screen.getByRole('button', { name: /^Choice no.\u00a02/ });
    await fireEvent.pointerUp(window);
    expect(under.getAttribute('aria-pressed')).toBe('false'); // a swipe answers nothing
    expect(text()).not.toContain('Weapon 4');
    await fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await press(key);
    await fireEvent.pointerMove(window, { clientX: 5, clientY: -50 });
    clock.mockReturnValue(1_001_000);
    under = screen.getByRole('button', { name: /^Choice no.\u00a02/ });
    await fireEvent.pointerUp(window);
    expect(under.getAttribute('aria-pressed')).toBe('true');
    expect(done).toEqual([]); // it is confirmed like any other
  });
  it('that mends the record stands in a menu and not among the moves', async () => {
    open('act');
    expect(screen.queryByRole('button', { name: /do not have this card/ })).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Correct the record' }));
    await fireEvent.click(await screen.findByRole('button', { name: /Take back what I said/ }));
    expect(done).toEqual([['withdraw', {}]]);
  });
  it('keeps its question, and what was marked, while other views come', async () => {
    const { rerender } = open('search');
    await fireEvent.click(screen.getByRole('button', { name: 'Take' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Choice no.\u00a03' }));
    await rerender({ update: (seatSamples['search'] as () => Update)() });
    expect(screen.getByRole('button', { name: 'Choice no.\u00a03' }).getAttribute('aria-pressed')).toBe('true');
  });
  it('says over its question what others do meanwhile', async () => {
    const { rerender } = open('search');
    await fireEvent.click(screen.getByRole('button', { name: 'Take' }));
    expect(screen.getByRole('dialog').querySelector('.news')).toBeNull();
    const update = seatSamples['search']!();
    update.view.log.push({ n: 1000, round: 5, msg: { k: 'hc.log.observes', a: { seat: 'seat-2', other: 'seat-1' } } });
    await rerender({ update });
    expect(screen.getByRole('dialog').textContent).toContain('Bruno observes');
  });
  it('of a game that this page has no words for has its own name', () => {
    open('move', {}, (u) => (u.view.offers = [{ act: 'secret-passage', rule: 'C8-1' }]));
    expect(screen.getByRole('button', { name: 'Secret passage' })).toBeDefined();
  });
  it('cannot be tapped while another is on its way, or without a connection', () => {
    open('act', { state: { is: 'busy', id: 'a', seq: 1, act: 'search' } });
    expect((screen.getByRole('button', { name: 'Search' }) as HTMLButtonElement).disabled).toBe(true);
    cleanup();
    open('act', { connection: 'lost' });
    expect((screen.getByRole('button', { name: 'Search' }) as HTMLButtonElement).disabled).toBe(true);
    expect(text()).toContain('Connection lost');
  });
  it('closes its question when the phone is put away', async () => {
    open('search');
    await fireEvent.click(screen.getByRole('button', { name: 'Take' }));
    await fireEvent(window, new Event('blur'));
    expect(screen.queryByRole('button', { name: /Choice no/ })).toBeNull();
  });
});

import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import { drawQr } from '../lib/qr';
import type { Update } from '../lib/wire';
import Console from './Console.svelte';
import { listMissing, nextMissing, setUpSteps, twoRuleArgs } from './setup';

let done: [string, Record<string, string>][] = [];
function open(update: Update) {
  language.learnSeats(update.view.seats);
  return render(Console, {
    update,
    state: { is: 'idle' as const },
    onact: (act: string, args: Record<string, string>) => void done.push([act, args]),
    ondismiss: () => {},
  });
}
const line = (n: number) => screen.getByRole<HTMLInputElement>('textbox', { name: `Name of the player, seat ${n}` });
const key = (name: RegExp | string) => screen.getByRole<HTMLButtonElement>('button', { name });

beforeEach(() => {
  done = [];
  localStorage.clear();
  language.learnNames(names);
  language.lang = 'en';
});
afterEach(cleanup);

describe('the panel of the players', () => {
  it('stays open when enough have sat down, with what is typed', async () => {
    const three = hostUpdate('three');
    const { rerender } = open(three);
    await fireEvent.input(line(5), { target: { value: 'Éléonore' } });
    const four = hostUpdate('lobby');
    expect(nextMissing(setUpSteps(four))).toBeUndefined(); // the game could begin
    await rerender({ update: four });
    expect(line(5).value).toBe('Éléonore');
    expect(line(6)).toBeTruthy();
  });
  it('keeps what is typed when the host closes it', async () => {
    open(hostUpdate('three'));
    await fireEvent.input(line(5), { target: { value: 'Éléonore' } });
    await fireEvent.click(key(/^The players/));
    expect(screen.queryByRole('textbox', { name: 'Name of the player, seat 5' })).toBeNull();
    await fireEvent.click(key(/^The players/));
    expect(line(5).value).toBe('Éléonore');
  });
});

it('a player is changed at one tap, for the phone stays with the place', async () => {
  open(hostUpdate('joined'));
  await fireEvent.click(key(/^The players/));
  await fireEvent.click(key('Change : Anne'));
  expect(done).toEqual([['rise', { seat: 'seat-1' }]]);
});

it('a cleared table keeps no name in its lines', async () => {
  const { rerender } = open(hostUpdate('joined'));
  await fireEvent.click(key(/^The players/));
  await fireEvent.click(key('Clear the table'));
  await fireEvent.click(key('Really?'));
  expect(done).toEqual([['new-game', expect.objectContaining({ seats: 'clear' })]]);
  await rerender({ update: hostUpdate('joined') }); // the answer takes its time
  await rerender({ update: hostUpdate('empty') });
  expect([1, 2, 3, 4].map((n) => line(n).value)).toEqual(['', '', '', '']);
});

it('nothing moves when a phone joins: what is told of it lies over the page', async () => {
  const u = hostUpdate('coming');
  u.notice = { n: 9, msg: { k: 'table.phone.joined', a: { seat: 'seat-1' } }, passing: true };
  open(u);
  expect(document.querySelector('.toast')?.textContent).toBe('Anne has a phone at the table.');
  expect(document.querySelector('.news')?.textContent?.trim()).toBe('');
});

it('the key of the bar leads to what is missing, wherever the host has gone', async () => {
  const u = hostUpdate('lobby');
  u.view.seats.forEach((s) => (s.first = false));
  u.view.offers = u.view.offers.filter((o) => o.act !== 'begin');
  open(u);
  expect(key('Begin').disabled).toBe(true); // the first player is still to be chosen, further up
  await fireEvent.click(key(/^The players/));
  await fireEvent.click(key('Next: Who starts'));
  expect(screen.getByRole('radio', { name: 'Anne' })).toBeTruthy();
  expect(key('Begin').disabled).toBe(true);
});

describe('players who sit down by themselves', () => {
  it('are seated at one tap, under the names that they have typed', async () => {
    const u = hostUpdate('coming');
    open(u);
    await fireEvent.click(key('Seat Bruno, Chloé and Barthélemy-François'));
    const first = u.desk!.guests![0]!;
    expect(done).toEqual([['sit', { seat: 'seat-2', name: 'Bruno', character: first.character }]]); // the others follow, one at a time
  });
  it('or one after the other, with another name if the host likes', async () => {
    open(hostUpdate('coming'));
    await fireEvent.input(line(3), { target: { value: 'Chloé B.' } });
    await fireEvent.click(key('OK, seat 3'));
    expect(done.map(([act, args]) => [act, args['seat'], args['name']])).toEqual([['sit', 'seat-3', 'Chloé B.']]);
  });
  it('are turned away at a second tap', async () => {
    open(hostUpdate('coming'));
    await fireEvent.click(key('Turn away : Bruno'));
    expect(done).toEqual([]);
    await fireEvent.click(key(/: Bruno$/));
    expect(done).toEqual([['turn-away', { seat: 'seat-2' }]]);
  });
  it('see one code at a time, of the next free seat', () => {
    open(hostUpdate('coming'));
    expect(screen.getAllByRole('img', { name: /QR code$/ }).map((e) => e.getAttribute('aria-label'))).toEqual(['Seat 6’s QR code']);
  });
  it('keep the game from beginning until the host has answered', () => {
    expect(listMissing(hostUpdate('coming'))).toEqual([{ key: 'host.missing.guests', args: { n: 3, name: 'Bruno' } }]);
    const u = hostUpdate('lobby');
    u.desk = { invites: [], hosts: [], guests: [{ seat: 7, name: 'Eve', character: 'character-worms' }] };
    open(u);
    expect(key('Begin').disabled).toBe(true);
  });
  it('do not lose a name that was typed to the one of an older view', async () => {
    const { rerender } = open(hostUpdate('coming'));
    await fireEvent.input(line(4), { target: { value: 'Dora' } });
    await rerender({ update: hostUpdate('coming') });
    expect(line(4).value).toBe('Dora'); // its phone has said nothing yet
    const said = hostUpdate('coming');
    said.desk!.guests![2]!.name = 'Dorothée';
    await rerender({ update: said });
    expect(line(4).value).toBe('Dorothée');
  });
});

describe('two at a Cluedo (CC-001, CC-130)', () => {
  const two = (): Update => {
    const u = hostUpdate('three');
    u.view.seats = u.view.seats.slice(0, 2);
    Object.assign(u.view, { game: 'cluedo-classic', case: {}, prompt: { k: 'cl.prompt.lobby.two.host' } });
    u.view.offers = u.view.offers.filter((o) => o.act !== 'switch' && o.act !== 'begin');
    u.view.offers.push({
      act: 'switch',
      rule: 'CC-130',
      fixed: { name: 'mode' },
      params: [{ name: 'value', kind: 'value', domain: ['two-player', 'team'] }],
    });
    return u;
  };
  it('are enough, and choose their rule where they sit', async () => {
    expect(setUpSteps(two()).find((s) => s.id === 'seats')?.done).toBe(true);
    expect(twoRuleArgs(two())).toEqual({ name: 'mode', value: 'two-player' });
    const { rerender } = open(hostUpdate('empty'));
    await rerender({ update: two() });
    await fireEvent.click(key('Play with two'));
    expect(done).toEqual([['switch', { name: 'mode', value: 'two-player' }]]);
  });
  it('hear that a third is one too many by that rule', () => {
    const u = two();
    u.view.seats = hostUpdate('three').view.seats;
    u.view.prompt = { k: 'cl.prompt.lobby.host' };
    expect(listMissing(u)).toEqual([{ key: 'host.missing.rule', args: { n: 3 } }]);
  });
});

it('says that another name is another person, where the phone of a player waits', async () => {
  const u = hostUpdate('coming');
  u.desk!.guests = u.desk!.guests!.map((g) => ({ ...g, played: true }));
  const g = u.desk!.guests.find((g) => g.name !== '')!;
  open(u);
  const field = screen.getByRole('textbox', { name: new RegExp(`seat ${g.seat}$`) });
  expect(screen.queryByText(/another person/)).toBeNull();
  await fireEvent.input(field, { target: { value: 'Eve' } });
  expect(screen.getByText(`Another name, another person: ${g.name}’s phone will be cut off.`)).toBeTruthy();
});

describe('phones that have scanned the code on the display', () => {
  it('are all seated with one tap, in the order that the host has made', async () => {
    open(hostUpdate('asking'));
    expect([3, 4, 5].map((n) => line(n).value)).toEqual(['Bruno', 'Chloé', 'Barthélemy-François']);
    expect(screen.getByText('Also asking, with no seat free: 1.')).toBeTruthy();
    await fireEvent.click(key('Chloé, request no.\u00a05798: one seat up'));
    expect([3, 4, 5].map((n) => line(n).value)).toEqual(['Chloé', 'Bruno', 'Barthélemy-François']);
    await fireEvent.click(key(/^Seat Chloé, Bruno and Barthélemy-François/));
    expect(done[0]).toEqual(['sit', expect.objectContaining({ seat: 'seat-3', name: 'Chloé', ask: '5798' })]);
  });
  it('join only under the name that they ask for', async () => {
    open(hostUpdate('asking'));
    await fireEvent.input(line(4), { target: { value: 'Dora' } });
    expect(screen.getByText('This line’s phone asks for Chloé: it does not join under another name.')).toBeTruthy();
    await fireEvent.click(key('OK, seat 4'));
    expect(done[0]).toEqual(['sit', { seat: 'seat-4', name: 'Dora', character: expect.any(String) }]);
  });
  it('leave a name that the host types as it is, however often they change their own', async () => {
    const { rerender } = open(hostUpdate('asking'));
    await fireEvent.input(line(4), { target: { value: 'Dora' } });
    const said = hostUpdate('asking');
    said.desk!.guests!.find((g) => g.ask === '5798')!.name = 'Chloé II';
    await rerender({ update: said });
    expect(line(4).value).toBe('Dora');
  });
  it('are turned away by their request, not by their line', async () => {
    open(hostUpdate('asking'));
    await fireEvent.click(key('Turn away : Chloé'));
    await fireEvent.click(key(/: Chloé$/));
    expect(done).toEqual([['turn-away', { seat: 'seat-4', ask: '5798' }]]);
  });
  it('can scan the same code on the page of the host, where there is no display', async () => {
    open(hostUpdate('asking'));
    const which = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Show the code of' });
    await fireEvent.change(which, { target: { value: '0' } });
    expect(screen.getByRole('img', { name: 'everybody' }).querySelector('path')?.getAttribute('d')).toBe(
      drawQr('http://192.168.178.123:8080/#w=kX3_vQz8').d,
    );
    expect(done).toEqual([]); // it takes no code away
    await fireEvent.change(which, { target: { value: '2' } });
    expect(screen.getByRole('img', { name: /seat 2/i })).toBeTruthy();
  });
  it('get the character that they asked for first; the host reads who asked for it later', async () => {
    const u = hostUpdate('asking');
    const [first, second] = u.desk!.guests!;
    Object.assign(second!, { character: first!.character, second: true });
    second!.seat = [first!.seat, first!.seat = second!.seat][0]!; // also where the seat of the second comes first
    open(u);
    expect(screen.getByText(/^Chloé wishes for .+, too: another phone asked first\./)).toBeTruthy();
    await fireEvent.click(key(/^Seat /));
    expect(done[0]![1]).toMatchObject({ name: 'Chloé', character: expect.not.stringMatching(first!.character) });
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: /seat 4/ }).value).toBe(first!.character);
  });
  it('leave the code of the host where it is', () => {
    open(hostUpdate('asking'));
    expect(screen.getByRole('img', { name: /seat 2/i })).toBeTruthy();
  });
});

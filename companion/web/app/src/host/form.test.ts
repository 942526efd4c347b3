import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { names } from '../dev/fixtures';
import { naming, sampleOffice } from '../dev/office';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Args, Offer } from '../lib/wire';
import Console from './Console.svelte';
import HouseRules from './HouseRules.svelte';
import OfferForm from './OfferForm.svelte';

beforeEach(() => {
  localStorage.setItem('majordome:host:game-master', 'open');
  language.lang = 'en';
  language.learnNames(names);
  language.learnSeats(hostUpdate('act').view.seats);
});
afterEach(cleanup);

function form(offer: Offer): { did: [string, Args][] } {
  const did: [string, Args][] = [];
  render(OfferForm, { offer, busy: false, onact: (act: string, args: Args) => did.push([act, args]) });
  return { did };
}
const tap = (label: string) => fireEvent.click(screen.getByRole('button', { name: label }));

it('a choice that can be undone needs one tap', async () => {
  const { did } = form({ act: 'move', rule: 'HC-050', params: [{ name: 'place', kind: 'place', domain: ['place-salon', 'place-4'] }] });
  await tap('Drawing room');
  expect(did).toEqual([['move', { place: 'place-salon' }]]);
});
it('a grave choice is asked once more, with what was chosen', async () => {
  const { did } = form({
    act: 'accuse',
    rule: 'HC-091',
    grave: true,
    fixed: { seat: 'seat-1' },
    params: [{ name: 'card', kind: 'card', domain: ['clue-borrow-1', 'clue-borrow-2'] }],
  });
  await tap('Lady Borrow’s clue no.\u00a02');
  expect(did).toEqual([]);
  await tap('Yes: Accuse · Anne');
  expect(did).toEqual([['accuse', { seat: 'seat-1', card: 'clue-borrow-2' }]]);
});
it('what goes against the rules is asked with what it does (GEN-009)', async () => {
  const { did } = form({
    act: 'kill',
    rule: 'GEN-009',
    grave: true,
    overrule: true,
    params: [{ name: 'seat', kind: 'seat', domain: ['seat-1', 'seat-2'] }],
  });
  await tap('Anne');
  expect(screen.getByRole('status').textContent).toContain('The game may end here');
  expect(did).toEqual([]);
  await tap('Yes: Let somebody die');
  expect(did).toEqual([['kill', { seat: 'seat-1' }]]);
});
it('asks one question at a time', async () => {
  const open = { act: 'open', rule: 'HC-127', grave: true };
  form(open);
  form({ ...open, act: 'draw' });
  const keys = screen.getAllByRole('button');
  await fireEvent.click(keys[0]!);
  await fireEvent.click(keys[1]!);
  expect(screen.getAllByRole('status')).toHaveLength(1);
  expect(screen.getAllByRole('button', { name: /^Yes/ })).toHaveLength(1);
});
it('a grave act without a choice is asked once more too', async () => {
  const { did } = form({ act: 'open', rule: 'HC-127', grave: true });
  await tap('Open the urn');
  await tap('Yes: Open the urn');
  expect(did).toEqual([['open', {}]]);
});
it('many cards unfold in groups, and are folded again when one is chosen', async () => {
  const clues = names.filter((n) => n.kind === 'clue').map((n) => n.id);
  const { did } = form({ act: 'destroy', rule: 'HC-070', grave: true, params: [{ name: 'card', kind: 'card', domain: clues }] });
  await tap('Choose among 32 cards');
  expect(screen.getAllByRole('group')).toHaveLength(8);
  await tap('Inspector Worms’s clue no.\u00a03');
  expect(screen.queryAllByRole('group')).toHaveLength(0);
  await tap('Yes: Destroy');
  expect(did).toEqual([['destroy', { card: 'clue-worms-3' }]]);
});

/** The host's page with a sample; what it sends. */
function page(sample: string): string[] {
  const sent: string[] = [];
  const did = (act: string, args: Args) => sent.push(`${act} ${JSON.stringify(args)}`);
  render(Console, {
    update: hostUpdate(sample),
    state: { is: 'idle' },
    ondismiss: () => undefined,
    onact: did,
    office: sampleOffice(naming(), did),
  });
  return sent;
}

it('one tap plays again with the same players', async () => {
  const sent = page('over');
  await tap('Play again, same players');
  expect(sent).toEqual(['new-game {"game":"huis-clos","seats":"keep"}']);
});
it('the first question of an empty table is answered by a tap, and the game that is there already needs no act', async () => {
  localStorage.removeItem('majordome:host:game');
  language.learnNames([...names, { id: 'cluedo-2008', kind: 'game', text: { fr: 'Cluedo 2008', en: 'Cluedo 2008' } }]);
  const sent = page('which');
  await tap('Cluedo 2008');
  expect(sent).toEqual(['new-game {"game":"cluedo-2008","seats":"keep"}']);
  cleanup();
  localStorage.removeItem('majordome:host:game');
  expect(page('which')).toEqual([]);
  await tap('Huis Clos');
  expect(screen.getByRole('button', { name: /^The players/ }).getAttribute('aria-expanded')).toBe('true');
  cleanup();
  expect(page('which')).toEqual([]);
  expect(screen.getByRole('button', { name: /^The players/ }).getAttribute('aria-expanded')).toBe('true'); // remembered
  language.learnNames(names);
});
it('another game keeps who sits here, and is asked about while one is played', async () => {
  const sent = page('act');
  await tap('Huis Clos');
  expect(sent).toEqual([]);
  await tap('Really?');
  await tap('Clear the table');
  await tap('Really?');
  expect(sent).toEqual(['new-game {"game":"huis-clos","seats":"keep"}', 'new-game {"game":"huis-clos","seats":"clear"}']);
});
it('one tap names a clue of the opened urn', async () => {
  const sent = page('urn');
  await tap('Poker');
  expect(sent).toEqual(['show {"card":"weapon-tisonnier"}']);
});
it('a name of the deck is saved when its field is left, in both languages at once', async () => {
  const sent = page('lobby');
  await fireEvent.click(screen.getByRole('button', { name: /^The box/ }));
  await tap('Name the cards of my box');
  const field = await screen.findByRole('textbox', { name: 'Place 3' });
  await fireEvent.input(field, { target: { value: ' Library ' } });
  await fireEvent.blur(field);
  expect(sent).toEqual(['names-set {"id":"place-3","en":"Library","fr":"Library"}']);
});
it('a player sits down with Enter, on the character that stands there', async () => {
  const sent = page('empty');
  const field = screen.getByRole('textbox', { name: /seat 2$/ });
  await fireEvent.input(field, { target: { value: 'Zoé' } });
  await fireEvent.submit(field.closest('form')!);
  expect(sent).toEqual(['sit {"seat":"seat-2","name":"Zoé","character":"character-worms"}']);
});
it('says what is missing, and cannot begin before', () => {
  page('three');
  expect(screen.getByText(/One player is missing/)).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Begin' }) as HTMLButtonElement).disabled).toBe(true);
});
it('shows the hands after the end if the table chose so, and not before it (GEN-008)', () => {
  const over = hostUpdate('over');
  over.view.log = [{ n: 90, round: 5, msg: { k: 'hc.log.debrief.1', a: { seat: 'seat-2', a: 'clue-peely-1' } } }];
  const { container } = render(Console, { update: over, state: { is: 'idle' }, onact: () => undefined, ondismiss: () => undefined });
  expect(screen.getByRole('heading', { name: language.t('display.debrief') })).toBeTruthy();
  expect(container.textContent).toContain(language.label('clue-peely-1'));
  cleanup();
  render(Console, { update: hostUpdate('act'), state: { is: 'idle' }, onact: () => undefined, ondismiss: () => undefined });
  expect(screen.queryByRole('heading', { name: language.t('display.debrief') })).toBeNull();
});
it('one tap follows another preset, and what is followed when none is holds no button of its own', async () => {
  const text = (s: string) => ({ fr: s, en: s });
  language.learnNames([
    { id: 'preset', kind: 'switch', text: text('Rules followed') },
    { id: 'booklet', kind: 'value', of: 'preset', text: text('Booklet'), default: true },
    { id: 'web', kind: 'value', of: 'preset', text: text('Web') },
    { id: 'other', kind: 'value', of: 'preset', text: text('Chosen here') },
  ]);
  const did: [string, Args][] = [];
  const offers = [{
    act: 'switch',
    rule: 'GEN-008',
    fixed: { name: 'preset' },
    params: [{ name: 'value', kind: 'value', domain: ['web'] }],
  }];
  render(HouseRules, { switches: { preset: 'booklet' }, offers, busy: false, onact: (act: string, args: Args) => did.push([act, args]) });
  expect(screen.getAllByRole('radio').map((e) => e.getAttribute('aria-checked'))).toEqual(['true', 'false']);
  await fireEvent.click(screen.getByRole('radio', { name: 'Web' }));
  expect(did).toEqual([['switch', { name: 'preset', value: 'web' }]]);
});
it('what the host can impose stays open over a scene, in which there is nothing to impose', async () => {
  const kill: Offer = {
    act: 'kill',
    rule: 'GEN-009',
    grave: true,
    overrule: true,
    params: [{ name: 'seat', kind: 'seat', domain: ['seat-1'] }],
  };
  const table = (offers: Offer[]) => {
    const u = hostUpdate('act');
    u.view.offers = offers;
    return { update: u, state: { is: 'idle' as const }, onact: () => {}, ondismiss: () => {} };
  };
  const { rerender } = render(Console, table([kill]));
  const open = () => screen.queryByRole('button', { name: language.t('host.over.open') })?.getAttribute('aria-expanded');
  await tap(language.t('host.over.open'));
  await rerender(table([]));
  expect(open()).toBeUndefined();
  await rerender(table([kill]));
  expect(open()).toBe('true');
});

import { describe, expect, it } from 'vitest';
import { hostSamples, hostUpdate } from '../dev/hosts';
import type { Offer } from '../lib/wire';
import { backupName } from './labels';
import { args, mainOffer, offerKey, panelsOf, seatRows, actingSeat, voteState } from './model';

describe('the desk', () => {
  it.each(Object.keys(hostSamples))('loses no offer: %s', (name) => {
    const { offers, active } = hostUpdate(name).view;
    const shown = Object.values(panelsOf(offers, active)).flat().map((o: Offer) => o.act);
    expect(shown.sort()).toEqual(offers.map((o) => o.act).sort());
  });
  it('leaves what a panel of its own shows out of the moves, whoever is to act', () => {
    const acts = ['rise', 'invite', 'turn-away', 'add-phone', 'end-phone', 'cut-phone', 'host-admit', 'host-deny', 'host-end', 'undo',
      'pause', 'alarm', 'resume', 'light', 'hints', 'hint', 'hint-back', 'hint-no', 'team', 'room-keep', 'countdown', 'countdown-add',
      'countdown-end', 'countdown-fines', 'unlock-secrets', 'cover-secrets'];
    const seat = [{ name: 'seat', kind: 'seat', domain: ['seat-1'] }];
    for (const active of [[], [1]]) {
      const { behalf, table } = panelsOf(acts.map((act) => ({ act, rule: 'X-1', params: seat })), active);
      expect([...behalf, ...table]).toEqual([]);
    }
  });
  it('takes an act that it does not know for one of the active seat, or of the table when nobody is to act', () => {
    const strange: Offer = { act: 'ring-the-bell', rule: 'X-1', params: [{ name: 'how', kind: 'value', domain: ['twice'] }] };
    expect(panelsOf([strange], [2]).behalf).toEqual([strange]);
    expect(panelsOf([strange], []).table).toEqual([strange]);
    expect(panelsOf([{ act: 'rise', rule: 'X-2' }], []).table).toHaveLength(1); // not for one seat: no row can show it
  });
  it('has what the host says for the whole table at hand, also while a seat is awaited', () =>
    expect(panelsOf([{ act: 'dealt', rule: 'C8-004' }], [1]).table).toHaveLength(1));
  it('puts what mends the record aside, whoever is to act (GEN-E09)', () =>
    expect(panelsOf([{ act: 'count', rule: 'GEN-E09', aside: true }], [1]).corrections).toHaveLength(1));
  it('keeps what goes against the rules apart from what mends the record (GEN-009)', () => {
    const panels = panelsOf([{ act: 'skip', rule: 'GEN-009', aside: true, overrule: true }, { act: 'count', rule: 'GEN-E09', aside: true }],
      [
        1,
      ]);
    expect([panels.overrules.map((o) => o.act), panels.corrections.map((o) => o.act)]).toEqual([['skip'], ['count']]);
  });
  it('confirms a role that is turned up, and not each deposit without a name', () => {
    expect(panelsOf(hostUpdate('turned').view.offers, [2]).behalf[0]?.grave).toBe(true);
    expect(panelsOf([{ act: 'deposit', rule: 'HC-120', grave: true, fixed: { card: 'unnamed' } }], [2]).behalf[0]?.grave).toBe(false);
  });
});

it('a backup is called by its moment and its game, and anything else by its name', () => {
  expect(backupName('2026-11-22_21-14-03_game-12.db')).toBe('2026-11-22 21:14 · n° 12');
  expect(backupName('mine.db')).toBe('mine.db');
});

describe('players', () => {
  const rows = seatRows(hostUpdate('lobby'));
  it('who have not joined have their link, those who have none', () => {
    expect(rows.map((r) => [r.joined, r.url !== ''])).toEqual([[true, false], [false, true], [true, false], [false, true]]);
  });
  it('carry the acts for their seat', () => {
    expect(rows[1]?.rise).toEqual({ seat: 'seat-2' });
    expect(rows[1]?.invite).toEqual({ seat: 'seat-2' });
    expect(seatRows(hostUpdate('act'))[1]?.rise).toBeUndefined();
  });
  it('stand without a desk too', () => {
    const u = hostUpdate('lobby');
    delete u.desk;
    expect(seatRows(u).every((r) => r.url === '' && !r.joined)).toBe(true);
  });
  it('without a phone are played on this page (GEN-024)', () => {
    expect(actingSeat(hostUpdate('act'))).toEqual({ seat: 2, phone: false });
    expect(actingSeat(hostUpdate('phone'))).toEqual({ seat: 1, phone: true });
    expect(actingSeat(hostUpdate('laying'))).toBeUndefined();
  });
});

it('a vote tells who is still to agree (GEN-009)', () => {
  expect(voteState(hostUpdate('vote'))).toEqual({ by: 3, agreed: [1, 3], waiting: [2, 4] });
  expect(voteState(hostUpdate('act'))).toBeUndefined();
});

describe('a form', () => {
  const sit: Offer = {
    act: 'sit',
    rule: 'HC-002',
    params: [{ name: 'seat', kind: 'seat', domain: ['seat-1', 'seat-2'] }, { name: 'name', kind: 'text', max: 6 }, {
      name: 'character',
      kind: 'character',
      domain: ['character-peely'],
    }],
  };
  it('sends nothing that nobody has chosen; a lone option needs no choice', () => {
    expect(args(sit, { name: 'Chloé' })).toBeUndefined();
    expect(args(sit, { name: 'Chloé', seat: 'seat-2' })).toEqual({ seat: 'seat-2', name: 'Chloé', character: 'character-peely' });
  });
  it('forgets what is no longer offered', () => expect(args(sit, { name: 'A', seat: 'seat-9' })).toBeUndefined());
  it('is not complete without a text, with blanks only, or with more bytes than allowed', () => {
    const seat = 'seat-1';
    expect(args(sit, { seat })).toBeUndefined();
    expect(args(sit, { seat, name: '  ' })).toBeUndefined();
    expect(args(sit, { seat, name: 'Éloïse' })).toBeUndefined(); // 6 letters, 8 bytes
  });
  it('sends fixed arguments along', () =>
    expect(
      args({
        act: 'switch',
        rule: 'HC-154',
        fixed: { name: 'rounds-exhausted' },
        params: [{ name: 'value', kind: 'value', domain: ['nobody'] }],
      }, {}),
    )
      .toEqual({ name: 'rounds-exhausted', value: 'nobody' }));
  it('is told from its sisters by what it asks for: dice that fell, or a roll of the machine', () => {
    const roll = { act: 'roll', rule: 'C8-041' };
    expect(offerKey(roll)).not.toBe(offerKey({ ...roll, params: [{ name: 'dice', kind: 'dice', domain: ['2+5'] }] }));
  });
  it('is told from its sisters by what is fixed', () =>
    expect(offerKey({ act: 'switch', rule: '', fixed: { name: 'a' } })).not.toBe(
      offerKey({ act: 'switch', rule: '', fixed: { name: 'b' } }),
    ));
});

describe('the filled key', () => {
  const [deal, laid] = [{ act: 'deal', rule: 'HC-009' }, { act: 'laid', rule: 'HC-009' }];
  it('is the first one without readers', () => expect(mainOffer([deal!, laid!], {})).toBe(deal));
  it('deals real cards by hand where readers wait for them', () => expect(mainOffer([deal!, laid!], { show: 'ok' })).toBe(laid));
  it('is none where only Majordome would deal', () => expect(mainOffer([deal!], { urn: 'lost' })).toBeUndefined());
});

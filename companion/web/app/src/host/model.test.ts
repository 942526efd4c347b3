import { describe, expect, it } from 'vitest';
import { hostUpdate } from '../dev/fixtures';
import type { Offer } from '../lib/wire';
import { args, desk, offerKey, seatRows } from './model';

describe('the desk', () => {
  it('loses no offer', () => {
    for (const name of ['lobby', 'play']) {
      const { offers } = hostUpdate(name).view;
      const d = desk(offers);
      const shown = [...d.now, ...d.sit, ...d.first, ...d.switches, ...d.table].map((o) => o.act);
      expect([...shown, ...offers.map((o) => o.act).filter((a) => a === 'rise' || a === 'invite')].sort()).toEqual(offers.map((o) => o.act).sort());
    }
  });
  it('shows acts that it does not know among those of now', () => {
    const strange: Offer = { act: 'ring-the-bell', rule: 'X-1', params: [{ name: 'how', kind: 'value', domain: ['twice'] }] };
    expect(desk([strange]).now).toEqual([strange]);
    expect(desk([{ act: 'rise', rule: 'X-2' }]).now).toHaveLength(1); // not for one seat: no row can show it
  });
  it('confirms every undo, also one that crosses no reveal', () => {
    expect(desk([{ act: 'undo', rule: 'GEN-009' }]).table[0]?.grave).toBe(true);
  });
});

describe('players', () => {
  const rows = seatRows(hostUpdate('lobby'));
  it('who have not joined have their link, those who have none', () => {
    expect(rows.map((r) => [r.joined, r.url !== ''])).toEqual([[true, false], [false, true], [true, false], [false, true]]);
  });
  it('carry the acts for their seat', () => {
    expect(rows[1]?.rise).toEqual({ seat: 'seat-2' });
    expect(rows[1]?.invite).toEqual({ seat: 'seat-2' });
    expect(seatRows(hostUpdate('play'))[1]?.rise).toBeUndefined();
  });
  it('stand without a desk too', () => {
    const u = hostUpdate('lobby');
    delete u.desk;
    expect(seatRows(u).every((r) => r.url === '' && !r.joined)).toBe(true);
  });
});

describe('a form', () => {
  const sit: Offer = {
    act: 'sit', rule: 'HC-002',
    params: [{ name: 'seat', kind: 'seat', domain: ['seat-1', 'seat-2'] }, { name: 'name', kind: 'text', max: 6 }, { name: 'character', kind: 'character', domain: ['character-peely'] }],
  };
  it('takes the first option where nothing was chosen', () =>
    expect(args(sit, { name: 'Chloé' })).toEqual({ seat: 'seat-1', name: 'Chloé', character: 'character-peely' }));
  it('forgets what is no longer offered', () => expect(args(sit, { name: 'A', seat: 'seat-9' })).toMatchObject({ seat: 'seat-1' }));
  it('is not complete without a text, with blanks only, or with more bytes than allowed', () => {
    expect(args(sit, {})).toBeUndefined();
    expect(args(sit, { name: '  ' })).toBeUndefined();
    expect(args(sit, { name: 'Éloïse' })).toBeUndefined(); // 6 letters, 8 bytes
  });
  it('sends fixed arguments along', () =>
    expect(args({ act: 'switch', rule: 'HC-154', fixed: { name: 'rounds-exhausted' }, params: [{ name: 'value', kind: 'value', domain: ['nobody'] }] }, {})).toEqual({ name: 'rounds-exhausted', value: 'nobody' }));
  it('is told from its sisters by what is fixed', () =>
    expect(offerKey({ act: 'switch', rule: '', fixed: { name: 'a' } })).not.toBe(offerKey({ act: 'switch', rule: '', fixed: { name: 'b' } })));
});

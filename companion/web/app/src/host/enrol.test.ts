import { beforeAll, describe, expect, it } from 'vitest';
import type { Enrol } from '../gen/wire';
import { learn, noPhone, say } from '../lib/words';
import type { Key } from '../lib/words';
import { cardName, lastWords, may, pieces } from './enrol';

beforeAll(async () => {
  noPhone();
  await learn('fr');
});

const voice = {
  lang: 'fr' as const,
  label: (id: string) => (id === 'weapon-corde' ? 'Corde' : id === 'suspect-rose' ? 'Rose' : id),
  t: (key: Key, args: Record<string, string | number> = {}) =>
    say('fr', key, Object.fromEntries(Object.entries(args).map(([k, v]) => [k, String(v)])), (id) => (id === 'suspect-rose' ? 'Rose' : id)),
};

describe('an enrolment', () => {
  it('calls cards, pawns and control cards by their names', () => {
    expect(cardName(voice, 'weapon-corde')).toBe('Corde');
    expect(cardName(voice, 'pawn-suspect-rose')).toBe('Pion\u00a0: Rose');
    expect(cardName(voice, 'pause')).toBe('Carte de commande\u00a0: pause, et reprise');
  });
  it('says what became of the last tag', () => {
    const e = (over: Partial<Enrol>): Enrol => ({ list: 'cards', need: 1, tagged: 0, of: 1, short: [], ...over });
    expect(lastWords(voice, e({}))).toBe('');
    expect(lastWords(voice, e({ last: 'kept', card: 'weapon-corde' }))).toBe('Puce enregistrée\u00a0: Corde');
    expect(lastWords(voice, e({ last: 'unfit', why: { fr: 'non', en: 'no' } }))).toBe('non');
    expect(lastWords(voice, e({ last: 'unknown', tag: '04AA' }))).toContain('04AA');
  });
  it('offers what may be done', () => {
    const offers = [{ act: 'enrol-do', rule: '', params: [{ name: 'do', kind: 'value', domain: ['undo'] }] }];
    expect(may(offers, 'enrol-do', 'undo')).toBe(true);
    expect(may(offers, 'enrol-do', 'skip')).toBe(false);
  });
  it('sends a long text in pieces that fit an act, one behind the other', () => {
    const text = Array.from({ length: 90 }, (_, i) => `04A1B2C3D4E5${i}, "indice"-é😀-${i}\n`).join('');
    const jobs = pieces('paste', 'tags', text);
    const bytes = (s: string): number => new TextEncoder().encode(s).length;
    expect(jobs.map((j) => j.args['text']).join('')).toBe(text);
    expect(new Set(jobs.map((j) => j.key)).size).toBe(jobs.length);
    let at = 0;
    for (const j of jobs) {
      expect(j.args['at']).toBe(String(at));
      expect(bytes(JSON.stringify({ id: 'x'.repeat(40), seq: Number.MAX_SAFE_INTEGER, act: j.act, args: j.args }))).toBeLessThan(1024 - 40);
      at += bytes(j.args['text']!);
    }
    expect(pieces('paste', 'tags', '')).toHaveLength(1);
  });
});

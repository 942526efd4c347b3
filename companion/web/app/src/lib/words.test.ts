import { describe, expect, it, onTestFinished, vi } from 'vitest';
import en from '../../../../../engine/words/en.json?all';
import fr from '../../../../../engine/words/fr.json?all';
import { LANGS, hasWords, hasLanguage, loadWords, formatSentence, formatMsg, addSpaces } from './words';

const blanks = (s: string) => [...s.matchAll(/\{([^}]*)\}/g)].map((m) => m[1]).sort();

describe('the catalogues', () => {
  it('have the same keys', () => {
    expect(Object.keys(fr).sort()).toEqual(Object.keys(en).sort());
  });
  it.each(Object.entries(fr))('%s has the same blanks in both languages', (key, sentence) => {
    expect(blanks(sentence)).toEqual(blanks(en[key] ?? ''));
    expect(sentence.trim()).not.toBe('');
    expect(en[key]?.trim()).not.toBe('');
  });
});

it('a language is known once it was learnt, and is not asked for twice', async () => {
  expect(LANGS.every(hasLanguage)).toBe(true);
  await loadWords('fr', [() => Promise.reject(new Error('asked again'))]);
  expect(hasWords('ui.ok') && !hasWords('no.such.key')).toBe(true);
});

it('a phone loads what it does not say at once later, and shows no key meanwhile', async () => {
  vi.resetModules();
  onTestFinished(() => void vi.resetModules()); // the next file loads all words
  const { language } = await import('./language.svelte');
  const phone = await import('./words');
  await phone.loadWords('en');
  language.lang = 'en';
  const refusal = { k: 'hc.no.name' };
  expect([language.say(refusal), phone.hasWords('phone.ask.full')]).toEqual(['', false]);
  await language.loadLater();
  expect(language.say(refusal)).toBe(en['hc.no.name']);
  expect(phone.hasWords('phone.ask.full')).toBe(true);
  await phone.loadWords('fr');
  language.lang = 'fr';
  expect(language.say(refusal)).not.toMatch(/^(hc\.no\.name)?$/);
  expect(language.say({ k: 'no.such.key' })).toBe('no.such.key');
});

it('draws the reason of a refusal as soon as its words are there', async () => {
  vi.resetModules();
  onTestFinished(() => void vi.resetModules());
  const { language } = await import('./language.svelte');
  const { loadWords: load } = await import('./words');
  await load('en');
  language.lang = 'en';
  const [{ flushSync, mount, unmount }, { default: Turn }, { held }, { seatSamples }] = await Promise.all([
    import('svelte'),
    import('../phone/Turn.svelte'),
    import('./hold.svelte'),
    import('../dev/seats'),
  ]);
  const state = { is: 'refused', act: 'move', reject: { code: 'forbidden', rule: '', why: { k: 'hc.no.name' } } } as const;
  const props = { update: seatSamples['move']!(), state, notice: undefined, ondismiss: () => undefined };
  const page = mount(Turn, { target: document.body, props });
  held.show('reason');
  flushSync();
  expect(document.querySelector('.paper')).toBeNull();
  await language.loadLater();
  flushSync();
  expect(document.querySelector('.paper')?.textContent).toContain(en['hc.no.name']);
  held.hide();
  await unmount(page);
});

describe('a sentence', () => {
  const label = (v: string) => (v === 'seat-2' ? 'Iris' : v);
  it.each(LANGS)('is filled with names (%s)', (lang) => {
    const text = formatMsg(lang, { k: 'gen.again', a: { seat: 'seat-2' } }, label);
    expect(text).toContain('Iris');
    expect(text).not.toContain('{');
  });
  it('does not break before French signs, nor between a figure and what it counts', () => {
    expect(formatSentence('fr', 'host.invite.minutes', { n: '9' })).toBe('code valable 9\u00a0min');
    expect(addSpaces('fr', '{n} minutes')).toBe('{n}\u00a0minutes');
    expect(addSpaces('fr', '{n} pas, Dé n° {n}, Lieu 3, {seat} s’assied, {place} sous la neige')).toBe(
      '{n}\u00a0pas, Dé n°\u00a0{n}, Lieu\u00a03, {seat} s’assied, {place} sous la neige',
    );
    expect(addSpaces('en', 'Choose no. {n}, or no. 2')).toBe('Choose no.\u00a0{n}, or no.\u00a02');
    expect(addSpaces('fr', 'Ici : non')).toBe('Ici\u00a0: non');
  });
  it('with an unknown key is shown as it is', () => {
    expect(formatMsg('fr', { k: 'no.such.key' }, label)).toBe('no.such.key');
  });
  it('keeps a blank that nothing fills', () => {
    expect(formatSentence('en', 'gen.again')).toContain('{seat}');
  });
  it('does not fill a blank inside a value', () => {
    expect(formatMsg('en', { k: 'gen.again', a: { seat: '{seat}' } }, label)).toContain('{seat}');
  });
});

import { cleanup, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import fr from '../../../../../engine/words/story.fr.json';
import { names, samples } from '../dev/fixtures';
import { serveStory } from '../dev/front';
import { stories } from '../dev/samples';
import Table from '../display/Table.svelte';
import * as engine from '../gen/engine';
import { language } from '../lib/language.svelte';
import End from '../phone/End.svelte';
import Stage from './Stage.svelte';
import { buildKeepsake } from './keepsake';
import { composeStory } from './storytext';
import { learnStory } from './words';

const sample = 'front-6-3';
const [update, story] = [samples[sample]!(), stories[sample]!];

let stop = (): void => undefined;
beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
  language.learnSeats(update.view.seats);
  stop = serveStory(sample);
});
afterEach(() => {
  cleanup();
  stop();
  vi.useRealTimers();
});
const said = (): string => document.body.textContent.replace(/\s+/g, ' ');
const compose = async (of = story) => composeStory(of, update.view, language, await learnStory('en', language.label));

it('has words for every superlative', () => {
  const codes = Object.entries(engine).filter(([name]) => /^Sup[A-Z]/.test(name)).map(([, code]) => String(code));
  expect(codes.length).toBeGreaterThan(5);
  const wanted = codes.flatMap((code) => [`sup.${code}`, `sup.${code}.n`]);
  expect(wanted.filter((key) => !Object.hasOwn(fr, key))).toEqual([]);
  expect(Object.keys(fr).filter((key) => key.startsWith('sup.') && !wanted.includes(key.replace(/\.one$/, '')))).toEqual([]);
});

it('shows the house at the fatal minute, and not what came later', async () => {
  const { front } = await compose();
  expect(front.minute).toBe('Minute 43, the fatal one');
  expect(front.what).toBe(
    'Crime scene: Drawing room. The weapon: Poker. Victims: Anne (Innocent), Barthélemy-François (Innocent), Chloé (Innocent).',
  );
  expect([...front.house.dead]).toEqual([['place-salon', [1, 2, 3]]]);
  expect(front.honours.map((h) => [h.title, h.names, h.text])).toEqual([
    ['Under every eye', 'Maximilienne', '2 suspicions, not one fewer.'],
    ['Nearest to the truth', 'Anne', 'The right name, from round 11 on.'],
  ]);
  const later = [...story.happened, { n: 99, what: engine.HapMoved, seat: 5, place: 'place-7' }];
  expect([...(await compose({ ...story, happened: later })).front.house.at]).toEqual([...front.house.at]);
});

it('shows the house at the end where nothing was fatal', async () => {
  const { fatal: _, fatalAt: __, superlatives: ___, ...calm } = story;
  const { front } = await compose(calm);
  expect([front.minute, front.what, front.honours]).toEqual(['The house, when all was said', '', []]);
});

it('is kept with the page', async () => {
  const page = buildKeepsake(await compose(), 'data:,', 'en', { paths: 'Paths', held: 'Held' });
  for (const part of ['The Manor Gazette', 'Minute 43', 'Under every eye', 'Maximilienne']) expect(page).toContain(part);
});

it('follows the winner on the display, and has the wall to itself', async () => {
  const shown: boolean[] = [];
  render(Stage, { view: update.view, voice: language, lang: 'en', meanwhile: (() => undefined) as never, onfront: (is) => shown.push(is) });
  await screen.findByRole('article', { name: 'The Manor Gazette' });
  expect(shown.at(-1)).toBe(true);
  screen.getByRole('button', { name: 'The evening' }).click();
  await waitFor(() => expect(shown.at(-1)).toBe(false));
  expect(said()).not.toContain('Under every eye');
});

it('has the whole display, without the seats, while it is shown', async () => {
  render(Table, { update, voice: language, lang: 'en', onlang: () => undefined });
  await screen.findByRole('article', { name: 'The Manor Gazette' }, { timeout: 10_000 });
  expect(document.querySelector('.table')?.className).toContain('fronting');
  expect(document.querySelector('footer')).toBeNull();
});

it('follows the winner on a phone after ten seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  render(End, { view: update.view, result: update.view.result!, onstory: () => undefined });
  expect(said()).not.toContain('Gazette');
  expect(document.querySelector('.winners')).not.toBeNull();
  vi.advanceTimersByTime(10_000);
  await screen.findByRole('article', { name: 'The Manor Gazette' }, { timeout: 10_000 });
  expect(document.querySelector('.winners')).toBeNull();
});

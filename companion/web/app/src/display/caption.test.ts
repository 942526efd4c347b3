import { cleanup, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clueNames, clueSamples } from '../dev/clue';
import { tell } from '../dev/tell';
import { HapAccused, HapWrong } from '../gen/engine';
import { language } from '../lib/language.svelte';
import type { Msg, Update } from '../lib/wire';
import { type Key, formatSentence } from '../lib/words';
import { linesFor } from './narrator';
import Table from './Table.svelte';

beforeEach(() => {
  vi.useFakeTimers();
  language.learnNames(clueNames());
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const NAMED = ['suspect-leblanc', 'weapon-chandelier', 'room-observatoire'];
const accused: Msg = { k: 'cl.log.accused', a: { seat: 'seat-2', suspect: NAMED[0]!, weapon: NAMED[1]!, room: NAMED[2]! } };

// An accusation at the very beginning of a turn replaces the caption about the turn when its scene begins.
it.each(['fr', 'en'] as const)('a scene begins with its own caption (%s)', async (lang) => {
  language.lang = lang;
  const turn = (seat: number, rev: number): Update => {
    const u = clueSamples['c-accusing']!();
    Object.assign(u, { rev });
    Object.assign(u.view, { active: [seat], prompt: { k: 'cl.prompt.start', a: { seat: `seat-${seat}` } } });
    return u;
  };
  const props = { voice: language, lang, onlang: () => {} };
  const { rerender } = render(Table, { update: turn(1, 1), ...props });
  const show = async (update: Update) => {
    await rerender({ update, ...props });
    flushSync();
    return screen.getByRole('status', { name: language.t('display.captions') }).textContent;
  };
  const begun = turn(2, 2);
  expect(await show(begun)).toBe(language.say(begun.view.prompt));
  const judged = tell(turn(2, 3), 70, 1, [{ what: HapAccused, seat: 2, cards: NAMED }, accused], [{ what: HapWrong, seat: 2 }, {
    k: 'cl.log.wrong',
    a: { seat: 'seat-2' },
  }]);
  const lines = linesFor(accused.k, lang).map((line) => formatSentence(lang, accused.k as Key, accused.a, language.label, line));
  expect(lines).toContain(await show(judged));
});

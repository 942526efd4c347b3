import { cleanup, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { names, update } from '../dev/fixtures';
import { language } from '../lib/language.svelte';
import { type Story, WIRE_VERSION } from '../lib/wire';
import Book from './Book.svelte';
import Stage from './Stage.svelte';
import { buildKeepsake } from './keepsake';
import { composeStory } from './storytext';
import { learnStory } from './words';

const held = [{ seat: 2, cards: ['clue-worms-1', 'weapon-3'] }, { seat: 4, cards: ['clue-peely-2'] }];
const over = () => update({ phase: 'over', active: [], result: { rule: 'HC-154', winners: [2], msg: { k: 'hc.over.survivors' } } });
const told = (of: Story['held']): Story => ({
  v: WIRE_VERSION,
  evening: { played: 0, hints: 0 },
  game: 'huis-clos',
  happened: [{ n: 1, what: 'round', seat: 1 }, { n: 2, what: 'moved', seat: 1, place: 'place-salon' }, { n: 3, what: 'over' }],
  held: of,
});

// GEN-008: if the table chose the debrief, the story contains the hands (engine.Chronicle).
describe('who held what', () => {
  beforeEach(() => {
    language.lang = 'en';
    language.learnNames(names);
    language.learnSeats(over().view.seats);
    HTMLDialogElement.prototype.showModal ??= () => undefined;
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  const daemon = (of: Story['held']) => vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(told(of)))));
  const said = (): string => document.body.textContent.replace(/\s+/g, ' ');
  const line = ({ seat, cards }: (typeof held)[number]): string =>
    `${language.label(`seat-${seat}`)}${cards.map(language.label).join(' · ')}`;

  for (
    const [page, open] of [
      ['a phone', async () => {
        render(Book, { view: over().view, onclose: () => undefined });
        (await screen.findByRole('button', { name: 'The evening' })).click();
      }],
      ['the display', async () => {
        render(Stage, { view: over().view, voice: language, lang: 'en', meanwhile: (() => undefined) as never });
        (await screen.findByRole('button', { name: /Who held what/ })).click();
      }],
    ] as const
  ) {
    it(`stands on ${page}, with the debrief`, async () => {
      daemon(held);
      await open();
      await waitFor(() => expect(said()).toContain('Who held what'));
      held.forEach((h) => expect(said()).toContain(line(h).replace(/\s+/g, ' ')));
    });
  }
  it('stands nowhere without', async () => {
    daemon([]);
    render(Book, { view: over().view, onclose: () => undefined });
    render(Stage, { view: over().view, voice: language, lang: 'en', meanwhile: (() => undefined) as never });
    await waitFor(() => expect(screen.getAllByRole('button', { name: /Round 1/ }).length).toBe(2));
    expect(said()).not.toContain('held');
    expect(document.body.innerHTML).not.toContain('Who held what');
  });
  it('is kept with the page', async () => {
    const say = await learnStory('en', language.label);
    const page = (of: Story['held']): string =>
      buildKeepsake(composeStory(told(of), over().view, language, say), 'data:,', 'en', { paths: 'Paths', held: say('held') });
    held.forEach((h) => expect(page(held)).toContain(h.cards.map(language.label).join('\u00a0· ')));
    expect(page(held)).toContain('Who held what');
    expect(page([])).not.toContain('Who held what');
  });
});

// The secret vote of a player who has died, and what is told of it at the end.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { samples } from '../dev/fixtures';
import { done, eachTest, open, paramOf, press, text } from '../dev/seatpage';
import Table from '../display/Table.svelte';
import { language } from '../lib/language.svelte';
import type { Update } from '../lib/wire';

eachTest();

const who = () => screen.findByRole('group', { name: 'Who did it, do you think?' });
const ghosts = [
  { k: 'table.ghost.knew', a: { seat: 'seat-3', n: '3' } },
  { k: 'table.ghost.lost', a: { seat: 'seat-2', n: '2', other: 'seat-1' } },
];

describe('the vote of a ghost', () => {
  it('is one tap on a name, also on another than before', async () => {
    open('ghost');
    await who();
    for (const name of ['Anne', 'David']) await fireEvent.click(screen.getByRole('button', { name }));
    expect(done).toEqual([['ghost-vote', { seat: 'seat-1' }], ['ghost-vote', { seat: 'seat-4' }]]);
    expect(screen.queryByRole('group', { name: 'What you can do' })).toBeNull(); // it is no move
  });
  it('is read while it is held, and at no other time', async () => {
    open('ghost');
    await who();
    const mine = screen.getByRole('button', { name: /^Your vote/ });
    expect(mine.textContent).not.toContain('Bruno');
    await press(mine);
    expect(mine.textContent).toContain('Bruno');
    await fireEvent.pointerUp(mine);
    expect(mine.textContent).not.toContain('Bruno');
  });
  it('changes nothing that a neighbour sees', async () => {
    const page = async (change: (u: Update) => void) => {
      open('ghost', {}, change);
      await who();
      const html = document.body.innerHTML.replace(/bound|s-[\w-]+|c\d+-who/g, '');
      cleanup();
      return html;
    };
    const bruno = await page(() => undefined);
    expect(await page((u) => (paramOf(u, 'ghost-vote').no![0]!.at = [2]))).toBe(bruno);
    expect(
      await page((u) => (u.view.offers[0]!.params = [{ name: 'seat', kind: 'seat', domain: ['seat-1', 'seat-2', 'seat-4'] }])),
    ).toBe(bruno); // no vote yet
  });
  it('is not asked while the phone is not heard, nor where ghosts do not vote', async () => {
    open('ghost', { connection: 'lost' });
    await who();
    expect(screen.getByRole('button', { name: 'Anne' }).hasAttribute('disabled')).toBe(true);
    cleanup();
    open('dead', {}, (u) => (u.view.offers = []));
    await screen.findByText(/You haunt the manor/);
    expect(text()).not.toContain('Who did it');
  });
});

describe('at the end', () => {
  it('every phone is told', async () => {
    open('over', {}, (u) => (u.ghosts = ghosts));
    await screen.findByText(/knew it from/);
    expect(text()).toMatch(/\S knew it from round.3, and could not speak\./);
    expect(text()).toMatch(/\S had it in round.2, then suspected Anne\./);
  });
  it('so is the display', () => {
    render(Table, { update: { ...samples['nobody']!(), ghosts }, voice: language, lang: language.lang, onlang: () => undefined });
    expect(text()).toMatch(/\S knew it from round.3, and could not speak\./);
  });
});

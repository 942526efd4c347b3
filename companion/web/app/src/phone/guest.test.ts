import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { names } from '../dev/fixtures';
import { guestUpdate } from '../dev/hosts';
import type { ActState } from '../lib/acts.svelte';
import { language } from '../lib/language.svelte';
import type { Update } from '../lib/wire';
import Guest from './Guest.svelte';

let done: [string, Record<string, string>][] = [];
const props = (update: Update, state: ActState = { is: 'idle' }) => ({
  update,
  state,
  live: true,
  onact: (act: string, args: Record<string, string>) => void done.push([act, args]),
});
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Your name' });
const key = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const who = (name: string) => screen.getByRole<HTMLButtonElement>('radio', { name });

beforeEach(() => {
  done = [];
  localStorage.clear();
  language.learnNames(names);
  language.lang = 'en';
});
afterEach(cleanup);

describe('a phone that has come to a free seat', () => {
  it('asks for a name and a character', async () => {
    render(Guest, props(guestUpdate()));
    expect(key('Ask for this seat').disabled).toBe(true);
    await fireEvent.input(field(), { target: { value: '  Éléonore ' } });
    expect(key('Ask for this seat').disabled).toBe(true);
    await fireEvent.click(who('Sir Puddingham'));
    await fireEvent.click(key('Ask for this seat'));
    expect(done).toEqual([['sit', { name: 'Éléonore', character: 'character-puddingham' }]]);
  });
  it('sends no more of a name than fits', async () => {
    render(Guest, props(guestUpdate()));
    await fireEvent.input(field(), { target: { value: 'é'.repeat(24) } });
    await fireEvent.click(who('Sir Puddingham'));
    await fireEvent.click(key('Ask for this seat'));
    expect(new TextEncoder().encode(done[0]![1]['name']).length).toBeLessThanOrEqual(24);
  });
  it('shows what others have taken, in its place, and says when somebody was faster', async () => {
    const { rerender } = render(Guest, props(guestUpdate()));
    const before = screen.getAllByRole('radio').map((e) => e.textContent);
    await fireEvent.click(who('Sir Puddingham'));
    const later = guestUpdate();
    const param = later.view.offers[0]!.params![1]!;
    param.domain = param.domain!.filter((c) => c !== 'character-puddingham');
    await rerender(props(later));
    expect(screen.getAllByRole('radio').map((e) => e.textContent)).toEqual(before);
    expect(who('Sir Puddingham').disabled).toBe(true);
    expect(screen.getByRole('status').textContent).toContain('Choose another');
  });
  it('waits for the host, and may still change its mind', async () => {
    render(Guest, props(guestUpdate('Bruno', 'character-puddingham')));
    expect(screen.getByRole('status').textContent).toBe('Noted. The host only has to confirm.');
    expect(key('Change what I asked').disabled).toBe(true);
    await fireEvent.input(field(), { target: { value: 'Bruno B.' } });
    await fireEvent.click(key('Change what I asked'));
    expect(done[0]![1]['name']).toBe('Bruno B.');
  });
  it('says why it was refused', () => {
    render(Guest,
      props(guestUpdate(), { is: 'refused', act: 'sit', reject: { code: 'forbidden', rule: 'GEN-011', why: { k: 'table.guest.name' } } }));
    expect(screen.getByRole('status').textContent).toContain('already has that name');
  });
  it('escapes what was typed', () => {
    const { container } = render(Guest, props(guestUpdate('<img src=x>', 'character-puddingham')));
    expect(container.querySelector('img')).toBeNull();
    expect(field().value).toBe('<img src=x>');
  });
});

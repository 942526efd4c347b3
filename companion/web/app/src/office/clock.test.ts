import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hostUpdate } from '../dev/hosts';
import { type Row, sampleOffice } from '../dev/office';
import Console from '../host/Console.svelte';
import { language } from '../lib/language.svelte';

beforeEach(() => (language.lang = 'en'));
afterEach(cleanup);

const show = (rows: Record<string, Row>) => {
  const asked = vi.fn();
  render(Console, {
    update: hostUpdate('ill'),
    state: { is: 'idle' },
    onact: () => {},
    ondismiss: () => {},
    office: sampleOffice(rows, asked),
  });
  return asked;
};
const button = () => screen.findByRole('button', { name: language.t('host.act.clock') });

it('a clock that nobody has set takes the time of this device, at one tap, above all the rest', async () => {
  const asked = show({ clock: true, 'clock-set': () => null });
  const box = (await button()).closest('div');
  expect(box?.previousElementSibling?.className).toContain('news');
  expect(box?.textContent).toContain('Nobody has set the clock');
  await fireEvent.click(await button());
  const [row, args] = asked.mock.calls.at(-1)!;
  expect(row).toBe('clock-set');
  expect(Math.abs(Number(args.at) - Date.now())).toBeLessThan(60_000);
});

it('says beside the key why it was not set', async () => {
  show({ clock: true, 'clock-set': () => new Error('table.clock.set') });
  await fireEvent.click(await button());
  expect((await screen.findByText(language.t('table.clock.set'))).closest('div')).toBe((await button()).closest('div'));
});

it.each([[{ clock: false }], [{}]])('one that is set, or cannot be set here, is not offered: what is said of it stands with the rest',
  async (rows) => {
    show(rows);
    await tick();
    expect(screen.queryByRole('button', { name: language.t('host.act.clock') })).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: language.t('host.machine') }));
    expect(screen.getByText(/Nobody has set the clock/)).toBeTruthy();
  });

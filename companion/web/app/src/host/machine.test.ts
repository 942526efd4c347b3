import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hostUpdate } from '../dev/hosts';
import { sampleOffice } from '../dev/office';
import { language } from '../lib/language.svelte';
import type { Update } from '../lib/wire';
import Console from './Console.svelte';

beforeEach(() => (language.lang = 'en'));
afterEach(cleanup);

const show = (change: (u: Update) => void = () => {}) => {
  const update = hostUpdate('ill');
  change(update);
  render(Console, { update, state: { is: 'idle' }, onact: vi.fn(), ondismiss: vi.fn(), office: sampleOffice({ clock: true }) });
};
const news = (): string => document.querySelector('.news')?.textContent ?? '';
const fold = () => screen.queryByRole('button', { name: language.t('host.machine') });
const card = (u: Update) => u.machine!.find((t) => t.about === 'card')!;

it('each trouble leads to its place in the manual, in a tab of its own', async () => {
  show();
  await screen.findByRole('button', { name: language.t('host.act.clock') });
  await fireEvent.click(fold()!);
  const links = screen.getAllByRole<HTMLAnchorElement>('link', { name: language.t('host.manual.at') });
  expect(links.map((a) => a.getAttribute('href'))).toEqual([
    '/help/en/trouble.html#disk',
    '/help/en/trouble.html#card-file',
    '/help/en/trouble.html#date',
    '/help/en/trouble.html#heat',
  ]);
  expect(links.every((a) => a.target === '_blank')).toBe(true);
});

it('a card that is not understood stands among the news before the game, and with the rest in it', async () => {
  let said = '';
  show((u) => (said = card(u).said.en));
  expect(news()).toContain(said);
  await fireEvent.click(fold()!);
  expect(screen.getAllByText(new RegExp(said.slice(0, 30)))).toHaveLength(1);
  cleanup();
  show((u) => (u.view = { ...hostUpdate('running').view, game: u.view.game }));
  expect(news()).not.toContain(said);
});

it('counts no things where some stand for several', () => {
  show();
  expect(fold()?.textContent).not.toMatch(/\d/);
});

it('which version this is stands at its foot, with the way to what is new', () => {
  show();
  const last = [...document.querySelectorAll('main a')].at(-1);
  expect(last?.textContent).toMatch(/Majordome \d+\.\d+/);
  expect(last?.getAttribute('href')).toBe('/help/en/changes.html');
});

it('what has to be installed stands in the fold, with its command, in the language of the page', async () => {
  const missing = {
    about: 'home',
    state: 'warning' as const,
    said: { fr: 'Le serveur MQTT ne marche pas.', en: 'The MQTT broker does not run.' },
    fix: { fr: 'Il lui faut Mosquitto : sudo apt install mosquitto', en: 'It needs Mosquitto: sudo apt install mosquitto' },
    help: 'house#nothing',
  };
  for (const lang of ['fr', 'en'] as const) {
    language.lang = lang;
    show((u) => (u.machine = [missing]));
    await fireEvent.click(fold()!);
    expect(screen.getByText(missing.said[lang]).textContent).toContain(missing.fix[lang]);
    expect(document.querySelector(`a[href="/help/${lang}/house.html#nothing"]`)).not.toBeNull();
    cleanup();
  }
});

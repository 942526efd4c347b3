import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Row, sampleOffice } from '../dev/office';
import type { Enrolling } from '../gen/wire';
import { language } from '../lib/language.svelte';
import type { Args } from '../lib/wire';
import { loadWords, loadAllRooms, formatSentence } from '../lib/words';
import type { Key } from '../lib/words';
import Enrol from './Enrol.svelte';
import EnrolList from './EnrolList.svelte';
import { cardName, lastWords } from './enrol';

beforeAll(async () => {
  loadAllRooms();
  await loadWords('fr');
  await loadWords('en');
});

const voice = {
  lang: 'fr' as const,
  label: (id: string) => (id === 'weapon-corde' ? 'Corde' : id === 'suspect-rose' ? 'Rose' : id),
  t: (key: Key, args: Record<string, string | number> = {}) =>
    formatSentence('fr', key, Object.fromEntries(Object.entries(args).map(([k, v]) => [k, String(v)])),
      (id) => (id === 'suspect-rose' ? 'Rose' : id)),
};

describe('an enrolment', () => {
  it('calls cards, pawns and control cards by their names', () => {
    expect(cardName(voice, 'weapon-corde')).toBe('Corde');
    expect(cardName(voice, 'pawn-suspect-rose')).toBe('Pion\u00a0: Rose');
    expect(cardName(voice, 'pause')).toBe('Carte de commande\u00a0: pause, et reprise');
  });
  it('says what became of the last tag', () => {
    const e = (over: Partial<Enrolling>): Enrolling => ({
      list: 'cards',
      need: 1,
      cards: [],
      may: [],
      tagged: 0,
      of: 1,
      short: [],
      ...over,
    });
    expect(lastWords(voice, e({}))).toBe('');
    expect(lastWords(voice, e({ last: 'kept', card: 'weapon-corde' }))).toBe('Puce enregistrée\u00a0: Corde');
    expect(lastWords(voice, e({ last: 'unfit', why: { fr: 'non', en: 'no' } }))).toBe('non');
    expect(lastWords(voice, e({ last: 'unknown', tag: '04AA' }))).toContain('04AA');
  });
});

describe('the list of all tags', () => {
  const rows = (read: () => unknown, taken: unknown[] = []): Record<string, Row> => ({
    'enrol-list': () => ({ file: 'majordome-cards.txt', text: '04AA, weapon-corde\n' }),
    'enrol-read': read,
    'enrol-take': (args: Args) => {
      taken.push(args['text']);
      return null;
    },
  });
  async function page(all: Record<string, Row>): Promise<void> {
    language.lang = 'en';
    URL.createObjectURL = () => 'blob:list';
    URL.revokeObjectURL = () => {};
    render(EnrolList, { office: sampleOffice(all), list: 'cards' });
    await fireEvent.click(screen.getByRole('button', { name: language.t('host.enrol.list') }));
  }
  const paste = async (text: string): Promise<void> => {
    await fireEvent.input(screen.getByRole('textbox', { name: language.t('host.enrol.list.paste') }), { target: { value: text } });
    await fireEvent.click(screen.getByRole('button', { name: language.t('host.enrol.list.read') }));
  };
  const take = (): HTMLElement | null => screen.queryByRole('button', { name: language.t('host.enrol.list.take') });
  afterEach(cleanup);

  it('is shown to the host who asks for it, as a file', async () => {
    await page(rows(() => null));
    await fireEvent.click(screen.getByRole('button', { name: language.t('host.enrol.list.show') }));
    const link = await screen.findByRole('link', { name: language.t('host.enrol.list.save') });
    expect(link.getAttribute('download')).toBe('majordome-cards.txt');
  });
  it('is judged before it is taken', async () => {
    const taken: unknown[] = [];
    await page(rows(() => ({ new: 1, same: 0, moved: 0 }), taken));
    await paste('04AA, weapon-corde');
    await fireEvent.click(await screen.findByText(language.t('host.enrol.list.take')));
    expect(taken).toEqual(['04AA, weapon-corde']);
    await vi.waitFor(() => expect(take()).toBeNull(), 20_000);
  });
  it('with a fault is not taken', async () => {
    await page(rows(() => ({ new: 0, same: 0, moved: 0, faults: [{ line: 3, said: { fr: 'non', en: 'no' } }] })));
    await paste('x');
    expect((await screen.findByRole('alert')).textContent).toContain('3');
    expect(take()).toBeNull();
  });
  it('that is too long is not sent', async () => {
    await page(rows(() => {
      throw new Error('sent');
    }));
    await paste('é'.repeat(20_000));
    expect((await screen.findByRole('alert')).textContent).toBe(language.t('table.paste.long'));
  });
  it('can be pasted by the owner alone', async () => {
    const { 'enrol-take': _, ...all } = rows(() => null);
    await page(all);
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

it('who may not enrol sees that an enrolment is open, and no key', async () => {
  language.lang = 'en';
  const open: Enrolling = {
    list: 'cards',
    need: 1,
    cards: ['weapon-corde'],
    may: ['skip', 'undo'],
    tagged: 0,
    of: 1,
    short: ['weapon-corde'],
    asked: 'weapon-corde',
  };
  const view = render(Enrol, { office: sampleOffice({ enrol: null }), enrol: open });
  expect(screen.getByRole('heading', { name: language.t('host.enrol.cards') })).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  view.unmount();
  render(Enrol, { office: sampleOffice({ enrol: null, 'enrol-do': null }), enrol: open });
  expect(screen.getByRole('button', { name: language.t('host.enrol.end') })).toBeTruthy();
  cleanup();
});

import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hostUpdate } from '../dev/hosts';
import { sampleOffice } from '../dev/office';
import { language } from '../lib/language.svelte';
import type { Settings as Shown } from '../lib/wire';
import Settings from './Settings.svelte';

beforeEach(() => {
  language.lang = 'en';
});
afterEach(cleanup);

const page = (settings: Partial<Shown>): string => {
  const update = hostUpdate('empty');
  render(Settings, {
    update,
    office: sampleOffice({}),
    settings: { wrong: 0, ...settings },
    onshown: () => {},
    onclose: () => {},
  });
  return [...document.querySelectorAll('code')].map((c) => c.textContent).filter((c) => c?.startsWith('hotspot')).join(' ');
};

it('a Wi-Fi that this machine cannot make is not offered', () => expect(page({})).toBe(''));

it('what is set of one is seen, with why it does nothing', () => {
  const said = { en: 'This machine makes none.', fr: 'Cette machine n’en fait pas.' };
  expect(
    page({
      values: [{ path: 'hotspot', value: 'always' }],
      notes: [{ about: 'hotspot', state: 'note', where: 'hotspot', said, fix: { en: '', fr: '' } }],
    }),
  ).toBe('hotspot');
  expect(screen.getByRole('combobox', { name: /^hotspot/, description: /This machine makes none\./ })).toBeTruthy();
});

it('who changes it reads beside it whom that cuts off', () => {
  const said = { en: 'Whoever has joined is cut off.', fr: 'Qui l’a rejoint est coupé.' };
  const fix = { en: 'Join “Salon” then.', fr: 'Rejoignez « Salon ».' };
  expect(
    page({
      hotspot: true,
      changes: 1,
      values: [{ path: 'hotspot_name', value: 'Salon' }],
      notes: [{ about: 'hotspot', state: 'note', where: 'hotspot_name', said, fix }],
    }),
  )
    .toBe('hotspot hotspot_name hotspot_password hotspot_country');
  expect(screen.getByRole('textbox', { name: /^hotspot_name/, description: /Whoever has joined is cut off\. Join “Salon” then\./ }))
    .toBeTruthy();
});

import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hostUpdate } from '../dev/hosts';
import { sampleOffice } from '../dev/office';
import { language } from '../lib/language.svelte';
import { explainValue, keyOf, LISTS } from './settings';
import Settings from './Settings.svelte';

beforeEach(() => {
  language.lang = 'en';
});
afterEach(cleanup);

it('a reader is called by what it is for, and each kind of device says what it is', () => {
  const update = hostUpdate('empty');
  const values = [{ path: 'readers[0].role', value: 'urn' }, { path: 'readers[0].spi', value: 'SPI1.0' }];
  render(Settings, {
    update,
    office: sampleOffice({}),
    settings: { wrong: 0, values },
    onshown: () => {},
    onclose: () => {},
  });
  expect(screen.getByRole('button', { name: 'Reader of the urn · mfrc522 · SPI1.0' })).toBeTruthy();
  expect(screen.getAllByRole('option', { name: 'serial · USB reader that prints lines' }).length).toBeGreaterThan(0);
  for (const list of LISTS) {
    const items = keyOf(list).items!;
    for (const kind of (items.find((k) => k.name === 'chip') ?? items.find((k) => k.name === 'role'))!.words!) {
      expect(explainValue(language, kind), `${kind} has no words of its own: host.set.is.${kind}`).not.toBe(kind);
    }
  }
});

import { expect, it } from 'vitest';
import fr from '../../../../../engine/words/fr.json?all';
import { PAUSES, PLACES } from './manual';

const manual = import.meta.glob<string>('../../../manual/*/*.md', { query: '?raw', import: 'default', eager: true });

it('every place is in the manual, in both languages', () => {
  for (const place of [...Object.values(PLACES), ...Object.values(PAUSES)]) {
    const [page, id] = place.split('#');
    for (const lang of ['fr', 'en']) {
      expect(manual[`../../../manual/${lang}/${page}.md`], `${lang}/${place}`).toContain(`<a id="${id}"></a>`);
    }
  }
});

it('every pause has a place, but for those that somebody wanted, and what is lost, which has a box of its own', () => {
  const wanted = ['alarm', 'held', 'host', 'house', 'lost', 'time'].map((k) => `table.paused.${k}`);
  const pauses = Object.keys(fr).filter((key) => key.startsWith('table.paused.'));
  expect([...Object.keys(PAUSES), ...wanted].sort()).toEqual(pauses.sort());
});

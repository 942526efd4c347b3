import { expect, it } from 'vitest';
import { lostReaders } from './readers';

it('names lost readers as people count', () => {
  const readers = { 'place-10': 'lost', 'place-2': 'lost', urn: 'here', 'place-1': 'lost' } as const;
  expect(lostReaders({ table: { readers } } as unknown as Parameters<typeof lostReaders>[0])).toEqual(['place-1', 'place-2', 'place-10']);
});

import type { HostPart } from '../parts';

export const part: HostPart = {
  least: 2,
  first: (view) => view.offers.some((o) => o.act === 'first'),
  after: {},
  cards: 'host.custody.count',
};

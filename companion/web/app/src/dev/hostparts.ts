// The parts of samples of the host that no game gives.
import type { Enrol, Enrolling } from '../gen/wire';
import type { Offer, Param, Update } from '../lib/wire';
import { names } from './fixtures';
import { host } from './samples';

const ids = (kind: string): string[] => names.filter((n) => n.kind === kind).map((n) => n.id);
export const cards = [...ids('weapon'), ...ids('clue')];
export const param = (name: string, kind: string, domain: string[]): Param => ({ name, kind, domain });
export const aside = (act: string): Offer => ({ act, rule: 'GEN-001', aside: true });

/** The office's value for an enrolment before a game, or for one of a spare card in it. */
export const enrolling = (over: Partial<Enrolling>, ...may: string[]): Enrol => ({
  lists: [over.list ?? 'cards'],
  blank: false,
  open: { list: 'cards', need: 1, cards, may, tagged: 9, of: 39, short: cards.slice(3), asked: cards[3]!, next: cards[4]!, ...over },
});

/** A table that waits for its host because something is missing. */
export function lost(backups: string[]): Update {
  const u = host['act']!();
  u.paused = { k: 'table.paused.lost' };
  u.lost = [
    { k: 'table.lost.steps', a: { game: '12', from: '57', to: '150', since: '2026-11-22 21:14:03', until: '2026-11-22 21:40:51' } },
    { k: 'table.lost.tags', a: { n: '2' } },
  ];
  u.view.offers = [{ act: 'go-on', rule: 'GEN-001', grave: true }];
  if (backups.length > 0) u.view.offers.push({ act: 'restore', rule: 'GEN-001', grave: true, params: [param('backup', 'value', backups)] });
  return u;
}

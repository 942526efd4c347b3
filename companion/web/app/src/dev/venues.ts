// Sample venues of any number of tables, as the console's row "tables".
import type { Venue, VenueTable } from '../lib/wire';

const GAMES = [['huis-clos', 'Huis Clos', 'investigation', 6], ['cluedo-2008', 'Cluedo', 'turn', 8], ['super-cluedo', 'Super Cluedo',
  'turn', 0]] as const;

/** A venue of n tables, of which some want a person. */
export function venueOf(n: number, now = Date.now()): Venue {
  const all = Array.from({ length: n }, (_, i): VenueTable => {
    const [game, title, phase, of] = GAMES[i % 3]!;
    const state = i % 11 === 4 ? 'lobby' : i % 13 === 6 ? 'over' : phase;
    return {
      name: n > 40 ? `t${i + 1}` : `salle-${i + 1}`,
      online: true,
      page: `http://192.168.1.${20 + (i % 200)}`,
      game,
      title: { fr: title, en: title },
      phase: state,
      players: 4 + (i % 5),
      commands: true,
      groups: [i % 2 ? 'Étage' : 'Rez-de-chaussée'],
      ...(state === phase
        ? { at: 1 + (i % 6), ...(of ? { of } : {}), turn: ['Ada'], count: i % 2 === 0, ends: now + 600_000 + i * 10_000 }
        : {}),
      ...(state === 'over' ? { winners: ['Basile'] } : {}),
    };
  });
  const wants = (i: number, more: Partial<VenueTable>): void => void (all[i] && (all[i] = { ...all[i]!, ...more }));
  wants(7, { needs: ['alarm', 'paused'], paused: true, since: now - 65_000 });
  wants(2, { needs: ['reader', 'phone'], lost: ['urn'], away: ['Élise'], since: now - 240_000 });
  wants(0, {
    needs: ['over'],
    over: true,
    count: true,
    left: 0,
    since: now - 30_000,
    act: { round: 1, act: 'pause', by: 'Odile', state: 'done' },
  });
  wants(9, { needs: ['line'], online: false, since: now - 900_000 });
  wants(5, { online: false, phase: 'lobby', since: now - 5_000_000 });
  const wanting = [7, 2, 0, 9].flatMap((i) => all[i] ?? []);
  return { online: true, all: [...wanting, ...all.filter((t) => !wanting.includes(t))] };
}

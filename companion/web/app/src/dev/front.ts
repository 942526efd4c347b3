// Samples of the front page: an end with its story. front-8-5 is Huis Clos with eight players of whom five die in one
// round, c-front-10 a Cluedo with ten.
import { HapAccused, HapAsked, HapCrime, HapDied, HapMoved, HapOpened, HapOver, HapRound, HapTurn, SupAlone, SupKnew, SupNearest, SupShown,
  SupSuspected, SupWandered } from '../gen/engine';
import { type Happening, type Story, type Update, WIRE_VERSION } from '../lib/wire';
import { clueSamples } from './clue';
import { places, seats, update } from './fixtures';

const LONG = ['Barthélemy-François', 'Maximilienne', 'Jean-Christophe B.', 'Wilhelmine'];
const ROOMS = places([]).map((p) => p.place);

export const frontSamples = [...[2, 3, 4, 5, 6, 7, 8].flatMap((n) => [`front-${n}-1`, `front-${n}-${n}`]), 'c-front-2', 'c-front-6',
  'c-front-10'];

interface Sample {
  update: Update;
  story: Story;
}

/** The update and the story of a sample; undefined if it is none of these. */
export function frontOf(sample: string): Sample | undefined {
  const [, cluedo, n = 0, dead = 0] = /^(c-)?front-(\d+)(?:-(\d+))?$/.exec(sample) ?? [];
  if (Number(n) === 0) return undefined;
  return cluedo === undefined ? murder(Number(n), Number(dead)) : solved(Number(n));
}

const story = (game: string, happened: Omit<Happening, 'n'>[], over: Partial<Story>): Story => ({
  v: WIRE_VERSION,
  game,
  happened: happened.map((h, i) => ({ ...h, n: i + 1 })),
  held: [],
  evening: { team: 'Les Détectives du vendredi soir', played: 4_380_000, hints: 2 },
  ...over,
});

function murder(n: number, dead: number): Sample {
  const u = update({
    phase: 'over',
    active: [],
    result: { rule: 'HC-151', winners: [n], msg: { k: 'hc.over.innocents-dead', a: { seat: `seat-${n}` } } },
  }, n);
  const all = seats(n);
  u.view.seats = all.map((s) => ({
    ...s,
    name: s.seat % 2 === 0 ? LONG[s.seat / 2 - 1]! : s.name,
    alive: s.seat > dead,
    role: s.seat === n ? 'role-murderer' : `role-innocent-${s.seat}`,
  }));
  const move = (seat: number, place: string): Omit<Happening, 'n'> => ({ what: HapMoved, seat, place });
  const there = ROOMS[n > 4 ? 3 : 2]!;
  const happened = [
    { what: HapRound, seat: 1 },
    ...all.map((s) => move(s.seat, s.place!)),
    { what: HapOpened, seat: 1, cards: ['weapon-tisonnier'] },
    { what: HapRound, seat: 2 },
    ...all.map((s) => move(s.seat, s.seat <= dead ? (s.seat <= 5 ? there : ROOMS[0]!) : s.place!)),
    { what: HapOpened, seat: 1, cards: ['weapon-tisonnier'] },
    { what: HapCrime, place: there, cards: ['weapon-tisonnier'] },
    ...all.filter((s) => s.seat <= Math.min(5, dead)).map((s) => ({
      what: HapDied,
      seat: s.seat,
      place: there,
      cards: [`role-innocent-${s.seat}`],
    })),
    ...(dead > 5
      ? [
        { what: HapCrime, place: ROOMS[0]!, cards: ['weapon-corde'] },
        ...all.filter((s) => s.seat > 5 && s.seat <= dead).map((s) => ({
          what: HapDied,
          seat: s.seat,
          place: ROOMS[0]!,
          cards: ['role-innocent-1'],
        })),
      ]
      : []),
    { what: HapOver },
  ];
  return {
    update: u,
    story: story('huis-clos', happened, {
      fatal: happened.length - 1,
      fatalAt: 2_560_000,
      superlatives: [
        { what: SupSuspected, seats: n > 4 ? [2, 4, 6].filter((x) => x <= n) : [2], n: 3 },
        { what: SupKnew, seats: [1], n: 2 },
        { what: SupAlone, seats: n > 3 ? [2, 3] : [1], n: 1 },
      ],
    }),
  };
}

function solved(n: number): Sample {
  const u = clueSamples[n > 6 ? 'c-ten' : 'c-win']!();
  u.view.seats = u.view.seats.slice(0, n);
  const cards = u.view.result!.solution!;
  const rooms = u.view.places.map((p) => p.place).filter((p) => p !== 'pool');
  const happened = [
    ...u.view.seats.flatMap((s, i) => [
      { what: HapTurn, seat: s.seat },
      { what: HapMoved, seat: s.seat, place: rooms[i % rooms.length]! },
      { what: HapAsked, seat: s.seat, cards },
    ]),
    { what: HapTurn, seat: 2 },
    { what: HapAccused, seat: 2, cards },
    { what: HapOver },
  ];
  return {
    update: u,
    story: story(u.view.game, happened, {
      fatal: happened.length - 1,
      fatalAt: 59_000,
      superlatives: [
        { what: SupNearest, seats: [2], n: 2, at: 4 },
        { what: SupShown, seats: n > 3 ? [1, 3] : [1], n: 7 },
        { what: SupWandered, seats: [2], n: 6 },
      ],
    }),
  };
}

/** From now on the daemon answers with the story of this sample, or with none; returns a function that ends this. */
export function serveStory(sample: string): () => void {
  const shown = frontOf(sample)?.story;
  const get = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    input === '/story.json' ? Promise.resolve(shown ? Response.json(shown) : new Response('', { status: 404 })) : get(input, init);
  return () => void (globalThis.fetch = get);
}

// Whole games with random acts (.ci/evenings): the explanations on the phone of each seat, for people who read them
// at once, later or never, and who reload the page in the middle.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lessonsOf } from '../games/lessons';
import { HapClue, HapCrime, HapDrew, HapMoved, HapMurdered, HapShown, HapStruck, HapUnrefuted, HapWrong, StepAct, StepAnswer, StepClue,
  StepDraw, StepLook, StepMove, StepSpy, StepStart } from '../gen/engine';
import { happenedSince } from '../lib/happened';
import { loadLessons, type Lessons } from '../lib/lessons';
import { type Happening, MoodDuel, readUpdate, type View, WIRE_VERSION } from '../lib/wire';
import { Tutor } from './tutor.svelte';

/** The number of games of each kind: enough for all explanations to come. */
const GAMES = { 'huis-clos': 20, 'cluedo-2008': 6, 'super-cluedo': 40, 'cluedo-classic': 10 };

// In a variable, because the type check of the pages does not know Node's modules.
const node = 'node:child_process';
interface Processes {
  execFileSync(file: string, args: readonly string[], options: object): string;
}

let texts: Lessons;
let played: View[][];
beforeAll(async () => {
  texts = await loadLessons('fr');
  const { execFileSync } = (await import(/* @vite-ignore */ node)) as Processes;
  const lines = execFileSync('go', ['run', './.ci/evenings', ...Object.entries(GAMES).map(([game, n]) => `${game}=${n}`)], {
    cwd: '../../..',
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  played = lines.trim().split('\n').map((line) =>
    (JSON.parse(line) as unknown[]).map((view) => readUpdate({ v: WIRE_VERSION, view }).view)
  );
});
afterAll(() => void vi.unstubAllGlobals());

/** A phone: the storage of its browser, and the open page. */
class Phone {
  readonly #kept = new Map<string, string>();
  tutor: Tutor;
  constructor(readonly seat: number) {
    this.tutor = this.open();
  }
  open(): Tutor {
    this.here();
    return (this.tutor = new Tutor());
  }
  here(): void {
    vi.stubGlobal('localStorage', {
      getItem: (k: string) => this.#kept.get(k) ?? null,
      setItem: (k: string, v: string) => void this.#kept.set(k, v),
      removeItem: (k: string) => void this.#kept.delete(k),
    });
  }
  hear(view: View): string {
    this.here();
    this.tutor.hear(view, this.seat, (key) => lessonsOf(view).games(view).some((g) => texts[g]?.[key] !== undefined));
    return view.phase === 'lobby' ? '' : this.tutor.shown;
  }
  read(key: string): string {
    this.here();
    this.tutor.read(key);
    return this.tutor.shown;
  }
}

/** Random numbers (mulberry32) from 0 to below - 1, the same for the same seed. */
function random(seed: number): (below: number) => number {
  let s = seed;
  return (below) => {
    s = (s + 0x6d2b79f5) | 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** Reports whether the moment of an explanation has come. */
type Moment = (seat: number, view: View, news: readonly Happening[]) => boolean;

const mine = (seat: number, view: View): boolean => view.active.includes(seat);
const lives = (seat: number, view: View): boolean => view.seats.some((s) => s.seat === seat && s.alive && !s.out) && !view.result;
const at = (phase: string): Moment => (seat, view) => view.phase === phase && lives(seat, view);
const came = (what: string): Moment => (_, __, news) => news.some((h) => h.what === what);
const prompted = (...keys: string[]): Moment => (seat, view) =>
  mine(seat, view) && lives(seat, view) && keys.includes(view.prompt.k.split('.')[2]!);
const step = (...steps: string[]): Moment => (seat, view) =>
  view.case?.turn === seat && lives(seat, view) && steps.includes(view.case.step);
const place = (seat: number, view: View): string | undefined => view.seats.find((s) => s.seat === seat)?.place;
const pooled = (seat: number, view: View): boolean => place(seat, view) === 'pool';

const HUIS_CLOS: Record<string, Moment> = {
  roles: at('roles'),
  pick: at('pick'),
  urn: at('deposit'),
  recover: at('recovery'),
  move: prompted('move'),
  search: prompted('take'),
  exchange: prompted('draw'),
  destroy: prompted('settle', 'finish'),
  observe: (seat, view) =>
    view.prompt.k.startsWith('hc.prompt.window') && !mine(seat, view) && lives(seat, view) &&
    place(seat, view) === place(view.active[0]!, view),
  accuse: (seat, view) => view.clock.open && lives(seat, view),
  duel: (seat, view) => view.mood === MoodDuel && lives(seat, view),
  death: (seat, view) => !view.result && view.seats.some((s) => s.seat === seat && !s.alive),
  weapon: came(HapCrime),
  wrong: came(HapWrong),
};

const CLUEDO: Record<string, Moment> = {
  notes: (seat, view) => !['lobby', 'dealing'].includes(view.phase) && view.seats.some((s) => s.cards > 0) && lives(seat, view),
  move: step(StepStart, StepMove),
  draw: step(StepDraw),
  spy: step(StepSpy),
  look: (seat, view) => step(StepLook)(seat, view, []) && !pooled(seat, view),
  hypothesis: (seat, view) => step(StepAct)(seat, view, []) && !pooled(seat, view),
  pool: (seat, view) => step(StepLook, StepAct)(seat, view, []) && pooled(seat, view),
  asked: (seat, view) => view.case?.step === StepAnswer && mine(seat, view) && lives(seat, view),
  clue: (seat, view, news) => step(StepClue)(seat, view, news) || came(HapClue)(seat, view, news),
  seen: (seat, _, news) => news.some((h) => h.what === HapShown && h.other === seat),
  butler: (seat, _, news) => news.some((h) => h.what === HapDrew && h.seat === seat),
  displaced: (seat, view, news) => news.some((h) => h.what === HapMoved && h.seat === seat && view.case?.turn !== seat),
  death: (seat, _, news) => news.some((h) => h.what === HapMurdered && h.seat === seat),
  nobody: came(HapUnrefuted),
  time: came(HapStruck),
  wrong: came(HapWrong),
};

const moments = (game: string): Record<string, Moment> => (game === 'huis-clos' ? HUIS_CLOS : CLUEDO);

/** The explanations of a game. */
const explained = (view: View): string[] =>
  Object.keys(moments(view.game)).filter((key) => lessonsOf(view).games(view).some((g) => texts[g]?.[key] !== undefined));

describe.each(Object.keys(GAMES))('a whole evening of %s', (game) => {
  const evenings = () => played.filter((views) => views[0]!.game === game);
  const seats = (views: View[]) => views.at(-1)!.seats.map((s) => s.seat);
  const say = (i: number, seat: number, view: View, key: string) =>
    `${game}, step ${i}, seat ${seat}, ${view.phase} ${view.case?.step ?? view.prompt.k}: ${key}`;

  it('explains to who reads at once each first time in its moment, and once', () => {
    const told = new Set<string>();
    const all = explained(evenings()[0]![0]!);
    const faults: string[] = [];
    for (const views of evenings()) {
      for (const seat of seats(views)) {
        const phone = new Phone(seat);
        const known = new Set<string>();
        views.forEach((view, i) => {
          const news = happenedSince(views[i - 1], view);
          const due = new Set(all.filter((key) => view.phase !== 'lobby' && !known.has(key) && moments(game)[key]!(seat, view, news)));
          for (let key = phone.hear(view); key !== ''; key = phone.read(key)) {
            if (known.has(key)) faults.push(say(i, seat, view, `${key} once more`));
            if (!due.delete(key)) faults.push(say(i, seat, view, `${key} out of its moment`));
            known.add(key);
          }
          for (const key of due) faults.push(say(i, seat, view, `no ${key}`));
        });
        for (const key of known) told.add(key);
      }
    }
    expect(faults).toEqual([]);
    expect([...told].sort()).toEqual(all.sort());
  });

  // People who read after a while or not at all, reloads, and one person who switches the explanations off.
  it('comes back to nobody, over a reload too, and leaves alone who switches it off, and no one else', () => {
    const faults: string[] = [];
    const after = { read: 0, left: 0, reload: 0, off: 0 };
    evenings().forEach((views, n) => {
      for (const seat of seats(views)) {
        const dice = random(n * 100 + seat);
        const phone = new Phone(seat);
        const done = new Set<string>();
        const patience = dice(8); // steps; 7 never taps
        let [shown, since, off] = ['', 0, false];
        views.forEach((view, i) => {
          if (!off && n % 2 === 1 && seat === 1 && i === Math.round(views.length / 3)) {
            phone.here();
            phone.tutor.off = off = true;
            after.off++;
          }
          if (dice(25) === 0) {
            phone.open();
            shown = ''; // an explanation that was not dismissed may come again
            after.reload++;
          }
          let key = phone.hear(view);
          if (off && key !== '') faults.push(say(i, seat, view, `${key}, though it is switched off`));
          if (shown !== '' && key !== shown && key !== '' && !lessonsOf(view).lasting.includes(shown)) {
            done.add(shown); // another one has replaced it
            after.left++;
          }
          if (key !== shown) since = i;
          if (key !== '' && patience < 7 && i - since >= patience) {
            done.add(key);
            after.read++;
            key = phone.read(key);
            since = i;
          }
          if (done.has(key)) faults.push(say(i, seat, view, `${key} once more`));
          shown = key;
        });
      }
    });
    expect(faults).toEqual([]);
    expect(Object.entries(after).filter(([, times]) => times === 0)).toEqual([]);
  });
});

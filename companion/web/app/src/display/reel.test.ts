import { describe, expect, it } from 'vitest';
import { evening } from '../dev/evening';
import { Reel, type Ticker } from './reel.svelte';
import { FIRST } from './scene';

class Hand implements Ticker {
  at = 0;
  due: { at: number; then: () => void }[] = [];
  now(): number {
    return this.at;
  }
  after(ms: number, then: () => void): () => void {
    const one = { at: this.at + ms, then };
    this.due.push(one);
    return () => (this.due = this.due.filter((d) => d !== one));
  }
  to(at: number): void {
    for (;;) {
      const next = this.due.filter((d) => d.at <= at).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.due = this.due.filter((d) => d !== next);
      this.at = next.at;
      next.then();
    }
    this.at = at;
  }
}

const begin = () => {
  const hand = new Hand();
  const reel = new Reel(hand);
  reel.take(evening['shut']!());
  const crime = evening['crime']!();
  reel.take(crime);
  return { hand, reel, crime };
};

describe('a reel', () => {
  it('shows the first update as it stands', () => {
    const reel = new Reel(new Hand());
    const crime = evening['crime']!();
    reel.take(crime);
    expect(reel.frame).toEqual({ update: crime });
  });
  it('plays a scene to its end and rests', () => {
    const { hand, reel, crime } = begin();
    expect(reel.frame?.update.view.shown).toEqual([]);
    hand.to(FIRST);
    expect(reel.frame?.playing?.moment.blow?.place).toBe('place-salon');
    hand.to(60_000);
    expect(reel.frame).toEqual({ update: crime });
    expect(hand.due).toEqual([]);
  });
  it('ends it early when the game goes on', () => {
    const { hand, reel, crime } = begin();
    hand.to(FIRST);
    const next = { ...crime, rev: 9, view: { ...crime.view, happened: [...crime.view.happened, { n: 99, what: 'recovered', seat: 4 }] } };
    reel.take(next);
    expect(reel.frame).toEqual({ update: next });
    expect(hand.due).toEqual([]);
  });
  it('plays on when a phone comes, and knows of it', () => {
    const { hand, reel, crime } = begin();
    hand.to(FIRST);
    reel.take({ ...crime, rev: 9, table: { ...crime.table, online: [4] } });
    expect(reel.frame?.playing?.moment.blow?.place).toBe('place-salon');
    expect(reel.frame?.update.table.online).toEqual([4]);
  });
});

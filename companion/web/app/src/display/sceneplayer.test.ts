import { describe, expect, it } from 'vitest';
import { samples } from '../dev/fixtures';
import { ScenePlayer, type Ticker } from './sceneplayer.svelte';
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
  const scenePlayer = new ScenePlayer(hand);
  scenePlayer.take(samples['shut']!());
  const crime = samples['crime']!();
  scenePlayer.take(crime);
  return { hand, scenePlayer, crime };
};

describe('a scene player', () => {
  it('shows the first update as it stands', () => {
    const scenePlayer = new ScenePlayer(new Hand());
    const crime = samples['crime']!();
    scenePlayer.take(crime);
    expect(scenePlayer.frame).toEqual({ update: crime });
  });
  it('plays a scene to its end and rests', () => {
    const { hand, scenePlayer, crime } = begin();
    expect(scenePlayer.frame?.update.view.shown).toEqual([]);
    hand.to(FIRST);
    expect(scenePlayer.frame?.playing?.moment.blow?.place).toBe('place-salon');
    hand.to(60_000);
    expect(scenePlayer.frame).toEqual({ update: crime });
    expect(hand.due).toEqual([]);
  });
  it('ends it early when the game goes on', () => {
    const { hand, scenePlayer, crime } = begin();
    hand.to(FIRST);
    const next = { ...crime, rev: 9, view: { ...crime.view, happened: [...crime.view.happened, { n: 99, what: 'recovered', seat: 4 }] } };
    scenePlayer.take(next);
    expect(scenePlayer.frame).toEqual({ update: next });
    expect(hand.due).toEqual([]);
  });
  it('ends it early when the host does', () => {
    const { hand, scenePlayer, crime } = begin();
    hand.to(FIRST);
    const cut = { ...crime, rev: 9, cut: crime.view.happened.at(-1)!.n };
    scenePlayer.take(cut);
    expect(scenePlayer.frame).toEqual({ update: cut });
    expect(hand.due).toEqual([]);
  });
  it('plays on when a phone comes, and knows of it', () => {
    const { hand, scenePlayer, crime } = begin();
    hand.to(FIRST);
    scenePlayer.take({ ...crime, rev: 9, table: { ...crime.table, online: [4] } });
    expect(scenePlayer.frame?.playing?.moment.blow?.place).toBe('place-salon');
    expect(scenePlayer.frame?.update.table.online).toEqual([4]);
  });
});

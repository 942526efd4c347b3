import { beforeEach, describe, expect, it } from 'vitest';
import type { Lang } from '../lib/words';
import { Announcer, LONGEST, type Stand, WAITING, readingTime } from './announcer.svelte';

/** speechSynthesis of a browser, by hand. */
class Speaker {
  spoken: string[] = [];
  langs: string[] = [];
  voices: string[] = ['fr-FR', 'en-GB'];
  now: SpeechSynthesisUtterance | undefined;
  speak(u: SpeechSynthesisUtterance): void {
    this.spoken.push(u.text);
    this.langs.push(u.lang);
    this.now = u;
  }
  cancel(): void {
    this.now = undefined;
  }
  getVoices(): SpeechSynthesisVoice[] {
    return this.voices.map((lang) => ({ lang, name: lang }) as SpeechSynthesisVoice);
  }
  end(): void {
    const u = this.now!;
    this.now = undefined;
    u.onend?.(new Event('end') as SpeechSynthesisEvent);
  }
}

class Page implements Stand {
  synth: Speaker | undefined = new Speaker();
  was = false;
  timers: { ms: number; then: () => void }[] = [];
  utter = (text: string) => ({ text, lang: '', onend: null, onerror: null }) as unknown as SpeechSynthesisUtterance;
  touched = () => this.was;
  after(ms: number, then: () => void): () => void {
    const one = { ms, then };
    this.timers.push(one);
    return () => (this.timers = this.timers.filter((t) => t !== one));
  }
  /** Lets the timer of ms run out. */
  pass(ms: number): void {
    const due = this.timers.find((t) => t.ms === ms)!;
    this.timers = this.timers.filter((t) => t !== due);
    due.then();
  }
}

const texts = (...all: string[]) => all.map((text) => ({ text }));
const open = (lang: Lang = 'fr', page = new Page()) => {
  const announcer = new Announcer(page);
  announcer.speak(lang);
  return { page, announcer };
};

beforeEach(() => localStorage.clear());

describe('the voice', () => {
  it('is silent until it is asked for; captions come anyway', () => {
    const { page, announcer } = open();
    announcer.touch();
    announcer.announce(texts('Tour 1'));
    expect([announcer.hush, announcer.caption, page.synth!.spoken]).toEqual(['off', 'Tour 1', []]);
  });
  it('speaks one after the other, in the language of the page', () => {
    const { page, announcer } = open('en');
    announcer.toggle();
    announcer.announce(texts('one', 'two'));
    expect(page.synth!.spoken).toEqual(['one']);
    page.synth!.end();
    expect([page.synth!.spoken, page.synth!.langs[1], announcer.caption]).toEqual([['one', 'two'], 'en-GB', 'two']);
  });
  it('is remembered, yet waits for a touch after a reload', () => {
    open().announcer.toggle();
    const { page, announcer } = open();
    announcer.announce(texts('one'));
    expect([announcer.hush, page.synth!.spoken]).toEqual(['armed', []]);
    announcer.touch();
    announcer.announce(texts('two'));
    page.pass(readingTime('one'));
    expect([announcer.hush, page.synth!.spoken]).toEqual(['on', ['two']]);
  });
  it('is off by one tap, at once', () => {
    const { page, announcer } = open();
    announcer.toggle();
    announcer.announce(texts('one'));
    announcer.toggle();
    expect([announcer.hush, page.synth!.now]).toEqual(['off', undefined]);
    expect(open().announcer.hush).toBe('off');
  });
  it('goes on when the browser forgets to report the end, and ignores a late report', () => {
    const { page, announcer } = open();
    announcer.toggle();
    announcer.announce(texts('one', 'two', 'three'));
    const late = page.synth!.now!;
    page.pass(LONGEST);
    late.onend?.(new Event('end') as SpeechSynthesisEvent);
    expect(page.synth!.spoken).toEqual(['one', 'two']);
  });
  it('forgets what waits in the other language', () => {
    const { page, announcer } = open();
    announcer.toggle();
    announcer.announce(texts('un', 'deux'));
    announcer.speak('en');
    expect([page.synth!.now, announcer.caption]).toEqual([undefined, 'un']);
    announcer.announce(texts('three'));
    expect(page.synth!.spoken).toEqual(['un', 'three']);
  });
});

describe('the queue', () => {
  it('is bounded: the oldest that wait are dropped', () => {
    const { page, announcer } = open();
    announcer.toggle();
    announcer.announce(texts('now'));
    announcer.announce(texts(...Array.from({ length: 40 }, (_, i) => `${i}`)));
    for (let i = 0; i < WAITING; i++) page.synth!.end();
    expect(page.synth!.spoken).toEqual(['now', '35', '36', '37', '38', '39']);
    page.synth!.end();
    expect(page.synth!.now).toBeUndefined();
  });
  it('says aloud what stands on the page already, and captions only the rest', () => {
    const { page, announcer } = open();
    announcer.announce([{ text: 'again', seen: true }]);
    expect(announcer.caption).toBe('');
    announcer.toggle();
    announcer.announce([{ text: 'again', seen: true }]);
    expect([announcer.caption, page.synth!.spoken]).toEqual(['', ['again']]);
  });
});

describe('without a voice for the language', () => {
  it('only captions are left, and it is told once', () => {
    const { page, announcer } = open();
    page.synth!.voices = ['en-GB'];
    announcer.toggle();
    announcer.announce(texts('un'));
    expect([announcer.voiceless, announcer.caption, page.synth!.spoken]).toEqual(['fr', 'un', []]);
    page.pass(LONGEST);
    announcer.announce(texts('deux'));
    page.pass(readingTime('un'));
    expect([announcer.voiceless, announcer.caption]).toEqual([undefined, 'deux']);
  });
  it('the same where there is no speech synthesis', () => {
    const page = new Page();
    page.synth = undefined;
    const { announcer } = open('en', page);
    announcer.toggle();
    announcer.announce(texts('one'));
    expect([announcer.voiceless, announcer.caption]).toEqual(['en', 'one']);
  });
  it('a list that is still loading is not an absence', () => {
    const { page, announcer } = open();
    page.synth!.voices = [];
    announcer.toggle();
    announcer.announce(texts('un'));
    expect(announcer.voiceless).toBeUndefined();
    page.pass(3000);
    announcer.announce(texts('deux'));
    page.pass(readingTime('un'));
    expect(announcer.voiceless).toBe('fr');
  });
  it('does not say late whose turn it was', () => {
    const { page, announcer } = open();
    announcer.toggle();
    announcer.announce([{ text: 'now' }]);
    announcer.announce([{ text: 'Anne is to move', fleeting: true }]);
    announcer.announce([{ text: 'the urn is open' }, { text: 'Bruno is to recover', fleeting: true }]);
    for (let i = 0; i < 3; i++) page.synth!.end();
    expect(page.synth!.spoken).toEqual(['now', 'the urn is open', 'Bruno is to recover']);
  });
});

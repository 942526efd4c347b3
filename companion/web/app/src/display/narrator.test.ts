import { describe, expect, it } from 'vitest';
import { names } from '../dev/fixtures';
import { plain, voiceOf } from '../dev/voice';
import { bestVoice } from './announcer.svelte';
import { linesFor, Narrator } from './narrator';

describe('the narrator', () => {
  const fr = voiceOf('fr', names);
  it('never says the same twice running', () => {
    const narrator = new Narrator();
    const died = (seat: number) => plain(narrator.tell({ k: 'hc.log.died.untold', a: { seat: `seat-${seat}` } }, 'fr', fr));
    const said = [died(1), died(2), died(3)];
    expect(said).toEqual(['P1 ne finira pas la soirée.', 'Un couvert de moins : P2.', 'P3 ne finira pas la soirée.']);
    expect(linesFor('hc.log.died.untold', 'en')).toHaveLength(2);
  });
  it('tells what it has no line for as the story does', () => {
    expect(plain(new Narrator().tell({ k: 'cl.log.turn', a: { seat: 'seat-2' } }, 'fr', fr))).toBe('À P2 de jouer.');
  });
  it('leaves its place to the sentence that a game has of its own', () => {
    const own = { ...fr, name: (id: string) => (id === 'cl.log.begun' ? { kind: 'sentence' as const } : undefined) };
    const plainly = plain(fr.say({ k: 'cl.log.begun', a: { n: '3' } }));
    expect(plain(new Narrator().tell({ k: 'cl.log.begun', a: { n: '3' } }, 'fr', own))).toBe(plainly);
  });
});

it('the best voice is neither the first nor a foreign one', () => {
  const voices = [
    { name: 'eSpeak French', lang: 'fr-FR' },
    { name: 'Amélie', lang: 'fr-CA' },
    { name: 'Thomas', lang: 'fr_FR' },
    { name: 'Microsoft Sonia Online (Natural)', lang: 'en-GB' },
  ];
  expect(bestVoice(voices, 'fr')?.name).toBe('Thomas');
  expect(bestVoice([...voices, { name: 'Thomas (Enhanced)', lang: 'fr-FR' }], 'fr')?.name).toBe('Thomas (Enhanced)');
  expect(bestVoice(voices.slice(3), 'fr')).toBeUndefined();
});

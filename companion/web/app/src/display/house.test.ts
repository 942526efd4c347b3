import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { names, switches } from '../dev/fixtures';
import { language } from '../lib/language.svelte';
import ChangedRules from './ChangedRules.svelte';

// House rules are public for the whole game: the display names the changed ones, the phones all of them.
describe('the house rules', () => {
  beforeEach(() => {
    language.lang = 'en';
    language.learnNames(names);
  });
  afterEach(cleanup);
  const shown = (over: Record<string, string>): string => {
    render(ChangedRules, { switches: switches(over), voice: language });
    return screen.queryByRole('region')?.textContent.replace(/\s+/g, ' ') ?? '';
  };

  it('are named where they were changed', () => {
    const text = shown({ 'post-game-debrief': 'on', 'rounds-exhausted': 'nobody' });
    expect(text).toContain(`${language.label('post-game-debrief')} ${language.value('post-game-debrief', 'on')}`);
    expect(text).toContain(`${language.label('rounds-exhausted')} ${language.value('rounds-exhausted', 'nobody')}`);
    expect(text).not.toContain(language.label('exchange-order'));
  });
  it('leave out what another rule says along with others', () => {
    const bundled = names.map((n) => (n.id === 'rounds-exhausted' ? { ...n, within: 'preset' } : n));
    language.learnNames(bundled);
    const said = `${language.label('rounds-exhausted')} ${language.value('rounds-exhausted', 'nobody')}`;
    expect(shown({ 'rounds-exhausted': 'nobody', preset: 'other' })).toContain(said);
    cleanup();
    expect(shown({ 'rounds-exhausted': 'nobody', preset: 'short' })).not.toContain(said);
  });
  it('take no room where none was', () => expect(shown({})).toBe(''));
});

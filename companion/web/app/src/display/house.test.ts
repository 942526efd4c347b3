import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { names, switches } from '../dev/fixtures';
import { language } from '../lib/language.svelte';
import House from './House.svelte';

// House rules are public for the whole game: at set-up each of them, then those
// that were changed.
describe('the house rules', () => {
  beforeEach(() => {
    language.lang = 'en';
    language.learnNames(names);
  });
  afterEach(cleanup);
  const shown = (over: Record<string, string>, whole: boolean): string => {
    render(House, { switches: switches(over), voice: language, whole });
    return screen.getByRole('region').textContent.replace(/\s+/g, ' ');
  };

  it('are all named before the game, with their values', () => {
    const text = shown({ 'post-game-debrief': 'on' }, true);
    for (const [rule, value] of Object.entries(switches({ 'post-game-debrief': 'on' }))) {
      expect(text).toContain(language.label(rule));
      expect(text).toContain(language.value(rule, value));
    }
  });
  it('are named during the game where they were changed', () => {
    const text = shown({ 'post-game-debrief': 'on', 'rounds-exhausted': 'nobody' }, false);
    expect(text).toContain(`${language.label('post-game-debrief')} ${language.value('post-game-debrief', 'on')}`);
    expect(text).toContain(`${language.label('rounds-exhausted')} ${language.value('rounds-exhausted', 'nobody')}`);
    expect(text).not.toContain(language.label('exchange-order'));
  });
  it('leave out what another rule says along with others', () => {
    const bundled = names.map((n) => (n.id === 'rounds-exhausted' ? { ...n, within: 'preset' } : n));
    language.learnNames(bundled);
    const said = `${language.label('rounds-exhausted')} ${language.value('rounds-exhausted', 'nobody')}`;
    expect(shown({ 'rounds-exhausted': 'nobody', preset: 'other' }, false)).toContain(said);
    cleanup();
    expect(shown({ 'rounds-exhausted': 'nobody', preset: 'short' }, false)).not.toContain(said);
  });
  it('are said to be the usual ones where none was', () => expect(shown({}, false)).toContain(language.t('display.rules.usual')));
});

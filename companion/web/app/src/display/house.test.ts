import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { names, switches } from '../dev/fixtures';
import { tongue } from '../lib/tongue.svelte';
import House from './House.svelte';

// House rules are public for the whole game: at set-up each of them, then those
// that were changed.
describe('the house rules', () => {
  beforeEach(() => {
    tongue.lang = 'en';
    tongue.learnNames(names);
  });
  afterEach(cleanup);
  const shown = (over: Record<string, string>, whole: boolean): string => {
    render(House, { switches: switches(over), voice: tongue, whole });
    return screen.getByRole('region').textContent.replace(/\s+/g, ' ');
  };

  it('are all named before the game, with their values', () => {
    const text = shown({ 'post-game-debrief': 'on' }, true);
    for (const [rule, value] of Object.entries(switches({ 'post-game-debrief': 'on' }))) {
      expect(text).toContain(tongue.label(rule));
      expect(text).toContain(tongue.value(rule, value));
    }
  });
  it('are named during the game where they were changed', () => {
    const text = shown({ 'post-game-debrief': 'on', 'rounds-exhausted': 'nobody' }, false);
    expect(text).toContain(`${tongue.label('post-game-debrief')} ${tongue.value('post-game-debrief', 'on')}`);
    expect(text).toContain(`${tongue.label('rounds-exhausted')} ${tongue.value('rounds-exhausted', 'nobody')}`);
    expect(text).not.toContain(tongue.label('exchange-order'));
  });
  it('are said to be the usual ones where none was', () => expect(shown({}, false)).toContain(tongue.t('display.rules.usual')));
});

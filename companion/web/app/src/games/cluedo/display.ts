import type { DisplayPart } from '../parts';
import { emblemOf } from '../../deco/emblems';
import Ground from './Ground.svelte';
import Beside from './Inquiry.svelte';
import Night from './Midnight.svelte';
import Verdict from './Verdict.svelte';
import { murderedCards as laid, hasHours, solutionCards } from './inquiry';

export const part: DisplayPart = {
  goal: [
    [emblemOf('suspect', ''), 'display.goal.cluedo.1'],
    [emblemOf('room', ''), 'display.goal.cluedo.2'],
    [emblemOf('weapon', 'weapon-chandelier'), 'display.goal.cluedo.3'],
  ],
  Ground,
  Beside,
  Night,
  Verdict,
  dialled: hasHours,
  counted: true,
  solution: solutionCards,
  laid,
};

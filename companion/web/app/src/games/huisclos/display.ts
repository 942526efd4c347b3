import { emblemOf } from '../../deco/emblems';
import { part as plain } from '../plain/display';
import type { DisplayPart } from '../parts';

export const part: DisplayPart = {
  ...plain,
  goal: [
    [emblemOf('role-card', 'role-murderer'), 'display.goal.huis-clos.1'],
    [emblemOf('weapon', 'weapon-tisonnier'), 'display.goal.huis-clos.2'],
    [emblemOf('clue', ''), 'display.goal.huis-clos.3'],
  ],
};

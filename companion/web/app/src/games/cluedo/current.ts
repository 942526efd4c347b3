import { HapAsked, HapTurn } from '../../gen/engine';
import { lastHappening } from '../../lib/happened';
import type { View } from '../../lib/wire';

/**
 * Reports whether the last hypothesis, which the view keeps until the next, belongs to this turn: it is being answered, or
 * it was made after the turn began.
 */
export function isCurrent(view: View): boolean {
  const step = view.case?.step ?? '';
  if (step === 'displaced' || step === 'answer') return true;
  return ['shown', 'amend', 'neighbour', 'end'].includes(step) && lastHappening(view, HapAsked) > lastHappening(view, HapTurn);
}

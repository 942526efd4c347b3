import type { Voice } from './voice';
import type { Update } from './wire';

/** Says how many phones have checked the deal; empty if none has. */
export function checkedBy(proof: Update['proof'], voice: Pick<Voice, 't'>): string {
  const n = proof?.checked?.length ?? 0;
  return n === 0 ? '' : voice.t(n > 1 ? 'ui.deal.checked' : 'ui.deal.checked.one', { n });
}

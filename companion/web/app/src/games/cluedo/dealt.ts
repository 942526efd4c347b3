import { SawEnvelope, SawShown, SawThere } from '../../gen/engine';
import type { View } from '../../lib/wire';
import type { Dealt } from '../parts';

/** What is public about the deal, and where the machine has dealt, each mystery card that this view shows with its place. */
export function dealtFacts({ me, result, case: table }: View, mystery: readonly string[]): Dealt {
  const all = (cards: readonly string[], at: string): string[] => cards.filter((c) => mystery.includes(c)).map((c) => `${c} ${at}`);
  const whole = table?.virtual === true;
  return {
    items: [...mystery].sort(),
    whole,
    facts: whole
      ? [
        ...all(result?.solution ?? [], 'envelope'),
        ...all(me?.hand.map((c) => c.card) ?? [], `seat-${me?.seat ?? 0}`),
        ...(me?.seen ?? []).flatMap(({ how, cards, other, place }) => {
          const at = { [SawShown]: `seat-${other ?? 0}`, [SawThere]: place, [SawEnvelope]: 'envelope' }[how];
          return at === undefined ? [] : all(cards, at);
        }),
      ]
      : [],
  };
}

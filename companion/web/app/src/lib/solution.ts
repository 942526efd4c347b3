// The three cards of a Cluedo that were right (C8-113).
import type { View } from './wire';

/** What the winner named, while the story tells it; nothing before somebody has won. */
export function solutionOf(view: Pick<View, 'result' | 'log'>): { kind: string; id: string }[] {
  if ((view.result?.winners ?? []).length === 0) return [];
  const said = [...view.log].reverse().find((l) => l.msg.k === 'cl.log.accused')?.msg.a;
  return ['suspect', 'weapon', 'room'].flatMap((kind) => (said?.[kind] === undefined ? [] : [{ kind, id: said[kind] }]));
}

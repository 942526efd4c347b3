import type { Rolldown } from 'vite';

/**
 * What the phone shares with other rooms becomes one part: left alone it would be a dozen
 * small ones, and a browser asks for six at once. The other rooms load it whole, too; nothing that the phone
 * does not need is in it.
 */
export function shared(): Rolldown.CodeSplittingGroup {
  const known = new Map<string, boolean>();
  const needed = (id: string, info: Rolldown.ChunkingContext): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, false); // a circle adds nothing
    const is = id.endsWith('/phone/room.ts') || (info.getModuleInfo(id)?.importers ?? []).some((by) => needed(by, info));
    known.set(id, is);
    return is;
  };
  return { name: (id, info) => (needed(id, info) ? 'shared' : null), minShareCount: 2 };
}

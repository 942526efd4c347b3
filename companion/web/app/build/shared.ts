import type { Rolldown } from 'vite';

/**
 * Puts the modules that the phone shares with other rooms into one chunk: otherwise there would be a dozen
 * small ones, and a browser loads only six at once. The other rooms load it whole too; it contains only modules
 * that the phone needs.
 */
export function shared(): Rolldown.CodeSplittingGroup {
  const known = new Map<string, boolean>();
  const needed = (id: string, info: Rolldown.ChunkingContext): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, false); // for circular imports
    const is = id.endsWith('/phone/room.ts') || (info.getModuleInfo(id)?.importers ?? []).some((by) => needed(by, info));
    known.set(id, is);
    return is;
  };
  return { name: (id, info) => (needed(id, info) ? 'shared' : null), minShareCount: 2 };
}

// What a phone keeps. Some browsers refuse storage (private windows, sign-in
// windows of a hotspot, a full disk): then the page remembers until it is closed.

const spare = new Map<string, string>();

export interface Item {
  get(): string | undefined;
  set(value: string): void;
  clear(): void;
}

function itemIn(where: () => Storage, name: string): Item {
  const key = `majordome:${name}`;
  return {
    get() {
      try {
        return spare.get(key) ?? where().getItem(key) ?? undefined;
      } catch {
        return undefined;
      }
    },
    set(value) {
      try {
        where().setItem(key, value);
        spare.delete(key);
      } catch {
        spare.set(key, value);
      }
    },
    clear() {
      spare.delete(key);
      try {
        where().removeItem(key);
      } catch {
        // nothing was kept
      }
    },
  };
}

/** Kept by the browser for all its tabs. */
export const browserItem = (name: string): Item => itemIn(() => localStorage, name);

/** Kept for this tab only; a frame that has a name (the tour's) is a tab of its own. */
export const tabItem = (name: string): Item => itemIn(() => sessionStorage, window.name === '' ? name : `${window.name}/${name}`);

/** Reports whether this browser stores what a page writes, so that a seat survives a reload. */
export function canStore(storage: () => Storage = () => localStorage): boolean {
  const probe = 'majordome:probe';
  try {
    storage().setItem(probe, probe);
    const stored = storage().getItem(probe) === probe;
    storage().removeItem(probe);
    return stored;
  } catch {
    return false;
  }
}

// The tabs of the phone as steps of the browser's history: Back goes to the tab that was
// open before, and never leaves the game. A browser passes over steps that were made without a tap, so
// each is made by one: the first under a fresh page, and again when Back has come to the beginning.

const open = (): string | undefined => (history.state as { tab?: string } | null)?.tab;

/** Follows Back and Forward from now on; show is called with the tab to open. Ends what it began. */
export function followHistory(first: string, show: (tab: string) => void): () => void {
  const come = (): void => show(open() ?? first);
  const tapped = (): void => {
    if (open() === undefined) history.pushState({ tab: first }, '');
  };
  addEventListener('popstate', come);
  addEventListener('click', tapped, true);
  return () => {
    removeEventListener('popstate', come);
    removeEventListener('click', tapped, true);
  };
}

/** The tab on which the page was before it was loaded again. */
export const kept = open;

/** Opens a tab as the next step. */
export const openStep = (tab: string): void => {
  if (tab !== open()) history.pushState({ tab }, '');
};

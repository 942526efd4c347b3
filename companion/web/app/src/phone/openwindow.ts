// The window that is open at the table, for a panel that covers the page and with it the countdown.
import { getContext, setContext } from 'svelte';
import type { Open } from '../lib/window';

type Getter = () => Open | undefined;

const KEY = Symbol('open window');

/** Gives the window to all panels below this component. */
export const provideWindow = (get: Getter): Getter => setContext(KEY, get);

/** Returns the window that is open now, if the page has one. */
export const useWindow = (): Getter => getContext<Getter | undefined>(KEY) ?? (() => undefined);

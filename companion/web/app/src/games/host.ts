import type { HostPart } from './parts';
import { type Played, partOf } from './which';

const parts = import.meta.glob<HostPart>('./*/host.ts', { eager: true, import: 'part' });

/** The game of a view: what the host’s page says of it. */
export const hostOf = (view: Played): HostPart => partOf(view, parts, 'host');

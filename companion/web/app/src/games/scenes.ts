// Scenes that a game brings beside the reveal.
import * as midnight from './cluedo/midnight';
import * as verdict from './cluedo/verdict';

export const scenes = { midnight, verdict } as const;

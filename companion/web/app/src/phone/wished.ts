import { tabItem } from '../lib/storage';

/** The character that the player at this phone has asked for last. */
export const wished = tabItem('wished');

// Every page: its room by the path, and the words of its language. The HTML names the
// parts of both beforehand (build/pages.ts), so that all come at once.
import './fonts.css';
import './tokens.css';
import { language } from './lib/language.svelte';
import { learn, noPhone } from './lib/words';

interface Room {
  /** What the room waits for before it is worth drawing; what stands in the HTML is shown meanwhile. */
  ready?: Promise<void>;
  open(target: HTMLElement): void;
}

const AGAIN = 2000; // ms

const rooms = import.meta.glob<Room>('./{phone,display,host,bench,tables,tour}/room.ts');
const name = location.pathname.replace(/^\/|\/+$/g, '') || 'phone';

if (name !== 'phone') noPhone();

async function enter(target: HTMLElement): Promise<void> {
  const room = await Promise.all([rooms[`./${name}/room.ts`]?.(), learn(language.lang)]).then(([r]) => r);
  await room?.ready;
  target.replaceChildren();
  room?.open(target);
}

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
// Without its parts there is nothing to show, not even that they are missing: try again until the daemon answers.
enter(target).catch(() => setTimeout(() => location.reload(), AGAIN));

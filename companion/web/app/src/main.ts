// The entry of every page: loads its room, by the path, and the words of its language. The HTML links the
// chunks of both beforehand (build/pages.ts), so that all are loaded at once.
import './fonts.css';
import './tokens.css';
import { language } from './lib/language.svelte';
import { loadWords, loadAllRooms } from './lib/words';

interface Room {
  /** Resolves when the room can be drawn; the text of the HTML is shown until then. */
  ready?: Promise<void>;
  open(target: HTMLElement): void;
}

const AGAIN = 2000; // ms

const rooms = import.meta.glob<Room>('./{phone,display,host,bench,tables,tour,venue}/room.ts');
const name = location.pathname.replace(/^\/|\/+$/g, '') || 'phone';

if (name !== 'phone') loadAllRooms();

async function enterRoom(target: HTMLElement): Promise<void> {
  const room = await Promise.all([rooms[`./${name}/room.ts`]?.(), loadWords(language.lang)]).then(([r]) => r);
  await room?.ready;
  target.replaceChildren();
  room?.open(target);
}

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
// Without its chunks the page cannot even show an error: it reloads until the daemon answers.
enterRoom(target).catch(() => setTimeout(() => location.reload(), AGAIN));

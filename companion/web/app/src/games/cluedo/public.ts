import type { PublicPart } from '../parts';
import { awaitedSeats, nightHours, seatLine, stepName, turnOf } from './inquiry';

export const part: PublicPart = { headline: nightHours, step: stepName, awaited: awaitedSeats, leads: turnOf, caption: seatLine };

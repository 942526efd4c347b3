import type { PublicPart } from '../parts';
import { awaited, hours, seatLine, stepName, turnOf } from './inquiry';

export const part: PublicPart = { headline: hours, step: stepName, awaited, leads: turnOf, caption: seatLine };

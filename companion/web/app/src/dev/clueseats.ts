// Samples of a seat in a Cluedo: most are of Chloé's phone.
import { clueNames } from './clue';
import { phone, type Samples } from './samples';

export { clueNames as caseNames };
export const caseSamples: Samples = Object.fromEntries(Object.entries(phone).filter(([, u]) => u().view.case !== undefined));

// Samples of a seat in a Huis Clos: most are of Chloé's phone.
import { phone, type Samples } from './samples';

export const seatSamples: Samples = Object.fromEntries(Object.entries(phone).filter(([, u]) => u().view.game === 'huis-clos'));

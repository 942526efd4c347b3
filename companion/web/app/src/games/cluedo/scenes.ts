import * as midnight from './midnight';
import * as verdict from './verdict';

export const scenes = { midnight, verdict };

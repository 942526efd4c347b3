// The sounds of the table, made by the browser itself: no file is loaded. Each is the same
// sound every time, at the same loudness and for as long, whichever card or seat it is about
// (sounds_test.go in e2e renders and measures them).

/** What can be heard. */
export type Cue = 'urn' | 'card' | 'answer' | 'chime' | 'midnight' | 'murder' | 'reveal' | 'envelope' | 'wrong' | 'victory';

/** How much each is turned up so that its loudest 400 ms have the same loudness, and how long it lasts, in s. */
export const CUES: Readonly<Record<Cue, { level: number; span: number }>> = {
  urn: { level: 0.80, span: 0.9 },
  card: { level: 1.32, span: 0.4 },
  answer: { level: 0.90, span: 0.5 },
  chime: { level: 0.59, span: 2.4 },
  midnight: { level: 0.50, span: 3.2 },
  murder: { level: 0.505, span: 1.8 },
  reveal: { level: 0.42, span: 1.6 },
  envelope: { level: 1.01, span: 0.9 },
  wrong: { level: 0.52, span: 1.6 },
  victory: { level: 0.60, span: 3 },
};

let hiss: AudioBuffer | undefined;

/** A second of noise from a fixed seed: it sounds the same everywhere, and uses no dice of a game. */
function makeNoise(ctx: BaseAudioContext): AudioBuffer {
  if (hiss?.sampleRate === ctx.sampleRate) return hiss;
  hiss = ctx.createBuffer(1, ctx.sampleRate, ctx.sampleRate);
  const data = hiss.getChannelData(0);
  for (let i = 0, x = 1; i < data.length; i++) data[i] = (x = (x * 48_271) % 0x7fffffff) / 0x3fffffff - 1;
  return hiss;
}

interface Tone {
  at?: number; // s after the cue begins
  from: number; // Hz
  to?: number; // Hz, where it glides
  peak: number;
  rise?: number; // s
  fall: number; // s until it is a thousandth
  wave?: OscillatorType;
}

/** Draws the sound of a cue into a graph; it begins at a moment of the context. */
export function scheduleSound(ctx: BaseAudioContext, out: AudioNode, cue: Cue, begin: number): void {
  const { level, span } = CUES[cue];
  const swell = (at: number, peak: number, rise: number, fall: number): GainNode => {
    const g = ctx.createGain();
    g.gain.setValueAtTime(0, at);
    g.gain.linearRampToValueAtTime(peak * level, at + rise);
    g.gain.exponentialRampToValueAtTime(peak * level / 1000, at + rise + fall);
    g.gain.linearRampToValueAtTime(0, begin + span);
    g.connect(out);
    return g;
  };
  const tone = ({ at = 0, from, to = from, peak, rise = 0.004, fall, wave = 'sine' }: Tone): void => {
    const t = begin + at;
    const o = ctx.createOscillator();
    o.type = wave;
    o.frequency.setValueAtTime(from, t);
    o.frequency.exponentialRampToValueAtTime(to, t + rise + fall);
    o.connect(swell(t, peak, rise, fall));
    o.start(t);
    o.stop(begin + span);
  };
  const rush = (at: number, from: number, to: number, q: number, peak: number, rise: number, fall: number): void => {
    const t = begin + at;
    const s = ctx.createBufferSource();
    const f = ctx.createBiquadFilter();
    s.buffer = makeNoise(ctx);
    f.type = 'bandpass';
    f.Q.value = q;
    f.frequency.setValueAtTime(from, t);
    f.frequency.exponentialRampToValueAtTime(to, t + rise + fall);
    s.connect(f).connect(swell(t, peak, rise, fall));
    s.start(t);
    s.stop(Math.min(t + 1, begin + span));
  };
  const bell = (at: number, f: number, long: number, peak = 1): void =>
    [[1, 1, 1], [2.01, 0.5, 0.6], [2.76, 0.35, 0.45], [5.4, 0.2, 0.2], [8.9, 0.1, 0.09]].forEach(([ratio, loud, decay]) =>
      tone({ at, from: f * ratio!, peak: peak * loud! * 0.4, fall: long * decay! })
    );
  switch (cue) {
    case 'urn': // a card slides in and lands on brass
      rush(0, 2400, 900, 1.2, 0.9, 0.03, 0.16);
      tone({ at: 0.14, from: 170, to: 92, peak: 0.6, fall: 0.4 });
      tone({ at: 0.14, from: 540, to: 500, peak: 0.3, fall: 0.35 });
      break;
    case 'card':
      rush(0, 1800, 5200, 0.9, 1, 0.04, 0.2);
      rush(0.17, 900, 600, 1.2, 0.7, 0.004, 0.12);
      break;
    case 'answer': // a knuckle on wood, twice
      for (const at of [0, 0.16]) {
        tone({ at, from: 420, to: 300, peak: 0.9, rise: 0.002, fall: 0.09 });
        rush(at, 1200, 700, 2, 0.7, 0.001, 0.04);
      }
      break;
    case 'chime':
      bell(0, 392, 2);
      break;
    case 'midnight':
      bell(0, 262, 2.8);
      bell(0.02, 393, 1.6, 0.4);
      break;
    case 'murder': // a heart, and its last beat
      for (const at of [0, 0.24, 0.9]) {
        tone({ at, from: 68, to: 40, peak: 1, rise: 0.01, fall: 0.3 });
        tone({ at, from: 272, to: 160, peak: 0.5, rise: 0.008, fall: 0.22 });
      }
      rush(0.9, 500, 180, 0.8, 0.5, 0.02, 0.7);
      break;
    case 'reveal': // three steps upwards
      [294, 370, 440].forEach((f, i) => {
        tone({ at: i * 0.14, from: f, peak: 0.6, rise: 0.02, fall: 0.9, wave: 'triangle' });
        tone({ at: i * 0.14, from: f * 2, peak: 0.2, rise: 0.02, fall: 0.5 });
      });
      break;
    case 'envelope': // paper: the seal gives, the flap is lifted
      rush(0, 700, 500, 3, 0.5, 0.002, 0.07);
      rush(0.1, 1400, 3800, 0.8, 0.9, 0.12, 0.28);
      rush(0.52, 3200, 1500, 1, 0.4, 0.05, 0.25);
      break;
    case 'wrong': // two steps downwards
      [330, 247].forEach((f, i) => {
        tone({ at: i * 0.26, from: f, to: f * 0.985, peak: 0.6, rise: 0.03, fall: 0.9, wave: 'triangle' });
        tone({ at: i * 0.26, from: f * 2, peak: 0.15, rise: 0.03, fall: 0.5 });
      });
      break;
    case 'victory':
      [294, 370, 440, 587].forEach((f, i) => bell(i * 0.2, f, 1.8, 0.7));
      [147, 220].forEach((f) => tone({ at: 0.8, from: f, peak: 0.3, rise: 0.15, fall: 1.8, wave: 'triangle' }));
  }
}

// The picture of an evening, to share: its front page, drawn on a canvas, only from words and shapes.
import { PLAN, type Spot } from '../deco/plan';
import { enamelOf, inkOn, signOf } from '../deco/signs';
import type { Chamber } from '../games/parts';
import { fitRoom } from './plan';
import type { Honour, Told, ToldChapter, ToldRow } from './storytext';

const WIDTH = 1080;
const EDGE = 72; // from the edge to the words
const SERIF = '"EB Garamond", "Iowan Old Style", Palatino, "Noto Serif", Georgia, serif';
const [NIGHT, WARM, BRASS, DIM, IVORY, SOFT, GOLD] = ['#0b090c', '#261a16', '#d8ae62', '#57401f', '#f3e9d2', '#c3b290', '#f7e6b6'];

/** The parts of a picture other than the story's words. */
export interface Scenery {
  chambers: readonly Chamber[];
  ground: string;
  name: (place: string) => string;
  date: string;
}

/** Draws the picture; its height depends on the length of the story. */
export async function drawPicture(told: Told, scenery: Scenery): Promise<HTMLCanvasElement> {
  await Promise.all(['400', '500', 'italic 400'].map((style) => document.fonts.load(`${style} 40px ${SERIF}`)));
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = 10;
  const ctx = canvas.getContext('2d');
  if (ctx === null) throw new Error('no canvas');
  const height = new Painter(ctx).all(told, scenery); // once to measure
  canvas.height = height;
  drawGround(ctx, height);
  new Painter(ctx).all(told, scenery);
  return canvas;
}

/** The picture as a file. */
export async function toFile(canvas: HTMLCanvasElement, name: string): Promise<File> {
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob === null) throw new Error('no picture');
  return new File([blob], name, { type: 'image/png' });
}

function drawGround(ctx: CanvasRenderingContext2D, height: number): void {
  const light = ctx.createRadialGradient(WIDTH / 2, 420, 80, WIDTH / 2, 420, height);
  light.addColorStop(0, WARM!);
  light.addColorStop(1, NIGHT!);
  ctx.fillStyle = light;
  ctx.fillRect(0, 0, WIDTH, height);
  for (const [inset, colour, width] of [[24, BRASS, 3], [34, DIM, 1.5]] as const) {
    ctx.strokeStyle = colour!;
    ctx.lineWidth = width;
    ctx.strokeRect(inset, inset, WIDTH - 2 * inset, height - 2 * inset);
  }
}

class Painter {
  #y = 96;

  constructor(private readonly ctx: CanvasRenderingContext2D) {
    ctx.textBaseline = 'alphabetic';
  }

  all(told: Told, scenery: Scenery): number {
    this.#middle(`${told.game}\u2002·\u2002${scenery.date}`.toUpperCase(), `400 26px ${SERIF}`, SOFT!, 78);
    this.#middle(told.front.name, `500 72px ${SERIF}`, GOLD!, 62);
    this.#rule();
    if (told.team !== '') this.#middle(told.team, `500 40px ${SERIF}`, BRASS!, 52);
    if (told.winners.length > 0) this.#coins(told.winners, 96);
    this.#middle(told.outcome, `italic 400 38px ${SERIF}`, IVORY!, 46);
    if (told.solution !== '') this.#middle(told.solution, `500 38px ${SERIF}`, GOLD!, 48);
    this.#middle(told.figures, `400 30px ${SERIF}`, SOFT!, 48);
    this.#house(told.front.house, scenery);
    this.#middle(told.front.minute, `500 40px ${SERIF}`, GOLD!, 46);
    if (told.front.what !== '') this.#middle(told.front.what, `italic 400 32px ${SERIF}`, SOFT!, 40);
    this.#rule();
    for (const h of told.front.honours) this.#honour(h);
    this.#rule();
    this.#middle(told.front.company.toUpperCase(), `400 26px ${SERIF}`, SOFT!, 52);
    this.#rows(told.front.guests.map((g) => ({ seat: g.seat, name: `${g.name}${g.dead ? ' †' : ''}`, place: '', text: g.role })));
    this.#rows(told.held);
    this.#middle('MAJORDOME', `500 24px ${SERIF}`, BRASS!, 40);
    return this.#y + 44;
  }

  #lines(text: string, font: string, width: number): string[] {
    this.ctx.font = font;
    const lines: string[] = [];
    for (const word of text.split(' ')) {
      const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
      if (lines.length > 0 && this.ctx.measureText(longer).width <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  }

  #middle(text: string, font: string, colour: string, high: number): void {
    for (const line of this.#lines(text, font, WIDTH - 2 * EDGE)) {
      this.ctx.font = font;
      this.ctx.fillStyle = colour;
      this.ctx.textAlign = 'center';
      this.ctx.fillText(line, WIDTH / 2, this.#y);
      this.#y += high;
    }
  }

  #coins(seats: readonly number[], d: number): void {
    seats.forEach((seat, i) => this.#coin(seat, { x: WIDTH / 2 + (i - (seats.length - 1) / 2) * d * 1.15, y: this.#y + d / 2 - 24, d }));
    this.#y += d + 18;
  }

  /** A double line across the page. */
  #rule(): void {
    this.#y += 16;
    for (const y of [0, 6]) fillPath(this.ctx, `M${EDGE} ${this.#y - 24 + y}H${WIDTH - EDGE}`, undefined, BRASS!, 1.5);
    this.#y += 40;
  }

  #honour({ title, names, text, seats }: Honour): void {
    this.#y += 12;
    this.#middle(title.toUpperCase(), `400 26px ${SERIF}`, BRASS!, 32);
    this.#coins(seats, 64);
    this.#middle(names, `500 40px ${SERIF}`, IVORY!, 42);
    this.#middle(text, `italic 400 32px ${SERIF}`, SOFT!, 46);
  }

  #rows(rows: readonly ToldRow[]): void {
    if (rows.length === 0) return;
    for (const row of rows) {
      const head = [row.place, row.name].filter((s) => s !== '').join('\u2002');
      const lines = this.#lines(`${head === '' ? '' : `${head}\u2002`}${row.text}`, `400 32px ${SERIF}`, WIDTH - 2 * EDGE - 64);
      if (row.seat > 0) this.#coin(row.seat, { x: EDGE + 22, y: this.#y - 10, d: 46 });
      this.ctx.textAlign = 'left';
      this.ctx.fillStyle = row.seat > 0 ? IVORY! : GOLD!;
      this.ctx.font = `${row.seat > 0 ? '' : 'italic '}400 32px ${SERIF}`;
      for (const line of lines) {
        this.ctx.fillText(line, EDGE + 64, this.#y);
        this.#y += 40;
      }
      this.#y += 10;
    }
    this.#y += 26;
  }

  #house(then: ToldChapter, { chambers, ground, name }: Scenery): void {
    const { ctx } = this;
    const scale = (WIDTH - 2 * (EDGE - 12)) / PLAN.w;
    ctx.save();
    ctx.translate(EDGE - 12, this.#y);
    ctx.scale(scale, scale);
    fillPath(ctx, ground, '#1a1311', DIM!, 1.5);
    for (const c of chambers) {
      const dead = then.dead.get(c.id);
      fillPath(ctx, c.floor, dead ? '#3a1518' : '#14282a');
      fillPath(ctx, c.wall, undefined, dead ? '#c4473f' : '#8f6a36', dead ? 5 : 3);
    }
    for (const c of chambers) {
      const dead = then.dead.get(c.id) ?? [];
      const all = [...dead, ...(then.at.get(c.id) ?? []).filter((s) => !dead.includes(s))];
      const { lines, size, spots } = fitRoom(c, name(c.id), all.length);
      ctx.font = `400 ${size}px ${SERIF}`;
      ctx.textAlign = 'center';
      ctx.fillStyle = IVORY!;
      for (const line of lines) ctx.fillText(line.text, line.x, line.y + size * 0.32);
      spots.forEach((spot, i) => {
        this.#coin(all[i]!, spot);
        if (i < dead.length) drawCross(ctx, spot);
      });
    }
    ctx.restore();
    this.#y += PLAN.h * scale + 64;
  }

  #coin(seat: number, { x, y, d }: Spot): void {
    const { ctx } = this;
    ctx.save();
    ctx.translate(x, y);
    ctx.scale(d / 68, d / 68);
    drawDisc(ctx, 32, BRASS!);
    drawDisc(ctx, 28.5, NIGHT!);
    drawDisc(ctx, 25, enamelOf(seat));
    ctx.translate(-20, -20);
    ctx.lineCap = ctx.lineJoin = 'round';
    fillPath(ctx, signOf(seat).d, undefined, inkOn(enamelOf(seat)), 2);
    ctx.restore();
  }
}

function fillPath(ctx: CanvasRenderingContext2D, d: string, colour?: string, line?: string, width = 1): void {
  if (d === '') return;
  const path = new Path2D(d);
  if (colour !== undefined) {
    ctx.fillStyle = colour;
    ctx.fill(path);
  }
  if (line !== undefined) {
    ctx.strokeStyle = line;
    ctx.lineWidth = width;
    ctx.stroke(path);
  }
}

function drawDisc(ctx: CanvasRenderingContext2D, r: number, colour: string): void {
  ctx.beginPath();
  ctx.arc(0, 0, r, 0, 2 * Math.PI);
  ctx.fillStyle = colour;
  ctx.fill();
}

function drawCross(ctx: CanvasRenderingContext2D, { x, y, d }: Spot): void {
  const r = d * 0.36;
  ctx.lineCap = 'round';
  fillPath(ctx, `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`, undefined, '#f0695f', 7);
}

// A stream of text that is one JSON object a line.

const MAX_LINE = 256 << 10;

/** Cuts a stream of text into lines; throws when one is too long. */
export class Lines {
  #rest = '';

  push(text: string): string[] {
    const parts = (this.#rest + text).split('\n');
    this.#rest = parts.pop() ?? '';
    if (this.#rest.length > MAX_LINE) throw new Error('a line of a stream is too long');
    return parts.map((p) => p.trim()).filter((p) => p !== '');
  }
}

/** Tells the last line of each piece of a stream, until its end: each line is the whole, so that older ones are out of date. */
export async function lastLines(body: ReadableStream<Uint8Array>, tell: (line: string) => void): Promise<void> {
  const [lines, text, reader] = [new Lines(), new TextDecoder(), body.getReader()];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const last = lines.push(text.decode(value, { stream: true })).at(-1);
    if (last !== undefined) tell(last);
  }
}

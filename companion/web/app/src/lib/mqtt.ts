// MQTT 3.1.1 over a WebSocket, as much of it as a page needs: it logs in, subscribes,
// publishes and receives with QoS 0 and 1. This is one connection, from its socket to its end;
// the link reconnects. (MQTT.js does far more: it was half of the bytes a phone had to load.)
//
// 1. After end() no handler is called.
// 2. close is called once, whatever the cause: the socket, a refusal, silence, or bytes that are no MQTT.
// 3. Each caller that waits for an answer is called at the end, too.
// 4. An exception of a handler affects its message only.
import { onBeat } from './beat';
import type { Client, Connect, Login } from './link.svelte';
import * as mqtt from './packets';

const LOGIN = 5000; // ms, from the first try to the broker's answer
const KEEPALIVE = 15; // s, twice a beat: the broker ends a connection that says nothing for 22 s

type Heard = {
  connect: () => void;
  close: () => void;
  error: (e: Error & { code?: number | undefined }) => void;
  message: (topic: string, payload: Uint8Array) => void;
};

class Connection implements Client {
  readonly #ws: WebSocket;
  readonly #arrived = new mqtt.Packets();
  readonly #hears: Partial<Heard> = {};
  readonly #waiting = new Map<number, (answer?: Uint8Array) => void>(); // by packet identifier; called without an answer at the end
  readonly #late: ReturnType<typeof setTimeout>;
  #quiet: () => void = () => {};
  #last = 0; // number of a packet
  #asked = false; // for a sign of life
  #over = false;

  constructor(login: Login) {
    this.#ws = new WebSocket(login.url, 'mqtt');
    this.#ws.binaryType = 'arraybuffer';
    this.#ws.onopen = () => this.#send(mqtt.connectPacket(login, KEEPALIVE));
    this.#ws.onmessage = (m) => this.#receive(new Uint8Array(m.data as ArrayBuffer));
    this.#ws.onclose = () => this.#close();
    this.#late = setTimeout(() => this.#close(), LOGIN);
  }

  on<E extends keyof Heard>(event: E, f: Heard[E]): void {
    this.#hears[event] = f;
  }

  subscribe(topics: string[], f: (e: Error | null, granted?: readonly number[]) => void): void {
    this.#ask((id) => mqtt.subscribePacket(id, topics), (answer) => (answer ? f(null, [...answer.subarray(2)]) : f(new Error('closed'))));
  }

  publish(topic: string, payload: Uint8Array, f: (e: Error | null) => void): void {
    this.#ask((id) => mqtt.publishPacket(id, topic, payload), (answer) => f(answer ? null : new Error('closed')));
  }

  end(): void {
    this.#over = true;
    this.#release();
  }

  #ask(packet: (id: number) => Uint8Array, f: (answer?: Uint8Array) => void): void {
    if (this.#over) return f();
    this.#last = (this.#last % 0xffff) + 1;
    this.#waiting.set(this.#last, f);
    this.#send(packet(this.#last));
  }

  #send(packet: Uint8Array): void {
    if (this.#ws.readyState === WebSocket.OPEN) this.#ws.send(packet as Uint8Array<ArrayBuffer>);
  }

  #receive(bytes: Uint8Array): void {
    this.#asked = false;
    try {
      for (const packet of this.#arrived.add(bytes)) if (!this.#over) this.#take(packet);
    } catch {
      this.#close(); // that was no MQTT
    }
  }

  #take(packet: mqtt.Packet): void {
    const { type, body } = packet;
    if (type === mqtt.CONNACK) this.#welcome(body[1]);
    else if (type === mqtt.PUBLISH) {
      const { topic, payload, id } = mqtt.readPublish(packet);
      this.#tell('message', topic, payload);
      if (id !== undefined && !this.#over) this.#send(mqtt.pubackPacket(id));
    } else if (type === mqtt.SUBACK || type === mqtt.PUBACK) {
      const answered = this.#waiting.get(mqtt.idOf(body));
      this.#waiting.delete(mqtt.idOf(body));
      answered?.(body);
    }
  }

  #welcome(code: number | undefined): void {
    clearTimeout(this.#late);
    if (code !== 0) {
      this.#tell('error', Object.assign(new Error(`refused: ${code}`), { code }));
      return this.#close();
    }
    this.#quiet = onBeat(() => this.#beat());
    this.#tell('connect');
  }

  /** A sign of life is asked for at each beat, and must be there at the next. */
  #beat(): void {
    if (this.#asked) return this.#close();
    this.#asked = true;
    this.#send(mqtt.pingPacket());
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#release();
    this.#tell('close');
  }

  #release(): void {
    clearTimeout(this.#late);
    this.#quiet();
    this.#ws.onopen = this.#ws.onmessage = this.#ws.onclose = null;
    this.#ws.close();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const f of waiting) f();
  }

  #tell<E extends keyof Heard>(event: E, ...what: Parameters<Heard[E]>): void {
    try {
      (this.#hears[event] as ((...a: Parameters<Heard[E]>) => void) | undefined)?.(...what);
    } catch (e) {
      reportError(e);
    }
  }
}

/** Opens one connection and never a second. */
export const connect: Connect = (login) => new Connection(login);

// The packets of MQTT 3.1.1 (section 3) that a page sends and receives: no will, QoS 0 and 1 only.
import { concatBytes, encodeText, decodeText } from './bytes';

export interface Packet {
  /** The high half of its first byte. */
  type: number;
  flags: number;
  body: Uint8Array;
}

export const CONNACK = 2;
export const PUBLISH = 3;
export const PUBACK = 4;
export const SUBACK = 9;

const encodeUint16 = (n: number): Uint8Array => Uint8Array.of(n >> 8, n & 0xff);

/** A text with its length before it (1.5.3). */
function encodeString(text: string): Uint8Array {
  const bytes = encodeText(text);
  if (bytes.length > 0xffff) throw new Error('a text of more than 65,535 bytes');
  return concatBytes(encodeUint16(bytes.length), bytes);
}

function encodePacket(first: number, ...parts: Uint8Array[]): Uint8Array {
  const body = concatBytes(...parts);
  const length: number[] = []; // seven bits a byte, the lowest first; the high bit says that more follow (2.2.3)
  let rest = body.length;
  do {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    rest >>>= 7;
  } while (rest > 0);
  return concatBytes(Uint8Array.of(first, ...length), body);
}

const CLEAN = 0x02;
const USER_AND_PASSWORD = 0xc0;

export interface Login {
  clientId: string;
  username: string;
  password: string;
}

/** keepAlive in seconds. */
export const connectPacket = ({ clientId, username, password }: Login, keepAlive: number): Uint8Array =>
  encodePacket(0x10, encodeString('MQTT'), Uint8Array.of(4, CLEAN | USER_AND_PASSWORD), encodeUint16(keepAlive), encodeString(clientId),
    encodeString(username), encodeString(password));

/** With QoS 1 for each topic. */
export const subscribePacket = (id: number, topics: readonly string[]): Uint8Array =>
  encodePacket(0x82, encodeUint16(id), ...topics.map((topic) => concatBytes(encodeString(topic), Uint8Array.of(1))));

/** With QoS 1, not retained. */
export const publishPacket = (id: number, topic: string, payload: Uint8Array): Uint8Array =>
  encodePacket(0x32, encodeString(topic), encodeUint16(id), payload);

export const pubackPacket = (id: number): Uint8Array => encodePacket(0x40, encodeUint16(id));

export const pingPacket = (): Uint8Array => encodePacket(0xc0);

/** The number of a packet that begins with it. */
export const idOf = (body: Uint8Array): number => new DataView(body.buffer, body.byteOffset).getUint16(0);

/** What a PUBLISH brings; id is there when it is to be acknowledged. */
export function readPublish({ flags, body }: Packet): { topic: string; payload: Uint8Array; id?: number } {
  const end = 2 + idOf(body);
  if (end > body.length) throw new Error('a topic that is cut');
  const topic = decodeText(body.subarray(2, end));
  if ((flags & 0x06) === 0) return { topic, payload: body.subarray(end) };
  return { topic, payload: body.subarray(end + 2), id: idOf(body.subarray(end)) };
}

const MAX_LENGTH_BYTES = 4;

/** Cuts what arrives into packets: a frame may hold several of them, or a part of one. */
export class Packets {
  #rest = new Uint8Array();

  /** The packets that these bytes complete. Throws on what is no MQTT. */
  add(bytes: Uint8Array): Packet[] {
    const all = this.#rest.length === 0 ? bytes : concatBytes(this.#rest, bytes);
    const packets: Packet[] = [];
    let at = 0;
    for (let next = cutPacket(all, 0); next !== undefined; next = cutPacket(all, at)) {
      packets.push(next);
      at = next.body.byteOffset - all.byteOffset + next.body.length;
    }
    this.#rest = all.slice(at);
    return packets;
  }
}

/** The packet that begins here, when it is whole. */
function cutPacket(all: Uint8Array, at: number): Packet | undefined {
  const [first] = all.subarray(at);
  let length = 0;
  for (let i = 0; i < MAX_LENGTH_BYTES; i++) {
    const byte = all[at + 1 + i];
    if (first === undefined || byte === undefined) return undefined;
    length += (byte & 127) << (7 * i);
    if (byte > 127) continue;
    const begin = at + 2 + i;
    return begin + length > all.length ? undefined : { type: first >> 4, flags: first & 15, body: all.subarray(begin, begin + length) };
  }
  throw new Error('a length of more than 4 bytes');
}

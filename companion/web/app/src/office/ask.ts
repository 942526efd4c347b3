// One request to the office over HTTP.
import { concatBytes } from '../lib/bytes';
import type { Site } from '../lib/site';
import { browserItem } from '../lib/storage';
import type { OfficeAnswer, OfficeRequest } from '../lib/wire';
import { OfficeKey } from './seal';

/** Asks the office; rejects when there is no answer to this device. */
export type Ask = (request: OfficeRequest, signal?: AbortSignal) => Promise<OfficeAnswer>;

interface Device {
  user: string;
  number: number; // which of the host's devices it is
  key: Uint8Array;
}

/** Makes requests to the office of the table that serves this page; epoch gives that of the last view, 0 before the first. */
export function officeOf(site: Site, device: Device, epoch: () => number, get: typeof fetch = fetch): Ask {
  let made: { of: Uint8Array; key: OfficeKey } | undefined; // the device gets another key in another game
  const last = browserItem(`${site.base}:${device.user}:office`); // numbers go on rising after a reload and across tabs
  return async (request, signal) => {
    const number = Math.max(Date.now(), Number(last.get() ?? 0) + 1);
    last.set(String(number));
    if (made?.of !== device.key) made = { of: device.key, key: new OfficeKey(device.key) };
    const { key } = made;
    const answer = await get('/office', {
      method: 'POST',
      cache: 'no-store',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: concatBytes(Uint8Array.of(device.number), key.seal(epoch(), number, request)) as Uint8Array<ArrayBuffer>,
      ...(signal ? { signal } : {}),
    });
    if (!answer.ok) throw new Error(`/office: ${answer.status}`);
    return key.open(number, new Uint8Array(await answer.arrayBuffer())) as OfficeAnswer;
  };
}

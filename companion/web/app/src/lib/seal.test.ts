import { describe, expect, it } from 'vitest';
import vectors from '../../../../seal/testdata/vectors.json';
import { fromBase64url, fromHex, toBase64url, toHex } from './bytes';
import { ACT_SIZE, SeatKey, VIEW_SIZE, codeId, deriveKey } from './seal';

const key = fromBase64url(vectors.key);
const seat = new SeatKey(key);

describe('the daemon and the page agree byte for byte', () => {
  it.each(Object.entries(vectors.sub_keys))('key %s', (info, want) => {
    expect(toHex(deriveKey(key, info, 32))).toBe(want);
  });
  it.each([vectors.view, vectors.view_full])('opens view $number', (v) => {
    const got = seat.openView(v.topic, fromBase64url(v.payload));
    expect(got).toEqual({ epoch: v.epoch, number: v.number, body: JSON.parse(v.json) });
    expect(v.padded).toBe(VIEW_SIZE);
  });
  it('opens a reply', () => {
    const v = vectors.reply;
    expect(seat.openReply(v.topic, fromBase64url(v.payload)).body).toEqual(JSON.parse(v.json));
  });
  it('seals an act', () => {
    const v = vectors.act;
    const got = seat.sealAct(v.topic, v.epoch, v.number, JSON.parse(v.json), fromBase64url(v.nonce));
    expect(toBase64url(got)).toBe(v.payload);
    expect(v.padded).toBe(ACT_SIZE);
  });
  it('makes the connect password', () => {
    expect(seat.password(vectors.connect.client_id, vectors.connect.counter)).toBe(vectors.connect.password);
  });
  it('makes the code of the next key, and the password for it', () => {
    expect(seat.renewalCode()).toBe(vectors.renewal.code);
    expect(seat.password(`${vectors.renewal.user}/renew`, vectors.renewal.counter)).toBe(vectors.renewal.password);
  });
  it('names an invitation', () => {
    expect(codeId(vectors.join.code)).toBe(vectors.join.id);
    expect(() => codeId('AAAA')).toThrow();
  });
});

describe('what was not sealed for this seat and topic does not open', () => {
  const v = vectors.view;
  const payload = fromBase64url(v.payload);
  const changed = (at: number) => Uint8Array.from(payload, (b, i) => (i === at ? b ^ 1 : b));
  it.each([
    ['another topic', v.topic.replace('s3', 's4'), payload],
    ['another epoch', v.topic, changed(8)],
    ['another revision', v.topic, changed(16)],
    ['another nonce', v.topic, changed(20)],
    ['a changed byte', v.topic, changed(200)],
    ['a changed tag', v.topic, changed(payload.length - 1)],
    ['another version', v.topic, changed(0)],
    ['a byte less', v.topic, payload.subarray(1)],
    ['nothing', v.topic, new Uint8Array()],
  ])('%s', (_, topic, bytes) => {
    expect(() => seat.openView(topic, bytes)).toThrow();
  });
  it('another seat', () => {
    expect(() => new SeatKey(fromHex('11'.repeat(32))).openView(v.topic, payload)).toThrow();
  });
  it('a reply is no view', () => {
    expect(() => seat.openView(vectors.reply.topic, fromBase64url(vectors.reply.payload))).toThrow();
  });
});

it('refuses an act that does not fit its size class', () => {
  expect(() => seat.sealAct('t', 1, 1, { act: 'x'.repeat(1020) })).toThrow(/1020/);
});

it('never seals two acts alike', () => {
  const once = () => toHex(seat.sealAct('t', 1, 1, { act: 'move' }));
  expect(once()).not.toBe(once());
});

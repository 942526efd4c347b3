import { expect, it, vi } from 'vitest';
import vectors from '../../../../seal/testdata/vectors.json';
import { fromBase64url, toBase64url } from './bytes';
import { Asker } from './claim';

const { code, private: secret, public: open, box } = vectors.claim;

it('reads what the daemon seals for it, and nothing else', () => {
  const asker = new Asker(fromBase64url(secret));
  expect(toBase64url(asker.public)).toBe(open);
  expect(asker.open(box)).toBe(code);
  expect(() => new Asker().open(box)).toThrow();
});

it('says who asks, and never its secret', async () => {
  const asker = new Asker(fromBase64url(secret));
  const post = vi.fn<typeof fetch>(async () => new Response('{"state":"lay","numbers":[3,2,4],"at":1,"seconds":170}'));
  expect(await asker.hear(true, post)).toEqual({
    state: 'lay',
    numbers: [3, 2, 4],
    at: 1,
    laid: 0,
    wrong: 0,
    seconds: 170,
    box: '',
    code: '',
    ahead: 0,
  });
  expect(JSON.parse(String(post.mock.calls[0]?.[1]?.body))).toEqual({ key: open, ask: true });
});

it('takes no state that it does not know', async () => {
  await expect(new Asker().hear(false, async () => new Response('{"state":"own"}'))).rejects.toThrow();
  await expect(new Asker().hear(false, async () => new Response('', { status: 500 }))).rejects.toThrow();
});

// How a phone becomes a seat by an invitation (package companion, "Joining").
import { fromBase64url } from './bytes';
import { Joining, OtherVersion } from './noise';
import { phoneNonce } from './seal';

/** Why an invitation did not work. */
export type JoinProblem = 'unknown' | 'used' | 'too-many' | 'broken' | 'offline' | 'outdated';

/** One request of a phone to join; the same one again gets the same answer. */
export interface JoinRequest {
  code: string;
  phone: string;
  /** The private key of the request. */
  secret: string;
  /** For the next key of a seat: shows that the request is no recording. */
  fresh?: string;
}

/** Sends the request of a phone, and returns what read makes of the answer, or why there is none. */
export async function joinSeat<T>(
  { code, phone, secret, fresh }: JoinRequest,
  read: (pass: object) => T,
  post: typeof fetch,
): Promise<T | JoinProblem> {
  try {
    const joining = new Joining(code, phoneNonce(phone), fromBase64url(secret));
    const answer = await post('/join', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...joining.request, fresh }),
    }).catch(() => undefined);
    if (answer?.ok === false) return problemOf(answer.status);
    const text = await answer?.text().catch(() => undefined);
    if (text === undefined) return 'offline';
    const { box } = JSON.parse(text) as { box: string };
    return read({ ...(joining.open(box) as object), phone, by: joining.request.id });
  } catch (e) {
    return e instanceof OtherVersion ? 'outdated' : 'broken';
  }
}

function problemOf(status: number): JoinProblem {
  switch (status) {
    case 404:
      return 'unknown';
    case 410:
      return 'used';
    case 429:
      return 'too-many';
    default:
      return status >= 500 ? 'offline' : 'broken';
  }
}

// A link as a QR code, drawn in the page: the part after # in an invitation
// is a secret and must not travel to any server (package companion, Joining).
import { encode } from 'uqr';

/** A QR code as one path of unit squares in a box of size x size, quiet zone included. */
export interface Qr {
  size: number;
  d: string;
}

const QUIET = 4; // modules, ISO/IEC 18004

/** Draws text; error correction M bears the glare of a screen. */
export function drawQr(text: string): Qr {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET });
  let d = '';
  data.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== true) continue;
      const from = x;
      while (row[x + 1] === true) x++;
      d += `M${from} ${y}h${x + 1 - from}v1h${from - x - 1}z`;
    }
  });
  return { size, d };
}

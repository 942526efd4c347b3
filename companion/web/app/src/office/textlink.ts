// A text that is saved on this device.
import type { OfficeText } from '../lib/wire';

/** Where a text can be saved from; end frees it. */
export function textLink(text: OfficeText): { href: string; end: () => void } {
  const href = URL.createObjectURL(new Blob([text.text], { type: 'text/plain;charset=utf-8' }));
  return { href, end: () => URL.revokeObjectURL(href) };
}

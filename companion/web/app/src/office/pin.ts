import { MaxPIN, MinPIN } from '../lib/wire';

/** Whether so many digits can be a PIN: at the door, of a new account, of one's own. */
export const isPIN = (pin: string): boolean => pin.length >= MinPIN && pin.length <= MaxPIN;

/** What may be typed into the field of a PIN. */
export const digits = (text: string): string => text.replace(/[^0-9]/g, '');

import { MaxPIN, MinPIN } from '../lib/wire';

/** Whether a text has the length of a PIN: at the sign-in, for a new account, for one's own. */
export const isPIN = (pin: string): boolean => pin.length >= MinPIN && pin.length <= MaxPIN;

/** The part of an input that the field of a PIN accepts. */
export const keepDigits = (text: string): string => text.replace(/[^0-9]/g, '');

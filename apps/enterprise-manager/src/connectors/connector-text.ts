import { z } from 'zod';
import { comparisonKey } from '../directory/names.ts';

const MAX_KEY_BYTES = 2_000;
const LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u;

/** One line of text with at least one character. */
export const line = (maximum: number) => z.string().min(1).max(maximum).regex(LINE, 'must be one line of text');

/** The name that people see; no two connectors of a gateway share it, whatever its case or Unicode form. */
export const connectorName = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(128)
    .regex(LINE, 'must be one line of text')
    .refine((text) => comparisonKey(text) !== '', 'must contain a visible character')
    .refine((text) => Buffer.byteLength(comparisonKey(text)) <= MAX_KEY_BYTES, 'is too long in its plain form');

/** A longer text that people read; lines and tabs are allowed. */
export const paragraph = () =>
  z
    .string()
    .max(2_000)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u, 'must be text');

/** A link that a console shows. It is never fetched, and only http and https lead anywhere. */
export const webLink = () => line(2_048).refine(isWebLink, 'must be an http or https URL without user name');

function isWebLink(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
}

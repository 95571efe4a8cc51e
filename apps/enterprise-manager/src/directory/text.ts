import { z } from 'zod';
import { comparisonKey, groupName } from './names.ts';

/** Longest comparison form in bytes: what a Postgres index entry can hold. Compatibility forms can be 18 times as long as what was typed. */
const MAX_KEY_BYTES = 2_000;

const LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u;

/** An object id in a path or body. Any UUID is well formed, upper case too; whether there is such an object is another question. */
export const uuid = () => z.guid('must be a UUID').toLowerCase();

/** A path with one object id. */
export const IdPath = z.strictObject({ id: uuid() });
export type IdPath = z.infer<typeof IdPath>;

/** A filter over stored text: one line. */
export const filterText = () => z.string().min(1).max(256).regex(LINE, 'must be one line of text');

/** A name that a person gives to a group. */
export const groupDisplayName = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(256)
    .regex(LINE, 'must be one line of text')
    .refine((text) => groupName(text) !== undefined, 'must contain a letter or a digit')
    .refine((text) => Buffer.byteLength(comparisonKey(text)) <= MAX_KEY_BYTES, 'is too long in its plain form')
    .describe('Shown to people; no two groups share it, whatever its case or Unicode form');

/** A longer text that people read; lines and tabs are allowed. */
export const description = () =>
  z
    .string()
    .max(2_000)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u, 'must be text')
    .describe('What the group is for');

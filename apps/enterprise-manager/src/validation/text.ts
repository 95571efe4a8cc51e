import { emptyIsNone } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { comparisonKey, hasVisibleCharacter } from './names.ts';

/**
 * Longest comparison form in bytes: what a Postgres index entry can hold. Compatibility forms can
 * be 18 times as long as what was typed.
 */
const MAX_KEY_BYTES = 2_000;

const oneLine = (text: z.ZodString, maximum: number) =>
  text
    .min(1)
    .max(maximum)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must be one line of text');

/** One line of text with at least one character. */
export const line = (maximum: number) => oneLine(z.string(), maximum);

/**
 * A name that becomes part of the keys of sums, where an index entry has room for so many bytes: in
 * ASCII as many characters.
 */
export const sumName = (maximum: number) =>
  line(maximum).refine((text) => Buffer.byteLength(text) <= maximum, `must have at most ${maximum} bytes`);

/** A name that is unique in its comparison form. Blanks around it do not count. */
export const uniqueName = (maximum: number) =>
  oneLine(z.string().trim(), maximum).refine(
    (text) => Buffer.byteLength(comparisonKey(text)) <= MAX_KEY_BYTES,
    'is too long in its plain form',
  );

/** A longer text that people read; lines and tabs are allowed. */
export const paragraph = () =>
  z
    .string()
    .max(2_000)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u, 'must be text');

/**
 * An object id in a path or body. Any UUID is well formed, upper case too; whether there is such an
 * object is another question.
 */
export const uuid = () => z.guid('must be a UUID').toLowerCase();

/** Whether a text has the form of a UUID, in lower or upper case. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** A path with one object id. */
export const IdPath = z.strictObject({ id: uuid() });
export type IdPath = z.infer<typeof IdPath>;

/**
 * A point in time (RFC 3339) that can be kept: in UTC it is in the years 1 to 9999, and its zone is
 * less than sixteen hours away.
 */
export const time = () =>
  z.iso
    .datetime({ offset: true })
    .refine(
      (text) => /^(?!0000)\d{4}-/.test(inUtc(text)) && !/[+-](?:1[6-9]|2\d):\d\d$/.test(text),
      'must be a time as in RFC 3339, for example 2026-01-31T09:00:00Z',
    );

/**
 * @returns the same instant as `Date` writes it; a year that needs more than four digits gets a
 * sign; empty where there is no such instant
 */
function inUtc(text: string): string {
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
}

/** A filter over stored text: one line. */
export const filterText = () => line(256);

/** What a list is searched for; an empty text is the same as none. */
export const searchText = (description: string) => emptyIsNone(filterText(), description, 256);

/** A person or a group as budgets name them. */
export const subjectId = () => line(512);

/** A name that a person gives to a group. */
export const groupDisplayName = () =>
  uniqueName(256)
    .refine(hasVisibleCharacter, 'must contain a visible character')
    .describe('Shown to people; no two groups share it, whatever its case or Unicode form');

/** What people read about a group. */
export const description = () => paragraph().describe('What the group is for');

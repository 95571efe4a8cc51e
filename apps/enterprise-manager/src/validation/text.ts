import { optionalText } from '@gatehouse/service-kit/paging';
import { filterText, line, oneLine } from '@gatehouse/service-kit/text';
import { z } from 'zod';
import { toComparisonKey, hasVisibleCharacter } from './names.ts';

/**
 * Maximum length of a comparison form in bytes, which is limited by Postgres index entries. A
 * comparison form can be 18 times as long as its text.
 */
const MAX_KEY_BYTES = 2_000;

/** A name that is part of the index keys of sums, so its length is limited in bytes. */
export const rollupKeyText = (maximum: number) =>
  line(maximum).refine((text) => Buffer.byteLength(text) <= maximum, `must have at most ${maximum} bytes`);

/** A name that is unique in its comparison form. Blanks at its ends are removed. */
export const uniqueName = (maximum: number) =>
  oneLine(z.string().trim(), maximum).refine(
    (text) => Buffer.byteLength(toComparisonKey(text)) <= MAX_KEY_BYTES,
    `is too long: its comparison form must have at most ${MAX_KEY_BYTES} bytes`,
  );

/** A text of several lines; tabs are allowed. */
export const paragraph = () =>
  z
    .string()
    .max(2_000)
    .regex(
      /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u,
      'must be text without control characters other than tabs and line breaks',
    );

/** An object id in a path or body: any UUID, in lower or upper case. */
export const uuid = () => z.guid('must be a UUID').toLowerCase();

/** Whether a text has the form of a UUID, in lower or upper case. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** A path with one object id. */
export const IdPath = z.strictObject({ id: uuid() });
export type IdPath = z.infer<typeof IdPath>;

/** The search text of a list. An empty text has no effect. */
export const searchText = (description: string) => optionalText(filterText(), description, 256);

/** The `subject_id` of a user or group in budgets. */
export const subjectId = () => line(512);

/** The display name of a group. */
export const groupDisplayName = () =>
  uniqueName(256)
    .refine(hasVisibleCharacter, 'must contain a visible character')
    .describe('The display name of the group; it is unique, also in other case or Unicode form');

/** The description of a group. */
export const description = () => paragraph().describe('The purpose of the group');

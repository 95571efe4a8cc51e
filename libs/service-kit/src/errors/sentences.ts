import { z } from 'zod';
import { HttpError } from './http-error.ts';

const count = (n: number | bigint, unit: string) => `${n} ${unit}${n === 1 || n === 1n ? '' : 's'}`;

const UNITS: Record<string, string> = {
  string: 'character',
  array: 'item',
  set: 'item',
  map: 'entry',
  object: 'field',
};

function size(word: 'least' | 'most', origin: string, bound: number | bigint, inclusive: boolean): string {
  const unit = UNITS[origin];
  if (unit) return `must have at ${word} ${count(bound, unit)}`;
  if (inclusive) return `must be at ${word} ${bound}`;
  return word === 'least' ? `must be greater than ${bound}` : `must be less than ${bound}`;
}

/** The sentence of an unknown member. */
export const UNKNOWN_FIELD = 'is not a known field';

/** The sentence of a list that is too long. */
export const tooManyItems = (maximum: number): string => size('most', 'array', maximum, true);

/** The sentence of a record that has too many entries. */
export const tooManyEntries = (maximum: number): string => `must have at most ${maximum} entries`;

const TYPES: Record<string, string> = {
  int: 'an integer',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  number: 'a number',
};

const FORMATS: Record<string, string> = {
  regex: 'does not have the required form',
  datetime: 'must be a time as in RFC 3339, for example 2026-01-31T09:00:00Z',
  date: 'must be a date, for example 2026-01-31',
};

type Issue = z.core.$ZodRawIssue;

function plain(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}`;
    case 'too_small':
      return size('least', issue.origin, issue.minimum, issue.inclusive ?? true);
    case 'too_big':
      return size('most', issue.origin, issue.maximum, issue.inclusive ?? true);
    case 'invalid_format':
      return FORMATS[issue.format] ?? `must be a valid ${issue.format}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return issue.input === undefined
        ? 'is required'
        : `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'unrecognized_keys':
      return UNKNOWN_FIELD;
    case 'invalid_union':
      return issue.input === undefined ? 'is required' : 'has none of the allowed forms';
    default:
      return undefined;
  }
}

// The messages of schemas without a message of their own.
z.config({ localeError: (issue) => plain(issue) });

/** A failed rule, as Standard Schema and zod report it. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  /** `isTooLarge`: the value exceeds a size limit, which is answered 413. */
  readonly params?: { readonly isTooLarge?: unknown } | undefined;
}

/** Options of a zod rule about the size of a document. A violation is answered 413. */
export const sizeLimit = (error: string) => ({ error, params: { isTooLarge: true } });

const segments = (issue: SchemaIssue): string[] =>
  (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));

const MAX_NAME = 100;
const shown = (name: string) => {
  const visible = name.replace(/[^\x20-\x7e\u00a0-\ud7ff\ue000-\uffff]/g, '?');
  return visible.length > MAX_NAME ? `${visible.slice(0, MAX_NAME)}…` : visible;
};
const dotted = (path: readonly string[]) =>
  path.map((part, at) => (/^\d+$/.test(part) ? `[${part}]` : `${at > 0 ? '.' : ''}${shown(part)}`)).join('');
const pointer = (path: readonly string[]) =>
  path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Maximum number of faults in a message. */
export const MAX_NAMED = 5;
const MAX_VIOLATIONS = 50;

/** Whether the whole value was searched for faults. */
type Search = 'whole' | 'stopped';

/** An issue about one field. An issue of unknown keys is about each key. */
interface Fault {
  path: readonly string[];
  message: string;
  isBound: boolean;
  isTooLarge: boolean;
}

/** The first faults of an issue and their number. An issue can name thousands of unknown keys. */
function listFaults(issue: SchemaIssue): { faults: Fault[]; count: number } {
  const path = segments(issue);
  const isTooLarge = issue.params?.isTooLarge === true;
  const isBound = issue.code === 'too_small' || issue.code === 'too_big';
  if (issue.code !== 'unrecognized_keys' || !issue.keys)
    return { faults: [{ path, message: issue.message, isBound, isTooLarge }], count: 1 };
  const faults = issue.keys.slice(0, MAX_VIOLATIONS).map((key) => ({
    path: [...path, key],
    message: issue.message,
    isBound,
    isTooLarge,
  }));
  return { faults, count: issue.keys.length };
}

/** The message of an issue: `display_name: must have at least 1 character`. */
export const formatIssue = (issue: SchemaIssue): string =>
  listFaults(issue)
    .faults.map(({ path, message }) => pathSentence(path, message))
    .join('; ');

/** The message for a field: `name: is required`. The empty path is `body`. */
export const pathSentence = (path: readonly PropertyKey[], message: string): string =>
  `${dotted(path.map(String)) || 'body'}: ${message}`;

/**
 * Keeps one fault for each field: the first, since later rules depend on it. Of several bounds it
 * keeps the last, since the bound of the type itself is wider.
 */
function onePerField(issues: readonly SchemaIssue[]): { faults: Fault[]; count: number } {
  const byField = new Map<string, Fault>();
  let unnamed = 0;
  for (const issue of issues) {
    const { faults, count } = listFaults(issue);
    unnamed += count - faults.length;
    for (const fault of faults) {
      const field = pointer(fault.path);
      const first = byField.get(field);
      if (first === undefined || (first.isBound && fault.isBound)) byField.set(field, fault);
    }
  }
  return { faults: [...byField.values()], count: byField.size + unnamed };
}

/** The first faults as one text, and the number of further faults if it is known. */
function namedFaults(faults: readonly Fault[], count: number, search: Search): string {
  const more = count > MAX_NAMED ? `; and ${search === 'whole' ? `${count - MAX_NAMED} ` : ''}more` : '';
  const named = faults.slice(0, MAX_NAMED).map(({ path, message }) => pathSentence(path, message));
  return named.join('; ').slice(0, 2000) + more;
}

/** The first five faults of a value as one text, one for each field. */
export function formatIssues(issues: readonly SchemaIssue[], search: Search = 'whole'): string {
  const { faults, count } = onePerField(issues);
  return namedFaults(faults, count, search);
}

/** A refusal that names the first five fields that break their schema. */
export function validationError(issues: readonly SchemaIssue[], search: Search = 'whole'): HttpError {
  const { faults, count } = onePerField(issues);
  const kind = faults.some(({ isTooLarge }) => isTooLarge) ? 'too_large' : 'invalid';
  return new HttpError(kind, namedFaults(faults, count, search), {
    violations: faults.slice(0, MAX_VIOLATIONS).map(({ path, message }) => ({ field: pointer(path), message })),
  });
}

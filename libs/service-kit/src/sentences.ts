import { z } from 'zod';
import { Refusal } from './refusal.ts';
import type { Violation } from './refusal.ts';

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
      return 'is not a known field';
    case 'invalid_union':
      return issue.input === undefined ? 'is required' : 'has none of the allowed forms';
    default:
      return undefined;
  }
}

// Schemas that give no message of their own speak in the words of this house.
z.config({ localeError: (issue) => plain(issue) });

/** A failed rule, as Standard Schema reports it; zod's own carry more. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string | undefined;
  readonly keys?: readonly string[] | undefined;
}

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

/** The fields an issue is about: one, or each unknown key. */
const places = (issue: SchemaIssue): string[][] => {
  const path = segments(issue);
  return issue.code === 'unrecognized_keys' && issue.keys ? issue.keys.map((key) => [...path, key]) : [path];
};

/** An issue as words: `display_name: must have at least 1 character`. */
export const sentenceOf = (issue: SchemaIssue): string =>
  places(issue)
    .map((path) => `${dotted(path) || 'body'}: ${issue.message}`)
    .join('; ');

/** An issue as violations with JSON pointers. */
const violationsOf = (issue: SchemaIssue): Violation[] =>
  places(issue).map((path) => ({ field: pointer(path), message: issue.message }));

const isBound = ({ code }: SchemaIssue) => code === 'too_small' || code === 'too_big';

/** One issue for each field, the first: what fails a form fails what is built on it too. Of bounds the last, since a type's own is the wider one. */
function onePerField(issues: readonly SchemaIssue[]): SchemaIssue[] {
  const byField = new Map<string, SchemaIssue>();
  for (const issue of issues) {
    const field = places(issue).map(pointer).join(' ');
    const first = byField.get(field);
    if (first === undefined || (isBound(first) && isBound(issue))) byField.set(field, issue);
  }
  return [...byField.values()];
}

/** What breaks a schema as words, one thing about each field. */
export const sentencesOf = (issues: readonly SchemaIssue[]): string => onePerField(issues).map(sentenceOf).join('; ');

/** More than this is noise; the caller mends these first. */
const MAX_NAMED = 5;
const MAX_VIOLATIONS = 50;

/** A refusal that names every field that breaks its schema. */
export function refusalOf(all: readonly SchemaIssue[]): Refusal {
  const issues = onePerField(all);
  const more = issues.length > MAX_NAMED ? `; and ${issues.length - MAX_NAMED} more` : '';
  return new Refusal('invalid', issues.slice(0, MAX_NAMED).map(sentenceOf).join('; ').slice(0, 2000) + more, {
    violations: issues.flatMap(violationsOf).slice(0, MAX_VIOLATIONS),
  });
}

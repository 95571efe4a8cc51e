import type { KubernetesStatus } from '@gatehouse/kubernetes/errors';
import { escapeSegment } from '../json-pointer.ts';
import type { Violation } from '../resource-store.ts';

/** The longest message of a violation. The API repeats refused values. */
const MESSAGE_LIMIT = 500;

/** Begins the list of fields that `fieldValidation=Strict` refuses. */
const STRICT = 'strict decoding error: ';
const STRICT_FIELD = /(unknown|duplicate) field "((?:[^"\\]|\\.)*)"/g;

/**
 * Finds the violations that the API names in a refusal.
 * @param sent the object or patch of the request, which resolves names of members with dots
 * @returns an empty list when the API names none
 */
export function listObjectViolations({ message, details }: KubernetesStatus, sent: unknown): Violation[] {
  const found = (details?.causes ?? []).flatMap((cause) =>
    // The field of an invalid patch is `patch`; the message repeats the whole object.
    cause.field === 'patch'
      ? listStrictViolations(cause.message)
      : [{ field: cause.field, message: cause.message.slice(0, MESSAGE_LIMIT) }],
  );
  const fields = [...found, ...listStrictViolations(message)].filter(({ field }) => field !== '<nil>');
  const pointers = fields.map(({ field, message }) => ({ field: toPointer(field, sent), message }));
  return [...new Map(pointers.map((violation) => [violation.field, violation])).values()];
}

function listStrictViolations(message: string): Violation[] {
  const start = message.lastIndexOf(STRICT);
  if (start === -1) return [];
  return [...message.slice(start).matchAll(STRICT_FIELD)].map(([, problem, field = '']) => ({
    field,
    message: problem === 'unknown' ? 'is not a known field' : 'occurs twice',
  }));
}

/**
 * Turns the path of a field, such as `spec.principalMatchers[0].claims`, into a JSON pointer
 * (RFC 6901). A name can contain dots; the object shows where it ends.
 */
export function toPointer(field: string, object: unknown): string {
  let pointer = '';
  let value = object;
  for (let rest = field === '' ? undefined : field; rest !== undefined;) {
    const [segment, length] = readSegment(rest, value);
    pointer += `/${escapeSegment(segment)}`;
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[segment];
    const others = rest.slice(length);
    // A dot at the end precedes a member with an empty name.
    rest = others === '' ? undefined : others.replace(/^\./, '');
  }
  return pointer;
}

/** @returns the first segment of the path, and its length in the path */
function readSegment(path: string, value: unknown): [string, number] {
  const bracket = /^\[([^\]]*)\]/.exec(path);
  if (bracket) return [bracket[1] ?? '', bracket[0].length];
  const isSegment = (name: string) => path.startsWith(name) && /^($|[.[])/.test(path.slice(name.length));
  const names = typeof value === 'object' && value !== null ? Object.keys(value).filter(isSegment) : [];
  const plain = /^[^.[]*/.exec(path)?.[0] ?? '';
  const name = names.reduce((longest, next) => (next.length > longest.length ? next : longest), plain);
  return [name, Math.max(name.length, 1)];
}

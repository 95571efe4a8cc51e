/**
 * The required type of a response field that a command uses: a list holds objects, `texts` is a
 * list of texts.
 */
type Kind = 'list' | 'texts' | 'object' | 'text';

/** The fields of a response that a command uses. */
export type ExpectedFields<T> = Partial<Record<keyof T, Kind>>;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string';
const KINDS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  list: (value) => Array.isArray(value) && value.every(isObject),
  texts: (value) => Array.isArray(value) && value.every(isText),
  object: isObject,
  text: isText,
};

/** Whether a response has the fields that a command uses. */
export function hasFields<T>(data: unknown, fields: ExpectedFields<T>): boolean {
  const given = (data ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries<Kind | undefined>(fields).every(([name, kind]) => !kind || KINDS[kind](given[name]));
}

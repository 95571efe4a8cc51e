import type { Answer, Call, ContractClient, DocumentedOperation, OpenApiDocument } from './contract-client.ts';
import { drawValues } from './effort.ts';

/**
 * One operation for the fuzzer: a call that succeeds, and a function that reads the stored state.
 */
export interface FuzzTarget {
  /** For example `POST /v1/groups`. */
  operation: string;
  /**
   * A valid call. Every attack changes one part of it. A function is called again for each attack.
   */
  valid: Call | (() => Call);
  /** Returns a digest of all stored data. When given, a refused call must not change it. */
  state?: () => Promise<string>;
}

interface Attack {
  name: string;
  call: Call;
  /** The field that a refusal (400 or 422) must name; absent where no field can be blamed. */
  field?: string;
}

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const hostileJson: [string, string][] = [
  ['null', 'null'],
  ['false', 'false'],
  ['zero', '0'],
  ['a negative number', '-1'],
  ['a fraction', '0.5'],
  ['a number beyond doubles', '1e400'],
  ['an integer beyond 2^53', '9007199254740993'],
  ['an empty string', '""'],
  ['blanks', '"   "'],
  ['a NUL', '"a\\u0000b"'],
  ['a lone surrogate', '"\\ud800"'],
  ['right-to-left and zero-width characters', '"\\u202e\\u200b\\ufeff"'],
  ['100 kB of text', `"${'x'.repeat(100_000)}"`],
  ['10,000 astral characters', `"${'𝕏'.repeat(10_000)}"`],
  ['an empty list', '[]'],
  ['an empty object', '{}'],
  ['a list of nulls', '[null,null]'],
  ['a prototype key', '{"__proto__":{"admin":true}}'],
  ['5,000 levels of nesting', deep(5_000)],
];

/** Attacks that the JSON parser refuses before any field is known, and the name in its message. */
const blamedInstead: Record<string, string> = { 'a prototype key': '__proto__', '5,000 levels of nesting': 'body' };

const hostileText: [string, string][] = [
  ['empty', ''],
  ['a blank', ' '],
  ['negative', '-1'],
  ['zero', '0'],
  ['a huge number', '99999999999999999999999999'],
  ['a word', 'NaN'],
  ['a NUL', 'a\u0000b'],
  ['a quote', `'; DROP TABLE users; --`],
  ['a wildcard', '%_\\'],
  ['a path', '../../etc/passwd'],
  ['a slash', 'a/b'],
  ['unicode', 'ﷺ\u202e𝕏'],
  ['a line break', 'a\r\nx-injected: 1'],
  ['4 kB', 'y'.repeat(4_000)],
];

/**
 * Sends the attacks on an operation, one change at a time: on each parameter and field, with values
 * that the seed of the run selects. Each answer must be documented (the
 * client checks that) and must not be 5xx. A refusal must name the changed field and must not
 * change stored data.
 * @returns the numbers of refused and accepted calls; a test checks that the fuzzer sent some.
 */
export const fuzzOperation = async (
  client: ContractClient,
  { operation, valid, state }: FuzzTarget,
): Promise<{ refused: number; accepted: number }> => {
  const next = typeof valid === 'function' ? valid : () => valid;
  const counts = { refused: 0, accepted: 0 };
  let before: string | undefined;
  for (const attack of generateAttacks(client.document, operation, next)) {
    // A constant call stores nothing between attacks, so the digest is read once.
    if (before === undefined || typeof valid === 'function') before = await state?.();
    const response = await client.call(operation, attack.call).catch((error: unknown) => {
      throw new Error(`${attack.name}: ${error instanceof Error ? error.message : String(error)}`);
    });
    checkAnswer(operation, attack, response);
    if (response.status < 400) {
      counts.accepted += 1;
      before = undefined;
      continue;
    }
    counts.refused += 1;
    const after = await state?.();
    if (after !== before) {
      const changed = splitLines(after).filter((line) => !splitLines(before).includes(line));
      throw new Error(
        `${operation}, ${attack.name}: answered ${response.status} and changed the stored state: ${changed.join('; ').slice(0, 500)}`,
      );
    }
  }
  return counts;
};

const splitLines = (state: string | undefined): string[] => (state ?? '').split('\n');

const checkAnswer = (operation: string, { name, field }: Attack, { status, body }: Answer): void => {
  const where = `${operation}, ${name}`;
  // 501 is a valid answer: the service does not implement the operation.
  if (status >= 500 && status !== 501) throw new Error(`${where}: answered ${status}`);
  if (status < 400) return;
  const { error: errorText, detail } = (body ?? {}) as { error?: unknown; detail?: unknown };
  const error = errorText ?? detail;
  if (typeof error !== 'string' || error === '') throw new Error(`${where}: answered ${status} without an error text`);
  if ((status === 400 || status === 422) && field !== undefined && !JSON.stringify(body).includes(field)) {
    throw new Error(`${where}: the refusal does not name ${field}: ${error.slice(0, 300)}`);
  }
};

const generateAttacks = function* (document: OpenApiDocument, operation: string, next: () => Call): Generator<Attack> {
  const [method = '', template = ''] = operation.split(' ');
  const documented = document.paths[template]?.[method.toLowerCase()];
  if (!documented) throw new Error(`the document has no operation ${operation}`);
  yield* parameterAttacks(operation, documented, next);
  if (documented.requestBody) yield* bodyAttacks(document, operation, documented, next);
};

const parameterAttacks = function* (
  operation: string,
  documented: DocumentedOperation,
  next: () => Call,
): Generator<Attack> {
  yield {
    name: 'an unknown query parameter',
    field: 'no_such_parameter',
    call: withQuery(next(), 'no_such_parameter', '1'),
  };
  yield { name: 'an incomplete percent encoding', call: { ...next(), rawQuery: 'a=%' } };
  for (const { in: place, name } of documented.parameters ?? []) {
    const values = hostileText.filter(([, value]) => canSend(place, value));
    for (const [what, value] of drawValues(`${operation} ${name}`, values)) {
      const title = `${place} parameter ${name}: ${what}`;
      if (place === 'query') yield { name: title, field: name, call: withQuery(next(), name, value) };
      if (place === 'path') yield { name: title, call: withPath(next(), name, value) };
      if (place === 'header') yield { name: title, field: name, call: withHeader(next(), name, value) };
    }
    if (place === 'query')
      yield { name: `query parameter ${name} twice`, field: name, call: withQuery(next(), name, ['1', '2']) };
  }
};

/** Whether a request can have the value as a parameter in this place. */
const canSend = (place: string, value: string): boolean => {
  if (place === 'path') return value.trim() !== '';
  return place !== 'header' || /^[\x20-\x7e]*$/.test(value);
};

const malformedBodies = ['', '{', 'nul', '[]', 'null', '1', '"text"', '{"a":1,}', '\ufeff{', deep(100_000)];

/** The call with the given text as its body. */
const withRawBody = (next: () => Call, body: string | Uint8Array, contentType?: string): Call => {
  const { body: _, ...rest } = next();
  return { ...rest, raw: { body, ...(contentType === undefined ? {} : { contentType }) } };
};

const bodyAttacks = function* (
  document: OpenApiDocument,
  operation: string,
  documented: DocumentedOperation,
  next: () => Call,
): Generator<Attack> {
  const valid = next().body;
  const text = JSON.stringify(valid);
  yield* rawBodyAttacks(operation, text, next);
  if (typeof valid !== 'object' || valid === null || Array.isArray(valid)) return;

  const record = valid as Record<string, unknown>;
  yield {
    name: 'an unknown field',
    field: 'no_such_field',
    call: { ...next(), body: { ...record, no_such_field: 1 } },
  };
  yield {
    name: 'a prototype key',
    field: '__proto__',
    call: withRawBody(next, `${text.slice(0, -1)}${text === '{}' ? '' : ','}"__proto__":{"x":1}}`),
  };
  const schema = Object.values(documented.requestBody?.content ?? {})[0]?.schema;
  yield* nestedAttacks(document, operation, schema, record, next);
  for (const field of Object.keys(resolve(document, schema)?.properties ?? {}))
    yield* fieldAttacks(operation, field, record, next);
};

/** Attacks that replace the whole body. */
const rawBodyAttacks = function* (operation: string, text: string, next: () => Call): Generator<Attack> {
  for (const body of drawValues(operation, [...malformedBodies, `${text}${text}`])) {
    yield { name: `body ${body.slice(0, 20)}`, call: withRawBody(next, body) };
  }
  yield { name: 'a body of 9 MiB', call: withRawBody(next, `{"x":"${'x'.repeat(9 << 20)}"}`) };
  yield {
    name: 'a body that is not UTF-8',
    call: withRawBody(next, new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  };
  yield { name: 'a body that is not JSON', call: withRawBody(next, text, 'text/plain') };
};

/** Attacks on one field of the body. */
const fieldAttacks = function* (
  operation: string,
  field: string,
  { [field]: value, ...without }: Record<string, unknown>,
  next: () => Call,
): Generator<Attack> {
  const rest = JSON.stringify(without).slice(1, -1);
  const separator = rest === '' ? '' : ',';
  for (const [what, json] of drawValues(`${operation} ${field}`, hostileJson)) {
    yield {
      name: `field ${field}: ${what}`,
      field: blamedInstead[what] ?? field,
      call: withRawBody(next, `{${rest}${separator}${JSON.stringify(field)}:${json}}`),
    };
  }
  if (value === undefined) return;
  const pair = `${JSON.stringify(field)}:${JSON.stringify(value)}`;
  yield { name: `field ${field} twice`, field, call: withRawBody(next, `{${rest}${separator}${pair},${pair}}`) };
  yield { name: `without ${field}`, field, call: withRawBody(next, JSON.stringify(without)) };
};

/** Values for nested fields: a selection, because the number of nested fields multiplies them. */
const nestedJson = hostileJson.filter(
  ([what]) => !/a number beyond|a fraction|zero|astral|blanks|right-to-left/.test(what),
);

/** Attacks on every nested object and list item of the body's schema, down to four levels. */
const nestedAttacks = function* (
  document: OpenApiDocument,
  operation: string,
  schema: object | undefined,
  record: Record<string, unknown>,
  next: () => Call,
): Generator<Attack> {
  for (const path of nestedPaths(document, schema)) {
    const top = String(path[0]);
    const name = path.join('.');
    const attack = (what: string, json: string, blamed = blamedInstead[what] ?? top): Attack => {
      // The value may be invalid JSON, so it is inserted as text.
      const body = JSON.stringify(withValue(record, path, '\u0001here')).replace('"\\u0001here"', () => json);
      const { body: _, ...rest } = next();
      return { name: `field ${name}: ${what}`, field: blamed, call: { ...rest, raw: { body } } };
    };
    for (const [what, json] of drawValues(`${operation} ${name}`, nestedJson)) yield attack(what, json);
    yield attack('an unknown field beside it', `null,"no_such_field":1`);
    const leaf = String(path.at(-1));
    yield attack('it twice', `null,${JSON.stringify(leaf)}:null`, leaf);
  }
};

/** Paths of nested fields: names, and 0 for the first item of a list. */
const nestedPaths = (document: OpenApiDocument, schema: object | undefined, path: Path = []): Path[] => {
  if (path.length > 4) return [];
  const { properties, items } = resolve(document, schema) ?? {};
  if (items !== undefined) return nestedPaths(document, items, [...path, 0]);
  return Object.entries(properties ?? {}).flatMap(([name, inner]) => {
    const here = [...path, name];
    return [...(path.length > 0 ? [here] : []), ...nestedPaths(document, inner, here)];
  });
};

type Path = (string | number)[];

/** Copies an object with a value at a path and creates missing parents. */
const withValue = (holder: unknown, [step, ...rest]: Path, value: unknown): unknown => {
  if (step === undefined) return value;
  if (step === 0) return [withValue(Array.isArray(holder) ? (holder[0] as unknown) : undefined, rest, value)];
  const record = typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>) : {};
  // The field is the last one, so that inserted text can add another field after it.
  const { [step]: old, ...others } = record;
  return { ...others, [step]: withValue(old, rest, value) };
};

interface Schema {
  $ref?: string;
  properties?: Record<string, object>;
  items?: object;
}

const resolve = (document: OpenApiDocument, schema: Schema | undefined): Schema | undefined => {
  const named = schema?.$ref?.split('/').at(-1);
  return named === undefined ? schema : document.components?.schemas?.[named];
};

const withQuery = (call: Call, name: string, value: string | string[]): Call => ({
  ...call,
  query: { ...call.query, [name]: value },
});
const withPath = (call: Call, name: string, value: string): Call => ({
  ...call,
  path: { ...call.path, [name]: value },
});
const withHeader = (call: Call, name: string, value: string): Call => ({
  ...call,
  headers: { ...call.headers, [name]: value },
});

import fc from 'fast-check';
import type { StructuralSchema } from '../structural-schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** Values of a structural schema, with small lists and maps. */
export function createArbitrary(schema: StructuralSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as readonly unknown[]));
  if ('const' in schema) return fc.constant(schema['const']);
  switch (schema.type) {
    case 'string':
      return createText(schema);
    case 'integer':
      return fc.integer({ min: Number(schema['minimum']), max: Number(schema['maximum'] ?? 2 ** 31 - 1) });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return createList(schema);
    default:
      return createObject(schema);
  }
}

function createText(schema: StructuralSchema): fc.Arbitrary<string> {
  const pattern = schema['pattern'] as string | undefined;
  const minLength = Number(schema['minLength'] ?? 0);
  const maxLength = Number(schema['maxLength'] ?? 253);
  if (pattern === undefined) return fc.string({ unit: 'binary', minLength, maxLength: 8 });
  return fc.constantFrom(...listMatches(pattern).filter(({ length }) => length >= minLength && length <= maxLength));
}

const MATCHES = 64;
const matches = new Map<string, string[]>();

/** Draws texts that match a pattern, once, because that takes longer than a request. */
function listMatches(pattern: string): string[] {
  // fast-check does not generate texts for a lookahead.
  const simple = new RegExp(pattern.replace('(?=[^/]{1,253}/)', ''));
  const known = matches.get(pattern) ?? fc.sample(fc.stringMatching(simple), MATCHES);
  matches.set(pattern, known);
  return known;
}

function createList(schema: StructuralSchema): fc.Arbitrary<unknown> {
  const items = createArbitrary(schema.items ?? {});
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []) as readonly string[];
  const selector = (item: unknown): string =>
    JSON.stringify(keys.length > 0 ? keys.map((key) => (item as Json)[key]) : item);
  const size = { minLength: Number(schema['minItems'] ?? 0), maxLength: 3 };
  return schema['x-kubernetes-list-type'] === 'atomic'
    ? fc.array(items, size)
    : fc.uniqueArray(items, { ...size, selector });
}

function createObject(schema: StructuralSchema): fc.Arbitrary<unknown> {
  const { properties, additionalProperties, propertyNames, required = [] } = schema;
  const { minProperties = 0, maxProperties = Infinity } = schema as { minProperties?: number; maxProperties?: number };
  if (additionalProperties)
    return fc.dictionary(
      createText((propertyNames ?? { minLength: 1, maxLength: 8 }) as StructuralSchema),
      createArbitrary(additionalProperties),
      {
        minKeys: 1,
        maxKeys: 3,
        noNullPrototype: true,
      },
    );
  const members = Object.entries(properties ?? {}).map(([name, schema]) => [name, createArbitrary(schema)]);
  const { required: excluded = [] } = (schema['not'] ?? {}) as { required?: readonly string[] };
  const isAllowed = (value: object) =>
    (excluded.length === 0 || !excluded.every((name) => Object.hasOwn(value, name))) &&
    Object.keys(value).length >= minProperties &&
    Object.keys(value).length <= maxProperties;
  const records = fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required as string[],
    noNullPrototype: true,
  });
  return records.filter(isAllowed);
}

/** Values that are wrong, or at the border of what is right, in most places. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    'true',
    0,
    -0,
    -1,
    1,
    1.5,
    1e21,
    2 ** 53,
    65_536,
    '',
    ' ',
    'a\n',
    '-',
    'A',
    '*',
  ),
  fc.constantFrom<unknown>([], {}, [[]], [null], [{}], { a: null }, { '': 'x' }, JSON.parse('{"__proto__":"x"}')),
  fc.constantFrom('http://a:99999', 'https://a/?b#c', 'https://ü', '\u2028', '\ud800', 'a\u0000', 'a..b', 'a.b', 'a-'),
  fc
    .constantFrom(63, 64, 253, 254, 256, 257, 1024, 1025, 2048, 2049)
    .chain((length) =>
      fc
        .constantFrom('a', '😀', 'a.')
        .map((unit) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length * (unit === '😀' ? 2 : 1))),
    ),
  fc.constantFrom(8, 9, 16, 17, 32, 33, 64, 65).map((length) => Array.from({ length }, (_, at) => `a${at}`)),
  fc
    .constantFrom(16, 17, 32, 33)
    .map((length) => Object.fromEntries(Array.from({ length }, (_, at) => [`a${at}`, 'x']))),
);

/** One change of a document, at a place that `at` selects among all its members. */
export interface Mutation {
  readonly at: number;
  readonly change: 'replace' | 'remove' | 'add' | 'repeat' | 'rename';
  readonly name: string;
  readonly value: unknown;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  change: fc.constantFrom('replace', 'replace', 'remove', 'add', 'repeat', 'rename'),
  name: fc.constantFrom('x', '__proto__', 'constructor', 'Name', 'a/b', 'A.B/c', '-', 'a'.repeat(64), ''),
  value: hostile,
});

/** Applies a mutation to a copy of the document. */
export function mutate(document: unknown, { at, change, name, value }: Mutation): unknown {
  const copy = JSON.parse(JSON.stringify(document)) as unknown;
  const places = [...listPlaces(copy)];
  const place = places[at % places.length];
  if (place === undefined) return value;
  const [parent, key] = place;
  if (change === 'remove') Reflect.deleteProperty(parent, key);
  else if (change === 'add') define(parent, Array.isArray(parent) ? String(parent.length) : name, value);
  else if (change === 'repeat' && Array.isArray(parent)) parent.push(parent[Number(key)]);
  else if (change === 'rename') {
    define(parent, Array.isArray(parent) ? key : name, (parent as Record<string, unknown>)[key]);
    if (!Array.isArray(parent)) Reflect.deleteProperty(parent, key);
  } else define(parent, key, value);
  return Array.isArray(parent) && change === 'remove' ? JSON.parse(JSON.stringify(copy)) : copy;
}

const define = (target: object, key: string, value: unknown): unknown =>
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });

function* listPlaces(value: unknown): Generator<[parent: object, key: string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    yield [value, key];
    yield* listPlaces(member);
  }
}

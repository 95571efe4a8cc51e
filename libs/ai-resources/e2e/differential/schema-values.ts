import fc, { type Arbitrary } from 'fast-check';
import type { StructuralSchema } from '../../src/structural-schema.ts';

/** Values that are wrong in most places. */
const WRONG = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  '',
  'A b',
  [],
  {},
  [null],
  { a: null },
  'ä',
);

const TEXTS = [
  'a',
  'b',
  'team-a',
  'a.b',
  'gpt-5',
  'https://a.example',
  'https://a.example/b?c=d',
  '/v1',
  'A_b',
  'a b',
  '*',
  '1',
  'true',
  '2026-01-31T12:00:00Z',
  '2026-02-30T12:00:00+02:00',
];
/** Names of members of maps. Some have a meaning in JavaScript, in JSON pointers or in paths. */
const KEYS = [
  'a',
  'b',
  'groups',
  'realm_access.roles',
  'https://a.example/b',
  'a~b',
  '__proto__',
  'constructor',
  'a b',
  '',
  'k'.repeat(300),
];

/**
 * Generates values of a schema, most of them valid. The texts, numbers and sizes are often at the
 * limits of the schema.
 * @param care the number of right values for each wrong one
 */
export function generateValue(schema: StructuralSchema, care: number): Arbitrary<unknown> {
  return fc.oneof({ weight: care, arbitrary: generateByType(schema, care) }, { weight: 1, arbitrary: WRONG });
}

function generateByType(schema: StructuralSchema, care: number): Arbitrary<unknown> {
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...(schema['enum'] as unknown[]));
  switch (schema.type) {
    case 'string':
      return generateText(schema, care);
    case 'integer':
      return generateInteger(schema, care);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return generateList(schema, care);
    default:
      return schema.properties === undefined
        ? generateMap(schema, care)
        : generateObject(schema, schema.properties, care);
  }
}

function generateText(schema: StructuralSchema, care: number): Arbitrary<unknown> {
  const {
    minLength = 0,
    maxLength = 100,
    pattern,
    example,
  } = schema as {
    minLength?: number;
    maxLength?: number;
    pattern?: string;
    example?: string;
  };
  const texts = [
    ...TEXTS,
    ...(example === undefined ? [] : [example]),
    ...['a', '\u{1F600}'].map((text) => text.repeat(maxLength)),
  ];
  const isRight = (text: string): boolean =>
    countCharacters(text) >= minLength &&
    countCharacters(text) <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text));
  const right = texts.filter(isRight);
  const wrong = [
    ...texts.filter((text) => !isRight(text)),
    'a'.repeat(maxLength + 1),
    '\u{1F600}'.repeat(maxLength + 1),
  ];
  return fc.oneof(
    { weight: care, arbitrary: fc.constantFrom(...(right.length > 0 ? right : ['a'])) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
}

/** Counts code points, as structural schemas do. */
const countCharacters = (text: string): number => Array.from(text).length;

function generateInteger(schema: StructuralSchema, care: number): Arbitrary<unknown> {
  const { minimum = 0, maximum = 1000 } = schema as { minimum?: number; maximum?: number };
  return fc.oneof(
    { weight: care, arbitrary: fc.constantFrom(minimum, maximum, Math.min(maximum, minimum + 1)) },
    { weight: 1, arbitrary: fc.constantFrom(minimum - 1, maximum + 1, minimum + 0.5) },
  );
}

function generateList(schema: StructuralSchema, care: number): Arbitrary<unknown> {
  const { minItems = 0 } = schema as { minItems?: number };
  const { maxItems = 3, items = {} } = schema;
  const item = generateValue(items, care);
  const few = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 2) });
  const same = item.map((value) => [value, value]);
  const wrong =
    maxItems > 70
      ? same
      : fc.oneof(
          same,
          item.map((value) => Array<unknown>(maxItems + 1).fill(value)),
        );
  return fc.oneof({ weight: care, arbitrary: few }, { weight: 1, arbitrary: wrong });
}

function generateMap(
  { additionalProperties, maxProperties = 3, ...schema }: StructuralSchema,
  care: number,
): Arbitrary<unknown> {
  const { minProperties = 0 } = schema as { minProperties?: number };
  const value = generateValue(additionalProperties === false ? {} : (additionalProperties ?? {}), care);
  const name = fc.oneof(fc.constantFrom(...KEYS.slice(0, 3)), fc.constantFrom(...KEYS));
  const few = fc.dictionary(name, value, {
    minKeys: minProperties,
    maxKeys: Math.min(maxProperties, minProperties + 2),
    noNullPrototype: true,
  });
  const many = value.map((one) =>
    Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, at) => [`k${at}`, one])),
  );
  return fc.oneof({ weight: care, arbitrary: few }, { weight: 1, arbitrary: many });
}

function generateObject(
  { required = [] }: StructuralSchema & { required?: readonly string[] },
  properties: Readonly<Record<string, StructuralSchema>>,
  care: number,
): Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, generateValue(schema, care)]),
  );
  const right = fc.record(members, { requiredKeys: required.filter((name) => Object.hasOwn(members, name)) });
  const lacking = fc.record(members, { requiredKeys: [] });
  const unknown = right.map((value) => ({ ...value, unknown: 1 }));
  return fc.oneof(
    { weight: 3 * care, arbitrary: right },
    { weight: 1, arbitrary: lacking },
    { weight: 1, arbitrary: unknown },
  );
}

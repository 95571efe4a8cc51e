import type { ErrorObject } from 'ajv';
import { escapeSegment } from '../json-pointer.ts';
import type { Violation } from '../resource-store.ts';

type Params = Readonly<Record<string, unknown>>;

/** The messages of keywords whose violations are those of the examined value itself. */
const MESSAGES: Readonly<Record<string, (params: Params, schema: Params) => string>> = {
  type: ({ type }) => TYPE_MESSAGES[String(type)] ?? `must have the type ${String(type)}`,
  const: ({ allowedValue }) => `must be ${String(allowedValue)}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as readonly string[]).join(', ')}`,
  pattern: ({ pattern }, { example }) =>
    `must match the pattern ${String(pattern)}${typeof example === 'string' ? `, such as ${example}` : ''}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} characters`),
  maxLength: ({ limit }) => `must have at most ${formatCount(limit, 'character')}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  minItems: ({ limit }) => `must have at least ${formatCount(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${formatCount(limit, 'item')}`,
  minProperties: ({ limit }) => `must have at least ${formatCount(limit, 'member')}`,
  maxProperties: ({ limit }) => `must have at most ${formatCount(limit, 'member')}`,
  maxBytes: () => 'must have at most 262144 bytes in all names and values',
};

const TYPE_MESSAGES: Readonly<Record<string, string>> = {
  array: 'must be a list',
  boolean: 'must be true or false',
  integer: 'must be an integer',
  object: 'must be an object',
  string: 'must be a string',
};

/** Describes an error of ajv (option `verbose`), or returns undefined when another one says it. */
export function toViolation({
  keyword,
  instancePath,
  params,
  parentSchema,
  propertyName,
}: ErrorObject): Violation | undefined {
  const values = params as Params;
  const child = (name: unknown): string => `${instancePath}/${escapeSegment(String(name))}`;
  switch (keyword) {
    case 'required':
      return { field: child(values['missingProperty']), message: 'is required' };
    case 'additionalProperties':
      return { field: child(values['additionalProperty']), message: 'is not a known field' };
    case 'uniqueItems':
      return {
        field: child(Math.max(Number(values['i']), Number(values['j']))),
        message: 'must not repeat another item',
      };
    case 'x-kubernetes-list-map-keys':
      return { field: child(values['index']), message: 'must not have the name of another item' };
    case 'not':
      return { field: instancePath, message: describeExclusion(parentSchema ?? {}) };
    case 'propertyNames':
      return undefined;
    default: {
      const message = MESSAGES[keyword]?.(values, parentSchema ?? {}) ?? 'is invalid';
      return propertyName === undefined
        ? { field: instancePath, message }
        : { field: child(propertyName), message: `has a name that ${message}` };
    }
  }
}

const formatCount = (limit: unknown, noun: string): string => `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`;

/** The only negation of the schemas: members that exclude each other. */
function describeExclusion({ not }: Params): string {
  const { required } = not as { required: readonly string[] };
  return `must not have both ${required.join(' and ')}`;
}

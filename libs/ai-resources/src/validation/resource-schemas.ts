import { type AnySchema, Ajv, type SchemaValidateFunction, type ValidateFunction } from 'ajv';
import { SCHEMAS } from '../generated/schemas.ts';
import { METADATA_SCHEMA } from './metadata-schema.ts';
import { API_VERSION, type ResourceKind } from '../resource.ts';
import type { StructuralSchema } from '../structural-schema.ts';

/** Returns the schema of a whole resource: that of its CRD, with the rules of its metadata. */
export const getSchema = (kind: ResourceKind): StructuralSchema => ({
  ...SCHEMAS[kind],
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
  properties: {
    ...SCHEMAS[kind].properties,
    apiVersion: { type: 'string', const: API_VERSION },
    kind: { type: 'string', const: kind },
    metadata: METADATA_SCHEMA,
  },
});

const validators = new Map<ResourceKind, ValidateFunction>();

/** Returns the validator of a kind. The first call compiles it (50 ms). */
export function getValidator(kind: ResourceKind): ValidateFunction {
  let validator = validators.get(kind);
  if (validator === undefined) validators.set(kind, (validator = createAjv().compile(getSchema(kind) as AnySchema)));
  return validator;
}

function createAjv(): Ajv {
  // Structural schemas count characters as code points, as ajv does.
  const ajv = new Ajv({ allErrors: true, verbose: true, ownProperties: true });
  // The bounds of each integer are within its format.
  for (const format of ['int32', 'int64']) ajv.addFormat(format, true);
  ajv.addVocabulary(['example', 'omitEmpty', 'x-kubernetes-list-type']);
  ajv.addKeyword({ keyword: 'x-kubernetes-list-map-keys', type: 'array', validate: hasUniqueKeys });
  ajv.addKeyword({ keyword: 'maxBytes', type: 'object', validate: hasAtMostBytes });
  return ajv;
}

/** Whether the items of a list have different keys. An error has the index of a repeated one. */
const hasUniqueKeys: SchemaValidateFunction = (names: readonly string[], items: readonly unknown[]): boolean => {
  const known = new Set<string>();
  const repeated = items.findIndex((item) => {
    if (typeof item !== 'object' || item === null) return false;
    const key = JSON.stringify(names.map((name) => (item as Record<string, unknown>)[name]));
    return known.size === known.add(key).size;
  });
  hasUniqueKeys.errors = [{ keyword: 'x-kubernetes-list-map-keys', params: { index: repeated } }];
  return repeated === -1;
};

/** Whether the names and values of a map have at most so many bytes in UTF-8. */
function hasAtMostBytes(limit: number, map: Readonly<Record<string, unknown>>): boolean {
  const texts = Object.entries(map).flatMap(([name, value]) => [name, typeof value === 'string' ? value : '']);
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= limit;
}

// Generates libs/ai-resources/src/generated from the CustomResourceDefinitions in deploy/crds: the
// types of `spec` and `status`, and the JSON schemas of whole resources.
import { readFileSync } from 'node:fs';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { fromRoot } from './services.ts';

/** The keywords of structural schemas that the definitions use. */
interface Schema {
  title?: string;
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  default?: unknown;
  uniqueItems?: boolean;
  'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  'x-kubernetes-validations'?: readonly { rule: string; message?: string }[];
  [keyword: string]: unknown;
}

interface Definition {
  spec: { names: { kind: string }; versions: [{ schema: { openAPIV3Schema: Schema } }] };
}

const FOLDER = 'libs/ai-resources/src/generated';
const HEADER = '// Generated from deploy/crds by `npm run contracts`. Do not edit.\n';
/** The only rule in CEL: the field keeps its first value. */
const IMMUTABLE = 'self == oldSelf';

/** Generates the files of libs/ai-resources. @returns contents by path */
export async function generateResources(): Promise<Map<string, string>> {
  const schemas = ['aigateways', 'aipolicies'].map(readSchema);
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, components: { schemas: nameTypes(schemas) } };
  const types = await openapiTS(document as OpenAPI3, {
    immutable: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
  });
  return new Map([
    [`${FOLDER}/types.ts`, await formatModule(astToString(types))],
    [`${FOLDER}/schemas.ts`, await formatModule(formatSchemas(schemas))],
  ]);
}

const formatModule = async (text: string): Promise<string> =>
  format(HEADER + text, { ...(await resolveConfig(fromRoot('README.md'))), parser: 'typescript' });

function readSchema(plural: string): { kind: string; schema: Schema } {
  const { spec } = parse(readFileSync(fromRoot(`deploy/crds/${plural}.gatehouse.dev.yaml`), 'utf8')) as Definition;
  return { kind: spec.names.kind, schema: spec.versions[0].schema.openAPIV3Schema };
}

/**
 * Collects each schema with a `title` under this name. References replace it elsewhere.
 * @throws {Error} for two different schemas of one name
 */
function nameTypes(roots: readonly { schema: Schema }[]): Record<string, Schema> {
  const named = new Map<string, Schema>();
  const refer = (schema: Schema): Schema => {
    const { title, ...rest } = mapChildren(schema, refer);
    if (title === undefined) return rest;
    const known = named.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(rest))
      throw new Error(`Two different schemas in deploy/crds have the title ${title}.`);
    named.set(title, rest);
    // A reference needs the default of the field, which makes the member required.
    return { $ref: `#/components/schemas/${title}`, ...('default' in rest && { default: rest.default }) };
  };
  for (const { schema } of roots) refer(schema);
  return Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The module with the schema of each kind and its immutable fields. */
function formatSchemas(roots: readonly { kind: string; schema: Schema }[]): string {
  const schemas = Object.fromEntries(roots.map(({ kind, schema }) => [kind, refuseUnknownFields(schema)]));
  const immutable = Object.fromEntries(roots.map(({ kind, schema }) => [kind, findImmutableFields(schema, '')]));
  return `
import type { StructuralSchema } from '../structural-schema.ts';

/** The schema of each kind. It refuses unknown fields. \`metadata\` has its rules elsewhere. */
export const SCHEMAS: Readonly<Record<${formatUnion(roots)}, StructuralSchema>> = ${JSON.stringify(schemas)};

/** JSON pointers of the fields that keep their first value. */
export const IMMUTABLE_FIELDS: Readonly<Record<${formatUnion(roots)}, readonly string[]>> = ${JSON.stringify(immutable)};
`;
}

const formatUnion = (roots: readonly { kind: string }[]): string => roots.map(({ kind }) => `'${kind}'`).join(' | ');

/** Expresses by keywords of JSON Schema what the API server does by itself. */
function refuseUnknownFields(schema: Schema): Schema {
  const { 'x-kubernetes-validations': _, ...rest } = mapChildren(schema, refuseUnknownFields);
  if (rest['x-kubernetes-list-type'] === 'set') rest.uniqueItems = true;
  if (rest.properties !== undefined) rest.additionalProperties = false;
  return rest;
}

function findImmutableFields(schema: Schema, pointer: string): string[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const other = rules.find(({ rule }) => rule !== IMMUTABLE);
  if (other !== undefined) throw new Error(`${pointer}: only the CEL rule "${IMMUTABLE}" is supported: ${other.rule}`);
  if (rules.length > 0) return [pointer];
  const children = Object.entries(schema.properties ?? {});
  return children.flatMap(([name, child]) => findImmutableFields(child, `${pointer}/${name}`));
}

function mapChildren(schema: Schema, map: (child: Schema) => Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, map(child)])),
    }),
    ...(items && { items: map(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: map(additionalProperties) }),
  };
}

import type { StructuralSchema } from '@gatehouse/ai-resources/structural-schema';
import { z } from 'zod';

/**
 * Converts the schema of an object of a CRD to a zod schema for the OpenAPI document. A schema with
 * a title becomes the component of that name. Nothing is validated with it: `findViolations` of
 * libs/ai-resources checks resources by the same CRD. `z.fromJSONSchema` is experimental, and the
 * components that it makes lack their descriptions.
 */
export function convertObject(schema: StructuralSchema): z.ZodObject<Record<string, z.ZodType>> {
  const { properties = {}, required = [] } = schema;
  const members = Object.entries(properties).map(([name, member]): [string, z.ZodType] => {
    const converted = convertValue(member);
    return [name, (required as readonly string[]).includes(name) ? converted : converted.optional()];
  });
  return z.object(Object.fromEntries(members)).meta(selectKeywords(schema));
}

function convertValue(schema: StructuralSchema): z.ZodType {
  if (schema.properties !== undefined) return convertObject(schema);
  return createType(schema).meta(selectKeywords(schema));
}

function createType({ type, items, additionalProperties }: StructuralSchema): z.ZodType {
  switch (type) {
    case 'array':
      return z.array(items === undefined ? z.unknown() : convertValue(items));
    case 'object':
      return z.record(z.string(), additionalProperties ? convertValue(additionalProperties) : z.unknown());
    case 'boolean':
      return z.boolean();
    case 'integer':
      return z.int();
    default:
      return z.string();
  }
}

/** Keywords that the type expresses, and those that only Kubernetes knows. */
const OMITTED = new Set([
  'type',
  'format',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'title',
  'example',
]);

/** The keywords of a schema that a document repeats. */
function selectKeywords({ title, example, ...rest }: StructuralSchema): z.GlobalMeta {
  const kept = Object.entries(rest).filter(([name]) => !OMITTED.has(name) && !name.startsWith('x-kubernetes-'));
  return {
    ...Object.fromEntries(kept),
    ...(title !== undefined && { id: title }),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** The schema of a member. @throws {TypeError} if there is none */
export function getMember({ properties = {} }: StructuralSchema, name: string): StructuralSchema {
  const member = properties[name];
  if (member === undefined) throw new TypeError(`the schema has no member ${name}`);
  return member;
}

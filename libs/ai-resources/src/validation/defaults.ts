import type { ResourceKind } from '../resource.ts';
import { getSchema } from './resource-schemas.ts';
import type { StructuralSchema } from '../structural-schema.ts';

type Member = readonly [name: string, value: unknown];

/** The number of unknown members of an object that are kept. One is sufficient to refuse it. */
const UNKNOWN_LIMIT = 100;

/**
 * Returns a copy of a resource as the API server stores it (k8s.io/apiextensions-apiserver,
 * pkg/apiserver/schema/defaulting): members that are null are absent, absent members have their
 * defaults, and texts are those that UTF-8 can represent. An invalid resource stays invalid, but a
 * list or map that is too large is cut after the first excess member, so that its validation is
 * cheap.
 */
export const applyDefaults = (kind: ResourceKind, resource: unknown): unknown => complete(getSchema(kind), resource);

function complete(schema: StructuralSchema, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return completeItems(schema, value);
  const isOpen = schema.properties === undefined && schema.additionalProperties === undefined;
  if (typeof value !== 'object' || value === null || isOpen) return value;
  return Object.fromEntries([...completeMembers(schema, value), ...listDefaults(schema, value)]);
}

function completeItems({ items, maxItems = Infinity }: StructuralSchema, value: readonly unknown[]): unknown {
  return items === undefined ? value : value.slice(0, maxItems + 1).map((item) => complete(items, item));
}

function completeMembers(schema: StructuralSchema, value: object): Member[] {
  const { properties = {}, additionalProperties, maxProperties = Infinity } = schema;
  let others = additionalProperties ? maxProperties + 1 : UNKNOWN_LIMIT;
  const members: Member[] = [];
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const child = known ?? additionalProperties;
    // A known member that is null gets its default with the absent ones.
    const given: unknown = member === null && known === undefined && child ? (child.default ?? null) : member;
    if (child && given === null) continue;
    if (known === undefined && (others -= 1) < 0) continue;
    const completed = child ? complete(child, given) : given;
    if (child && child.omitEmpty && isEmptyObject(completed)) continue;
    members.push([name.toWellFormed(), completed]);
  }
  return members;
}

const listDefaults = ({ properties = {} }: StructuralSchema, value: object): Member[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const isAbsent = !Object.hasOwn(value, name) || (value as Record<string, unknown>)[name] === null;
    return isAbsent && 'default' in schema ? [[name, complete(schema, schema.default)]] : [];
  });

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

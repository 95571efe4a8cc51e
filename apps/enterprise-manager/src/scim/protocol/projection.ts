import { formatPath, resolveName } from './attribute-path.ts';
import { RESOURCE_KINDS } from './schemas.ts';
import { isObject } from './read-value.ts';
import type { JsonObject, Projection, ResourceType } from './types.ts';

/** Attributes that every response contains (RFC 7643 §7, `returned`). */
const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id']);

/**
 * Reads `attributes` and `excludedAttributes` (RFC 7644 §3.9): names separated by commas, which may
 * have a URN and a sub-attribute. Unknown names are ignored.
 */
export const readProjection = (
  resourceType: ResourceType,
  attributes?: string,
  excludedAttributes?: string,
): Projection => {
  const named = readNames(resourceType, attributes);
  const without = new Set(readNames(resourceType, excludedAttributes));
  for (const name of onRequest(resourceType)) if (!named.has(name)) without.add(name);
  return { ...(attributes !== undefined && attributes.trim() !== '' && { only: named }), without };
};

/** Sub-attributes that are returned only on request by name (RFC 7643 §7, `returned`). */
const onRequest = (resourceType: ResourceType): string[] =>
  RESOURCE_KINDS[resourceType].core.attributes.flatMap(({ name, subAttributes = [] }) =>
    subAttributes.filter(({ returned }) => returned === 'request').map((part) => `${name}.${part.name}`.toLowerCase()),
  );

function readNames(resourceType: ResourceType, list = ''): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of list.split(',').map((part) => part.trim())) {
    if (name === '') continue;
    const resolved = resolveName(name, resourceType);
    if (resolved.kind === 'attribute') found.add(formatPath(resolved.path).toLowerCase());
    if (resolved.kind === 'extension') found.add(resolved.extension.toLowerCase());
    if (name.toLowerCase() === RESOURCE_KINDS[resourceType].core.id.toLowerCase())
      for (const attribute of RESOURCE_KINDS[resourceType].core.attributes) found.add(attribute.name.toLowerCase());
  }
  return found;
}

/**
 * Selects the parts of list elements that a response contains, so that other parts are not read.
 * @returns undefined for a response without the list
 */
export function selectParts<Part extends string>(
  { only, without }: Projection,
  name: string,
  parts: readonly Part[],
): ReadonlySet<Part> | undefined {
  const key = name.toLowerCase();
  if (without.has(key)) return undefined;
  const whole = only?.has(key) ?? true;
  if (!whole && ![...(only ?? [])].some((wanted) => wanted.startsWith(`${key}.`))) return undefined;
  return new Set(
    parts.filter((part) => {
      const wanted = `${key}.${part.toLowerCase()}`;
      return !without.has(wanted) && (whole || only?.has(wanted) === true);
    }),
  );
}

/** Selects the attributes of a resource for a response; `id` and `schemas` are always included. */
export function project(resource: JsonObject, resourceType: ResourceType, projection: Projection): JsonObject {
  const extensions = new Set(RESOURCE_KINDS[resourceType].extensions.map(({ id }) => id));
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(resource)) {
    if (ALWAYS.has(name)) {
      result[name] = value;
      continue;
    }
    const key = name.toLowerCase();
    const kept =
      extensions.has(name) && isObject(value)
        ? projectExtension(key, value, projection)
        : projectAttribute(key, value, projection);
    if (kept !== undefined) result[name] = kept;
  }
  return result;
}

function projectExtension(key: string, value: JsonObject, projection: Projection): JsonObject | undefined {
  if (projection.without.has(key)) return undefined;
  const whole = projection.only?.has(key) ?? true;
  const inner: Projection = {
    ...(!whole && { only: projection.only ?? new Set<string>() }),
    without: projection.without,
  };
  const kept = Object.entries(value).flatMap(([name, part]) => {
    const left = projectAttribute(`${key}:${name.toLowerCase()}`, part, inner);
    return left === undefined ? [] : [[name, left] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function projectAttribute(key: string, value: unknown, { only, without }: Projection): unknown {
  if (without.has(key)) return undefined;
  const whole = only?.has(key) ?? true;
  if (whole && ![...without].some((name) => name.startsWith(`${key}.`))) return value;
  if (!whole && ![...(only ?? [])].some((name) => name.startsWith(`${key}.`))) return undefined;
  const known = new Map<string, boolean>();
  const isShown = (part: string) => {
    const before = known.get(part);
    if (before !== undefined) return before;
    const name = `${key}.${part.toLowerCase()}`;
    const kept = !without.has(name) && (whole || only?.has(name) === true);
    known.set(part, kept);
    return kept;
  };
  const pickParts = (object: JsonObject) =>
    Object.fromEntries(Object.entries(object).filter(([part]) => isShown(part)));
  if (Array.isArray(value)) return value.map((element: unknown) => (isObject(element) ? pickParts(element) : element));
  return isObject(value) ? pickParts(value) : value;
}

import { resolveName } from './attribute-path.ts';
import { readPath } from './patch-operations.ts';
import { isObject, MAX_ELEMENTS, makePrintable } from './read-value.ts';
import { findAttribute, RESOURCE_KINDS } from './schemas.ts';
import type { Attribute, JsonObject, PatchOperation, ResourceType } from './types.ts';

/** Maximum number of reported names of one request. */
const MAX_NAMES = 20;

/**
 * Lists the members of a POST or PUT body that are in no schema. They are ignored (RFC 7644 §3.3).
 * Of a list, the first 100 elements are checked.
 * @returns at most 20 printable names without duplicates
 */
export const listIgnoredOfBody = (body: JsonObject, resourceType: ResourceType): string[] =>
  limitNames(listIgnoredOfObject(body, resourceType, createResourceNameResolver(resourceType)));

/** Lists the unknown paths, and unknown members of values, in the operations of a PATCH. */
export const listIgnoredOfPatch = (operations: readonly PatchOperation[], resourceType: ResourceType): string[] => {
  const resolveTarget = (name: string) =>
    name.includes('[') && resourceType === 'User' ? readPath(name, resourceType) : resolveName(name, resourceType);
  return limitNames(
    operations.flatMap(({ path, value }) => {
      if (path === undefined) return isObject(value) ? listIgnoredOfObject(value, resourceType, resolveTarget) : [];
      return listIgnoredOfTarget(path, readPath(path, resourceType), value, resourceType, resolveTarget);
    }),
  );
};

/** In a whole resource, names have no dots, and only attributes of an extension have a URN. */
const createResourceNameResolver = (resourceType: ResourceType) => {
  const core = RESOURCE_KINDS[resourceType].core.id.toLowerCase();
  return (name: string): Target => {
    const target = resolveName(name, resourceType);
    const dotted = target.kind === 'attribute' && target.path.subAttribute !== undefined;
    return dotted || name.toLowerCase().startsWith(`${core}:`) ? { kind: 'unknown' } : target;
  };
};

type Target = ReturnType<typeof resolveName>;

const listIgnoredOfObject = (
  object: JsonObject,
  resourceType: ResourceType,
  resolveTarget: (name: string) => Target,
): string[] =>
  Object.entries(object).flatMap(([name, value]) =>
    listIgnoredOfTarget(name, resolveTarget(name), value, resourceType, resolveTarget),
  );

function listIgnoredOfTarget(
  name: string,
  target: Target,
  value: unknown,
  resourceType: ResourceType,
  resolveTarget: (name: string) => Target,
): string[] {
  if (target.kind === 'unknown') return [name];
  if (target.kind === 'extension') {
    const { extension } = target;
    if (!isObject(value)) return [];
    return listIgnoredOfObject(value, resourceType, (part) => resolveTarget(`${extension}:${part}`)).map(
      (part) => `${extension}:${part}`,
    );
  }
  const { attribute, subAttribute } = target.path;
  return subAttribute === undefined && attribute.subAttributes
    ? listIgnoredOfElements(name, attribute.subAttributes, value)
    : [];
}

/** Lists the unknown parts of an object, or of the objects of a list. */
const listIgnoredOfElements = (name: string, parts: readonly Attribute[], value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, MAX_ELEMENTS) : [value])
    .filter(isObject)
    .flatMap((element) => Object.keys(element).filter((part) => !findAttribute(parts, part)))
    .map((part) => `${name}.${part}`);

const limitNames = (names: readonly string[]): string[] => [...new Set(names.map(makePrintable))].slice(0, MAX_NAMES);

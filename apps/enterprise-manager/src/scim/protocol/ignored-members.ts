import { resolveName } from './attribute-path.ts';
import { readPath } from './patch-operations.ts';
import { isObject, MAX_ELEMENTS, printable } from './read-value.ts';
import { attributeNamed, RESOURCE_KINDS } from './schemas.ts';
import type { Attribute, JsonObject, PatchOperation, ResourceType } from './types.ts';

/** Maximum number of reported names of one request. */
const MAX_NAMES = 20;

/**
 * Lists the members of a POST or PUT body that are in no schema. They are ignored (RFC 7644 §3.3).
 * Of a list, the first 100 elements are checked.
 * @returns at most 20 printable names without duplicates
 */
export const listIgnoredOfBody = (body: JsonObject, resourceType: ResourceType): string[] =>
  bounded(ofObject(body, resourceType, plainOnly(resourceType)));

/** Lists the unknown paths, and unknown members of values, in the operations of a PATCH. */
export const listIgnoredOfPatch = (operations: readonly PatchOperation[], resourceType: ResourceType): string[] => {
  const targetOf = (name: string) =>
    name.includes('[') && resourceType === 'User' ? readPath(name, resourceType) : resolveName(name, resourceType);
  return bounded(
    operations.flatMap(({ path, value }) => {
      if (path === undefined) return isObject(value) ? ofObject(value, resourceType, targetOf) : [];
      return ofTarget(path, readPath(path, resourceType), value, resourceType, targetOf);
    }),
  );
};

/** In a whole resource, names have no dots, and only attributes of an extension have a URN. */
const plainOnly = (resourceType: ResourceType) => {
  const core = RESOURCE_KINDS[resourceType].core.id.toLowerCase();
  return (name: string): Target => {
    const target = resolveName(name, resourceType);
    const dotted = target.kind === 'attribute' && target.path.subAttribute !== undefined;
    return dotted || name.toLowerCase().startsWith(`${core}:`) ? { kind: 'unknown' } : target;
  };
};

type Target = ReturnType<typeof resolveName>;

const ofObject = (object: JsonObject, resourceType: ResourceType, targetOf: (name: string) => Target): string[] =>
  Object.entries(object).flatMap(([name, value]) => ofTarget(name, targetOf(name), value, resourceType, targetOf));

function ofTarget(
  name: string,
  target: Target,
  value: unknown,
  resourceType: ResourceType,
  targetOf: (name: string) => Target,
): string[] {
  if (target.kind === 'unknown') return [name];
  if (target.kind === 'extension') {
    const { extension } = target;
    if (!isObject(value)) return [];
    return ofObject(value, resourceType, (part) => targetOf(`${extension}:${part}`)).map(
      (part) => `${extension}:${part}`,
    );
  }
  const { attribute, subAttribute } = target.path;
  return subAttribute === undefined && attribute.subAttributes ? ofElements(name, attribute.subAttributes, value) : [];
}

/** Lists the unknown parts of an object, or of the objects of a list. */
const ofElements = (name: string, parts: readonly Attribute[], value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, MAX_ELEMENTS) : [value])
    .filter(isObject)
    .flatMap((element) => Object.keys(element).filter((part) => !attributeNamed(parts, part)))
    .map((part) => `${name}.${part}`);

const bounded = (names: readonly string[]): string[] => [...new Set(names.map(printable))].slice(0, MAX_NAMES);

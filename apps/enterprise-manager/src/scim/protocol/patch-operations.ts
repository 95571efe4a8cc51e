import { isAttributePath, resolveInside, resolveName } from './attribute-path.ts';
import { parseElementFilter } from './filter.ts';
import { isObject, indexMembers, makePrintable } from './read-value.ts';
import { readResourceMembers } from './read-user.ts';
import { type AttributePath, type Filter, type PatchOperation, type ResourceType, ScimError } from './types.ts';

/** URN of the PatchOp message (RFC 7644 §3.5.2). */
export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
/** Maximum number of operations of a PATCH. */
export const MAX_OPERATIONS = 1_000;
const MAX_PATH_LENGTH = 4_096;
/** Maximum total length of the paths of a PATCH: each filter is compared with every element. */
const MAX_PATHS_LENGTH = 131_072;

const VERBS = { add: 'add', remove: 'remove', replace: 'replace' } as const;

/**
 * Reads the body of a PATCH (RFC 7644 §3.5.2). `op` and the names of members are case-insensitive.
 * @throws ScimError 400 `invalidSyntax` for another form, `noTarget` for a remove without path, 413
 * for more than 1,000 operations or more than 131,072 characters of paths
 */
export function readPatch(body: unknown): PatchOperation[] {
  const operations = readResourceMembers(body, PATCH_SCHEMA).get('operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError(400, 'invalidSyntax', 'Operations is a list with at least one operation.');
  if (operations.length > MAX_OPERATIONS)
    throw new ScimError(
      413,
      undefined,
      `A PATCH has at most ${MAX_OPERATIONS} operations; this one has ${operations.length}.`,
    );
  const read = operations.map((operation: unknown, index) => readOperation(operation, `Operations[${index}]`));
  if (read.flatMap(listPaths).reduce((length, path) => length + path.length, 0) > MAX_PATHS_LENGTH)
    throw new ScimError(413, undefined, `The paths of a PATCH have at most ${MAX_PATHS_LENGTH} characters together.`);
  return read;
}

/** Lists the path of an operation, or the keys of its value that are paths. */
const listPaths = ({ path, value }: PatchOperation): string[] => {
  if (path !== undefined) return [path];
  return isObject(value) ? Object.keys(value).filter((key) => key.includes('[')) : [];
};

function readOperation(operation: unknown, place: string): PatchOperation {
  if (!isObject(operation)) throw new ScimError(400, 'invalidSyntax', `${place} is an object.`);
  const members = indexMembers(operation, place);
  const verb = members.get('op');
  const op =
    typeof verb === 'string' ? Object.entries(VERBS).find(([name]) => name === verb.toLowerCase())?.[1] : undefined;
  if (op === undefined) throw new ScimError(400, 'invalidSyntax', `${place}.op is add, remove or replace.`);
  const path = members.get('path');
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw new ScimError(400, 'invalidPath', `${place}.path is text.`);
  const value = members.get('value');
  const named = typeof path === 'string' && path.trim() !== '';
  if (op === 'remove' && !named) throw new ScimError(400, 'noTarget', `${place} removes nothing: it has no path.`);
  if (op !== 'remove' && !members.has('value')) throw new ScimError(400, 'invalidValue', `${place} has no value.`);
  if (op !== 'remove' && !named && !isObject(value))
    throw new ScimError(
      400,
      'invalidValue',
      `${place} has no path: its value is an object with the attributes to set.`,
    );
  return { op, ...(named && { path: path.trim() }), ...(members.has('value') && { value }) };
}

/** The target of an operation: an attribute, optionally with a filter, an extension, or unknown. */
export type Target =
  | { kind: 'attribute'; path: AttributePath; filter?: Filter }
  | { kind: 'extension'; extension: string }
  | { kind: 'unknown' };

/**
 * Reads a path (RFC 7644 §3.5.2): a name with an optional sub-attribute, or a list with a filter in
 * brackets and an optional sub-attribute. The URN of the schema is optional.
 * @throws ScimError 400 `invalidPath` with the reason
 */
export function readPath(text: string, resourceType: ResourceType): Target {
  const open = text.indexOf('[');
  if (text.length > MAX_PATH_LENGTH) throw createPathError(text, 'it is too long');
  if (open < 0) {
    if (!isAttributePath(text)) throw createPathError(text, 'it is not the name of an attribute');
    return resolveName(text, resourceType);
  }
  const close = text.lastIndexOf(']');
  const name = text.slice(0, open);
  const rest = text.slice(close + 1);
  if (close < open || !isAttributePath(name))
    throw createPathError(text, 'it is not the name of an attribute with a filter in brackets');
  if (rest !== '' && !/^\.(?:[a-z][\w-]*|\$ref)$/i.test(rest))
    throw createPathError(text, 'behind the brackets comes a dot and a sub-attribute');
  const outer = resolveName(name, resourceType);
  if (outer.kind === 'unknown') return outer;
  if (
    outer.kind === 'extension' ||
    !outer.path.attribute.multiValued ||
    !outer.path.attribute.subAttributes ||
    outer.path.subAttribute
  )
    throw createPathError(text, 'only a list of objects has elements to select');
  const filter = parseBracketFilter(text, text.slice(open + 1, close), outer.path);
  if (rest === '') return { kind: 'attribute', path: outer.path, filter };
  const path = resolveInside(rest.slice(1), outer.path);
  return path ? { kind: 'attribute', path, filter } : { kind: 'unknown' };
}

function parseBracketFilter(text: string, filter: string, outer: AttributePath): Filter {
  try {
    return parseElementFilter(filter, outer);
  } catch (error) {
    throw createPathError(text, error instanceof ScimError ? error.detail : 'its filter cannot be read');
  }
}

const createPathError = (text: string, reason: string) =>
  new ScimError(
    400,
    'invalidPath',
    `Operations: the path "${makePrintable(text)}" cannot be read: ${reason.replace(/\.$/, '')}.`,
  );

import { formatPath } from './attribute-path.ts';
import { createDescribedElement, matchesElement } from './element-match.ts';
import {
  serializeElement,
  removeDuplicates,
  isObject,
  isPrimary,
  MAX_ELEMENTS,
  readSingle,
  readValue,
} from './read-value.ts';
import {
  type Attribute,
  type AttributePath,
  type Filter,
  type JsonObject,
  type PatchOperation,
  ScimError,
} from './types.ts';

/** An operation on a list of objects. */
interface ListChange {
  op: PatchOperation['op'];
  path: AttributePath;
  filter: Filter | undefined;
  value: unknown;
}

/**
 * Applies an operation to a list of a user (RFC 7644 §3.5.2). It adds, replaces or removes elements
 * or one of their parts, optionally those that a filter selects. If the filter selects no element,
 * the element that it describes is created, because large identity providers expect it. A new
 * primary element replaces the old one.
 * @returns undefined for an empty list
 * @throws ScimError 400 `noTarget` when a filter selects nothing and describes no element;
 * `invalidValue`
 */
export function applyListChange(held: unknown, change: ListChange): JsonObject[] | undefined {
  const current = Array.isArray(held) ? held.filter(isObject) : [];
  const next =
    change.op === 'remove' || change.value === null ? removeElements(current, change) : writeElements(current, change);
  const kept = removeDuplicates(next.filter((element) => Object.keys(element).length > 0)).filter(isObject);
  if (kept.length > MAX_ELEMENTS) throw createTooManyError(change.path.attribute);
  if (kept.length === 0) return undefined;
  // An element that loses its primary can become equal to another one.
  return removeDuplicates(keepOnePrimary(current, kept, change.path.attribute)).filter(isObject);
}

function removeElements(current: JsonObject[], { op, path, filter, value }: ListChange): JsonObject[] {
  const { attribute, subAttribute } = path;
  const isSelected = (element: JsonObject) => filter === undefined || matchesElement(filter, element);
  if (filter !== undefined && op === 'remove' && !current.some(isSelected))
    throw new ScimError(400, 'noTarget', `No element of ${attribute.name} is selected by the path.`);
  if (subAttribute !== undefined) {
    return current.map((element) => (isSelected(element) ? removePart(element, subAttribute) : element));
  }
  // With a list of values, only these elements are removed.
  if (op === 'remove' && filter === undefined && value !== undefined && value !== null) {
    const gone = readElements(attribute, value);
    return current.filter((element) => !gone.some((wanted) => isSame(element, wanted)));
  }
  return current.filter((element) => !isSelected(element));
}

const removePart = (element: JsonObject, { name }: Attribute): JsonObject =>
  Object.fromEntries(Object.entries(element).filter(([key]) => key !== name));

/** Whether an element has all parts that the client sent, without `display` and references. */
const isSame = (element: JsonObject, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(
    ([name, value]) =>
      name === 'display' ||
      name === '$ref' ||
      (name === 'primary' && value === false) ||
      areEqual(element[name], value),
  );

const areEqual = (left: unknown, right: unknown): boolean =>
  typeof left === 'string' && typeof right === 'string' ? left.toLowerCase() === right.toLowerCase() : left === right;

function writeElements(current: JsonObject[], { op, path, filter, value }: ListChange): JsonObject[] {
  const { attribute, subAttribute } = path;
  if (filter === undefined && subAttribute === undefined) {
    const added = readElements(attribute, value);
    return op === 'add' ? [...current, ...added] : added;
  }
  const isSelected = (element: JsonObject) => filter === undefined || matchesElement(filter, element);
  const change = subAttribute === undefined ? readElement(attribute, value) : readPart(path, subAttribute, value);
  if (current.some(isSelected)) {
    const whole = op === 'replace' && subAttribute === undefined;
    // A replaced element keeps the parts of the filter, so that the path still finds it.
    const getBase = (element: JsonObject) => (whole ? ((filter && createDescribedElement(filter)) ?? {}) : element);
    return current.map((element) => (isSelected(element) ? assignParts(getBase(element), change) : element));
  }
  const made = filter === undefined ? {} : createDescribedElement(filter);
  if (made === undefined)
    throw new ScimError(
      400,
      'noTarget',
      `No element of ${attribute.name} matches the path, and the path does not describe a new element.`,
    );
  return [...current, assignParts(made, change)];
}

/** Reads the new value of a sub-attribute; undefined removes it. */
function readPart(path: AttributePath, part: Attribute, value: unknown): JsonObject {
  const inner: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const plain = isObject(inner) && 'value' in inner ? inner['value'] : inner;
  return { [part.name]: readValue(part, plain, formatPath(path)) };
}

function readElement(attribute: Attribute, value: unknown): JsonObject {
  const elements = readElements(attribute, value);
  const [element] = elements;
  if (element === undefined || elements.length > 1)
    throw new ScimError(400, 'invalidValue', `${attribute.name} with a filter takes one object.`);
  return element;
}

/**
 * Reads the elements of a value.
 * @throws ScimError 400 `invalidValue`, also for too many elements, each compared with all others
 */
function readElements(attribute: Attribute, value: unknown): JsonObject[] {
  const elements: unknown[] = Array.isArray(value) ? value : [value];
  if (elements.length > MAX_ELEMENTS) throw createTooManyError(attribute);
  return elements.map((element) => readSingle(attribute, element)).filter(isObject);
}

const createTooManyError = ({ name }: Attribute) =>
  new ScimError(400, 'invalidValue', `${name} has at most ${MAX_ELEMENTS} elements.`);

const assignParts = (element: JsonObject, change: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...element, ...change }).filter(([, value]) => value !== undefined));

/**
 * Keeps at most one primary element. An element that this operation made primary replaces the
 * others (RFC 7644 §3.5.2).
 */
function keepOnePrimary(before: JsonObject[], after: JsonObject[], attribute: Attribute): JsonObject[] {
  const primaries = after.filter(isPrimary);
  if (primaries.length <= 1) return after;
  const old = new Set(before.filter(isPrimary).map(serializeElement));
  const fresh = primaries.filter((element) => !old.has(serializeElement(element)));
  if (fresh.length !== 1)
    throw new ScimError(400, 'invalidValue', `Only one element of ${attribute.name} can be primary.`);
  return after.map((element) =>
    isPrimary(element) && element !== fresh[0] ? { ...element, primary: false } : element,
  );
}

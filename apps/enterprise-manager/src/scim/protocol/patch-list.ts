import { pathName } from './attribute-path.ts';
import { describedElement, elementMatches } from './element-match.ts';
import { contentOf, distinct, isObject, isPrimary, MAX_ELEMENTS, readSingle, readValue } from './read-value.ts';
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
 * A list of a user after one operation (RFC 7644 §3.5.2): elements are added, replaced or removed,
 * all of them or those that a filter selects, whole or in one part. A path that selects nothing
 * makes the element that its filter describes, as large identity providers expect. A new primary
 * element takes the place of the old one.
 * @returns undefined when nothing is left
 * @throws ScimError 400 `noTarget` when a filter selects nothing and describes no element;
 * `invalidValue`
 */
export function patchedList(held: unknown, change: ListChange): JsonObject[] | undefined {
  const current = Array.isArray(held) ? held.filter(isObject) : [];
  const next = change.op === 'remove' || change.value === null ? removed(current, change) : written(current, change);
  const kept = distinct(next.filter((element) => Object.keys(element).length > 0)).filter(isObject);
  if (kept.length > MAX_ELEMENTS) throw tooMany(change.path.attribute);
  return kept.length === 0 ? undefined : onePrimary(current, kept, change.path.attribute);
}

function removed(current: JsonObject[], { op, path, filter, value }: ListChange): JsonObject[] {
  const { attribute, subAttribute } = path;
  const selected = (element: JsonObject) => filter === undefined || elementMatches(filter, element);
  if (filter !== undefined && op === 'remove' && !current.some(selected))
    throw new ScimError(400, 'noTarget', `No element of ${attribute.name} is selected by the path.`);
  if (subAttribute !== undefined) {
    return current.map((element) => (selected(element) ? without(element, subAttribute) : element));
  }
  // A list of values names what goes; without it everything that is selected goes.
  if (op === 'remove' && filter === undefined && value !== undefined && value !== null) {
    const gone = elementsOf(attribute, value);
    return current.filter((element) => !gone.some((wanted) => isSame(element, wanted)));
  }
  return current.filter((element) => !selected(element));
}

const without = (element: JsonObject, { name }: Attribute): JsonObject =>
  Object.fromEntries(Object.entries(element).filter(([key]) => key !== name));

/**
 * An element is meant when all that the client says about it is so; `display` and references do not
 * count.
 */
const isSame = (element: JsonObject, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(
    ([name, value]) =>
      name === 'display' || name === '$ref' || (name === 'primary' && value === false) || equal(element[name], value),
  );

const equal = (left: unknown, right: unknown): boolean =>
  typeof left === 'string' && typeof right === 'string' ? left.toLowerCase() === right.toLowerCase() : left === right;

function written(current: JsonObject[], { op, path, filter, value }: ListChange): JsonObject[] {
  const { attribute, subAttribute } = path;
  if (filter === undefined && subAttribute === undefined) {
    const added = elementsOf(attribute, value);
    return op === 'add' ? [...current, ...added] : added;
  }
  const selected = (element: JsonObject) => filter === undefined || elementMatches(filter, element);
  const change = subAttribute === undefined ? oneElement(attribute, value) : onePart(path, subAttribute, value);
  if (current.some(selected)) {
    const whole = op === 'replace' && subAttribute === undefined;
    // A replaced element keeps what the path says it is, or the next request with the same path
    // would not find it.
    const base = (element: JsonObject) => (whole ? ((filter && describedElement(filter)) ?? {}) : element);
    return current.map((element) => (selected(element) ? assigned(base(element), change) : element));
  }
  const made = filter === undefined ? {} : describedElement(filter);
  if (made === undefined)
    throw new ScimError(
      400,
      'noTarget',
      `No element of ${attribute.name} is selected by the path, and it does not say which to make.`,
    );
  return [...current, assigned(made, change)];
}

/** What a sub-attribute of a path is set to; no value takes it away. */
function onePart(path: AttributePath, part: Attribute, value: unknown): JsonObject {
  const inner: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const plain = isObject(inner) && 'value' in inner ? inner['value'] : inner;
  return { [part.name]: readValue(part, plain, pathName(path)) };
}

function oneElement(attribute: Attribute, value: unknown): JsonObject {
  const elements = elementsOf(attribute, value);
  const [element] = elements;
  if (element === undefined || elements.length > 1)
    throw new ScimError(400, 'invalidValue', `${attribute.name} with a filter takes one object.`);
  return element;
}

/**
 * @throws ScimError 400 `invalidValue`, also for more elements than a list has: each is compared
 * with all that are there
 */
function elementsOf(attribute: Attribute, value: unknown): JsonObject[] {
  const elements: unknown[] = Array.isArray(value) ? value : [value];
  if (elements.length > MAX_ELEMENTS) throw tooMany(attribute);
  return elements.map((element) => readSingle(attribute, element)).filter(isObject);
}

const tooMany = ({ name }: Attribute) =>
  new ScimError(400, 'invalidValue', `${name} has at most ${MAX_ELEMENTS} elements.`);

const assigned = (element: JsonObject, change: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...element, ...change }).filter(([, value]) => value !== undefined));

/**
 * At most one element is primary: one that became so by this operation takes it from the others
 * (RFC 7644 §3.5.2).
 */
function onePrimary(before: JsonObject[], after: JsonObject[], attribute: Attribute): JsonObject[] {
  const primaries = after.filter(isPrimary);
  if (primaries.length <= 1) return after;
  const old = new Set(before.filter(isPrimary).map(contentOf));
  const fresh = primaries.filter((element) => !old.has(contentOf(element)));
  if (fresh.length !== 1)
    throw new ScimError(400, 'invalidValue', `Only one element of ${attribute.name} can be primary.`);
  return after.map((element) =>
    isPrimary(element) && element !== fresh[0] ? { ...element, primary: false } : element,
  );
}

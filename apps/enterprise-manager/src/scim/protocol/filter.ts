import type { Filter as Tree } from 'scim2-parse-filter';
import { parseFilter as parseTokens, Tokens } from 'scim2-parse-filter/lib/src/parser.js';
import { isAttributePath, getLeaf, formatPath, resolveInside, resolveName } from './attribute-path.ts';
import { splitTokens, OF_ELEMENT } from './filter-tokens.ts';
import {
  type AttributePath,
  type CompareOperator,
  type Filter,
  type FilterValue,
  type ResourceType,
  ScimError,
} from './types.ts';

const OPERATORS: ReadonlySet<string> = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']);
/** RFC 3339 (RFC 7643 §2.3.5), seconds and zone may be left out. */
const DATE_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i;

const isOperator = (text: string): text is CompareOperator => OPERATORS.has(text);
const createFilterError = (detail: string) => new ScimError(400, 'invalidFilter', detail);

/**
 * Parses a filter for a resource type (RFC 7644 §3.4.2.2). Names and operators are
 * case-insensitive. Beyond the RFC, `emails[type eq "work"].value eq "x"` matches one element that
 * fulfils both conditions, because clients send it.
 * @throws ScimError 400 `invalidFilter` for invalid grammar, unknown attributes, wrong types, more
 * than 4,096 characters or a depth over 32
 */
export const parseFilter = (text: string, resourceType: ResourceType): Filter =>
  resolve(parseTree(text), (name) => {
    const resolved = resolveName(name, resourceType);
    if (resolved.kind !== 'attribute')
      throw createFilterError(`${quote(name)} is not an attribute of ${resourceType} that a filter can name.`);
    return resolved.path;
  });

/**
 * Parses the filter in a value path of a PATCH: `type eq "work"` of `emails[type eq "work"]`.
 * @throws ScimError 400 `invalidFilter`
 */
export const parseElementFilter = (text: string, outer: AttributePath): Filter =>
  resolveElementFilter(parseTree(text), outer);

/** Parses a filter to a tree. The parser is recursive, so length and depth are bounded before. */
function parseTree(text: string): Tree {
  try {
    const tokens = new Tokens(splitTokens(text));
    const tree = parseTokens(tokens);
    if (tokens.peek().type !== 'EOT') throw new SyntaxError(`${quote(tokens.peek().literal)} was not expected.`);
    return tree;
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'it has another form';
    throw createFilterError(
      `The filter cannot be read: ${/\bEOT\b/.test(problem) ? 'it ends before it is complete' : removeControls(problem)}`,
    );
  }
}

type NameResolver = (name: string) => AttributePath;

function resolve(tree: Tree, resolveAttribute: NameResolver, inElement = false): Filter {
  const resolvePart = (part: Tree) => resolve(part, resolveAttribute, inElement);
  switch (tree.op) {
    case 'and':
    case 'or': {
      if (!('filters' in tree)) break;
      return { kind: tree.op, filters: mergeElementFilter(tree.filters).map(resolvePart) };
    }
    case 'not':
      if (!('filter' in tree)) break;
      return { kind: 'not', filter: resolvePart(tree.filter) };
    case '[]': {
      if (!('valFilter' in tree)) break;
      const outer = resolvePath(tree.attrPath, resolveAttribute);
      if (inElement || !outer.attribute.multiValued || !outer.attribute.subAttributes || outer.subAttribute)
        throw createFilterError(
          `${formatPath(outer)} has no elements; a filter in brackets selects elements of a list.`,
        );
      return { kind: 'element', path: outer, filter: resolveElementFilter(tree.valFilter, outer) };
    }
    case 'pr':
      if (!('attrPath' in tree)) break;
      return { kind: 'present', path: toValuePath(resolvePath(tree.attrPath, resolveAttribute)) };
    default:
      if (!isOperator(tree.op) || !('compValue' in tree)) break;
      return readComparison(toValuePath(resolvePath(tree.attrPath, resolveAttribute)), tree.op, tree.compValue);
  }
  throw createFilterError(`${quote(tree.op)} is not an operator of a filter.`);
}

const resolveElementFilter = (tree: Tree, outer: AttributePath): Filter =>
  resolve(
    tree,
    (name) => {
      const path = resolveInside(name, outer);
      if (!path) throw createFilterError(`${quote(name)} is not a sub-attribute of ${formatPath(outer)}.`);
      return path;
    },
    true,
  );

/** Merges `emails[…].value eq "x"`, which the parser returns as two filters, into one filter. */
const mergeElementFilter = (filters: Tree[]): Tree[] => {
  const [first, second, ...more] = filters;
  if (!first || !second || !('valFilter' in first) || !('attrPath' in second)) return filters;
  const mark = second.attrPath.indexOf(OF_ELEMENT);
  if (mark < 0) return filters;
  const own: Tree = { ...second, attrPath: second.attrPath.slice(mark + 1) };
  return [{ ...first, valFilter: { op: 'and', filters: [first.valFilter, own] } }, ...more];
};

function resolvePath(name: string, resolveAttribute: NameResolver): AttributePath {
  if (!isAttributePath(name)) throw createFilterError(`${quote(name)} is not the name of an attribute.`);
  return resolveAttribute(name);
}

/** A list is compared by the `value` of its elements (RFC 7644 §3.4.2.2). */
const toValuePath = (path: AttributePath): AttributePath =>
  (path.subAttribute === undefined && path.attribute.type === 'complex' && resolveInside('value', path)) || path;

/** Validates a comparison and converts the literal to the type of the attribute. */
function readComparison(path: AttributePath, operator: CompareOperator, value: FilterValue): Filter {
  const name = formatPath(path);
  const { type } = getLeaf(path);
  if (value === null) {
    if (operator !== 'eq' && operator !== 'ne')
      throw createFilterError(`${name} can only be equal or unequal to null.`);
    const present: Filter = { kind: 'present', path };
    return operator === 'ne' ? present : { kind: 'not', filter: present };
  }
  const createComparison = (checked: FilterValue): Filter => ({ kind: 'compare', path, operator, value: checked });
  switch (type) {
    case 'complex':
      throw createFilterError(`${name} has parts: compare one of them, for example with ${name}.<part> or ${name}[…].`);
    case 'boolean': {
      if (operator !== 'eq' && operator !== 'ne')
        throw createFilterError(`${name} is true or false: only eq and ne compare it.`);
      const truth = typeof value === 'string' ? { true: true, false: false }[value.toLowerCase()] : value;
      if (typeof truth !== 'boolean') throw createFilterError(`${name} is compared with true or false.`);
      return createComparison(truth);
    }
    case 'dateTime':
      if (['co', 'sw', 'ew'].includes(operator))
        throw createFilterError(`${name} is a point in time; ${operator} compares text.`);
      if (typeof value !== 'string' || !DATE_TIME.test(value) || Number.isNaN(Date.parse(value)))
        throw createFilterError(`${name} is compared with a point in time such as "2026-01-31T12:00:00Z".`);
      return createComparison(new Date(value).toISOString());
    case 'binary':
      if (operator !== 'eq' && operator !== 'ne')
        throw createFilterError(`${name} is binary: only eq and ne compare it.`);
  }
  if (typeof value !== 'string')
    throw createFilterError(`${name} is text: compare it with a string in quotation marks.`);
  if (!value.isWellFormed() || value.includes('\u0000'))
    throw createFilterError(`${name} is compared with a value that is not valid Unicode text.`);
  return createComparison(value);
}

const quote = (text: string): string => `"${removeControls(text).slice(0, 100)}"`;
/** Removes control characters, which could act on a terminal or a log. */
const removeControls = (text: string): string => text.replace(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 300);

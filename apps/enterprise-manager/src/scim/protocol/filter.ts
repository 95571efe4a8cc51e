import type { Filter as Tree } from 'scim2-parse-filter';
import { parseFilter as parseTokens, Tokens } from 'scim2-parse-filter/lib/src/parser.js';
import { isAttributePath, leafOf, pathName, resolveInside, resolveName } from './attribute-path.ts';
import { filterTokens, OF_ELEMENT } from './filter-tokens.ts';
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
const invalid = (detail: string) => new ScimError(400, 'invalidFilter', detail);

/**
 * Reads a filter (RFC 7644 §3.4.2.2) for one type of resource. Names and operators without case;
 * `not`, `and`, `or` by precedence; value paths; also `emails[type eq "work"].value eq "x"`, which
 * clients send and which asks for one element that fulfils both.
 * @throws ScimError 400 `invalidFilter` for wrong grammar, unknown attributes, wrong types, too
 * much length (4,096 characters) or depth (32)
 */
export const parseFilter = (text: string, resourceType: ResourceType): Filter =>
  resolve(treeOf(text), (name) => {
    const resolved = resolveName(name, resourceType);
    if (resolved.kind !== 'attribute')
      throw invalid(`${shown(name)} is no attribute of ${resourceType} that a filter can name.`);
    return resolved.path;
  });

/**
 * Reads the filter inside a value path of a PATCH: `type eq "work"` of `emails[type eq "work"]`.
 * @throws ScimError 400 `invalidFilter`
 */
export const parseElementFilter = (text: string, outer: AttributePath): Filter => inside(treeOf(text), outer);

/**
 * The tree of a filter. The parser is recursive; length and depth of what reaches it are bounded.
 */
function treeOf(text: string): Tree {
  try {
    const tokens = new Tokens(filterTokens(text));
    const tree = parseTokens(tokens);
    if (tokens.peek().type !== 'EOT') throw new SyntaxError(`${shown(tokens.peek().literal)} was not expected.`);
    return tree;
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'it has another form';
    throw invalid(
      `The filter cannot be read: ${/\bEOT\b/.test(problem) ? 'it ends before it is whole' : readable(problem)}`,
    );
  }
}

type Resolve = (name: string) => AttributePath;

function resolve(tree: Tree, pathOf: Resolve, inElement = false): Filter {
  const again = (part: Tree) => resolve(part, pathOf, inElement);
  switch (tree.op) {
    case 'and':
    case 'or': {
      if (!('filters' in tree)) break;
      return { kind: tree.op, filters: joined(tree.filters).map(again) };
    }
    case 'not':
      if (!('filter' in tree)) break;
      return { kind: 'not', filter: again(tree.filter) };
    case '[]': {
      if (!('valFilter' in tree)) break;
      const outer = named(tree.attrPath, pathOf);
      if (inElement || !outer.attribute.multiValued || !outer.attribute.subAttributes || outer.subAttribute)
        throw invalid(`${pathName(outer)} has no elements; a filter in brackets selects elements of a list.`);
      return { kind: 'element', path: outer, filter: inside(tree.valFilter, outer) };
    }
    case 'pr':
      if (!('attrPath' in tree)) break;
      return { kind: 'present', path: byValue(named(tree.attrPath, pathOf)) };
    default:
      if (!isOperator(tree.op) || !('compValue' in tree)) break;
      return comparison(byValue(named(tree.attrPath, pathOf)), tree.op, tree.compValue);
  }
  throw invalid(`${shown(tree.op)} is no operator of a filter.`);
}

const inside = (tree: Tree, outer: AttributePath): Filter =>
  resolve(
    tree,
    (name) => {
      const path = resolveInside(name, outer);
      if (!path) throw invalid(`${shown(name)} is no sub-attribute of ${pathName(outer)}.`);
      return path;
    },
    true,
  );

/**
 * Takes `emails[…].value eq "x"`, which the parser gives as two neighbours, together as one
 * condition on the element.
 */
const joined = (filters: Tree[]): Tree[] => {
  const [first, second, ...more] = filters;
  if (!first || !second || !('valFilter' in first) || !('attrPath' in second)) return filters;
  const mark = second.attrPath.indexOf(OF_ELEMENT);
  if (mark < 0) return filters;
  const own: Tree = { ...second, attrPath: second.attrPath.slice(mark + 1) };
  return [{ ...first, valFilter: { op: 'and', filters: [first.valFilter, own] } }, ...more];
};

function named(name: string, pathOf: Resolve): AttributePath {
  if (!isAttributePath(name)) throw invalid(`${shown(name)} is not the name of an attribute.`);
  return pathOf(name);
}

/** A list compares by the `value` of its elements (RFC 7644 §3.4.2.2). */
const byValue = (path: AttributePath): AttributePath =>
  (path.subAttribute === undefined && path.attribute.type === 'complex' && resolveInside('value', path)) || path;

/**
 * Checks that the attribute can be compared so, and turns the literal into the attribute's type.
 */
function comparison(path: AttributePath, operator: CompareOperator, value: FilterValue): Filter {
  const name = pathName(path);
  const { type } = leafOf(path);
  if (value === null) {
    if (operator !== 'eq' && operator !== 'ne') throw invalid(`${name} can only be equal or unequal to null.`);
    const present: Filter = { kind: 'present', path };
    return operator === 'ne' ? present : { kind: 'not', filter: present };
  }
  const filter = (checked: FilterValue): Filter => ({ kind: 'compare', path, operator, value: checked });
  switch (type) {
    case 'complex':
      throw invalid(`${name} has parts: compare one of them, for example with ${name}.<part> or ${name}[…].`);
    case 'boolean': {
      if (operator !== 'eq' && operator !== 'ne') throw invalid(`${name} is true or false: only eq and ne compare it.`);
      const truth = typeof value === 'string' ? { true: true, false: false }[value.toLowerCase()] : value;
      if (typeof truth !== 'boolean') throw invalid(`${name} is compared with true or false.`);
      return filter(truth);
    }
    case 'dateTime':
      if (['co', 'sw', 'ew'].includes(operator))
        throw invalid(`${name} is a point in time; ${operator} compares text.`);
      if (typeof value !== 'string' || !DATE_TIME.test(value) || Number.isNaN(Date.parse(value)))
        throw invalid(`${name} is compared with a point in time such as "2026-01-31T12:00:00Z".`);
      return filter(new Date(value).toISOString());
    case 'binary':
      if (operator !== 'eq' && operator !== 'ne') throw invalid(`${name} is binary: only eq and ne compare it.`);
  }
  if (typeof value !== 'string') throw invalid(`${name} is text: compare it with a string in quotation marks.`);
  if (!value.isWellFormed() || value.includes('\u0000'))
    throw invalid(`${name} is compared with something that is no text.`);
  return filter(value);
}

const shown = (text: string): string => `"${readable(text).slice(0, 100)}"`;
/** Nothing of the request goes into a message that would act on a terminal or a log. */
const readable = (text: string): string => text.replace(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 300);

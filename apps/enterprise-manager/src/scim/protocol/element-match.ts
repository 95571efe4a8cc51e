import { getLeaf } from './attribute-path.ts';
import type { CompareOperator, Filter, FilterValue, JsonObject } from './types.ts';

/**
 * Whether an element of a list matches a filter in brackets. Texts are case-insensitive unless the
 * attribute is `caseExact`.
 */
export function matchesElement(filter: Filter, element: JsonObject): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((part) => matchesElement(part, element));
    case 'or':
      return filter.filters.some((part) => matchesElement(part, element));
    case 'not':
      return !matchesElement(filter.filter, element);
    case 'present':
      return element[getLeaf(filter.path).name] !== undefined;
    case 'compare': {
      const { name, caseExact } = getLeaf(filter.path);
      return compareValues(filter.operator, element[name], filter.value, caseExact === true);
    }
    case 'element':
      return false;
  }
}

function compareValues(operator: CompareOperator, actual: unknown, wanted: FilterValue, caseExact: boolean): boolean {
  if (typeof actual === 'boolean' || typeof wanted !== 'string') {
    // An absent `primary` is false (RFC 7643 §2.4).
    const same = (actual ?? false) === wanted;
    return operator === 'ne' ? !same : same;
  }
  if (typeof actual !== 'string') return operator === 'ne';
  const [left, right] = caseExact ? [actual, wanted] : [actual.toLowerCase(), wanted.toLowerCase()];
  switch (operator) {
    case 'eq':
      return left === right;
    case 'ne':
      return left !== right;
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    case 'gt':
      return left > right;
    case 'ge':
      return left >= right;
    case 'lt':
      return left < right;
    case 'le':
      return left <= right;
  }
}

/**
 * Builds the element that a filter of equalities describes, for example a primary work element for
 * `type eq "work" and primary eq true`. Large identity providers expect that a PATCH creates it
 * when its path matches no element.
 * @returns undefined for a filter with other operators
 */
export function createDescribedElement(filter: Filter): JsonObject | undefined {
  if (filter.kind === 'compare')
    return filter.operator === 'eq' ? { [getLeaf(filter.path).name]: filter.value } : undefined;
  if (filter.kind !== 'and') return undefined;
  const element: JsonObject = {};
  for (const part of filter.filters) {
    const described = createDescribedElement(part);
    if (!described) return undefined;
    for (const [name, value] of Object.entries(described)) {
      if (name in element && element[name] !== value) return undefined;
      element[name] = value;
    }
  }
  return element;
}

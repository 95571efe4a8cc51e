import { leafOf } from './attribute-path.ts';
import type { CompareOperator, Filter, FilterValue, JsonObject } from './types.ts';

/**
 * Whether one element of a list fulfils the filter in brackets; texts without case unless the
 * attribute is exact.
 */
export function elementMatches(filter: Filter, element: JsonObject): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((part) => elementMatches(part, element));
    case 'or':
      return filter.filters.some((part) => elementMatches(part, element));
    case 'not':
      return !elementMatches(filter.filter, element);
    case 'present':
      return element[leafOf(filter.path).name] !== undefined;
    case 'compare': {
      const { name, caseExact } = leafOf(filter.path);
      return compares(filter.operator, element[name], filter.value, caseExact === true);
    }
    case 'element':
      return false;
  }
}

function compares(operator: CompareOperator, actual: unknown, wanted: FilterValue, caseExact: boolean): boolean {
  if (typeof actual === 'boolean' || typeof wanted !== 'string') {
    // `primary` that nobody set is false (RFC 7643 §2.4).
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
 * The element that a filter of equalities describes: `type eq "work" and primary eq true` is a work
 * element that is primary. For PATCH paths that match nothing, where large identity providers
 * expect the element to be made.
 * @returns undefined when the filter says more than equalities
 */
export function describedElement(filter: Filter): JsonObject | undefined {
  if (filter.kind === 'compare')
    return filter.operator === 'eq' ? { [leafOf(filter.path).name]: filter.value } : undefined;
  if (filter.kind !== 'and') return undefined;
  const element: JsonObject = {};
  for (const part of filter.filters) {
    const described = describedElement(part);
    if (!described) return undefined;
    for (const [name, value] of Object.entries(described)) {
      if (name in element && element[name] !== value) return undefined;
      element[name] = value;
    }
  }
  return element;
}

import { getLeaf, resolveInside, resolveName } from './attribute-path.ts';
import { buildElementsSql, getOperand } from './filter-sql.ts';
import { type AttributePath, type ResourceType, ScimError } from './types.ts';

/**
 * Translates `sortBy` and `sortOrder` (RFC 7644 §3.4.2.3) to ORDER BY expressions over `users u` or
 * `groups g`. Texts are case-insensitive unless the attribute is `caseExact`. A list sorts by its
 * primary value, else by its first. Resources without the attribute are last when ascending. The id
 * breaks ties. The default is the order of creation.
 * @throws ScimError 400 `invalidValue` for another order or an attribute that cannot be sorted by
 */
export function buildOrderSql(resourceType: ResourceType, sortBy?: string, sortOrder?: string): string {
  const row = resourceType === 'User' ? 'u' : 'g';
  const direction = new Map([
    ['ascending', 'ASC'],
    ['descending', 'DESC'],
  ]).get(sortOrder?.toLowerCase() ?? 'ascending');
  if (direction === undefined) throw new ScimError(400, 'invalidValue', 'sortOrder is ascending or descending.');
  if (sortBy === undefined) return `${row}.created_at ${direction}, ${row}.id ${direction}`;
  return `${buildSortedSql(readSortPath(sortBy, resourceType), resourceType)} ${direction}, ${row}.id ${direction}`;
}

function readSortPath(sortBy: string, resourceType: ResourceType): AttributePath {
  const resolved = resolveName(sortBy, resourceType);
  if (resolved.kind !== 'attribute')
    throw new ScimError(400, 'invalidValue', `sortBy names no attribute of ${resourceType}.`);
  const { path } = resolved;
  const inner = path.subAttribute === undefined ? resolveInside('value', path) : undefined;
  if (path.attribute.type === 'complex' && path.subAttribute === undefined && !inner)
    throw new ScimError(400, 'invalidValue', `sortBy must name one part of ${path.attribute.name}.`);
  return inner ?? path;
}

function buildSortedSql(path: AttributePath, resourceType: ResourceType): string {
  if (!path.attribute.multiValued) {
    const { sql, kind } = getSortOperand(path, resourceType);
    return kind === 'text' ? `lower(${sql})` : sql;
  }
  if (resourceType === 'Group' || ['groups', 'schemas'].includes(path.attribute.name))
    throw new ScimError(400, 'invalidValue', `sortBy: resources cannot be sorted by ${path.attribute.name}.`);
  const value = `(p.e ->> '${getLeaf(path).name}')`;
  const elements = buildElementsSql(path).replace(/ e$/, ' WITH ORDINALITY AS p(e, place)');
  return `(SELECT ${getLeaf(path).caseExact === true ? value : `lower(${value})`} FROM ${elements}
    ORDER BY COALESCE((p.e ->> 'primary')::boolean, FALSE) DESC, p.place LIMIT 1)`;
}

function getSortOperand(path: AttributePath, resourceType: ResourceType) {
  try {
    return getOperand(path, resourceType);
  } catch (error) {
    if (error instanceof ScimError) throw new ScimError(400, 'invalidValue', error.detail);
    throw error;
  }
}

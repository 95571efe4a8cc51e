import { toComparisonKey } from '../../validation/names.ts';
import { getLeaf, formatPath } from './attribute-path.ts';
import { matchesElement } from './element-match.ts';
import { RESOURCE_KINDS, type Schema } from './schemas.ts';
import { DISPLAY_NAME, type HeldTexts, type Holders, listSql } from './stored-attributes.ts';
import {
  type AttributePath,
  type CompareOperator,
  type Filter,
  type FilterValue,
  type JsonObject,
  type ResourceType,
  ScimError,
} from './types.ts';

/** An operand of a comparison: an SQL expression and the kind of its values. */
interface Operand {
  sql: string;
  kind: 'text' | 'exact text' | 'name' | 'boolean' | 'instant' | 'uuid';
}

/**
 * SQL condition: the user is a direct or indirect member of a group that matches a condition on
 * `e`, because a user's `groups` contains both. The recursion starts at the groups, so that an
 * index finds a group that the condition names. OFFSET 0 makes Postgres look up the members of each
 * group instead of scanning all memberships.
 */
const buildInGroupsSql = (condition: string): string =>
  `(u.id = ANY (ARRAY(
    WITH RECURSIVE held AS (
      SELECT e.value AS id FROM (SELECT id AS value, display_name AS display FROM groups WHERE source = 'scim' AND issuer = $1) e WHERE ${condition}
      UNION SELECT s.child_id FROM held JOIN group_subgroups s ON s.parent_id = held.id)
    SELECT DISTINCT m.user_id FROM held CROSS JOIN LATERAL (SELECT user_id FROM group_users WHERE group_id = held.id OFFSET 0) AS m)))`;

/**
 * SQL of the members of all groups, for filters in brackets. It does not refer to the outer row, so
 * that Postgres evaluates a condition once, by an index for an id.
 */
const MEMBERS_OF_GROUPS = `(SELECT gu.group_id AS holder, gu.user_id AS value, x.display_name AS display, 'User' AS type FROM group_users gu
  JOIN users x ON x.id = gu.user_id
  UNION ALL SELECT gs.parent_id, gs.child_id, x.display_name, 'Group' FROM group_subgroups gs
  JOIN groups x ON x.id = gs.child_id)`;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Translates a filter to an SQL condition over `users u` or `groups g` (RFC 7644 §3.4.2.2). An
 * absent attribute matches only `ne` and `not`. Each value becomes a parameter.
 * @param params gets the values appended; its first element is the issuer
 * @param holders returns the ids that may match a text; the condition is restricted to these ids
 * @throws ScimError 400 `invalidFilter` for attributes that are computed for each response
 * (`meta.location`, `meta.version`, references)
 */
export function buildFilterSql(
  filter: Filter,
  resourceType: ResourceType,
  params: unknown[],
  holders: Holders = () => undefined,
): string {
  const bind: Bind = (value) => `$${params.push(value)}`;
  const restrictToHolders = (condition: string, texts: HeldTexts): string => {
    const ids = holders(texts);
    return ids === undefined ? condition : `(u.id = ANY (${bind(ids)}::uuid[]) AND ${condition})`;
  };
  const translate = (part: Filter, element: boolean): string => {
    if ('path' in part && part.path.attribute.name === 'schemas') return buildSchemasSql(part, resourceType);
    switch (part.kind) {
      case 'and':
      case 'or':
        return `(${part.filters.map((inner) => translate(inner, element)).join(part.kind === 'and' ? ' AND ' : ' OR ')})`;
      case 'not':
        return `((${translate(part.filter, element)}) IS NOT TRUE)`;
      case 'element':
        return buildAnyElementSql(
          part.path,
          resourceType,
          translate(part.filter, true),
          listEqualTexts(part.filter),
          restrictToHolders,
        );
      case 'present':
        return buildPresentSql(part.path, resourceType, element);
      case 'compare': {
        if (part.operator === 'ne') return `((${translate({ ...part, operator: 'eq' }, element)}) IS NOT TRUE)`;
        const { path, operator, value } = part;
        if (path.attribute.multiValued && !element)
          return buildAnyElementSql(
            path,
            resourceType,
            compare(getElementOperand(path, resourceType), operator, value, bind),
            listEqualTexts(part),
            restrictToHolders,
          );
        if (element) return compare(getElementOperand(path, resourceType), operator, value, bind);
        const condition = compare(getOperand(path, resourceType), operator, value, bind);
        const indexed = operator === 'eq' && isStoredText(path, resourceType);
        return indexed ? restrictToHolders(condition, createShape(getKeys(path), value)) : condition;
      }
    }
  };
  return translate(filter, false);
}

/**
 * Translates a condition on `schemas` (RFC 7644 §3.4.2.2). Every resource has its core schema, and
 * an extension if it has an attribute of it. URNs are case-insensitive.
 */
function buildSchemasSql(part: Filter, resourceType: ResourceType): string {
  if (part.kind === 'present') return 'TRUE';
  if (part.kind !== 'compare') throw new Error('schemas has no elements');
  const { core, extensions } = RESOURCE_KINDS[resourceType];
  const matches = ({ id }: Schema) => matchesElement({ ...part, path: URN_PATH }, { value: id });
  if (part.operator === 'ne') return `(${buildSchemasSql({ ...part, operator: 'eq' }, resourceType)} IS NOT TRUE)`;
  if (matches(core)) return 'TRUE';
  const held = extensions.filter(matches).map(({ id }) => `(u.scim -> '${id}') IS NOT NULL`);
  return held.length === 0 ? 'FALSE' : `(${held.join(' OR ')})`;
}

/** A URN as the `value` of an element: a case-insensitive text. */
const URN_PATH: AttributePath = {
  attribute: {
    name: 'value',
    type: 'string',
    multiValued: false,
    description: '',
    required: false,
    mutability: 'readOnly',
    returned: 'always',
  },
};

type Bind = (value: unknown) => string;

/** Lists the texts for which `buildFilterSql` calls `holders`. */
export function listHeldTexts(filter: Filter, resourceType: ResourceType): HeldTexts[] {
  const held: HeldTexts[] = [];
  buildFilterSql(filter, resourceType, [], (texts) => {
    held.push(texts);
    return undefined;
  });
  return held;
}

/**
 * SQL condition: an element of a list matches.
 * @param texts texts that the element must contain, by name; an index can find them
 */
function buildAnyElementSql(
  path: AttributePath,
  resourceType: ResourceType,
  condition: string,
  texts: Record<string, string>,
  among: (condition: string, texts: HeldTexts) => string,
): string {
  if (resourceType === 'Group') return buildHasMemberSql(condition);
  if (path.attribute.name === 'groups') return buildInGroupsSql(condition);
  const exists = `EXISTS (SELECT 1 FROM ${buildElementsSql(path)} WHERE ${condition})`;
  return Object.keys(texts).length === 0 ? exists : among(exists, { [path.attribute.name]: [texts] });
}

/** SQL condition: a member of the group matches. An array is computed once, not for each row. */
const buildHasMemberSql = (condition: string): string =>
  `(g.id = ANY (ARRAY(SELECT DISTINCT e.holder FROM ${MEMBERS_OF_GROUPS} e WHERE ${condition})))`;

/** Lists the texts that an element must contain for the filter to match, by name. */
function listEqualTexts(filter: Filter): Record<string, string> {
  if (filter.kind === 'and') return Object.assign({}, ...filter.filters.map(listEqualTexts)) as Record<string, string>;
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return {};
  return { [getLeaf(filter.path).name]: filter.value };
}

/** Whether a single-valued attribute is a text in `u.scim`. */
const isStoredText = (path: AttributePath, resourceType: ResourceType): boolean =>
  resourceType === 'User' && !['id', 'externalId', 'userName', 'active', 'meta'].includes(path.attribute.name);

const createShape = ([key = '', ...inside]: string[], value: FilterValue): JsonObject => ({
  [key]: inside.length === 0 ? value : createShape(inside, value),
});

/** SQL of the elements of a list of `u`, as `e`. */
export const buildElementsSql = ({ attribute }: AttributePath): string =>
  `jsonb_array_elements(${listSql(attribute.name)}) e`;

/** The operand of a part of the element `e`. */
function getElementOperand(path: AttributePath, resourceType: ResourceType): Operand {
  const { name, type, caseExact } = getLeaf(path);
  if (resourceType === 'Group' || path.attribute.name === 'groups') {
    if (name === 'value') return { sql: 'e.value', kind: 'uuid' };
    if (name === 'display') return { sql: 'e.display', kind: 'text' };
    if (name === 'type' && resourceType === 'Group') return { sql: 'e.type', kind: 'text' };
    throw createNotStoredError(path);
  }
  if (type === 'boolean') return { sql: `COALESCE((e ->> '${name}')::boolean, FALSE)`, kind: 'boolean' };
  return { sql: `(e ->> '${name}')`, kind: caseExact === true ? 'exact text' : 'text' };
}

/** The operand of a single-valued attribute. */
export function getOperand(path: AttributePath, resourceType: ResourceType): Operand {
  const row = resourceType === 'User' ? 'u' : 'g';
  switch (formatPath(path)) {
    case 'id':
      return { sql: `${row}.id`, kind: 'uuid' };
    case 'externalId':
      return { sql: `${row}.external_id`, kind: 'exact text' };
    case 'userName':
      return { sql: 'u.user_name_key', kind: 'name' };
    case 'active':
      return { sql: 'u.active', kind: 'boolean' };
    case 'meta.created':
      return { sql: `${row}.created_at`, kind: 'instant' };
    case 'meta.lastModified':
      return { sql: `${row}.updated_at`, kind: 'instant' };
    case 'meta.resourceType':
      return { sql: `'${resourceType}'::text`, kind: 'exact text' };
  }
  if (resourceType === 'Group' && path.attribute.name === 'displayName')
    return { sql: 'g.display_name_key', kind: 'name' };
  if (formatPath(path) === 'displayName') return { sql: `(${DISPLAY_NAME})`, kind: 'text' };
  const made = ['schemas', 'meta'].includes(path.attribute.name) || getLeaf(path).mutability === 'readOnly';
  if (made || getLeaf(path).type === 'complex') throw createNotStoredError(path);
  return { sql: `(${buildJsonSql(path)})`, kind: getLeaf(path).caseExact === true ? 'exact text' : 'text' };
}

const getKeys = ({ extension, attribute, subAttribute }: AttributePath): string[] =>
  [extension, attribute.name, subAttribute?.name].filter((key) => key !== undefined);

/** SQL of a text in `u.scim`. The keys are names in the schemas of this service. */
const buildJsonSql = (path: AttributePath): string => {
  const keys = getKeys(path);
  return keys.length === 1
    ? `u.scim ->> '${keys[0]}'`
    : `u.scim #>> ARRAY[${keys.map((key) => `'${key}'`).join(', ')}]`;
};

const buildComplexSql = (path: AttributePath): string => {
  if (path.attribute.name === 'meta') return 'TRUE';
  return `u.scim #> ARRAY[${getKeys(path)
    .map((key) => `'${key}'`)
    .join(', ')}]`;
};

const createNotStoredError = (path: AttributePath): ScimError =>
  new ScimError(
    400,
    'invalidFilter',
    `${formatPath(path)} is computed for each response and cannot be searched or sorted.`,
  );

/** SQL condition: the attribute has a value. Empty texts are not stored (RFC 7643 §2.5). */
function buildPresentSql(path: AttributePath, resourceType: ResourceType, element: boolean): string {
  const { attribute, subAttribute } = path;
  const ownRows = resourceType === 'Group' || attribute.name === 'groups';
  if (attribute.multiValued) {
    const held =
      subAttribute === undefined
        ? 'TRUE'
        : ownRows
          ? `${getElementOperand(path, resourceType).sql} IS NOT NULL`
          : `(e -> '${subAttribute.name}') IS NOT NULL`;
    return element ? `(${held})` : buildAnyElementSql(path, resourceType, held, {}, (condition) => condition);
  }
  if (getLeaf(path).type === 'complex') return `(${buildComplexSql(path)} IS NOT NULL)`;
  return `(${getOperand(path, resourceType).sql} IS NOT NULL)`;
}

/** SQL of a comparison. */
function compare({ sql, kind }: Operand, operator: CompareOperator, value: FilterValue, bind: Bind): string {
  if (kind === 'boolean') return `(${sql} = ${bind(value)}::boolean)`;
  if (kind === 'instant') return `(${sql} ${SIGNS[operator] ?? '='} ${bind(value)}::timestamptz)`;
  const text = String(value);
  if (kind === 'uuid' && operator === 'eq') return UUID.test(text) ? `(${sql} = ${bind(text)}::uuid)` : 'FALSE';
  if (kind === 'name')
    return `(${buildTextComparison(sql, operator, operator === 'eq' ? toComparisonKey(text) : getPartKey(text), bind, false)})`;
  return `(${buildTextComparison(kind === 'uuid' ? `${sql}::text` : sql, operator, text, bind, kind === 'text')})`;
}

const SIGNS: Partial<Record<CompareOperator, string>> = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' };

function buildTextComparison(sql: string, operator: CompareOperator, value: string, bind: Bind, fold: boolean): string {
  const left = fold ? `lower(${sql})` : sql;
  const buildRight = (text: string) => (fold ? `lower(${bind(text)}::text)` : `${bind(text)}::text`);
  const literal = value.replace(/[\\%_]/g, '\\$&');
  switch (operator) {
    case 'co':
      return `${left} LIKE ${buildRight(`%${literal}%`)}`;
    case 'sw':
      return `${left} LIKE ${buildRight(`${literal}%`)}`;
    case 'ew':
      return `${left} LIKE ${buildRight(`%${literal}`)}`;
    case 'eq':
      return `${left} = ${buildRight(value)}`;
    default:
      return `${left} COLLATE "C" ${SIGNS[operator] ?? '='} ${buildRight(value)} COLLATE "C"`;
  }
}

/** The comparison form of a part of a name. Spaces at its ends count: the name may go on there. */
const getPartKey = (text: string): string => toComparisonKey(`.${text}.`).slice(1, -1);

import { toComparisonKey } from '../../validation/names.ts';
import { leafOf, pathName } from './attribute-path.ts';
import { elementMatches } from './element-match.ts';
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
const isInGroups = (condition: string): string =>
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
export function filterSql(
  filter: Filter,
  resourceType: ResourceType,
  params: unknown[],
  holders: Holders = () => undefined,
): string {
  const bind: Bind = (value) => `$${params.push(value)}`;
  const among = (condition: string, texts: HeldTexts): string => {
    const ids = holders(texts);
    return ids === undefined ? condition : `(u.id = ANY (${bind(ids)}::uuid[]) AND ${condition})`;
  };
  const translate = (part: Filter, element: boolean): string => {
    if ('path' in part && part.path.attribute.name === 'schemas') return schemasSql(part, resourceType);
    switch (part.kind) {
      case 'and':
      case 'or':
        return `(${part.filters.map((inner) => translate(inner, element)).join(part.kind === 'and' ? ' AND ' : ' OR ')})`;
      case 'not':
        return `((${translate(part.filter, element)}) IS NOT TRUE)`;
      case 'element':
        return anyElement(part.path, resourceType, translate(part.filter, true), equalTexts(part.filter), among);
      case 'present':
        return presentSql(part.path, resourceType, element);
      case 'compare': {
        if (part.operator === 'ne') return `((${translate({ ...part, operator: 'eq' }, element)}) IS NOT TRUE)`;
        const { path, operator, value } = part;
        if (path.attribute.multiValued && !element)
          return anyElement(
            path,
            resourceType,
            compare(elementOperand(path, resourceType), operator, value, bind),
            equalTexts(part),
            among,
          );
        if (element) return compare(elementOperand(path, resourceType), operator, value, bind);
        const condition = compare(operandOf(path, resourceType), operator, value, bind);
        const indexed = operator === 'eq' && isStoredText(path, resourceType);
        return indexed ? among(condition, shapeAt(keysOf(path), value)) : condition;
      }
    }
  };
  return translate(filter, false);
}

/**
 * Translates a condition on `schemas` (RFC 7644 §3.4.2.2). Every resource has its core schema, and
 * an extension if it has an attribute of it. URNs are case-insensitive.
 */
function schemasSql(part: Filter, resourceType: ResourceType): string {
  if (part.kind === 'present') return 'TRUE';
  if (part.kind !== 'compare') throw new Error('schemas has no elements');
  const { core, extensions } = RESOURCE_KINDS[resourceType];
  const matches = ({ id }: Schema) => elementMatches({ ...part, path: URN_PATH }, { value: id });
  if (part.operator === 'ne') return `(${schemasSql({ ...part, operator: 'eq' }, resourceType)} IS NOT TRUE)`;
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

/** Lists the texts for which `filterSql` calls `holders`. */
export function heldTexts(filter: Filter, resourceType: ResourceType): HeldTexts[] {
  const asked: HeldTexts[] = [];
  filterSql(filter, resourceType, [], (texts) => {
    asked.push(texts);
    return undefined;
  });
  return asked;
}

/**
 * SQL condition: an element of a list matches.
 * @param texts texts that the element must contain, by name; an index can find them
 */
function anyElement(
  path: AttributePath,
  resourceType: ResourceType,
  condition: string,
  texts: Record<string, string>,
  among: (condition: string, texts: HeldTexts) => string,
): string {
  if (resourceType === 'Group') return hasMember(condition);
  if (path.attribute.name === 'groups') return isInGroups(condition);
  const exists = `EXISTS (SELECT 1 FROM ${elementsSql(path)} WHERE ${condition})`;
  return Object.keys(texts).length === 0 ? exists : among(exists, { [path.attribute.name]: [texts] });
}

/** SQL condition: a member of the group matches. An array is computed once, not for each row. */
const hasMember = (condition: string): string =>
  `(g.id = ANY (ARRAY(SELECT DISTINCT e.holder FROM ${MEMBERS_OF_GROUPS} e WHERE ${condition})))`;

/** Lists the texts that an element must contain for the filter to match, by name. */
function equalTexts(filter: Filter): Record<string, string> {
  if (filter.kind === 'and') return Object.assign({}, ...filter.filters.map(equalTexts)) as Record<string, string>;
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return {};
  return { [leafOf(filter.path).name]: filter.value };
}

/** Whether a single-valued attribute is a text in `u.scim`. */
const isStoredText = (path: AttributePath, resourceType: ResourceType): boolean =>
  resourceType === 'User' && !['id', 'externalId', 'userName', 'active', 'meta'].includes(path.attribute.name);

const shapeAt = ([key = '', ...inside]: string[], value: FilterValue): JsonObject => ({
  [key]: inside.length === 0 ? value : shapeAt(inside, value),
});

/** SQL of the elements of a list of `u`, as `e`. */
export const elementsSql = ({ attribute }: AttributePath): string =>
  `jsonb_array_elements(${listSql(attribute.name)}) e`;

/** The operand of a part of the element `e`. */
function elementOperand(path: AttributePath, resourceType: ResourceType): Operand {
  const { name, type, caseExact } = leafOf(path);
  if (resourceType === 'Group' || path.attribute.name === 'groups') {
    if (name === 'value') return { sql: 'e.value', kind: 'uuid' };
    if (name === 'display') return { sql: 'e.display', kind: 'text' };
    if (name === 'type' && resourceType === 'Group') return { sql: 'e.type', kind: 'text' };
    throw notStored(path);
  }
  if (type === 'boolean') return { sql: `COALESCE((e ->> '${name}')::boolean, FALSE)`, kind: 'boolean' };
  return { sql: `(e ->> '${name}')`, kind: caseExact === true ? 'exact text' : 'text' };
}

/** The operand of a single-valued attribute. */
export function operandOf(path: AttributePath, resourceType: ResourceType): Operand {
  const row = resourceType === 'User' ? 'u' : 'g';
  switch (pathName(path)) {
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
  if (pathName(path) === 'displayName') return { sql: `(${DISPLAY_NAME})`, kind: 'text' };
  const made = ['schemas', 'meta'].includes(path.attribute.name) || leafOf(path).mutability === 'readOnly';
  if (made || leafOf(path).type === 'complex') throw notStored(path);
  return { sql: `(${jsonSql(path)})`, kind: leafOf(path).caseExact === true ? 'exact text' : 'text' };
}

const keysOf = ({ extension, attribute, subAttribute }: AttributePath): string[] =>
  [extension, attribute.name, subAttribute?.name].filter((key) => key !== undefined);

/** SQL of a text in `u.scim`. The keys are names in the schemas of this service. */
const jsonSql = (path: AttributePath): string => {
  const keys = keysOf(path);
  return keys.length === 1
    ? `u.scim ->> '${keys[0]}'`
    : `u.scim #>> ARRAY[${keys.map((key) => `'${key}'`).join(', ')}]`;
};

const complexSql = (path: AttributePath): string => {
  if (path.attribute.name === 'meta') return 'TRUE';
  return `u.scim #> ARRAY[${keysOf(path)
    .map((key) => `'${key}'`)
    .join(', ')}]`;
};

const notStored = (path: AttributePath): ScimError =>
  new ScimError(
    400,
    'invalidFilter',
    `${pathName(path)} is computed for each response and cannot be searched or sorted.`,
  );

/** SQL condition: the attribute has a value. Empty texts are not stored (RFC 7643 §2.5). */
function presentSql(path: AttributePath, resourceType: ResourceType, element: boolean): string {
  const { attribute, subAttribute } = path;
  const ownRows = resourceType === 'Group' || attribute.name === 'groups';
  if (attribute.multiValued) {
    const held =
      subAttribute === undefined
        ? 'TRUE'
        : ownRows
          ? `${elementOperand(path, resourceType).sql} IS NOT NULL`
          : `(e -> '${subAttribute.name}') IS NOT NULL`;
    return element ? `(${held})` : anyElement(path, resourceType, held, {}, (condition) => condition);
  }
  if (leafOf(path).type === 'complex') return `(${complexSql(path)} IS NOT NULL)`;
  return `(${operandOf(path, resourceType).sql} IS NOT NULL)`;
}

/** SQL of a comparison. */
function compare({ sql, kind }: Operand, operator: CompareOperator, value: FilterValue, bind: Bind): string {
  if (kind === 'boolean') return `(${sql} = ${bind(value)}::boolean)`;
  if (kind === 'instant') return `(${sql} ${SIGNS[operator] ?? '='} ${bind(value)}::timestamptz)`;
  const text = String(value);
  if (kind === 'uuid' && operator === 'eq') return UUID.test(text) ? `(${sql} = ${bind(text)}::uuid)` : 'FALSE';
  if (kind === 'name')
    return `(${textual(sql, operator, operator === 'eq' ? toComparisonKey(text) : partKey(text), bind, false)})`;
  return `(${textual(kind === 'uuid' ? `${sql}::text` : sql, operator, text, bind, kind === 'text')})`;
}

const SIGNS: Partial<Record<CompareOperator, string>> = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' };

function textual(sql: string, operator: CompareOperator, value: string, bind: Bind, fold: boolean): string {
  const left = fold ? `lower(${sql})` : sql;
  const right = (text: string) => (fold ? `lower(${bind(text)}::text)` : `${bind(text)}::text`);
  const literal = value.replace(/[\\%_]/g, '\\$&');
  switch (operator) {
    case 'co':
      return `${left} LIKE ${right(`%${literal}%`)}`;
    case 'sw':
      return `${left} LIKE ${right(`${literal}%`)}`;
    case 'ew':
      return `${left} LIKE ${right(`%${literal}`)}`;
    case 'eq':
      return `${left} = ${right(value)}`;
    default:
      return `${left} COLLATE "C" ${SIGNS[operator] ?? '='} ${right(value)} COLLATE "C"`;
  }
}

/** The comparison form of a part of a name. Spaces at its ends count: the name may go on there. */
const partKey = (text: string): string => toComparisonKey(`.${text}.`).slice(1, -1);

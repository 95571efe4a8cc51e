import { comparisonKey } from '../../validation/names.ts';
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

/** What a comparison compares: an SQL expression and how its values behave. */
interface Operand {
  sql: string;
  kind: 'text' | 'exact text' | 'name' | 'boolean' | 'instant' | 'uuid';
}

/**
 * Who is in a group that fulfils a condition on `e`, directly or through the groups in it: a
 * person's `groups` show both. A group and all that is in it come first, so that one that the
 * condition names is found by its index; OFFSET 0 has Postgres look up each group's own members,
 * where it would read all memberships there are for the many groups that it takes a recursion for.
 */
const inGroups = (condition: string): string =>
  `(u.id = ANY (ARRAY(
    WITH RECURSIVE held AS (
      SELECT e.value AS id FROM (SELECT id AS value, display_name AS display FROM groups WHERE source = 'scim' AND issuer = $1) e WHERE ${condition}
      UNION SELECT s.child_id FROM held JOIN group_subgroups s ON s.parent_id = held.id)
    SELECT DISTINCT m.user_id FROM held CROSS JOIN LATERAL (SELECT user_id FROM group_users WHERE group_id = held.id OFFSET 0) AS m)))`;

/**
 * The members of groups, as rows that a filter in brackets can ask for. They do not depend on the
 * row that is looked at, so that a condition is answered once for all of them, by an index where it
 * names an id.
 */
const MEMBERS_OF_GROUPS = `(SELECT gu.group_id AS holder, gu.user_id AS value, x.display_name AS display, 'User' AS type FROM group_users gu
  JOIN users x ON x.id = gu.user_id
  UNION ALL SELECT gs.parent_id, gs.child_id, x.display_name, 'Group' FROM group_subgroups gs
  JOIN groups x ON x.id = gs.child_id)`;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * A condition over `users u` or `groups g` that a row fulfils when the filter matches the resource
 * (RFC 7644 §3.4.2.2). What is not there matches nothing but `ne` and `not`. Every value becomes a
 * parameter: it is appended to `params`, whose length counts the placeholders, and whose first is
 * the issuer.
 * @param holders asked for each text that an index can find; where it answers, only those whom it
 * names are looked at
 * @throws ScimError 400 `invalidFilter` for the attributes that are made for each answer
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
 * A condition on `schemas`, as in the example of RFC 7644 §3.4.2.2. Every resource has its core
 * schema; it has an extension where it has a value of it. URNs are compared without case.
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

/** A URN as the `value` of an element: a text without case. */
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

/** The texts for which `filterSql` asks who holds them. */
export function heldTexts(filter: Filter, resourceType: ResourceType): HeldTexts[] {
  const asked: HeldTexts[] = [];
  filterSql(filter, resourceType, [], (texts) => {
    asked.push(texts);
    return undefined;
  });
  return asked;
}

/**
 * Some element of a list fulfils the condition.
 * @param texts what parts of the element must equal for that, by name: what an index can answer
 */
function anyElement(
  path: AttributePath,
  resourceType: ResourceType,
  condition: string,
  texts: Record<string, string>,
  among: (condition: string, texts: HeldTexts) => string,
): string {
  if (resourceType === 'Group') return holding(condition);
  if (path.attribute.name === 'groups') return inGroups(condition);
  const exists = `EXISTS (SELECT 1 FROM ${elementsSql(path)} WHERE ${condition})`;
  return Object.keys(texts).length === 0 ? exists : among(exists, { [path.attribute.name]: [texts] });
}

/**
 * As an array, which is found once: where Postgres takes such a question for a small one it would
 * ask it again for each row.
 */
const holding = (condition: string): string =>
  `(g.id = ANY (ARRAY(SELECT DISTINCT e.holder FROM ${MEMBERS_OF_GROUPS} e WHERE ${condition})))`;

/** The texts that parts of an element must equal for the filter to match, by name. */
function equalTexts(filter: Filter): Record<string, string> {
  if (filter.kind === 'and') return Object.assign({}, ...filter.filters.map(equalTexts)) as Record<string, string>;
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return {};
  return { [leafOf(filter.path).name]: filter.value };
}

/** Whether an attribute with one value is a text inside `u.scim`. */
const isStoredText = (path: AttributePath, resourceType: ResourceType): boolean =>
  resourceType === 'User' && !['id', 'externalId', 'userName', 'active', 'meta'].includes(path.attribute.name);

const shapeAt = ([key = '', ...inside]: string[], value: FilterValue): JsonObject => ({
  [key]: inside.length === 0 ? value : shapeAt(inside, value),
});

/** The elements of a list of `u`, as `e`. */
export const elementsSql = ({ attribute }: AttributePath): string =>
  `jsonb_array_elements(${listSql(attribute.name)}) e`;

/** A part of the element `e`. */
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

/** The SQL of an attribute with one value, for comparing. */
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

/** The text at a place of `u.scim`. The keys are names of our own schemas. */
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
  new ScimError(400, 'invalidFilter', `${pathName(path)} is made for each answer and cannot be searched or sorted.`);

/**
 * Whether an attribute has a value. A text that is empty is none (RFC 7643 §2.5), but is never
 * stored.
 */
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

/** The comparison itself. */
function compare({ sql, kind }: Operand, operator: CompareOperator, value: FilterValue, bind: Bind): string {
  if (kind === 'boolean') return `(${sql} = ${bind(value)}::boolean)`;
  if (kind === 'instant') return `(${sql} ${SIGNS[operator] ?? '='} ${bind(value)}::timestamptz)`;
  const text = String(value);
  if (kind === 'uuid' && operator === 'eq') return UUID.test(text) ? `(${sql} = ${bind(text)}::uuid)` : 'FALSE';
  if (kind === 'name')
    return `(${textual(sql, operator, operator === 'eq' ? comparisonKey(text) : partKey(text), bind, false)})`;
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

/**
 * The comparison form of a part of a name: blanks at its ends count, since they may stand in the
 * middle of the name.
 */
const partKey = (text: string): string => comparisonKey(`.${text}.`).slice(1, -1);

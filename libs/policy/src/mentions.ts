import type { NamedPolicies } from './named-policies.ts';

/** An entity or attribute that a policy set mentions, with the first policy that mentions it. */
export interface Mention {
  readonly id: string;
  readonly policyId: string;
}

/** All that a policy set mentions, each entity and attribute once. Decisions depend on no other. */
export interface Mentions {
  readonly groups: readonly Mention[];
  readonly users: readonly Mention[];
  readonly connectors: readonly Mention[];
  /** Tools, prompts and resources. */
  readonly resources: readonly Mention[];
  readonly attributes: readonly Mention[];
  /** Groups for which a policy tests the membership of an entity other than the principal. */
  readonly nestings: readonly Mention[];
}

const LISTS = {
  Group: 'groups',
  User: 'users',
  Connector: 'connectors',
  Tool: 'resources',
  Prompt: 'resources',
  Resource: 'resources',
} as const;
type Lists = Record<keyof Mentions, Map<string, Mention>>;

const isListed = (type: unknown): type is keyof typeof LISTS => typeof type === 'string' && Object.hasOwn(LISTS, type);

/** Collects the mentions of policies from their syntax trees. */
export function collectMentions(policies: NamedPolicies): Mentions {
  const lists: Lists = {
    groups: new Map(),
    users: new Map(),
    connectors: new Map(),
    resources: new Map(),
    attributes: new Map(),
    nestings: new Map(),
  };
  for (const [policyId, { tree, grant }] of policies) {
    walk(tree, policyId, lists);
    if (grant === undefined) continue;
    add(lists.groups, grant.groupId, policyId);
    add(lists.connectors, grant.connectorId, policyId);
  }
  return {
    groups: [...lists.groups.values()],
    users: [...lists.users.values()],
    connectors: [...lists.connectors.values()],
    resources: [...lists.resources.values()],
    attributes: [...lists.attributes.values()],
    nestings: [...lists.nestings.values()],
  };
}

function walk(node: unknown, policyId: string, lists: Lists): void {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, policyId, lists);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, id, attr } = node as { type?: unknown; id?: unknown; attr?: unknown };
  if (typeof id === 'string' && isListed(type)) add(lists[LISTS[type]], id, policyId);
  for (const name of [attr].flat()) if (typeof name === 'string') add(lists.attributes, name, policyId);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'in' || key === 'is') addNestings(value, policyId, lists);
    walk(value, policyId, lists);
  }
}

/**
 * Adds the groups of `left in right` and `left is Type in right`, unless `left` is the principal:
 * Cedar receives the groups of the principal only.
 */
function addNestings(operator: unknown, policyId: string, lists: Lists): void {
  const { left, right, in: inside } = (operator ?? {}) as { left?: unknown; right?: unknown; in?: unknown };
  if (left === undefined || (left as { Var?: unknown }).Var === 'principal') return;
  const nested: Lists = { ...lists, groups: new Map() };
  walk(right ?? inside, policyId, nested);
  for (const group of nested.groups.keys()) add(lists.nestings, group, policyId);
}

function add(list: Map<string, Mention>, id: string, policyId: string): void {
  if (!list.has(id)) list.set(id, { id, policyId });
}

/** The number of characters of all `like` patterns in a syntax tree. */
export function countPatternCharacters(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  return Object.entries(node).reduce(
    (sum, [key, value]) => sum + (key === 'like' ? JSON.stringify(value).length : 0) + countPatternCharacters(value),
    0,
  );
}

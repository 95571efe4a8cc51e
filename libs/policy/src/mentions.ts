import type { NamedPolicies } from './named-policies.ts';

/**
 * Something that a policy names, told once for each policy set: by the first policy that does so.
 */
export interface Mention {
  readonly id: string;
  readonly policyId: string;
}

/**
 * What the policies of a set speak about: only this must be handed to the evaluator, which costs by
 * the entity.
 */
export interface Mentions {
  readonly groups: readonly Mention[];
  readonly users: readonly Mention[];
  readonly connectors: readonly Mention[];
  readonly attributes: readonly Mention[];
  /** Groups of which a policy asks whether something else than the principal is in them. */
  readonly nestings: readonly Mention[];
}

const LISTS = { Group: 'groups', User: 'users', Connector: 'connectors' } as const;
type Lists = Record<keyof Mentions, Map<string, Mention>>;

/** Collects what occurs anywhere in the policies' syntax trees. */
export function mentionsOf(policies: NamedPolicies): Mentions {
  const lists: Lists = {
    groups: new Map(),
    users: new Map(),
    connectors: new Map(),
    attributes: new Map(),
    nestings: new Map(),
  };
  for (const [policyId, { tree, grant }] of policies) {
    walk(tree, policyId, lists);
    if (grant === undefined) continue;
    note(lists.groups, grant.groupId, policyId);
    note(lists.connectors, grant.connectorId, policyId);
  }
  return {
    groups: [...lists.groups.values()],
    users: [...lists.users.values()],
    connectors: [...lists.connectors.values()],
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
  if (typeof id === 'string' && (type === 'Group' || type === 'User' || type === 'Connector'))
    note(lists[LISTS[type]], id, policyId);
  for (const name of [attr].flat()) if (typeof name === 'string') note(lists.attributes, name, policyId);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'in' || key === 'is') noteNesting(value, policyId, lists);
    walk(value, policyId, lists);
  }
}

/**
 * `left in right` and `left is Type in right`: the evaluator is told of which groups the principal
 * is a member, and of nobody else.
 */
function noteNesting(operator: unknown, policyId: string, lists: Lists): void {
  const { left, right, in: inside } = (operator ?? {}) as { left?: unknown; right?: unknown; in?: unknown };
  if (left === undefined || (left as { Var?: unknown }).Var === 'principal') return;
  const asked: Lists = { ...lists, groups: new Map() };
  walk(right ?? inside, policyId, asked);
  for (const group of asked.groups.keys()) note(lists.nestings, group, policyId);
}

function note(list: Map<string, Mention>, id: string, policyId: string): void {
  if (!list.has(id)) list.set(id, { id, policyId });
}

/** Characters that the patterns of `like` have in a syntax tree. */
export function patternsIn(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  return Object.entries(node).reduce(
    (sum, [key, value]) => sum + (key === 'like' ? JSON.stringify(value).length : 0) + patternsIn(value),
    0,
  );
}

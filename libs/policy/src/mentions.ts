import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { DocumentError, type NamedPolicies } from './document.ts';

/** What the policies of a set speak about: only this must be handed to the evaluator, which costs by the entity. */
export interface Mentions {
  readonly groups: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
}

/** Collects the groups and attributes that occur anywhere in the policies' syntax trees. */
export function mentionsOf(policies: NamedPolicies): Mentions {
  const groups = new Set<string>();
  const attributes = new Set<string>();
  for (const policy of policies.values()) {
    const parsed = cedar.policyToJson(policy);
    if (parsed.type === 'failure') throw new DocumentError(parsed.errors.map(({ message }) => ({ message })));
    walk(parsed.json, groups, attributes);
  }
  return { groups, attributes };
}

function walk(node: unknown, groups: Set<string>, attributes: Set<string>): void {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, groups, attributes);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, id, attr } = node as { type?: unknown; id?: unknown; attr?: unknown };
  if (type === 'Group' && typeof id === 'string') groups.add(id);
  for (const name of [attr].flat()) if (typeof name === 'string') attributes.add(name);
  for (const value of Object.values(node)) walk(value, groups, attributes);
}

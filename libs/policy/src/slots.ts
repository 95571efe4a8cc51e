import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicySet } from './policy-set.ts';

/**
 * The evaluator keeps parsed policy sets by name and can overwrite but never forget one. A fixed number of names, handed
 * to the set that was used last, bounds its memory whatever is published and withdrawn over time.
 */
const SLOTS = 4096;

const slotOf = new Map<PolicySet, string>();
/** Names that were taken for a set that did not parse: no set has them. */
const spare: string[] = [];
let named = 0;

/** The name under which the evaluator holds the parsed set; parses it when it is not there (any more). */
export function slotFor(set: PolicySet): string {
  const held = slotOf.get(set);
  if (held !== undefined) {
    slotOf.delete(set);
    slotOf.set(set, held);
    return held;
  }
  const slot = freeSlot();
  const answer = cedar.preparsePolicySet(slot, { staticPolicies: Object.fromEntries(set.policies) });
  if (answer.type === 'failure') {
    spare.push(slot);
    throw new Error(`policies of connector ${set.connectorId} do not parse: ${answer.errors[0]?.message ?? 'unknown'}`);
  }
  slotOf.set(set, slot);
  return slot;
}

function freeSlot(): string {
  const unused = spare.pop();
  if (unused !== undefined) return unused;
  if (named < SLOTS) return `slot-${named++}`;
  const [oldest, slot] = slotOf.entries().next().value as [PolicySet, string];
  slotOf.delete(oldest);
  return slot;
}

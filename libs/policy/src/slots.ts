import { ask, EngineFailure, engineNumber } from './engine.ts';
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

/** Sets over which the engine broke down. They are not given to it again, so that one policy cannot keep all others waiting for new engines. */
const broken = new WeakSet<PolicySet>();
let engine = engineNumber();

/** Keeps a set from the engine for good: its connector is closed until it has another policy. */
export function shutOut(set: PolicySet): void {
  broken.add(set);
}

/** The name under which the evaluator holds the parsed set; parses it when it is not there (any more). @throws EngineFailure also for a set that broke it before; Error for one that does not parse */
export function slotFor(set: PolicySet): string {
  if (broken.has(set)) throw new EngineFailure(undefined);
  if (engine !== engineNumber()) {
    slotOf.clear();
    spare.length = named = 0;
    engine = engineNumber();
  }
  const held = slotOf.get(set);
  if (held !== undefined) {
    slotOf.delete(set);
    slotOf.set(set, held);
    return held;
  }
  const slot = freeSlot();
  const answer = ask((cedar) => cedar.preparsePolicySet(slot, { staticPolicies: set.policies }));
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

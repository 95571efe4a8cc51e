import { ask, EngineFailure, engineNumber } from './engine.ts';
import type { PolicySet, PolicySlice } from './policy-set.ts';

/**
 * The evaluator keeps parsed policy sets by name and can overwrite but never forget one. A fixed
 * number of names, handed to the set that was used last, bounds its memory whatever is published
 * and withdrawn over time.
 */
const SLOTS = 4096;

const slotOf = new Map<PolicySlice, string>();
/** Names that were taken for a set that did not parse: no set has them. */
const spare: string[] = [];
let named = 0;

/**
 * Sets over which the engine broke down. They are not given to it again, so that one policy cannot
 * keep all others waiting for new engines.
 */
const broken = new WeakSet<PolicySet>();
let engine = engineNumber();

/** Keeps a set from the engine for good: its connector is closed until it has another policy. */
export function shutOut(set: PolicySet): void {
  broken.add(set);
}

/**
 * The name under which the evaluator holds the parsed slice of a set; parses it when it is not
 * there (any more).
 * @throws EngineFailure also for a set that broke it before; Error for one that does not parse
 */
export function slotFor(set: PolicySet, slice: PolicySlice): string {
  if (broken.has(set)) throw new EngineFailure(undefined);
  if (engine !== engineNumber()) {
    slotOf.clear();
    spare.length = named = 0;
    engine = engineNumber();
  }
  const held = slotOf.get(slice);
  if (held !== undefined) {
    slotOf.delete(slice);
    slotOf.set(slice, held);
    return held;
  }
  const slot = freeSlot();
  const answer = ask((cedar) => cedar.preparsePolicySet(slot, { staticPolicies: slice.policies }));
  if (answer.type === 'failure') {
    spare.push(slot);
    throw new Error(`policies of connector ${set.connectorId} do not parse: ${answer.errors[0]?.message ?? 'unknown'}`);
  }
  slotOf.set(slice, slot);
  return slot;
}

function freeSlot(): string {
  const unused = spare.pop();
  if (unused !== undefined) return unused;
  if (named < SLOTS) return `slot-${named++}`;
  const [oldest, slot] = slotOf.entries().next().value as [PolicySlice, string];
  slotOf.delete(oldest);
  return slot;
}

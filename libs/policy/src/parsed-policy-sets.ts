import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { LRUCache } from 'lru-cache';
import { callEngine, EngineError, getEngineGeneration } from './engine.ts';

/** Policies that Cedar stores, by name. */
export interface StoredPolicies {
  readonly policies: Readonly<Record<string, string | cedar.PolicyJson>>;
}

/**
 * Cedar stores parsed policy sets by name. It can overwrite a set, but not remove it. Names are
 * reused when their set is evicted here, which bounds Cedar's memory.
 */
const MAX_PARSED_SETS = 4_096;

const freeNames: string[] = [];
let namesCreated = 0;
let generation = getEngineGeneration();

const names = new LRUCache<StoredPolicies, string>({ max: MAX_PARSED_SETS, dispose: (name) => freeNames.push(name) });

/**
 * Sets that crashed the engine. The engine never receives them again, so that one policy cannot
 * delay all others.
 */
const crashedPolicySets = new WeakSet<StoredPolicies>();

/** Withholds a set from the engine. Its connector stays closed until it has another policy. */
export function blockPolicySet(set: StoredPolicies): void {
  crashedPolicySets.add(set);
}

/**
 * Returns the name under which Cedar stores a parsed set. Parses the set if Cedar does not store
 * it.
 *
 * @throws EngineError also for a blocked set; Error for a set that does not parse
 */
export function getParsedSetName(set: StoredPolicies): string {
  if (crashedPolicySets.has(set)) throw new EngineError(undefined);
  if (generation !== getEngineGeneration()) {
    names.clear();
    generation = getEngineGeneration();
  }
  const known = names.get(set);
  if (known !== undefined) return known;
  const name = freeNames.pop() ?? `set-${namesCreated++}`;
  const parsed = callEngine((cedar) => cedar.preparsePolicySet(name, { staticPolicies: set.policies }));
  if (parsed.type === 'failure') {
    freeNames.push(name);
    throw new Error(`the policies do not parse: ${parsed.errors[0]?.message ?? 'unknown'}`);
  }
  names.set(set, name);
  return name;
}

import { LRUCache } from 'lru-cache';
import {
  type AuthorizationRequest,
  type Decision,
  evaluate,
  collectFacts,
  type Principal,
  type PrincipalFacts,
} from './decide.ts';
import type { PolicySet } from './policy-set.ts';

/** Cached decisions of all policies together. */
const MAX_DECISIONS = 20_000;
/** Characters of all keys together. */
const MAX_CHARACTERS = 20_000_000;
/** Characters of one key. Decisions with longer keys are not cached. */
const MAX_KEY_LENGTH = 16_384;

/**
 * A cache of decisions. The key holds all that a decision depends on: the policy version, the
 * mentioned groups and claims, the action, and the user and resource where a policy mentions any.
 * A `PolicySet` is one version of one policy, so a change of the policy finds no entry. Decisions
 * with errors are not cached, because their texts may identify the user.
 */
export class DecisionCache {
  private readonly decisions: LRUCache<string, Decision>;
  private readonly setNumbers = new WeakMap<PolicySet, number>();
  private lastSetNumber = 0;

  constructor(maxDecisions = MAX_DECISIONS) {
    this.decisions = new LRUCache({
      max: maxDecisions,
      maxSize: MAX_CHARACTERS,
      maxEntrySize: MAX_KEY_LENGTH,
      sizeCalculation: (_, key) => key.length,
    });
  }

  /** The number of cached decisions. */
  get size(): number {
    return this.decisions.size;
  }

  /** Returns the same decision as `decide`. */
  decide(set: PolicySet, principal: Principal, request: AuthorizationRequest): Decision {
    const facts = collectFacts(set, principal, request);
    if ('errors' in facts) return facts;
    const key = this.createKey(set, facts, request);
    const known = this.decisions.get(key);
    if (known !== undefined) return known;
    const decision = evaluate(set, facts, request);
    if (decision.errors.length === 0) this.decisions.set(key, decision);
    return decision;
  }

  /** Keys are unique: the position of each part is fixed, and JSON separates texts from numbers. */
  private createKey(set: PolicySet, { userId, groups, claims }: PrincipalFacts, request: AuthorizationRequest): string {
    const user = set.mentionsUsers ? JSON.stringify(userId) : '';
    const attributes = set.claims.size === 0 ? '' : JSON.stringify(claims);
    const name = set.mentionsResources && 'name' in request ? request.name : '';
    return `${this.getSetNumber(set)} ${request.action} ${groups.join()} ${user}${attributes} ${name}`;
  }

  private getSetNumber(set: PolicySet): number {
    const known = this.setNumbers.get(set);
    if (known !== undefined) return known;
    this.lastSetNumber += 1;
    this.setNumbers.set(set, this.lastSetNumber);
    return this.lastSetNumber;
  }
}

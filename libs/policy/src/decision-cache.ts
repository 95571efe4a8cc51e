import { type Decision, decide, type Evaluate, evaluate, type Principal, type Question } from './decide.ts';
import type { PolicySet, PolicySlice } from './policy-set.ts';

/** Decisions that are kept, of all policies together. */
const KEPT = 20_000;
/**
 * Characters of a question that is kept; longer ones are decided each time, so that the memory is
 * bounded.
 */
const LONGEST_KEY = 1_024;

/**
 * Decisions that were made before. The same policy version, groups, claims, action and resource
 * have the same answer: of the groups and claims only those count that a policy mentions, of people
 * only those that one names. A set is one version of one policy, so a change of the policy finds
 * nothing here. What was asked longest ago is forgotten first. A decision with errors is not kept:
 * its sentences may tell of the person who asked.
 */
export class DecisionCache {
  private readonly kept = new Map<string, Decision>();
  private readonly numbers = new WeakMap<PolicySlice, number>();
  private readonly limit: number;
  private slices = 0;

  /** @param limit decisions that are kept at most */
  constructor(limit = KEPT) {
    this.limit = limit;
  }

  /** Decisions that are kept now. */
  get size(): number {
    return this.kept.size;
  }

  /** The same answer as `decide` gives. */
  decide(set: PolicySet, principal: Principal, question: Question): Decision {
    return decide(set, principal, question, this.evaluate);
  }

  private readonly evaluate: Evaluate = (set, principal, claims, question) => {
    const key = this.keyOf(set, principal, claims, question);
    if (key.length > LONGEST_KEY) return evaluate(set, principal, claims, question);
    const known = this.kept.get(key);
    if (known !== undefined) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known;
    }
    const decision = evaluate(set, principal, claims, question);
    if (decision.errors.length > 0) return decision;
    this.kept.set(key, decision);
    if (this.kept.size > this.limit) this.kept.delete(this.kept.keys().next().value ?? '');
    return decision;
  };

  /**
   * Nothing else has the same key: groups and claims stand in the order of the set, and JSON tells
   * texts, numbers and lists apart.
   */
  private keyOf(set: PolicySet, { userId, groupIds }: Principal, claims: object, question: Question): string {
    const slice = set.slices[question.action];
    let held = '';
    for (const group of slice.groups) held += groupIds.has(group) ? '1' : '0';
    const name = 'name' in question ? question.name : '';
    const about = slice.attributes.size === 0 ? '' : JSON.stringify(claims);
    const user = slice.namesUsers ? JSON.stringify(userId) : '';
    return `${this.numberOf(slice)} ${held} ${question.action} ${user}${about} ${name}`;
  }

  private numberOf(slice: PolicySlice): number {
    const known = this.numbers.get(slice);
    if (known !== undefined) return known;
    this.slices += 1;
    this.numbers.set(slice, this.slices);
    return this.slices;
  }
}

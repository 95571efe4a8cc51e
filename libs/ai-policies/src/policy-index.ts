import type { PrincipalMatcher } from '@gatehouse/ai-resources/generated/types';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import { type Claims, listAllTexts } from './claims.ts';
import { matchesPrincipal } from './principal-matcher.ts';

/**
 * Policies by one required claim of each of their matchers. A search examines only policies that
 * share such a claim with the principal.
 */
export class PolicyIndex {
  readonly #buckets = new Map<string, AIPolicy[]>();
  readonly #policies = new Map<string, { readonly policy: AIPolicy; readonly keys: readonly string[] }>();

  /** Adds a policy. It replaces the one of the same name. */
  put(policy: AIPolicy): void {
    this.remove(policy.metadata.name);
    const keys = new Set(policy.spec.principalMatchers.flatMap((matcher) => this.#selectKey(matcher) ?? []));
    for (const key of keys) {
      const bucket = this.#buckets.get(key);
      if (bucket === undefined) this.#buckets.set(key, [policy]);
      else bucket.push(policy);
    }
    this.#policies.set(policy.metadata.name, { policy, keys: [...keys] });
  }

  /** Removes the policy of a name, if there is one. */
  remove(name: string): void {
    const { policy, keys } = this.#policies.get(name) ?? { keys: [] };
    for (const key of keys) {
      const others = this.#buckets.get(key)?.filter((other) => other !== policy) ?? [];
      if (others.length === 0) this.#buckets.delete(key);
      else this.#buckets.set(key, others);
    }
    this.#policies.delete(name);
  }

  /** Finds the policies that match a principal, sorted by name. */
  find(claims: Claims): AIPolicy[] {
    const keys = listAllTexts(claims).map(([name, text]) => getKey(name, text));
    const candidates = new Set(keys.flatMap((key) => this.#buckets.get(key) ?? []));
    return [...candidates]
      .filter(({ spec }) => matchesPrincipal(claims, spec.principalMatchers))
      .sort((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1));
  }

  /** Selects the rarest claim of a matcher, so that a common one (`iss`) has few policies. */
  #selectKey({ claims }: PrincipalMatcher): string | undefined {
    const keys = Object.entries(claims).map(([name, text]) => getKey(name, text));
    const count = (key: string): number => this.#buckets.get(key)?.length ?? 0;
    return keys.sort((one, other) => count(one) - count(other))[0];
  }
}

/** The length of the name separates it from the text. */
const getKey = (name: string, text: string): string => `${name.length}:${name}${text}`;

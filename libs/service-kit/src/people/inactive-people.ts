import { getTokenBindingKey } from '@gatehouse/auth/binding-claim';
import type { PeopleChanges } from './people-changes.ts';

/** The user of a verified token. */
export interface TokenPerson {
  issuer: string;
  subject: string;
  claims: Readonly<Record<string, unknown>>;
}

/**
 * The users that the directory has deactivated or removed: by subject, or by binding claim if the
 * entry has no subject.
 */
export class InactivePeople {
  private readonly subjects = new Set<string>();
  private readonly bindings = new Set<string>();
  /** Names of the binding claims of each issuer. */
  private readonly claims = new Map<string, Set<string>>();

  /** Applies changes. */
  apply({ people, bindings }: Pick<PeopleChanges, 'people' | 'bindings'>): void {
    for (const { issuer, subject, active } of people) put(this.subjects, [issuer, subject], active);
    for (const { issuer, claim, binding_key, active } of bindings) {
      this.claims.set(issuer, (this.claims.get(issuer) ?? new Set()).add(claim));
      put(this.bindings, [issuer, claim, binding_key], active);
    }
  }

  /** Whether a token is of an inactive user. */
  has({ issuer, subject, claims }: TokenPerson): boolean {
    if (this.subjects.has(getKey([issuer, subject]))) return true;
    for (const claim of this.claims.get(issuer) ?? []) {
      const key = getTokenBindingKey({ claim }, claims);
      if (key !== null && this.bindings.has(getKey([issuer, claim, key]))) return true;
    }
    return false;
  }
}

const getKey = (parts: readonly string[]): string => JSON.stringify(parts);

function put(inactive: Set<string>, parts: readonly string[], active: boolean): void {
  if (active) inactive.delete(getKey(parts));
  else inactive.add(getKey(parts));
}

import type { Entitlements } from '../ports/snapshot.ts';
import { Access, type AuthenticatedUser, type Rules } from './access.ts';

/**
 * Keeps the rights of each user until one of their inputs changes: the rules, the entitlements, or
 * the claims of the token. Unchanged inputs are the same objects.
 */
export class AccessCache {
  private readonly known = new WeakMap<Entitlements, WeakMap<AuthenticatedUser['claims'], Known>>();

  /** The rights of a user now. */
  get(rules: Rules, user: AuthenticatedUser, entitlements: Entitlements | undefined): Access {
    if (entitlements === undefined) return new Access(rules, user, undefined);
    let byClaims = this.known.get(entitlements);
    if (byClaims === undefined) this.known.set(entitlements, (byClaims = new WeakMap()));
    let known = byClaims.get(user.claims);
    if (known?.rules !== rules)
      byClaims.set(user.claims, (known = { rules, access: new Access(rules, user, entitlements) }));
    return known.access;
  }
}

interface Known {
  rules: Rules;
  access: Access;
}

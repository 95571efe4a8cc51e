import { isEmailBelieved } from '@gatehouse/auth/binding-claim';
import { createHash } from 'node:crypto';
import { comparisonKey } from '../../validation/names.ts';
import { line, uniqueName } from '../../validation/text.ts';

/** What a token says about somebody whom the directory does not know yet. */
interface NewcomerClaims {
  issuer: string;
  subject: string;
  claims: Readonly<Record<string, unknown>>;
}

/** The names of an entry that a first sign-in makes. */
export interface Newcomer {
  /**
   * In the order in which they are tried: the second is for when somebody else of the issuer has
   * the first.
   */
  user_names: readonly [string, string];
  display_name: string;
  email: string | null;
}

const UserName = uniqueName(220);
const DisplayName = line(255);
const Address = line(254).regex(/^[^\s@]+@[^\s@]+$/);

/**
 * What a first sign-in puts into the directory, from the standard claims (OpenID Connect Core 1.0
 * §5.1). A claim that is missing or that no name could be made of is passed over; the subject is
 * always there. An address that the issuer has not verified is not believed.
 */
export function newcomerOf({ issuer, subject, claims }: NewcomerClaims): Newcomer {
  const email = isEmailBelieved(claims) ? usable(Address, claims['email']) : undefined;
  const preferred = usable(UserName, claims['preferred_username']) ?? email;
  const own = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 12);
  const user_name = preferred ?? usable(UserName, subject) ?? own;
  return {
    user_names: [user_name, `${user_name}~${own}`],
    display_name: usable(DisplayName, claims['name']) ?? user_name,
    email: email ?? null,
  };
}

function usable(form: typeof DisplayName, claim: unknown): string | undefined {
  const parsed = form.safeParse(typeof claim === 'string' ? claim.trim() : claim);
  return parsed.success && comparisonKey(parsed.data) !== '' ? parsed.data : undefined;
}

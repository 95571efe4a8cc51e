import { isEmailTrusted } from '@gatehouse/auth/binding-claim';
import type { Caller } from '@gatehouse/service-kit/access';
import { createHash } from 'node:crypto';
import { toComparisonKey } from '../../validation/names.ts';
import { line } from '@gatehouse/service-kit/text';
import { uniqueName } from '../../validation/text.ts';

/** The names and the address of a directory entry that is created just in time. */
export interface JitUser {
  /** Candidates in order; the second is for a first one that another user of the issuer has. */
  user_names: readonly [string, string];
  display_name: string;
  email: string | null;
}

const UserName = uniqueName(220);
const DisplayName = line(255);
const EmailAddress = line(254).regex(/^[^\s@]+@[^\s@]+$/);

/**
 * Reads a user from the standard claims of an access token (OpenID Connect Core 1.0 §5.1). A claim
 * that is missing or invalid is skipped; the subject always exists. An e-mail address that the
 * issuer has not verified is not used.
 */
export function readJitUser({ issuer, subject, claims }: Pick<Caller, 'issuer' | 'subject' | 'claims'>): JitUser {
  const email = isEmailTrusted(claims) ? readClaim(EmailAddress, claims['email']) : undefined;
  const preferred = readClaim(UserName, claims['preferred_username']) ?? email;
  const hash = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 12);
  const user_name = preferred ?? readClaim(UserName, subject) ?? hash;
  return {
    user_names: [user_name, `${user_name}~${hash}`],
    display_name: readClaim(DisplayName, claims['name']) ?? user_name,
    email: email ?? null,
  };
}

function readClaim(schema: typeof DisplayName, claim: unknown): string | undefined {
  const parsed = schema.safeParse(typeof claim === 'string' ? claim.trim() : claim);
  return parsed.success && toComparisonKey(parsed.data) !== '' ? parsed.data : undefined;
}

import { AuthError } from './auth-error.ts';

/** A user, as an issuer names them. */
export interface TokenUser {
  issuer: string;
  subject: string;
}

/** The claims in which a token names a user of another issuer. */
export interface UserClaims {
  /** The claim with the issuer; not needed when the mapping has one issuer. */
  issuer_claim?: string | undefined;
  /** The claim with the subject. */
  subject_claim: string;
}

/**
 * The mapping of tokens of one issuer to users of other issuers. Example: an authorization server
 * in which users of the corporate identity provider sign in.
 */
export interface UserMapping {
  /** The issuers whose users the tokens may name. */
  issuers: readonly string[];
  /** Claims, or a function of the verified claims; undefined refuses the token. */
  user: UserClaims | ((claims: Readonly<Record<string, unknown>>) => TokenUser | undefined);
}

/**
 * The user that verified claims name.
 * @throws AuthError bad_claims without a user, or with a user of an issuer outside the mapping
 */
export function mapUser(claims: Readonly<Record<string, unknown>>, { issuers, user }: UserMapping): TokenUser {
  const found = typeof user === 'function' ? user(claims) : findUser(claims, user, issuers);
  if (found === undefined) throw new AuthError('bad_claims', 'the token does not name the user that it stands for');
  if (!issuers.includes(found.issuer))
    throw new AuthError('bad_claims', 'the token names a user of an issuer that its own issuer does not stand for');
  return found;
}

function findUser(
  claims: Readonly<Record<string, unknown>>,
  { issuer_claim, subject_claim }: UserClaims,
  issuers: readonly string[],
): TokenUser | undefined {
  const [onlyIssuer] = issuers;
  const issuer = issuer_claim === undefined ? onlyIssuer : getText(claims, issuer_claim);
  const subject = getText(claims, subject_claim);
  return issuer === undefined || subject === undefined ? undefined : { issuer, subject };
}

function getText(claims: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

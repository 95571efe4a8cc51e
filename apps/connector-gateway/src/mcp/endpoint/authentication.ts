import { AuthError } from '@gatehouse/auth/auth-error';
import { getResourceMetadataUrl } from '@gatehouse/auth/resource-metadata-url';
import { isGatewayOnly } from '@gatehouse/auth/roles';
import type { TokenVerifier, VerifiedToken } from '@gatehouse/auth/token-verifier';
import type { IncomingMessage } from 'node:http';
import type { AuthenticatedUser } from '../access/access.ts';
import type { GrantCheck, VerifiedTokens } from '../ports/verified-tokens.ts';
import { HttpRefusalError } from '../http/http-refusal.ts';

/** The verified user of a request, until the token expires. */
export interface Authenticated {
  user: AuthenticatedUser;
  expiresAt: Date;
  /** Absent for a token without a grant. */
  hasGrant?: GrantCheck;
}

const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The users of verified tokens. A token that is used again has the same user object. */
const users = new WeakMap<VerifiedToken, Authenticated>();

/**
 * Verifies the bearer token of a request (RFC 6750), at once if it was verified before.
 * @param resource identifier of the protected resource, accepted as an audience
 * @param tokens remembers the token
 * @throws HttpRefusalError 401 with the resource metadata, 403 for a gateway's own token, 503 while
 * the issuer cannot be reached
 */
export function authenticate(
  request: IncomingMessage,
  verifier: TokenVerifier,
  resource: string,
  tokens: VerifiedTokens,
): Authenticated | Promise<Authenticated> {
  const token = readToken(request);
  const challenge = () => `Bearer resource_metadata="${getResourceMetadataUrl(resource)}"`;
  if (token === undefined)
    throw new HttpRefusalError(401, -32001, 'a bearer token is needed', { 'www-authenticate': challenge() });
  const admit = (verified: VerifiedToken): Authenticated => {
    const authenticated = admitUser(verified);
    tokens.remember(token, verified);
    return authenticated;
  };
  const check = (verified: VerifiedToken): Authenticated | Promise<Authenticated> => {
    const hasGrant = tokens.getGrantCheck(verified);
    if (hasGrant === undefined) return admit(verified);
    const admitGranted = () => ({ ...admit(verified), hasGrant });
    const found = hasGrant();
    return found === true ? admitGranted() : requireGrant(found, challenge).then(admitGranted);
  };
  const known = verifier.recall(token, resource);
  return known === undefined ? verify(token, verifier, resource, challenge).then(check) : check(known);
}

/** @throws HttpRefusalError 401 after the end of the grant, 503 while this cannot be read */
async function requireGrant(found: false | Promise<boolean>, challenge: () => string): Promise<void> {
  const isActive = await Promise.resolve(found).catch(() => undefined);
  if (isActive === undefined)
    throw new HttpRefusalError(503, -32603, 'the grant of the token cannot be read; try again', { 'retry-after': '2' });
  if (!isActive)
    throw new HttpRefusalError(401, -32001, 'the grant of the token has ended; sign in again', {
      'www-authenticate': `${challenge()}, error="invalid_token"`,
    });
}

function admitUser(verified: VerifiedToken): Authenticated {
  const known = users.get(verified);
  if (known !== undefined) return known;
  if (isGatewayOnly(verified.roles)) throw new HttpRefusalError(403, -32001, 'gateway tokens cannot call MCP');
  const { issuer, subject, email, claims, expiresAt } = verified;
  const authenticated = { user: { issuer, subject, email, claims }, expiresAt };
  users.set(verified, authenticated);
  return authenticated;
}

async function verify(token: string, verifier: TokenVerifier, resource: string, challenge: () => string) {
  try {
    return await verifier.verify(token, resource);
  } catch (error) {
    if (error instanceof AuthError && error.code === 'unavailable')
      throw new HttpRefusalError(503, -32603, 'the token issuer cannot be reached to check the token', {
        'retry-after': '2',
      });
    throw new HttpRefusalError(401, -32001, 'the token is not valid here', {
      'www-authenticate': `${challenge()}, error="invalid_token"`,
    });
  }
}

/** The token of the only Authorization header. Node drops repeated ones from `headers`. */
function readToken({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isAuthorization(rawHeaders[at])) count += 1;
  return count === 1 ? BEARER.exec(authorization)?.[1] : undefined;
}

const NAME = 'authorization';
const isAuthorization = (name: string | undefined): boolean =>
  name?.length === NAME.length && name.toLowerCase() === NAME;

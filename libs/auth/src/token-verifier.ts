import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { CryptoKey, JWTPayload, JWTVerifyGetKey } from 'jose';
import { audiencesOf, checkAccessTokenClaims, checkTokenType, clientOf, isMeantFor } from './access-token.ts';
import type { AccessTokenType } from './access-token.ts';
import { AuthError } from './auth-error.ts';
import type { AuthErrorCode } from './auth-error.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { mapsAdministration, rolesOf } from './roles.ts';
import type { Role, RoleMapping } from './roles.ts';
import { VerifiedTokens } from './verified-tokens.ts';

/** An issuer whose access tokens are accepted. */
export interface IssuerConfig {
  /** Short stable name; qualifies subjects of every issuer but the first. */
  id: string;
  /** Exact `iss` of its tokens. */
  issuer: string;
  /** Where its keys are; default: found by OpenID Connect Discovery below `issuer`. */
  jwks_uri?: string | undefined;
  roles?: RoleMapping | undefined;
  /** The `typ` that its access tokens have; default `any`. */
  access_token_type?: AccessTokenType | undefined;
}

/** What a TokenVerifier works with. */
export interface TokenVerifierOptions {
  /** At least one; ids and issuers are unique. The first is the deployment's own. */
  issuers: readonly IssuerConfig[];
  /** The `aud` that tokens must name. A caller of `verify` may accept further ones. */
  audience: string;
  now?: () => Date;
  /** Gets discovery documents and key sets. */
  fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** For one attempt to get keys, in milliseconds; default 5000. */
  timeoutMs?: number;
}

/** The facts of a token whose signature, issuer, audience and times were checked. */
export interface VerifiedToken {
  issuer: string;
  issuerId: string;
  subject: string;
  /** Always holds `user`. */
  roles: ReadonlySet<Role>;
  claims: Readonly<Record<string, unknown>>;
  /** Every audience of the token. */
  audiences: readonly string[];
  /** The OAuth client that the token was issued to, where the token names one. */
  clientId?: string;
  email?: string;
  name?: string;
  expiresAt: Date;
}

interface TrustedIssuer extends IssuerConfig {
  keys: IssuerKeys;
}

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const MAX_TOKEN_LENGTH = 8192;
const MAX_SUBJECT_LENGTH = 255;
const MAX_KID_LENGTH = 512;
const LEEWAY_SECONDS = 60;
const LAST_SECOND = 8.64e12;
const CAPACITY = 2000;

/**
 * Verifies JWT access tokens (RFC 7519, RFC 8725, RFC 9068) of several issuers: signature by the
 * issuer's published keys, `iss`, `aud`, `exp`, `nbf` with 60 s leeway. Keys named inside a token
 * (`jku`, `x5u`, `jwk`, `x5c`) are never looked at; `kid` is compared, nothing else.
 */
export class TokenVerifier {
  /** Whether any issuer gives anybody the role `admin` or `auditor`. */
  readonly administrationConfigured: boolean;
  private readonly issuers = new Map<string, TrustedIssuer>();
  private readonly verified = new VerifiedTokens<VerifiedToken>(CAPACITY);
  private readonly audience: string;
  private readonly now: () => Date;

  /** @throws RangeError when there is no issuer, or two with the same id or issuer */
  constructor(options: TokenVerifierOptions) {
    if (options.issuers.length === 0) throw new RangeError('at least one token issuer is needed');
    this.audience = options.audience;
    this.now = options.now ?? (() => new Date());
    const ids = new Set<string>();
    for (const config of options.issuers) {
      if (ids.has(config.id)) throw new RangeError(`two token issuers have the id ${config.id}`);
      if (this.issuers.has(config.issuer)) throw new RangeError(`the token issuer ${config.issuer} is listed twice`);
      ids.add(config.id);
      const keys = new IssuerKeys({
        issuer: config.issuer,
        jwksUri: config.jwks_uri,
        now: this.now,
        fetch: options.fetch,
        timeoutMs: options.timeoutMs ?? 5_000,
      });
      this.issuers.set(config.issuer, { ...config, keys });
    }
    this.administrationConfigured = options.issuers.some((issuer) => mapsAdministration(issuer.roles));
  }

  /**
   * The facts of a token that was verified a moment ago and is still good; saves the signature.
   * @param resource identifier of the protected resource; accepted as an audience besides the
   * configured one
   */
  recall(token: string, resource = ''): VerifiedToken | undefined {
    const known = this.verified.get(token, this.now().getTime());
    return known && this.isAccepted(known, resource) ? known : undefined;
  }

  /**
   * Verifies a compact JWT.
   * @param resource as for `recall`
   * @throws AuthError; `unavailable` when the issuer's keys cannot be had, every other code is the
   * token's own fault
   */
  async verify(token: string, resource = ''): Promise<VerifiedToken> {
    const known = this.recall(token, resource);
    if (known) return known;
    const issuer = this.issuerOf(token);
    const keySet = await issuer.keys.current();
    const { generation } = issuer.keys;
    const verifiedAt = this.now();
    const payload = await this.checked(token, issuer, keySet, verifiedAt);
    const facts = factsOf(payload, issuer);
    if (!this.isAccepted(facts, resource))
      throw new AuthError('wrong_audience', 'the claim aud of the token is not as required');
    const goodUntil = facts.expiresAt.getTime() + LEEWAY_SECONDS * 1000;
    this.verified.set(token, facts, { keys: issuer.keys, generation, verifiedAt: verifiedAt.getTime(), goodUntil });
    return facts;
  }

  private isAccepted({ audiences }: VerifiedToken, resource: string): boolean {
    return audiences.includes(this.audience) || isMeantFor(audiences, resource);
  }

  /**
   * Looks at what the token says of itself, before any key is fetched. Nothing of it is believed
   * yet.
   */
  private issuerOf(token: string): TrustedIssuer {
    if (token.length > MAX_TOKEN_LENGTH)
      throw new AuthError('too_large', `the token is longer than ${MAX_TOKEN_LENGTH} characters`);
    if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) throw new AuthError('malformed', 'the token is not a compact JWS');
    const { header, claims } = decoded(token);
    if ('crit' in header || 'b64' in header)
      throw new AuthError('unsupported_header', 'the token uses critical header extensions');
    if (!ALGORITHMS.includes(header.alg ?? ''))
      throw new AuthError('unsupported_algorithm', 'the token is signed with an algorithm that is not accepted');
    if (header.kid !== undefined && (typeof header.kid !== 'string' || header.kid.length > MAX_KID_LENGTH)) {
      throw new AuthError('malformed', 'the token names its key in no usable way');
    }
    const issuer = typeof claims.iss === 'string' ? this.issuers.get(claims.iss) : undefined;
    checkTokenType(header.typ, issuer?.access_token_type ?? 'any');
    if (!issuer) throw new AuthError('unknown_issuer', 'the token is from an issuer that is not configured');
    return issuer;
  }

  private async checked(token: string, issuer: TrustedIssuer, keySet: JWTVerifyGetKey, at: Date): Promise<JWTPayload> {
    try {
      return await this.checkedWith(token, issuer, keySet, at);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw authErrorOf(error);
    }
    try {
      const fresh = await issuer.keys.refetched();
      if (fresh) return await this.checkedWith(token, issuer, fresh, at);
    } catch (error) {
      throw authErrorOf(error);
    }
    throw new AuthError('unknown_key', 'the token is signed with a key that its issuer does not publish');
  }

  private async checkedWith(token: string, issuer: TrustedIssuer, key: JWTVerifyGetKey, at: Date): Promise<JWTPayload> {
    const options = {
      issuer: issuer.issuer,
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_SECONDS,
      currentDate: at,
      requiredClaims: ['exp', 'sub'],
    };
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      // A token without kid, and several keys that could have signed it.
      let last: unknown = new errors.JWSSignatureVerificationFailed();
      for await (const candidate of error as AsyncIterable<CryptoKey>) {
        try {
          return (await jwtVerify(token, candidate, options)).payload;
        } catch (failed) {
          if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed;
          last = failed;
        }
      }
      throw last;
    }
  }
}

function decoded(token: string) {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch (cause) {
    throw new AuthError('malformed', 'the token is not a JWT', { cause });
  }
}

function factsOf(claims: JWTPayload, issuer: TrustedIssuer): VerifiedToken {
  const { sub, exp } = claims;
  const audiences = audiencesOf(claims.aud);
  checkAccessTokenClaims(claims);
  const clientId = clientOf(claims);
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH || !isPrintable(sub)) {
    throw new AuthError('bad_claims', 'the token has no usable subject');
  }
  if (typeof exp !== 'number' || !(Math.abs(exp) < LAST_SECOND))
    throw new AuthError('bad_claims', 'the token has no usable expiry');
  const email = textOf(claims['email']);
  const name = textOf(claims['name']);
  return {
    issuer: issuer.issuer,
    issuerId: issuer.id,
    subject: sub,
    roles: rolesOf(claims, issuer.roles),
    claims,
    audiences,
    ...(clientId !== undefined && { clientId }),
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
    expiresAt: new Date(exp * 1000),
  };
}

/** Without control characters or lone surrogates: it will be a database key and a log field. */
const isPrintable = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' && claim.length <= 1024 && isPrintable(claim) ? claim : undefined;

const CLAIM_CODES: Record<string, AuthErrorCode> = {
  iss: 'unknown_issuer',
  nbf: 'not_yet_valid',
};

function authErrorOf(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  if (error instanceof errors.JWTExpired) return new AuthError('expired', 'the token has expired');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new AuthError(
      CLAIM_CODES[error.claim] ?? 'bad_claims',
      `the claim ${error.claim} of the token is not as required`,
    );
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return new AuthError('unknown_key', 'the token is signed with a key that its issuer does not publish');
  }
  if (error instanceof errors.JOSEError || error instanceof TypeError) {
    return new AuthError('bad_signature', 'the signature of the token is not of the key it names', { cause: error });
  }
  return new AuthError('malformed', 'the token cannot be verified', { cause: error });
}

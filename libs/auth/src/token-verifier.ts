import { decodeJwt, decodeProtectedHeader, UnsecuredJWT } from 'jose';
import type { JWTPayload } from 'jose';
import {
  parseAudiences,
  checkAccessTokenClaims,
  checkTokenType,
  getClientId,
  includesResource,
} from './access-token.ts';
import { AuthError } from './auth-error.ts';
import type { Introspection, IntrospectedClaims } from './introspection.ts';
import { getRoles } from './roles.ts';
import type { Role } from './roles.ts';
import { ALGORITHMS, toAuthError, getClaimRules, LEEWAY_SECONDS, verifySignature } from './signature.ts';
import { getTokenKey } from './token-key.ts';
import { mapUser } from './user-mapping.ts';
import { createActiveConfig } from './verifier-config.ts';
import type {
  ActiveConfig,
  MissingVerifierConfig,
  TrustedIssuer,
  VerifierConfig,
  VerifierDependencies,
} from './verifier-config.ts';

/** The dependencies of a TokenVerifier. */
interface TokenVerifierDependencies extends Pick<VerifierDependencies, 'fetch'> {
  now?: () => Date;
  /** Longest time of one request to an issuer, in milliseconds; default 5000. */
  timeoutMs?: number;
}

/** The options of a TokenVerifier. */
export type TokenVerifierOptions = TokenVerifierDependencies & (VerifierConfig | MissingVerifierConfig);

/** The facts of a verified token. */
export interface VerifiedToken {
  /** The issuer of the user: the token's own, or the one that its mapping names. */
  issuer: string;
  /** The id of that issuer. */
  issuerId: string;
  /** The user's subject at that issuer. */
  subject: string;
  /** The issuer of the token itself. */
  tokenIssuer: string;
  /** Always contains `user`. */
  roles: ReadonlySet<Role>;
  /** The claims of the token, or the members of the introspection response. */
  claims: Readonly<Record<string, unknown>>;
  /** Every audience of the token. */
  audiences: readonly string[];
  /** The OAuth client that the token was issued to, if the token names one. */
  clientId?: string;
  email?: string;
  name?: string;
  expiresAt: Date;
}

/** The result of a verification, and the audiences that its issuer may use. */
interface Verification {
  facts: VerifiedToken;
  /** Undefined: all. */
  accepted: readonly string[] | undefined;
}

const MAX_TOKEN_LENGTH = 8192;
const MAX_SUBJECT_LENGTH = 255;
const MAX_KID_LENGTH = 512;
const MAX_SECOND = 8.64e12;
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** RFC 6750 §2.1: the form of every bearer token. */
const BEARER_TOKEN = /^[\w.~+/-]+=*$/;
/** Claims in which an introspection response must agree with the JWT that it is about. */
const IDENTIFYING_CLAIMS = ['iss', 'sub', 'jti', 'exp'] as const;

/**
 * Verifies access tokens of several issuers: JWTs (RFC 7519, RFC 8725, RFC 9068) by the published
 * keys of their issuer, or by its introspection endpoint (RFC 7662), which also takes opaque
 * tokens. It checks `iss`, `aud`, `exp` and `nbf` with 60 s leeway. Keys inside a token (`jku`,
 * `x5u`, `jwk`, `x5c`) are ignored; `kid` is only compared.
 */
export class TokenVerifier {
  private state: ActiveConfig<Verification> | MissingVerifierConfig = { missing: 'no token issuer is configured' };
  private readonly dependencies: VerifierDependencies;

  /** @throws RangeError when the configuration contradicts itself */
  constructor({ now = () => new Date(), fetch, timeoutMs = 5_000, ...config }: TokenVerifierOptions) {
    this.dependencies = { now, fetch, timeoutMs };
    this.configure(config);
  }

  /** Whether an issuer gives the role `admin` or `auditor`. */
  get administrationConfigured(): boolean {
    return this.config?.administrationConfigured ?? false;
  }

  /** The reason why there is no configuration; undefined while there is one. */
  get missing(): string | undefined {
    return 'missing' in this.state ? this.state.missing : undefined;
  }

  /**
   * Replaces issuers, audiences and mappings, or takes them away. Verifications in flight start
   * again. Key sets of unchanged issuers stay; cached results do not.
   * @throws RangeError when the configuration contradicts itself; the old one then stays in force
   */
  configure(config: VerifierConfig | MissingVerifierConfig): void {
    this.state = 'missing' in config ? config : createActiveConfig(config, this.dependencies, this.config);
  }

  /**
   * The facts of a JWT that was verified recently and is still valid. This saves the verification
   * of the signature.
   * @param resource identifier of the protected resource, accepted as a further audience
   * @param key the key of the token, where the caller has computed it before
   */
  recall(token: string, resource = '', key = getTokenKey(token)): VerifiedToken | undefined {
    const known = this.config?.verified.get(key, this.dependencies.now().getTime());
    return known && isAccepted(known, resource) ? known.facts : undefined;
  }

  /**
   * Verifies a token by the configuration that is in force at the end of the verification.
   * @param resource as for `recall`
   * @throws AuthError; `unavailable` when the issuer does not answer, `not_configured` while there
   * is no configuration, every other code is a fault of the token
   */
  async verify(token: string, resource = ''): Promise<VerifiedToken> {
    const known = this.recall(token, resource);
    if (known) return known;
    const { state } = this;
    if ('missing' in state) throw new AuthError('not_configured', state.missing);
    try {
      const facts = await this.verifyBy(state, token, resource);
      if (state === this.state) return facts;
    } catch (error) {
      if (state === this.state) throw error;
    }
    return this.verify(token, resource);
  }

  private get config(): ActiveConfig<Verification> | undefined {
    return 'missing' in this.state ? undefined : this.state;
  }

  private async verifyBy(config: ActiveConfig<Verification>, token: string, resource: string): Promise<VerifiedToken> {
    const issuer = findIssuer(token, config);
    const { introspection } = issuer;
    const verification =
      introspection === undefined || (issuer.config.introspection?.jwts === false && COMPACT_JWS.test(token))
        ? await this.verifyJwt(token, issuer, config, resource)
        : createVerification(await this.introspect(token, issuer, introspection), issuer, config);
    if (!isAccepted(verification, resource)) throw createWrongAudienceError();
    return verification.facts;
  }

  private async verifyJwt(
    token: string,
    issuer: TrustedIssuer,
    config: ActiveConfig<Verification>,
    resource: string,
  ): Promise<Verification> {
    const { keys } = issuer;
    const keySet = await keys.getCurrent();
    const { generation } = keys;
    const at = this.dependencies.now();
    const claims = await verifySignature(token, getRequiredIssuer(issuer), { keys, keySet, at });
    const verification = createVerification(claims, issuer, config);
    if (isAccepted(verification, resource)) {
      const validUntil = verification.facts.expiresAt.getTime() + LEEWAY_SECONDS * 1000;
      config.verified.set(getTokenKey(token), verification, { keys, generation, verifiedAt: at.getTime(), validUntil });
    }
    return verification;
  }

  private async introspect(token: string, issuer: TrustedIssuer, introspection: Introspection): Promise<JWTPayload> {
    const claims = await introspection.getClaims(token);
    return checkIntrospection(token, claims, getRequiredIssuer(issuer), this.dependencies.now());
  }
}

const isAccepted = ({ facts: { audiences }, accepted }: Verification, resource: string): boolean =>
  accepted === undefined ||
  audiences.some((audience) => accepted.includes(audience)) ||
  includesResource(audiences, resource);

/** The `iss` that a token must have; undefined: any. */
const getRequiredIssuer = ({ config }: TrustedIssuer): string | undefined =>
  config.accepts_any_issuer === true ? undefined : config.issuer;

const createWrongAudienceError = () => new AuthError('wrong_audience', 'the claim aud of the token is not as required');

/** Finds the issuer by the header and the claims of the token, which are not verified yet. */
function findIssuer(token: string, { issuers, opaqueIssuer, anyIssuer }: ActiveConfig<Verification>): TrustedIssuer {
  if (token.length > MAX_TOKEN_LENGTH)
    throw new AuthError('too_large', `the token is longer than ${MAX_TOKEN_LENGTH} characters`);
  if (!COMPACT_JWS.test(token)) {
    if (opaqueIssuer !== undefined && BEARER_TOKEN.test(token)) return opaqueIssuer;
    throw new AuthError('malformed', 'the token is not a compact JWS');
  }
  const { header, claims } = decode(token);
  if ('crit' in header || 'b64' in header)
    throw new AuthError('unsupported_header', 'the token uses critical header extensions');
  if (!ALGORITHMS.includes(header.alg ?? ''))
    throw new AuthError(
      'unsupported_algorithm',
      'the token is signed with an algorithm that is not accepted; use RS, PS or ES 256 to 512, or EdDSA',
    );
  if (header.kid !== undefined && (typeof header.kid !== 'string' || header.kid.length > MAX_KID_LENGTH)) {
    throw new AuthError('malformed', 'the token names its key in no usable way');
  }
  const issuer = (typeof claims.iss === 'string' ? issuers.get(claims.iss) : undefined) ?? anyIssuer;
  checkTokenType(header.typ, issuer?.config.access_token_type ?? 'any');
  if (!issuer) throw new AuthError('unknown_issuer', 'the token is from an issuer that is not configured');
  return issuer;
}

function decode(token: string) {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch (cause) {
    throw new AuthError('malformed', 'the token is not a JWT', { cause });
  }
}

/**
 * Checks an introspection response by the rules for JWTs, and that it is about this token.
 * @throws AuthError
 */
function checkIntrospection(
  token: string,
  introspected: IntrospectedClaims,
  issuer: string | undefined,
  at: Date,
): JWTPayload {
  const { token_type: tokenType } = introspected;
  if (tokenType !== undefined && !(typeof tokenType === 'string' && /^(?:bearer|dpop)$/i.test(tokenType)))
    throw new AuthError('bad_claims', 'the token is not an access token by its token_type');
  if (COMPACT_JWS.test(token)) {
    const { claims } = decode(token);
    if (IDENTIFYING_CLAIMS.some((name) => claims[name] !== undefined && claims[name] !== introspected[name]))
      throw new AuthError('bad_claims', 'the introspection response is about another token');
  }
  try {
    return UnsecuredJWT.decode(new UnsecuredJWT(introspected).encode(), getClaimRules(issuer, at)).payload;
  } catch (error) {
    throw toAuthError(error);
  }
}

function createVerification(
  claims: JWTPayload,
  { config, audiences: accepted }: TrustedIssuer,
  { issuers }: ActiveConfig<Verification>,
): Verification {
  const audiences = parseAudiences(claims.aud);
  checkAccessTokenClaims(claims, config.accepts_id_tokens);
  const clientId = getClientId(claims);
  const { exp } = claims;
  if (typeof exp !== 'number' || !(Math.abs(exp) < MAX_SECOND))
    throw new AuthError('bad_claims', 'the token has no usable expiry');
  requireSubject(claims.sub);
  const tokenIssuer = config.accepts_any_issuer === true ? (claims.iss ?? '') : config.issuer;
  const { issuer, subject } =
    config.user_mapping === undefined
      ? { issuer: tokenIssuer, subject: claims.sub }
      : mapUser(claims, config.user_mapping);
  const email = readText(claims['email']);
  const name = readText(claims['name']);
  const facts = {
    issuer,
    issuerId: issuers.get(issuer)?.config.id ?? config.id,
    subject: requireSubject(subject),
    tokenIssuer,
    roles: getRoles(claims, config.roles),
    claims,
    audiences,
    ...(clientId !== undefined && { clientId }),
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
    expiresAt: new Date(exp * 1000),
  };
  return { facts, accepted };
}

/** A subject becomes a database key and a log field. @throws AuthError bad_claims */
function requireSubject(subject: unknown): string {
  if (typeof subject !== 'string' || subject === '' || subject.length > MAX_SUBJECT_LENGTH || !isPrintable(subject))
    throw new AuthError('bad_claims', 'the token has no usable subject');
  return subject;
}

/** Whether a text has no control characters and no lone surrogates. */
const isPrintable = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

const readText = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' && claim.length <= 1024 && isPrintable(claim) ? claim : undefined;

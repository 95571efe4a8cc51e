import { isDeepStrictEqual } from 'node:util';
import type { AccessTokenType } from './access-token.ts';
import { Introspection } from './introspection.ts';
import type { IntrospectionConfig } from './introspection.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { mapsAdministration } from './roles.ts';
import type { KeySetReader } from './issuer-keys.ts';
import type { RoleMapping, RoleResolver } from './roles.ts';
import type { UserMapping } from './user-mapping.ts';
import { VerifiedTokens } from './verified-tokens.ts';

/** An issuer whose access tokens are accepted. */
export interface IssuerConfig {
  /** Short stable name; qualifies the subjects of every issuer except the first. */
  id: string;
  /** Exact `iss` of its tokens. */
  issuer: string;
  /**
   * Whether `iss` is not compared: the keys at `jwks_uri` alone are trusted, and `issuer` is only a
   * name in messages. Default false.
   */
  accepts_any_issuer?: boolean | undefined;
  /** The address of its keys; default: found by OpenID Connect Discovery below `issuer`. */
  jwks_uri?: string | undefined;
  /** Reads its keys, for an issuer in this process; default: its address is requested. */
  key_set?: KeySetReader | undefined;
  /** The roles that its tokens give. */
  roles?: RoleMapping | RoleResolver | undefined;
  /** The `typ` of its access tokens; default `any`. */
  access_token_type?: AccessTokenType | undefined;
  /** The accepted `aud` of its tokens; default: the audiences of the verifier. */
  audience?: string | readonly string[] | undefined;
  /** Whether `aud` is not compared: tokens for other services are accepted; default false. */
  accepts_any_audience?: boolean | undefined;
  /** Whether ID tokens are accepted as access tokens; default false. */
  accepts_id_tokens?: boolean | undefined;
  /** For an issuer whose tokens name users of other issuers; default: its own users. */
  user_mapping?: UserMapping | undefined;
  /** The introspection endpoint of its tokens; default: its keys verify them. */
  introspection?: IntrospectionConfig | undefined;
}

/** The part of a verifier's options that can be replaced while it runs. */
export interface VerifierConfig {
  /** At least one; ids and issuers are unique. The first is the deployment's own. */
  issuers: readonly IssuerConfig[];
  /** The accepted `aud`, one or several. A caller of `verify` may accept one more. */
  audience: string | readonly string[];
}

/** The state of a verifier without a configuration: it refuses every token. */
export interface MissingVerifierConfig {
  /** The reason as one sentence, for callers and logs. */
  missing: string;
}

/** The dependencies of a verifier. */
export interface VerifierDependencies {
  now: () => Date;
  /** Sends requests for discovery documents, key sets and introspection. */
  fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** Longest time of one request, in milliseconds. */
  timeoutMs: number;
}

/** An issuer of a configuration with its keys and caches. */
export interface TrustedIssuer {
  readonly config: IssuerConfig;
  /** Undefined: every audience is accepted. */
  readonly audiences: readonly string[] | undefined;
  readonly keys: IssuerKeys;
  readonly introspection: Introspection | undefined;
}

/** A whole configuration. It never changes: one verification uses one configuration. */
export interface ActiveConfig<Result> {
  readonly issuers: ReadonlyMap<string, TrustedIssuer>;
  /** The issuer that introspects tokens that are not JWTs. */
  readonly opaqueIssuer: TrustedIssuer | undefined;
  /** The issuer whose keys verify JWTs with any `iss`. */
  readonly anyIssuer: TrustedIssuer | undefined;
  /** Whether an issuer gives the role `admin` or `auditor`. */
  readonly administrationConfigured: boolean;
  /** The results of this configuration only. */
  readonly verified: VerifiedTokens<Result>;
}

const CAPACITY = 2_000;

/**
 * Prepares a configuration.
 * @param before the replaced configuration, whose key sets and introspection caches are kept for
 * issuers that did not change
 * @throws RangeError when the configuration contradicts itself
 */
export function createActiveConfig<Result>(
  { issuers, audience }: VerifierConfig,
  dependencies: VerifierDependencies,
  before?: ActiveConfig<Result>,
): ActiveConfig<Result> {
  requireConsistent(issuers);
  const trusted = issuers.map((config) => {
    const known = before?.issuers.get(config.issuer);
    return {
      config,
      audiences: config.accepts_any_audience === true ? undefined : [config.audience ?? audience].flat(),
      keys: createIssuerKeys(config, dependencies, known),
      introspection: createIntrospection(config, dependencies, known),
    };
  });
  return {
    issuers: new Map(trusted.map((issuer) => [issuer.config.issuer, issuer])),
    opaqueIssuer: trusted.find(({ config }) => canReceiveOpaqueTokens(config)),
    anyIssuer: trusted.find(({ config }) => config.accepts_any_issuer === true),
    administrationConfigured: issuers.some(({ roles }) => mapsAdministration(roles)),
    verified: new VerifiedTokens<Result>(CAPACITY),
  };
}

function createIssuerKeys(
  { issuer, jwks_uri: jwksUri, key_set: readKeySet }: IssuerConfig,
  dependencies: VerifierDependencies,
  known: TrustedIssuer | undefined,
): IssuerKeys {
  if (known !== undefined && known.config.jwks_uri === jwksUri && known.config.key_set === readKeySet)
    return known.keys;
  return new IssuerKeys({ issuer, jwksUri, readKeySet, ...dependencies });
}

function createIntrospection(
  { issuer, introspection: config }: IssuerConfig,
  dependencies: VerifierDependencies,
  known: TrustedIssuer | undefined,
): Introspection | undefined {
  if (config === undefined) return undefined;
  if (isDeepStrictEqual(config, known?.config.introspection)) return known?.introspection;
  return new Introspection({ issuer, config, ...dependencies });
}

const canReceiveOpaqueTokens = ({ introspection }: IssuerConfig): boolean =>
  introspection !== undefined && introspection.opaque_tokens !== false;

function requireConsistent(configs: readonly IssuerConfig[]): void {
  if (configs.length === 0) throw new RangeError('at least one token issuer is needed');
  const ids = new Set<string>();
  const byIssuer = new Map<string, IssuerConfig>();
  for (const config of configs) {
    if (ids.has(config.id)) throw new RangeError(`two token issuers have the id ${config.id}`);
    if (byIssuer.has(config.issuer)) throw new RangeError(`the token issuer ${config.issuer} is listed twice`);
    ids.add(config.id);
    byIssuer.set(config.issuer, config);
  }
  if (configs.filter(canReceiveOpaqueTokens).length > 1)
    throw new RangeError('introspection.opaque_tokens: only one token issuer can receive opaque tokens');
  for (const { id, user_mapping: mapping } of configs) if (mapping !== undefined) requireMapping(id, mapping, byIssuer);
}

function requireMapping(id: string, { issuers, user }: UserMapping, byIssuer: ReadonlyMap<string, IssuerConfig>): void {
  const needsOneIssuer = typeof user !== 'function' && user.issuer_claim === undefined;
  if (issuers.length === 0 || (needsOneIssuer && issuers.length > 1))
    throw new RangeError(`user_mapping of ${id}: name one issuer, or several with an issuer_claim`);
  for (const issuer of issuers) {
    const target = byIssuer.get(issuer);
    if (target === undefined) throw new RangeError(`user_mapping of ${id}: the issuer ${issuer} is not configured`);
    if (target.user_mapping !== undefined)
      throw new RangeError(`user_mapping of ${id}: the users of ${issuer} are themselves mapped`);
  }
}

import {
  type Account,
  type Configuration,
  errors,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { INTERACTIONS_PATH } from '../../browser/forwarded-sign-ins.ts';
import { applyClientRules, RULES_PROPERTY } from '../clients/client-rules.ts';
import type { DocumentFetch } from '../clients/document-fetch.ts';
import { GRANT_SECONDS } from '../grants/corporate-grants.ts';
import type { CorporateGrant } from '../grants/corporate-grants.repository.ts';
import { createAdapter } from '../storage/postgres-adapter.ts';
import type { PayloadsRepository } from '../storage/payloads.repository.ts';
import { getAudience, MCP_SCOPE } from './resources.ts';

/** Seconds for which an access token is valid; the longest time until the end of a grant acts. */
export const ACCESS_TOKEN_SECONDS = 600;
const CODE_SECONDS = 60;
const DAY_SECONDS = 24 * 3600;
/** Time for a sign-in at the corporate provider and the consent. */
export const INTERACTION_SECONDS = 600;

/** Claims by which an access token names the corporate issuer and the grant. */
export const CORPORATE_ISSUER_CLAIM = 'corporate_issuer';
export const GRANT_CLAIM = 'gatehouse_grant';

/** The dependencies of the configuration. */
export interface ConfigurationParts {
  /** Address of the gateway, without a trailing slash. */
  publicUrl: string;
  payloads: PayloadsRepository;
  /** The first key signs. */
  keys: readonly JWK[];
  /** Keys that sign cookies; the same on all replicas. */
  cookieKeys: readonly string[];
  fetch: DocumentFetch;
  /** Whether clients may name a metadata document as their client id. */
  hasMetadataDocuments: boolean;
  /** Whether a request may cause the fetch of a metadata document that is not cached. */
  mayFetch: (ctx: KoaContextWithOIDC) => boolean;
  findCorporateGrant: (grantId: string) => Promise<CorporateGrant | undefined>;
  /** Refreshes the corporate tokens of a grant. @throws errors of the provider library */
  refreshCorporateTokens: (grantId: string) => Promise<void>;
  renderError: (ctx: KoaContextWithOIDC, error: string, description: string | undefined) => void;
  now: () => Date;
}

/** An account of a grant; without a grant during a sign-in. */
interface GrantedAccount extends Account {
  corporate?: CorporateGrant;
}

/**
 * The configuration of the authorization server (OAuth 2.1): code flow with PKCE S256, rotated
 * refresh tokens, resource indicators, dynamic registration and client id metadata documents.
 */
export function createConfiguration(parts: ConfigurationParts): Configuration {
  const { payloads, keys, fetch } = parts;
  return {
    adapter: (model: string) => createAdapter(model, payloads),
    jwks: { keys: [...keys] },
    cookies: createCookies(parts),
    routes: {
      authorization: '/oauth/authorize',
      jwks: '/oauth/jwks',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      token: '/oauth/token',
    },
    scopes: ['openid', 'offline_access'],
    claims: { openid: ['sub'] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    extraClientMetadata: {
      properties: [RULES_PROPERTY],
      validator: (_ctx, _property, _value, metadata) => applyClientRules(metadata),
    },
    features: createFeatures(parts),
    fetch: (url, init) => fetch(url as URL, init),
    interactions: { policy: createPolicy(), url: (_ctx, { uid }) => `${INTERACTIONS_PATH}/${uid}` },
    // Each authorization has a grant of its own, with corporate tokens of its own.
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    findAccount: (_ctx, accountId, token) => findAccount(parts, accountId, token),
    ...createTokenRules(parts),
    expiresWithSession: () => false,
    renderError: (ctx, out) => parts.renderError(ctx, out.error, out.error_description),
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientAuthMethod === 'none' &&
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
  };
}

/** Cookies over https have the prefix of cookies that only https pages can set (RFC 6265bis). */
function createCookies({ publicUrl, cookieKeys }: ConfigurationParts): NonNullable<Configuration['cookies']> {
  const { protocol, port } = new URL(publicUrl);
  // All ports of a host share cookies.
  const prefix = protocol === 'https:' ? '__Secure-' : port;
  const options = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  return {
    keys: [...cookieKeys],
    names: {
      session: `${prefix}gatehouse_session`,
      interaction: `${prefix}gatehouse_interaction`,
      resume: `${prefix}gatehouse_resume`,
    },
    long: options,
    short: options,
  };
}

function createFeatures({
  publicUrl,
  hasMetadataDocuments,
  mayFetch,
}: ConfigurationParts): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    // They have no route, and no endpoint accepts bound tokens: clients must not find them.
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_ctx, { clientId }, token) => token.clientId === clientId },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: {
      enabled: hasMetadataDocuments,
      ack: 'draft-02',
      cacheDuration: { min: 30, max: 3600 },
      // The consent page finds its client without a context; its cookie shows the authorization.
      allowFetch: (ctx: KoaContextWithOIDC | undefined) => ctx === undefined || mayFetch(ctx),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => oneOf ?? `${publicUrl}/mcp`,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => ({
        scope: MCP_SCOPE,
        audience: getAudience(resource, publicUrl),
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  };
}

/** Every authorization signs the user in and asks for consent: no session decides. */
function createPolicy() {
  const { Check, Prompt } = interactionPolicy;
  const isMissing = (ctx: KoaContextWithOIDC) =>
    ctx.oidc.result?.login === undefined || ctx.oidc.result.consent === undefined;
  const check = new Check('not_asked', 'the user must sign in and consent', 'interaction_required', isMissing);
  return [new Prompt({ name: 'login', requestable: true }), new Prompt({ name: 'consent', requestable: true }, check)];
}

/** An account exists while the corporate sign-in of its grant does. */
async function findAccount(
  { findCorporateGrant }: ConfigurationParts,
  accountId: string,
  token: { grantId?: string | undefined } | undefined,
): Promise<GrantedAccount | undefined> {
  const account = { accountId, claims: () => ({ sub: accountId }) };
  if (token?.grantId === undefined) return account;
  const corporate = await findCorporateGrant(token.grantId);
  return corporate && { ...account, corporate };
}

type TokenRules = Pick<
  Configuration,
  'extraTokenClaims' | 'formats' | 'issueRefreshToken' | 'rotateRefreshToken' | 'ttl'
>;

/** The lives and the claims of tokens. The subject is that of the corporate provider. */
function createTokenRules({ findCorporateGrant, refreshCorporateTokens, now }: ConfigurationParts): TokenRules {
  return {
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: async (ctx) => {
      const { grantId } = ctx.oidc.entities.RefreshToken ?? {};
      if (grantId === undefined) throw new errors.InvalidGrant('the refresh token has no grant');
      await refreshCorporateTokens(grantId);
      return true;
    },
    extraTokenClaims: async (_ctx, token) => {
      const grant = 'grantId' in token && token.grantId ? await findCorporateGrant(token.grantId) : undefined;
      if (grant === undefined) throw new errors.InvalidGrant('the grant has ended');
      const { claims, issuer, subject, id } = grant;
      return { ...claims, sub: subject, [CORPORATE_ISSUER_CLAIM]: issuer, [GRANT_CLAIM]: id };
    },
    formats: {
      customizers: {
        jwt: (_ctx, { extra }, { payload }) => {
          payload['sub'] = extra?.['sub'];
        },
      },
    },
    ttl: {
      AccessToken: (ctx) => {
        const { corporate } = (ctx.oidc.account ?? {}) as Partial<GrantedAccount>;
        const left = corporate?.endsAt === undefined ? Infinity : (corporate.endsAt.getTime() - now().getTime()) / 1000;
        return Math.max(1, Math.floor(Math.min(ACCESS_TOKEN_SECONDS, left)));
      },
      AuthorizationCode: CODE_SECONDS,
      Grant: GRANT_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: 30 * DAY_SECONDS,
      Session: INTERACTION_SECONDS,
    },
  };
}

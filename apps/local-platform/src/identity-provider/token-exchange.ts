import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import { createLocalJWKSet, jwtVerify, type JWTPayload } from 'jose';
import type { IdentityProviderConfig } from './config.ts';
import { clientClaims, personClaims, type Directory, type IdentityClaims } from './directory.ts';
import { mintAccessToken } from './mint.ts';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';

/**
 * Maximum lifetime of an exchanged token in seconds. It ends with the presented token at the
 * latest.
 */
const LIFETIME = 600;

const parameters = [
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'audience',
  'resource',
  'scope',
  'actor_token',
  'actor_token_type',
] as const;

type Parameters = Partial<Record<(typeof parameters)[number], string>>;

/**
 * Token exchange (RFC 8693): a service exchanges the access token of a user for one with another
 * audience. The new token names the service as actor (`act`) and ends with the presented token at
 * the latest.
 */
export function registerTokenExchange(provider: Provider, config: IdentityProviderConfig, directory: Directory): void {
  provider.registerGrantType<Parameters>(
    TOKEN_EXCHANGE,
    async (ctx) => {
      const { client, params } = ctx.oidc;
      checkTypes(params);
      const payload = await verifyPresented(params.subject_token, config);
      const now = Math.floor(Date.now() / 1000);
      const ttl = Math.min(LIFETIME, (payload.exp ?? now) - now);
      if (ttl <= 0) throw new errors.InvalidGrant('subject_token has expired');
      const claims = getSubjectClaims(payload, directory);
      const service = directory.client(client.clientId);
      if (!service) throw new errors.UnauthorizedClient('only service clients of the platform can exchange tokens');
      // Earlier actors stay in the chain of `act` (RFC 8693, section 4.1).
      const actor = { act: { sub: service.subject, ...(payload['act'] === undefined ? {} : { act: payload['act'] }) } };
      const accessToken = await mintAccessToken(signingKey(config), {
        issuer: config.issuer,
        audience: selectAudience(params, config),
        clientId: client.clientId,
        claims: { ...claims, ...actor },
        ttl,
        now,
      });
      ctx.body = { access_token: accessToken, issued_token_type: ACCESS_TOKEN, token_type: 'Bearer', expires_in: ttl };
    },
    parameters,
  );
}

/** Returns the signing key: the first key of the state file. */
export function signingKey(config: IdentityProviderConfig) {
  const [key] = config.state.keys;
  if (!key) throw new Error('the identity provider has no signing key: state.json is damaged');
  return key;
}

function checkTypes(params: Parameters): void {
  if (!params.subject_token) throw new errors.InvalidRequest('missing required parameter: subject_token');
  if (params.subject_token_type !== ACCESS_TOKEN && params.subject_token_type !== JWT) {
    throw new errors.InvalidRequest('subject_token_type must be the access_token or the jwt type');
  }
  const wanted = params.requested_token_type ?? ACCESS_TOKEN;
  if (wanted !== ACCESS_TOKEN && wanted !== JWT)
    throw new errors.InvalidRequest('requested_token_type is not supported');
  if (params.actor_token !== undefined)
    throw new errors.InvalidRequest('actor_token is not supported: the client is the actor');
}

async function verifyPresented(token: string | undefined, config: IdentityProviderConfig): Promise<JWTPayload> {
  const keys = createLocalJWKSet({ keys: config.state.keys.map(({ d: _private, ...key }) => key) });
  try {
    const { payload } = await jwtVerify(token ?? '', keys, {
      issuer: config.issuer,
      audience: config.audience,
      algorithms: ['ES256'],
      typ: 'at+jwt',
    });
    return payload;
  } catch (cause) {
    throw new errors.InvalidGrant(`subject_token is not a valid access token of this platform: ${describe(cause)}`);
  }
}

function getSubjectClaims(payload: JWTPayload, directory: Directory): IdentityClaims {
  const person = directory.personWithSubject(payload.sub ?? '');
  if (person) return personClaims(person);
  const client = directory.names().clients.find((id) => directory.client(id)?.subject === payload.sub);
  const service = client === undefined ? undefined : directory.client(client);
  if (service) return clientClaims(service);
  throw new errors.InvalidGrant('the subject of subject_token is unknown to this provider');
}

function selectAudience(params: Parameters, config: IdentityProviderConfig): string {
  if (params.audience !== undefined && params.resource !== undefined && params.audience !== params.resource) {
    throw new errors.InvalidTarget('give audience or resource, not both');
  }
  return params.audience ?? params.resource ?? config.audience;
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

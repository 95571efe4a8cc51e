import Provider, { errors, type ClientMetadata, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { IdentityProviderConfig } from './config.ts';
import { clientClaims, personClaims, type Directory, type IdentityClaims } from './directory.ts';
import { deviceCodePage, deviceConfirmPage, renderErrorPage, renderMessagePage, signOutPage } from './pages.ts';
import type { Store } from './store.ts';
import { registerTokenExchange, TOKEN_EXCHANGE } from './token-exchange.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The public clients of Gatehouse, which need no consent. */
export const FIRST_PARTY_CLIENTS: ReadonlySet<string> = new Set([
  'gatehouse-cli',
  'gatehouse-console',
  'gatehouse-reference',
  'gatehouse-connector-gateway',
]);

/**
 * The OpenID provider: discovery, code flow with PKCE, device flow, client credentials, token
 * exchange and dynamic registration. Every access token is a JWT in the form of RFC 9068 for the
 * one audience of the platform, for any requested URL of the platform.
 */
export function createProvider(config: IdentityProviderConfig, directory: Directory, store: Store): Provider {
  const provider = new Provider(config.issuer, configuration(config, directory, store));
  registerTokenExchange(provider, config, directory);
  return provider;
}

function configuration(config: IdentityProviderConfig, directory: Directory, store: Store): Configuration {
  return {
    adapter: (model: string) => store.adapter(model),
    clients: clients(config, directory),
    jwks: { keys: config.state.keys },
    cookies: cookies(config),
    extraClientMetadata: { properties: [REGISTERED], validator: refuseServiceGrants },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    scopes: ['openid', 'offline_access'],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'groups', 'roles'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    features: features(config),
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, subject) => account(directory, subject),
    extraTokenClaims: (_ctx, token) => {
      const { sub: _sub, ...claims } = getSubjectClaims(directory, token);
      return claims;
    },
    formats: {
      customizers: {
        jwt: (_ctx, token, { payload }) => {
          payload['sub'] = getSubjectClaims(directory, token).sub;
        },
      },
    },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // The session of the command line outlasts the session of the browser.
    expiresWithSession: (_ctx, { clientId, scopes }) => clientId !== 'gatehouse-cli' && !scopes.has('offline_access'),
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientAuthMethod === 'none' &&
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    renderError: (ctx, out) => html(ctx, renderErrorPage(out.error, out.error_description)),
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: MINUTE,
      ClientCredentials: 10 * MINUTE,
      DeviceCode: 10 * MINUTE,
      Grant: 30 * DAY,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: 30 * DAY,
      Session: 14 * DAY,
    },
  };
}

/** A property that no client has. The provider calls its validator for every client. */
const REGISTERED = 'gatehouse_registered';

/** Grants of registered clients. Each of them needs a sign-in of a user. */
const OPEN_GRANTS: ReadonlySet<string> = new Set([
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
]);

/** Refuses grants without a sign-in to registered clients, because every program can register. */
function refuseServiceGrants(
  ctx: KoaContextWithOIDC | undefined,
  _property: string,
  _value: unknown,
  metadata: ClientMetadata,
): void {
  if (ctx?.oidc.route !== 'registration' && ctx?.oidc.route !== 'client_update') return;
  const refused = (metadata.grant_types ?? []).filter((grant) => !OPEN_GRANTS.has(grant));
  if (refused.length > 0) throw new errors.InvalidClientMetadata(`grant_types must not contain ${refused.join(', ')}`);
}

function features(config: IdentityProviderConfig): NonNullable<Configuration['features']> {
  const own = new Set([config.audience, ...config.resources]);
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    clientCredentials: { enabled: true },
    revocation: { enabled: true },
    registration: { enabled: true },
    registrationManagement: { enabled: true },
    deviceFlow: {
      enabled: true,
      userCodeInputSource: (ctx, form, _out, error) => html(ctx, deviceCodePage(form, error !== undefined)),
      userCodeConfirmSource: (ctx, form, client, _info, code) =>
        html(ctx, deviceConfirmPage(form, client.clientName ?? client.clientId, code)),
      successSource: (ctx) =>
        html(ctx, renderMessagePage('Signed in', 'You can close this page and go back to your terminal.')),
    },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => html(ctx, signOutPage(form)),
      postLogoutSuccessSource: (ctx) => html(ctx, renderMessagePage('Signed out', 'You can close this page.')),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => config.audience,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => {
        if (!own.has(resource.replace(/\/$/, ''))) throw new errors.InvalidTarget();
        return { scope: '', audience: config.audience, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } };
      },
    },
  };
}

function clients(config: IdentityProviderConfig, directory: Directory): ClientMetadata[] {
  const services = directory.names().clients.flatMap((id) => directory.client(id) ?? []);
  return [
    {
      client_id: 'gatehouse-cli',
      client_name: 'Gatehouse command line',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
    },
    {
      client_id: 'gatehouse-console',
      client_name: 'Gatehouse console',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      redirect_uris: [`${config.consoleUrl}/`],
      post_logout_redirect_uris: [`${config.consoleUrl}/`],
    },
    {
      client_id: 'gatehouse-reference',
      client_name: 'Gatehouse API reference',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      redirect_uris: config.resources.map((url) => `${url}/api/doc`),
    },
    {
      client_id: 'gatehouse-connector-gateway',
      client_name: 'Gatehouse connector gateway',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [...new Set(config.resources.map((url) => new URL('/oauth/sign-in/callback', url).href))],
    },
    ...services.map((client): ClientMetadata => ({
      client_id: client.client_id,
      client_secret: client.secret,
      grant_types: ['client_credentials', TOKEN_EXCHANGE],
      response_types: [],
      redirect_uris: [],
    })),
  ];
}

/** Cookie names contain the port, because all ports of a host share cookies. */
function cookies({ port, state }: IdentityProviderConfig): NonNullable<Configuration['cookies']> {
  const options = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  return {
    keys: state.cookie_keys,
    names: {
      session: `gatehouse_${port}_session`,
      interaction: `gatehouse_${port}_interaction`,
      resume: `gatehouse_${port}_resume`,
    },
    long: options,
    short: options,
  };
}

function account(directory: Directory, subject: string) {
  const person = directory.personWithSubject(subject);
  if (!person) return undefined;
  return {
    accountId: person.subject,
    claims: () => ({ ...personClaims(person), preferred_username: person.name, email_verified: true }),
  };
}

function getSubjectClaims(
  directory: Directory,
  token: { accountId?: string; clientId?: string | undefined },
): IdentityClaims {
  const person = token.accountId === undefined ? undefined : directory.personWithSubject(token.accountId);
  if (person) return personClaims(person);
  const client = token.clientId === undefined ? undefined : directory.client(token.clientId);
  if (client) return clientClaims(client);
  throw new errors.InvalidGrant('the subject of this token is unknown to this provider');
}

function html(ctx: KoaContextWithOIDC, body: string): void {
  ctx.type = 'html';
  ctx.body = body;
}

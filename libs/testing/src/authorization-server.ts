import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A client that the authorization server knows. */
export interface TestOAuthClient {
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string;
  redirectUris: string[];
}

/** A request that the authorization server received, in the order of their arrival. */
export interface OAuthRequest {
  path: string;
  /** The query of a GET request, or the form of a POST request. */
  parameters: URLSearchParams;
  authorization: string | undefined;
}

/** Signs a token of the issuer with these claims. */
export type SignToken = (request: {
  subject: string;
  audience: string;
  expiresIn: number;
  claims: Record<string, unknown>;
}) => Promise<string>;

interface Code {
  clientId: string;
  redirectUri: string;
  challenge: string;
  resource: string | null;
  scope: string;
  nonce: string | null;
  subject: string;
}

type Grant = Pick<Code, 'clientId' | 'resource' | 'scope' | 'subject'>;

/** A refusal of RFC 6749, section 5.2. */
class OAuthRefusal extends Error {
  constructor(
    readonly error: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The authorization endpoints of a test issuer. They verify each request strictly: client, redirect
 * URI, PKCE with S256, resource, and the single use of codes and refresh tokens. A user is signed
 * in and consents at once.
 */
export class TestAuthorizationServer {
  readonly clients: TestOAuthClient[] = [];
  readonly requests: OAuthRequest[] = [];
  /** Subject of the user who is signed in at this server, in browsers without a cookie `user`. */
  user = 'alice';
  /** Lifetime of access tokens, in seconds. */
  accessTokenSeconds = 300;
  /** Further claims about the user in access and ID tokens. */
  claims: Readonly<Record<string, unknown>> = {};
  /** Whether a refresh returns a new refresh token and ends the old one. */
  rotates = true;
  /** Whether a sign-in ends the refresh tokens of earlier ones at the client, as in dex. */
  keepsNewestOnly = false;
  /** Answers authorization requests with this error. */
  denyWith: { error: string; error_description?: string } | undefined;
  /** Changes the parameters of the redirect to the client. */
  changeRedirect: (parameters: URLSearchParams) => void = () => undefined;
  /** Answers token requests with this instead; undefined lets the server answer. */
  answerToken: (response: Record<string, unknown>) => { status: number; type: string; body: string } | undefined = () =>
    undefined;
  /** Answers requests for a revocation with 503. */
  isRevocationDown = false;
  /** Is awaited before the answer to a token request. */
  beforeToken: () => Promise<unknown> = () => Promise.resolve();
  private readonly codes = new Map<string, Code>();
  private readonly refreshTokens = new Map<string, Grant>();
  private readonly accessTokens = new Map<string, Grant>();

  constructor(
    private readonly issuer: () => string,
    private readonly sign: SignToken,
  ) {}

  /** The members of the metadata document (RFC 8414). */
  get metadata(): Record<string, unknown> {
    const issuer = this.issuer();
    return {
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    };
  }

  /** The grant of a living access token; undefined for any other text. */
  findGrant(accessToken: string): Grant | undefined {
    return this.accessTokens.get(accessToken);
  }

  /** Ends all grants, as a user or an administrator can at the provider. */
  revokeAll(): void {
    this.refreshTokens.clear();
    this.accessTokens.clear();
  }

  /** Serves a request. @returns false for a path of another part of the issuer */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = new URL(request.url ?? '/', this.issuer());
    if (!['/authorize', '/token', '/register', '/revoke'].includes(url.pathname)) return false;
    const text = await readText(request);
    const parameters = request.method === 'GET' ? url.searchParams : new URLSearchParams(text);
    const { authorization } = request.headers;
    const received = { path: url.pathname, parameters, authorization };
    this.requests.push(received);
    try {
      if (url.pathname === '/authorize') this.authorize(parameters, response, readUser(request) ?? this.user);
      else if (url.pathname === '/register') sendJson(response, 201, this.register(text));
      else if (url.pathname === '/token') await this.sendTokens(received, response);
      else if (this.isRevocationDown) response.writeHead(503).end();
      else this.revoke(received, response);
    } catch (error) {
      if (!(error instanceof OAuthRefusal)) throw error;
      sendJson(response, error.error === 'invalid_client' ? 401 : 400, {
        error: error.error,
        error_description: error.message,
      });
    }
    return true;
  }

  private authorize(parameters: URLSearchParams, response: ServerResponse, subject: string): void {
    const client = this.clients.find(({ clientId }) => clientId === parameters.get('client_id'));
    const redirectUri = parameters.get('redirect_uri') ?? '';
    if (client?.redirectUris.includes(redirectUri) !== true)
      throw new OAuthRefusal('invalid_request', 'unknown client or redirect URI');
    const state = parameters.get('state');
    const challenge = parameters.get('code_challenge') ?? '';
    if (parameters.get('response_type') !== 'code' || state === null || challenge.length < 43)
      throw new OAuthRefusal('invalid_request', 'response_type, state or code_challenge is wrong');
    if (parameters.get('code_challenge_method') !== 'S256')
      throw new OAuthRefusal('invalid_request', 'only S256 is supported');
    const code = randomUUID();
    this.codes.set(code, {
      clientId: client.clientId,
      redirectUri,
      challenge,
      resource: parameters.get('resource'),
      scope: parameters.get('scope') ?? '',
      nonce: parameters.get('nonce'),
      subject,
    });
    const answer = new URLSearchParams({ ...(this.denyWith ?? { code }), state, iss: this.issuer() });
    this.changeRedirect(answer);
    response.writeHead(302, { location: `${redirectUri}?${answer.toString()}` }).end();
  }

  private register(text: string): Record<string, unknown> {
    const metadata = JSON.parse(text) as { redirect_uris?: string[]; token_endpoint_auth_method?: string };
    if (metadata.redirect_uris === undefined)
      throw new OAuthRefusal('invalid_redirect_uri', 'redirect_uris is missing');
    const client: TestOAuthClient = { clientId: randomUUID(), redirectUris: metadata.redirect_uris };
    if (metadata.token_endpoint_auth_method !== 'none') client.clientSecret = randomUUID();
    this.clients.push(client);
    return {
      ...metadata,
      client_id: client.clientId,
      ...(client.clientSecret !== undefined && { client_secret: client.clientSecret, client_secret_expires_at: 0 }),
    };
  }

  private async sendTokens(received: OAuthRequest, response: ServerResponse): Promise<void> {
    const { parameters } = received;
    const client = this.authenticate(received);
    const { grant, nonce } =
      parameters.get('grant_type') === 'authorization_code'
        ? this.redeem(client, parameters)
        : { grant: this.refresh(client, parameters), nonce: null };
    const tokens = await this.issue(grant, nonce, parameters.get('refresh_token'));
    await this.beforeToken();
    const other = this.answerToken(tokens);
    if (other === undefined) sendJson(response, 200, tokens);
    else response.writeHead(other.status, { 'content-type': other.type }).end(other.body);
  }

  private authenticate({ parameters, authorization }: OAuthRequest): TestOAuthClient {
    const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1];
    const [id, secret] = basic
      ? Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
      : [parameters.get('client_id'), parameters.get('client_secret') ?? undefined];
    const client = this.clients.find(({ clientId }) => clientId === id);
    if (client === undefined || client.clientSecret !== secret)
      throw new OAuthRefusal('invalid_client', 'unknown client or wrong secret');
    return client;
  }

  private redeem({ clientId }: TestOAuthClient, parameters: URLSearchParams): { grant: Grant; nonce: string | null } {
    const text = parameters.get('code') ?? '';
    const code = this.codes.get(text);
    this.codes.delete(text);
    const challenge = createHash('sha256')
      .update(parameters.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      code?.clientId !== clientId ||
      code.redirectUri !== parameters.get('redirect_uri') ||
      code.challenge !== challenge
    )
      throw new OAuthRefusal('invalid_grant', 'the code is not valid for this client, redirect URI and verifier');
    if (code.resource !== parameters.get('resource')) throw new OAuthRefusal('invalid_target', 'another resource');
    return { grant: code, nonce: code.nonce };
  }

  private refresh({ clientId }: TestOAuthClient, parameters: URLSearchParams): Grant {
    if (parameters.get('grant_type') !== 'refresh_token')
      throw new OAuthRefusal('unsupported_grant_type', 'only authorization_code and refresh_token are supported');
    const grant = this.refreshTokens.get(parameters.get('refresh_token') ?? '');
    if (grant?.clientId !== clientId) throw new OAuthRefusal('invalid_grant', 'the refresh token is not valid');
    if (grant.resource !== parameters.get('resource')) throw new OAuthRefusal('invalid_target', 'another resource');
    return grant;
  }

  /** @param used the refresh token of the request */
  private async issue(grant: Grant, nonce: string | null, used: string | null): Promise<Record<string, unknown>> {
    const { clientId, resource, scope, subject } = grant;
    const expiresIn = this.accessTokenSeconds;
    const claims = { ...this.claims, client_id: clientId, scope };
    const accessToken = await this.sign({ subject, audience: resource ?? clientId, expiresIn, claims });
    this.accessTokens.set(accessToken, grant);
    const refreshToken = used === null || this.rotates ? randomUUID() : undefined;
    if (refreshToken !== undefined) {
      if (used !== null) this.refreshTokens.delete(used);
      else if (this.keepsNewestOnly) this.endRefreshTokens(grant);
      this.refreshTokens.set(refreshToken, grant);
    }
    const isOpenId = scope.split(' ').includes('openid');
    const idClaims = { ...this.claims, nonce: nonce ?? undefined };
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresIn,
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      ...(scope !== '' && { scope }),
      ...(isOpenId && { id_token: await this.sign({ subject, audience: clientId, expiresIn, claims: idClaims }) }),
    };
  }

  private endRefreshTokens({ clientId, subject }: Grant): void {
    for (const [token, grant] of this.refreshTokens)
      if (grant.clientId === clientId && grant.subject === subject) this.refreshTokens.delete(token);
  }

  private revoke(received: OAuthRequest, response: ServerResponse): void {
    const { clientId } = this.authenticate(received);
    const token = received.parameters.get('token') ?? '';
    for (const tokens of [this.refreshTokens, this.accessTokens])
      if (tokens.get(token)?.clientId === clientId) tokens.delete(token);
    response.writeHead(200).end();
  }
}

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** The user of a browser, by its cookie. */
const readUser = ({ headers }: IncomingMessage): string | undefined =>
  /(?:^|; )user=([^;]+)/.exec(headers.cookie ?? '')?.[1];

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

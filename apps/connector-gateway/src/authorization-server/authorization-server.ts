import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { isUnavailable } from '@gatehouse/database/unavailable';
import type { Log } from '@gatehouse/service-kit/log';
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider, { errors } from 'oidc-provider';
import type { DataSource } from 'typeorm';
import type { DocumentFetch } from './clients/document-fetch.ts';
import { MAX_CLIENTS, MAX_REGISTRATION_BYTES, RegistrationLimits } from './clients/registration-limits.ts';
import { CorporateGrantEndedError, CorporateGrants } from './grants/corporate-grants.ts';
import type { CorporateGrantsRepository } from './grants/corporate-grants.repository.ts';
import { type CorporateClient, CorporateProvider } from './grants/corporate-provider.ts';
import { FormTokens } from './interactions/form-token.ts';
import { Interactions } from './interactions/interactions.ts';
import { markup, PAGE_HEADERS, renderPage, sendPage } from './interactions/page.ts';
import { readInteraction, SIGN_IN_CALLBACK_PATH, SignIns } from './interactions/sign-ins.ts';
import type { SigningKey, SigningKeysRepository } from './keys/signing-keys.repository.ts';
import { createConfiguration, INTERACTIONS_PATH } from './provider/configuration.ts';
import { MCP_SCOPE } from './provider/resources.ts';
import type { PayloadsRepository } from './storage/payloads.repository.ts';
import type { WriteTransaction } from './storage/write-transaction.ts';

/** Time after which the keys are read again: a new key is published an hour before its use. */
const KEYS_MS = 60_000;
const SWEEP_MS = 60_000;
const REGISTRATION_PATH = '/oauth/register';

/** The dependencies of an AuthorizationServer. */
export interface AuthorizationServerParts {
  dataSource: DataSource;
  payloads: PayloadsRepository;
  transaction: WriteTransaction;
  keys: SigningKeysRepository;
  corporateGrants: CorporateGrantsRepository;
  corporateClient: CorporateClient;
  verifier: TokenVerifier;
  fetch: DocumentFetch;
  /** A secret that the replicas share. */
  sharedKey: string;
  /** Address of the gateway, without a trailing slash; its origin is the issuer. */
  publicUrl: () => string;
  now: () => Date;
  log: Log;
}

/** The provider of the OAuth library with its pages, for one set of keys and one address. */
interface Running {
  readonly key: string;
  readonly provider: Provider;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly interactions: Interactions;
}

/**
 * The authorization server for MCP clients (RFC 8414, RFC 9700). It brokers the corporate identity
 * provider: users sign in there, and its grants live as long as the corporate sign-in.
 */
export class AuthorizationServer {
  private readonly limits = new RegistrationLimits(() => performance.now());
  private readonly corporateProvider: CorporateProvider;
  readonly grants: CorporateGrants;
  private running: Promise<Running> | undefined;
  private keys: { published: readonly SigningKey[]; readAt: number } | undefined;
  private sweeping: NodeJS.Timeout | undefined;

  constructor(private readonly parts: AuthorizationServerParts) {
    const { dataSource, corporateGrants, corporateClient, verifier, now } = parts;
    this.corporateProvider = new CorporateProvider(corporateClient, now);
    this.grants = new CorporateGrants({
      dataSource,
      repository: corporateGrants,
      provider: this.corporateProvider,
      verifier,
      now,
    });
  }

  /** The issuer of its tokens. */
  get issuer(): string {
    return new URL(this.parts.publicUrl()).origin;
  }

  /** Begins to remove what has expired. */
  start(): void {
    this.sweeping = setInterval(() => void this.sweep(), SWEEP_MS).unref();
  }

  stop(): void {
    clearInterval(this.sweeping);
  }

  /** The public keys for verifiers in this process (RFC 7517). */
  async getKeySet(): Promise<{ keys: unknown[] }> {
    const published = await this.readKeys();
    return { keys: published.map(({ jwk: { d: _private, ...publicKey } }) => publicKey) };
  }

  /** Serves a request below its paths. It never throws. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.route(request, response);
    } catch (error) {
      this.fail(response, error);
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    this.setAddress(request, url);
    const { interactions, handle } = await this.getRunning();
    if (url.pathname.startsWith(`${INTERACTIONS_PATH}/`)) await interactions.handle(request, response, url);
    else if (url.pathname === SIGN_IN_CALLBACK_PATH) forwardSignIn(response, url);
    else if (url.pathname === REGISTRATION_PATH && request.method === 'OPTIONS') allowRegistration(response);
    else if (url.pathname !== REGISTRATION_PATH || (await this.admitRegistration(request, response)))
      await handle(request, response);
  }

  /** The library builds addresses from the headers of a request: they name the public address. */
  private setAddress(request: IncomingMessage, url: URL): void {
    const { protocol, host } = new URL(this.issuer);
    request.headers.host = host;
    request.headers['x-forwarded-host'] = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    delete request.headers['x-forwarded-for'];
    if (url.pathname === '/oauth/authorize') request.url = addScope(url);
  }

  /** Admits a registration within its limits, or answers 413 or 429 (RFC 7591, section 3.2.2). */
  private async admitRegistration(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    response.setHeader('access-control-allow-origin', '*');
    if (request.method !== 'POST') return true;
    const length = Number(request.headers['content-length'] ?? Infinity);
    if (!(length <= MAX_REGISTRATION_BYTES)) {
      const text = `a registration must have a content-length of at most ${MAX_REGISTRATION_BYTES} bytes`;
      sendError(response, 413, 'invalid_client_metadata', text);
      return false;
    }
    const wait = this.limits.admit(request.socket.remoteAddress ?? '');
    if (wait > 0) {
      response.setHeader('retry-after', wait);
      sendError(response, 429, 'temporarily_unavailable', `too many registrations; try again in ${wait} s`);
      return false;
    }
    if (await this.parts.payloads.makeRoomForClient(MAX_CLIENTS)) return true;
    response.setHeader('retry-after', 3600);
    sendError(response, 429, 'temporarily_unavailable', `${MAX_CLIENTS} registered clients are in use`);
    return false;
  }

  /** The provider for the present keys and address. */
  private async getRunning(): Promise<Running> {
    const published = await this.readKeys();
    const key = JSON.stringify([this.parts.publicUrl(), published.map(({ id }) => id)]);
    const running = await this.running;
    if (running?.key === key) return running;
    this.running = Promise.resolve(this.create(key, published));
    return this.running;
  }

  private create(key: string, published: readonly SigningKey[]): Running {
    const { parts, grants } = this;
    const { payloads, fetch, verifier, now, log } = parts;
    const publicUrl = parts.publicUrl();
    const configuration = createConfiguration({
      publicUrl,
      payloads,
      keys: published.map(({ jwk }) => jwk),
      cookieKeys: [this.deriveKey('authorization server cookies').toString('base64url')],
      fetch,
      findCorporateGrant: (grantId) => grants.find(grantId),
      refreshCorporateTokens: (grantId) => this.refreshCorporateTokens(grantId),
      renderError: (ctx, error, description) => {
        ctx.set(PAGE_HEADERS);
        ctx.body = renderPage('This did not work', renderFailure(error, description));
      },
      now,
    });
    const provider = new Provider(this.issuer, configuration);
    provider.proxy = true;
    provider.use(async (ctx, next) => {
      if (ctx.method === 'POST') await parts.transaction.run(next as () => Promise<void>);
      else await next();
    });
    provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'the authorization server failed'));
    const signIns = new SignIns({
      provider: this.corporateProvider,
      verifier,
      payloads,
      origin: this.issuer,
      now,
    });
    const formTokens = new FormTokens(this.deriveKey('authorization server forms'));
    const interactions = new Interactions({ provider, signIns, grants, formTokens, publicUrl, log });
    return { key, provider, handle: provider.callback(), interactions };
  }

  private async readKeys(): Promise<readonly SigningKey[]> {
    const now = this.parts.now().getTime();
    if (this.keys === undefined || now - this.keys.readAt >= KEYS_MS || now < this.keys.readAt)
      this.keys = { published: await this.parts.keys.maintain(now), readAt: now };
    return this.keys.published;
  }

  /** @throws InvalidGrant when the corporate sign-in has ended: the grant ends too */
  private async refreshCorporateTokens(grantId: string): Promise<void> {
    try {
      await this.grants.refresh(grantId);
    } catch (error) {
      if (error instanceof CorporateGrantEndedError) {
        await this.parts.payloads.endGrant(grantId);
        throw new errors.InvalidGrant('the sign-in at the identity provider has ended');
      }
      this.parts.log.warn({ err: error }, 'the corporate tokens of a grant could not be refreshed');
      throw new errors.TemporarilyUnavailable('the identity provider does not answer; try again later');
    }
  }

  private deriveKey(purpose: string): Buffer {
    return createHmac('sha256', this.parts.sharedKey).update(purpose).digest();
  }

  private async sweep(): Promise<void> {
    try {
      await this.parts.payloads.sweep();
      await this.parts.corporateGrants.sweep();
      await this.readKeys();
    } catch (error) {
      this.parts.log.warn({ err: error }, 'expired objects of the authorization server could not be removed');
    }
  }

  private fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) {
      response.destroy();
    } else if (error instanceof errors.OIDCProviderError) {
      sendPage(response, error.statusCode, 'This did not work', renderFailure(error.error, error.error_description));
    } else {
      this.parts.log.error({ err: error }, 'the authorization server failed');
      if (isUnavailable(error)) response.setHeader('retry-after', 2);
      sendError(response, isUnavailable(error) ? 503 : 500, 'server_error', 'the server could not answer; try again');
    }
  }
}

/** Forwards the callback to its interaction, whose cookie is for the path of the interaction. */
function forwardSignIn(response: ServerResponse, url: URL): void {
  const uid = readInteraction(url.searchParams.get('state'));
  if (uid === undefined) {
    sendPage(
      response,
      400,
      'This did not work',
      renderFailure('invalid_request', 'the state of the sign-in is unknown'),
    );
    return;
  }
  const location = `${INTERACTIONS_PATH}/${uid}/corporate${url.search}`;
  response.writeHead(303, { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).end();
}

/** Clients that name no scope, or others, mean the endpoint. */
function addScope(url: URL): string {
  const scopes = url.searchParams.getAll('scope');
  if (scopes.length > 1) return `${url.pathname}${url.search}`;
  const wanted = new Set((scopes[0] ?? '').split(' ').filter((scope) => scope !== ''));
  url.searchParams.set('scope', [...wanted.add(MCP_SCOPE)].join(' '));
  return `${url.pathname}${url.search}`;
}

/** Lets web pages register as clients: a registration gives no access. */
function allowRegistration(response: ServerResponse): void {
  response
    .writeHead(204, {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, mcp-protocol-version',
      'access-control-max-age': '3600',
    })
    .end();
}

const renderFailure = (error: string, description: string | undefined) =>
  markup`<h1>This did not work</h1><p>${description ?? error}</p><p>Go back to your client and start again.</p>`;

function sendError(response: ServerResponse, status: number, error: string, description: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' })
    .end(JSON.stringify({ error, error_description: description }));
}

import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { isUnavailable } from '@gatehouse/database/unavailable';
import type { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { Log } from '@gatehouse/service-kit/log';
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { DataSource } from 'typeorm';
import type { BrowserSessions } from '../browser/browser-sessions.ts';
import type { CorporateProviders } from '../browser/corporate-providers.ts';
import { INTERACTIONS_PATH } from '../browser/forwarded-sign-ins.ts';
import { PAGE_HEADERS, renderPage } from '../public-listener/page.ts';
import type { DocumentFetch } from './clients/document-fetch.ts';
import { AddressLimits } from './clients/address-limits.ts';
import { DocumentLimits } from './clients/document-limits.ts';
import type { RegistrationCountsRepository } from './clients/registration-counts.repository.ts';
import { RegistrationDoor, REGISTRATION_PATH } from './clients/registration-door.ts';
import { CorporateGrants } from './grants/corporate-grants.ts';
import { CorporateGrantEndedError } from './grants/corporate-refresh.ts';
import type { TokenSet } from '@gatehouse/oauth-client/tokens';
import type { CorporateGrantsRepository } from './grants/corporate-grants.repository.ts';
import { FormTokens } from './interactions/form-token.ts';
import type { ConsentAudit } from './interactions/consent-audit.ts';
import { holdImmediateResponse, IS_PAGE } from './interactions/held-responses.ts';
import { Interactions } from './interactions/interactions.ts';
import { createFailurePage, describeFailure, sendRawPage } from './interactions/raw-page.ts';
import { SignIns } from './interactions/sign-ins.ts';
import type { SigningKey, SigningKeysRepository } from './keys/signing-keys.repository.ts';
import { createConfiguration, GRANT_CLAIM } from './provider/configuration.ts';
import { MCP_SCOPE } from './provider/resources.ts';
import { sendOAuthError } from './clients/oauth-error.ts';
import type { PayloadsRepository } from './storage/payloads.repository.ts';
import type { WriteTransaction } from './storage/write-transaction.ts';

/** Time after which the keys are read again: a new key is published an hour before its use. */
const KEYS_MS = 60_000;
const SWEEP_MS = 60_000;

/** Most authorizations that one address begins in a minute, on each replica: each is stored. */
const AUTHORIZATIONS_PER_MINUTE = 300;

const AUTHORIZATION_PATH = '/oauth/authorize';

/** The dependencies of an AuthorizationServer. */
export interface AuthorizationServerParts {
  dataSource: DataSource;
  cipher: EnvelopeCipher;
  payloads: PayloadsRepository;
  transaction: WriteTransaction;
  keys: SigningKeysRepository;
  corporateGrants: CorporateGrantsRepository;
  registrationCounts: RegistrationCountsRepository;
  providers: CorporateProviders;
  verifier: TokenVerifier;
  fetch: DocumentFetch;
  /** Whether clients may name a metadata document as their client id. */
  hasMetadataDocuments: boolean;
  sessions: BrowserSessions;
  audit: ConsentAudit;
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
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly interactions: Interactions;
}

/**
 * The authorization server for MCP clients (RFC 8414, RFC 9700). It brokers the corporate identity
 * provider: users sign in there, and its grants live as long as the corporate sign-in.
 */
export class AuthorizationServer {
  private readonly door: RegistrationDoor;
  private readonly grants: CorporateGrants;
  private readonly documentLimits = new DocumentLimits();
  private readonly authorizationLimits = new AddressLimits(AUTHORIZATIONS_PER_MINUTE, () => performance.now());
  private running: Running | undefined;
  private keys: { published: readonly SigningKey[]; readAt: number } | undefined;
  private sweeping: NodeJS.Timeout | undefined;

  constructor(private readonly parts: AuthorizationServerParts) {
    const { dataSource, corporateGrants: repository, providers, verifier, publicUrl, now, payloads, log } = parts;
    this.door = new RegistrationDoor(payloads, parts.registrationCounts);
    this.grants = new CorporateGrants({ dataSource, repository, providers, verifier, publicUrl, now, log });
    payloads.onGrantEnded = () => this.grants.revokeEnded();
  }

  /** Whether it can serve: it needs a corporate provider and a key-encryption key. */
  get isEnabled(): boolean {
    return this.parts.providers.issuers.length > 0 && this.parts.cipher.hasKey;
  }

  /** The issuer of its tokens. */
  get issuer(): string {
    return new URL(this.parts.publicUrl()).origin;
  }

  /** Begins to remove what has expired. */
  onModuleInit(): void {
    this.sweeping = setInterval(() => void this.sweep(), SWEEP_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.sweeping);
    await this.grants.close();
  }

  /** The public keys, for the verifier in this process (RFC 7517). */
  async getKeySet(): Promise<Record<string, unknown>> {
    const published = await this.readKeys();
    return { keys: published.map(({ jwk: { d: _private, ...publicKey } }) => publicKey) };
  }

  /**
   * The present corporate tokens behind an access token of this server.
   * @param claims of the verified access token
   * @returns undefined after the end of the grant
   */
  async findCorporateTokens(claims: Readonly<Record<string, unknown>>): Promise<TokenSet | undefined> {
    const id = claims[GRANT_CLAIM];
    return typeof id === 'string' ? this.grants.findTokens(id) : undefined;
  }

  /**
   * Whether the grant of an access token of this server has not ended, as of the last second.
   * @param claims of the verified access token @throws an error of the database
   */
  isGrantActive(claims: Readonly<Record<string, unknown>>): boolean | Promise<boolean> {
    const id = claims[GRANT_CLAIM];
    return typeof id === 'string' && this.grants.isActive(id);
  }

  /** Serves a request below its paths. It never throws. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (this.isEnabled) await this.route(request, response);
      else sendOAuthError(response, 404, 'not_found', 'this gateway has no authorization server');
    } catch (error) {
      this.fail(response, error);
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    this.setAddress(request, url);
    if (isAuthorization(url) && !this.admitAuthorization(request, response)) return;
    const { interactions, handle } = await this.getRunning();
    if (url.pathname.startsWith(`${INTERACTIONS_PATH}/`)) await interactions.handle(request, response, url);
    else if (url.pathname !== REGISTRATION_PATH || (await this.door.admit(request, response)))
      await handle(request, response);
  }

  /** Admits an authorization within the limit of its address, or answers 429. */
  private admitAuthorization({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const wait = this.authorizationLimits.admit(socket.remoteAddress ?? '');
    if (wait === 0) return true;
    response.setHeader('retry-after', wait);
    sendRawPage(response, createFailurePage(429, `Too many sign-ins were begun here. Try again in ${wait} s.`));
    return false;
  }

  /** The library builds addresses from the headers of a request: they name the public address. */
  private setAddress(request: IncomingMessage, url: URL): void {
    const { protocol, host } = new URL(this.issuer);
    request.headers.host = host;
    request.headers['x-forwarded-host'] = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    delete request.headers['x-forwarded-for'];
    if (isAuthorization(url)) request.url = addScope(url);
  }

  /** The provider for the present keys and address. */
  private async getRunning(): Promise<Running> {
    const published = await this.readKeys();
    const key = JSON.stringify([this.parts.publicUrl(), published.map(({ id }) => id)]);
    if (this.running?.key !== key) this.running = this.create(key, published);
    return this.running;
  }

  private create(key: string, published: readonly SigningKey[]): Running {
    const { parts, grants } = this;
    const { payloads, providers, transaction, fetch, verifier, sessions, audit, now, log } = parts;
    const { publicUrl, hasMetadataDocuments } = parts;
    const configuration = createConfiguration({
      publicUrl: publicUrl(),
      payloads,
      keys: published.map(({ jwk }) => jwk),
      cookieKeys: [this.deriveKey('authorization server cookies').toString('base64url')],
      fetch,
      hasMetadataDocuments,
      mayFetch: ({ req }) => this.documentLimits.admit(req),
      findCorporateGrant: (grantId) => grants.find(grantId),
      refreshCorporateTokens: (grantId) => this.refreshCorporateTokens(grantId),
      renderError: (ctx, error, description) => {
        ctx.set(PAGE_HEADERS);
        ctx.state[IS_PAGE] = true;
        const clientId = ctx.oidc.params?.['client_id'];
        const text = describeFailure(description ?? error, clientId);
        log.warn({ clientId, failure: text }, 'an authorization of a client failed');
        ctx.body = renderPage(createFailurePage(ctx.status, text));
      },
      now,
    });
    const provider = new Provider(this.issuer, configuration);
    provider.proxy = true;
    provider.use(async (ctx, next) => {
      if (ctx.method === 'POST') await transaction.run(() => next() as Promise<void>);
      else await next();
      holdImmediateResponse(ctx as KoaContextWithOIDC, this.issuer);
    });
    provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'the authorization server failed'));
    const signIns = new SignIns({ providers, verifier, payloads, publicUrl: publicUrl(), now });
    const formTokens = new FormTokens(this.deriveKey('authorization server forms'));
    const pages = { provider, signIns, sessions, grants, formTokens, transaction, audit, publicUrl: publicUrl(), log };
    const interactions = new Interactions(pages);
    return { key, handle: provider.callback(), interactions };
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
    if (!this.isEnabled) return;
    try {
      await this.parts.payloads.sweep();
      await this.parts.corporateGrants.sweep();
      await this.parts.registrationCounts.sweep();
      this.grants.revokeEnded();
      await this.readKeys();
    } catch (error) {
      this.parts.log.warn({ err: error }, 'expired objects of the authorization server could not be removed');
    }
  }

  private fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error instanceof errors.OIDCProviderError) {
      sendRawPage(response, createFailurePage(error.statusCode, error.error_description ?? error.error));
      return;
    }
    this.parts.log.error({ err: error }, 'the authorization server failed');
    if (isUnavailable(error)) response.setHeader('retry-after', 2);
    sendOAuthError(response, isUnavailable(error) ? 503 : 500, 'server_error', 'the server failed; try again');
  }
}

/** Whether a request begins an authorization. The library also takes a slash at the end. */
const isAuthorization = ({ pathname }: URL): boolean => pathname.replace(/\/+$/, '') === AUTHORIZATION_PATH;

/** Clients that name no scope, or others, mean the endpoint. */
function addScope(url: URL): string {
  const scopes = url.searchParams.getAll('scope');
  if (scopes.length > 1) return `${url.pathname}${url.search}`;
  const wanted = new Set((scopes[0] ?? '').split(' ').filter((scope) => scope !== ''));
  url.searchParams.set('scope', [...wanted.add(MCP_SCOPE)].join(' '));
  return `${url.pathname}${url.search}`;
}

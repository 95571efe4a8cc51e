import { AuthError } from '@gatehouse/auth/auth-error';
import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { beginAuthorization, type PendingAuthorization, redeemCode } from '@gatehouse/oauth-client/authorization';
import { ProviderRefusalError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import type { TokenSet } from '@gatehouse/oauth-client/tokens';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { createHash } from 'node:crypto';
import { SETTINGS, type Settings } from '../config/config.ts';
import { clearCookie, readCookie, setCookie } from '../public-listener/cookies.ts';
import { PageError } from '../public-listener/page-error.ts';
import { PublicOrigin } from '../public-listener/public-origin.ts';
import { SealedText } from '../public-listener/sealed-text.ts';
import type { BrowserPerson } from './browser-sessions.repository.ts';
import { CorporateProviders, type SignInIssuer } from './corporate-providers.ts';

/** Path of the redirect URI at corporate providers. */
export const SIGN_IN_CALLBACK_PATH = '/oauth/sign-in/callback';

const LIFETIME_SECONDS = 600;

/** A page that needs a user. */
export interface SignInRequest {
  /** Path and query of the page, to which the browser comes back. */
  readonly returnTo: string;
  /** The issuer of the user; default the first that can sign users in. */
  readonly issuer?: string | undefined;
  /** `login` asks the provider for another sign-in, also of another user. */
  readonly prompt?: 'login' | undefined;
}

/** A sign-in that has begun, in a cookie of the browser. */
interface PendingSignIn {
  readonly issuerId: string;
  readonly returnTo: string;
  readonly pending: PendingAuthorization;
}

/**
 * Signs users in at a corporate provider (OpenID Connect, authorization code with PKCE). A pending
 * sign-in is in an encrypted cookie alone, so that a flood of them costs no storage.
 */
@Injectable()
export class CorporateSignIn {
  private readonly sealed: SealedText;

  constructor(
    @Inject(SETTINGS) { CURSOR_KEY }: Settings,
    private readonly providers: CorporateProviders,
    private readonly verifier: TokenVerifier,
    private readonly origin: PublicOrigin,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.sealed = new SealedText(CURSOR_KEY, 'browser sign-in', () => clock.now());
  }

  /** Redirects the browser to the provider. @throws PageError */
  async begin(reply: FastifyReply, { returnTo, issuer: wanted, prompt }: SignInRequest): Promise<void> {
    const issuer = this.providers.issuers.find((entry) => wanted === undefined || entry.issuer === wanted);
    if (issuer === undefined)
      throw new PageError(
        503,
        'Sign-in is not set up',
        'This gateway cannot sign users in in a browser. Ask an administrator to set SIGN_IN_CLIENTS.',
      );
    const { url, pending } = await this.callProvider(async () =>
      beginAuthorization(await this.providers.get(issuer), {
        redirectUri: `${this.origin.get()}${SIGN_IN_CALLBACK_PATH}`,
        scope: issuer.scope,
        ...(prompt !== undefined && { parameters: { prompt } }),
      }),
    );
    const value = await this.sealed.seal({ issuerId: issuer.id, returnTo, pending }, LIFETIME_SECONDS);
    const name = createCookieName(pending.state);
    setCookie(reply, this.origin.get(), { name, value, maxAgeSeconds: LIFETIME_SECONDS });
    void reply.redirect(url.href, 302);
  }

  /**
   * Ends a sign-in with the response of the provider.
   * @returns the user, and the page that needs one
   * @throws PageError
   */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<{ person: BrowserPerson; returnTo: string }> {
    const response = new URL(request.url, this.origin.get()).searchParams;
    const name = createCookieName(response.get('state') ?? '');
    const cookie = readCookie(request, this.origin.get(), name);
    const begun = cookie === undefined ? undefined : await this.sealed.open<PendingSignIn>(cookie);
    const issuer = this.providers.issuers.find(({ id }) => id === begun?.issuerId);
    if (begun === undefined || issuer === undefined)
      throw new PageError(
        400,
        'The sign-in has expired',
        'It was begun in another browser or more than 10 minutes ago. Open the first link again.',
      );
    clearCookie(reply, this.origin.get(), name);
    const person = await this.callProvider(async () => {
      const provider = await this.providers.get(issuer);
      const tokens = await redeemCode(provider, response, begun.pending, this.clock.now().getTime());
      return this.identify(issuer, tokens);
    });
    return { person, returnTo: begun.returnTo };
  }

  /**
   * The user of the tokens. The access token names the user as in calls of MCP clients, if it is
   * one for this gateway; else the ID token does, which came straight from the provider.
   */
  private async identify({ issuer }: SignInIssuer, { accessToken, idToken }: TokenSet): Promise<BrowserPerson> {
    const claims = idToken === undefined ? {} : decodeJwt<{ name?: unknown; email?: unknown }>(idToken);
    const verified = await this.verifier.verify(accessToken, `${this.origin.getUrl()}/mcp`).catch((error: unknown) => {
      if (error instanceof AuthError && error.code !== 'unavailable') return undefined;
      throw error;
    });
    const subject = verified?.issuer === issuer ? verified.subject : claims.sub;
    if (subject === undefined)
      throw new PageError(502, 'The sign-in failed', 'The provider named no user. Tell an administrator.');
    return { issuer, subject, displayName: findText(claims.email, claims.name, verified?.name) ?? subject };
  }

  private async callProvider<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (cause) {
      if (cause instanceof PageError || !(cause instanceof GatehouseError)) throw cause;
      this.log.warn({ err: cause }, 'a sign-in at the corporate provider failed');
      if (cause instanceof ProviderRefusalError)
        throw new PageError(403, 'The sign-in was refused', `The provider answered ${cause.error}. Try again.`, {
          cause,
        });
      const isDown = cause instanceof ProviderUnavailableError || cause instanceof AuthError;
      throw new PageError(
        isDown ? 503 : 502,
        'The sign-in failed',
        isDown
          ? 'The provider does not answer. Try again later.'
          : 'The provider sent an invalid response. Tell an administrator.',
        { cause },
      );
    }
  }
}

const findText = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '');

/** Sign-ins in several tabs have cookies of their own. */
const createCookieName = (state: string): string =>
  `sign-in-${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;

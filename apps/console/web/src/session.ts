import * as oidc from 'openid-client';
import { type ConsoleConfig } from './api.ts';

/** A signed-in user. Only this object holds the token. */
export interface Session {
  accessToken: string;
  idToken: string | undefined;
  name: string;
  roles: string[];
}

/**
 * Key of the one-time values of a sign-in in sessionStorage. Tokens stay in memory, because an
 * injected script could read localStorage at any later time and from any tab. After a reload the
 * session of the provider (an HttpOnly cookie) signs the user in again without a page.
 */
const PENDING = 'gatehouse.pending-sign-in';
/** Key of the mark that a user is signed in, so that a reload asks the provider. */
const SIGNED_IN = 'gatehouse.signed-in';

interface Pending {
  verifier: string;
  state: string;
  nonce: string;
}

/** Signs users in and out with the code flow and PKCE. */
export class SignIn {
  readonly #config: ConsoleConfig;

  constructor(config: ConsoleConfig) {
    this.#config = config;
  }

  /**
   * Restores the session at page load: from the response of the provider in the URL, or with a
   * silent sign-in after a reload.
   * @returns undefined without a user, or when the browser leaves for the provider
   */
  async resume(location: URL): Promise<Session | undefined> {
    const pending = takePending();
    if (pending && location.searchParams.has('state')) return this.#finish(location, pending);
    if (sessionStorage.getItem(SIGNED_IN)) await this.start('none');
    return undefined;
  }

  /**
   * Opens the sign-in page of the provider. With `none` the provider shows no page and returns an
   * error when it has no session.
   */
  async start(prompt?: 'none'): Promise<void> {
    const provider = await this.#discover();
    const pending = { verifier: oidc.randomPKCECodeVerifier(), state: oidc.randomState(), nonce: oidc.randomNonce() };
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: getRedirectUri(),
      scope: 'openid profile email',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      ...(prompt === undefined ? {} : { prompt }),
    });
    sessionStorage.setItem(PENDING, JSON.stringify(pending));
    window.location.assign(url);
  }

  /** Ends the session in the console and at the provider. */
  async end(session: Session): Promise<void> {
    sessionStorage.removeItem(SIGNED_IN);
    const provider = await this.#discover();
    const hint = session.idToken === undefined ? {} : { id_token_hint: session.idToken };
    window.location.assign(oidc.buildEndSessionUrl(provider, { post_logout_redirect_uri: getRedirectUri(), ...hint }));
  }

  async #finish(location: URL, pending: Pending): Promise<Session | undefined> {
    window.history.replaceState(undefined, '', '/');
    sessionStorage.removeItem(SIGNED_IN);
    if (location.searchParams.get('error') === 'login_required') return undefined;
    const tokens = await oidc.authorizationCodeGrant(await this.#discover(), location, {
      pkceCodeVerifier: pending.verifier,
      expectedState: pending.state,
      expectedNonce: pending.nonce,
    });
    sessionStorage.setItem(SIGNED_IN, 'yes');
    const claims = tokens.claims();
    const { name, sub, roles } = { name: claims?.['name'], sub: claims?.sub, roles: claims?.['roles'] };
    return {
      accessToken: tokens.access_token,
      idToken: tokens.id_token,
      name: typeof name === 'string' ? name : (sub ?? 'unknown user'),
      roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
    };
  }

  #discover(): Promise<oidc.Configuration> {
    const issuer = new URL(this.#config.issuer);
    const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    return oidc.discovery(issuer, this.#config.client_id, undefined, oidc.None(), { execute });
  }
}

/** Removes the mark that a user is signed in. */
export function forgetSession(): void {
  sessionStorage.removeItem(SIGNED_IN);
}

function takePending(): Pending | undefined {
  const text = sessionStorage.getItem(PENDING);
  sessionStorage.removeItem(PENDING);
  return text === null ? undefined : (JSON.parse(text) as Pending);
}

const getRedirectUri = (): string => `${window.location.origin}/`;

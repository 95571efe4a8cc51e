import * as oidc from 'openid-client';
import { type ConsoleConfig } from './api.ts';

/** A signed-in person. The token lives in this object alone. */
export interface Session {
  accessToken: string;
  idToken: string | undefined;
  name: string;
  roles: string[];
}

/**
 * What has to survive the way to the identity provider and back: one-time values, no token. Tokens
 * stay in memory. A script that gets into a page can read localStorage at any later time and from
 * any tab; memory ends with the page. After a reload the provider's own session (an HttpOnly
 * cookie) signs the person in again without a question.
 */
const PENDING = 'gatehouse.pending-sign-in';
/** Set while somebody is signed in here, so that a reload knows to ask the provider. */
const SIGNED_IN = 'gatehouse.signed-in';

interface Pending {
  verifier: string;
  state: string;
  nonce: string;
}

/** Signing in and out with the code flow and PKCE, in the browser. */
export class SignIn {
  readonly #config: ConsoleConfig;

  constructor(config: ConsoleConfig) {
    this.#config = config;
  }

  /**
   * Finds out at page load who is here: the answer of the provider in the address, or a quiet
   * question to it after a reload.
   * @returns undefined for nobody, or when the browser is on its way to the provider
   */
  async resume(location: URL): Promise<Session | undefined> {
    const pending = takePending();
    if (pending && location.searchParams.has('state')) return this.#finish(location, pending);
    if (sessionStorage.getItem(SIGNED_IN)) await this.start('none');
    return undefined;
  }

  /**
   * Goes to the provider. `none` asks it without showing anything, and comes back empty-handed when
   * there is no session.
   */
  async start(prompt?: 'none'): Promise<void> {
    const provider = await this.#discover();
    const pending = { verifier: oidc.randomPKCECodeVerifier(), state: oidc.randomState(), nonce: oidc.randomNonce() };
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri(),
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

  /** Ends the session here and at the provider. */
  async end(session: Session): Promise<void> {
    sessionStorage.removeItem(SIGNED_IN);
    const provider = await this.#discover();
    const hint = session.idToken === undefined ? {} : { id_token_hint: session.idToken };
    window.location.assign(oidc.buildEndSessionUrl(provider, { post_logout_redirect_uri: redirectUri(), ...hint }));
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
      name: typeof name === 'string' ? name : (sub ?? 'somebody'),
      roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
    };
  }

  #discover(): Promise<oidc.Configuration> {
    const issuer = new URL(this.#config.issuer);
    const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    return oidc.discovery(issuer, this.#config.client_id, undefined, oidc.None(), { execute });
  }
}

/** Forgets that somebody is signed in here. */
export function forgetSession(): void {
  sessionStorage.removeItem(SIGNED_IN);
}

function takePending(): Pending | undefined {
  const text = sessionStorage.getItem(PENDING);
  sessionStorage.removeItem(PENDING);
  return text === null ? undefined : (JSON.parse(text) as Pending);
}

const redirectUri = (): string => `${window.location.origin}/`;

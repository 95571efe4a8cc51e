import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { readChallenge } from '@gatehouse/oauth-client/challenge';
import { ProviderRefusalError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import { refreshTokens } from '@gatehouse/oauth-client/tokens';
import type { UpstreamTokens } from '@gatehouse/proxy/options';
import { getErrorMessage } from '../../errors/workload-error.ts';
import { createSessionProvider, type SessionSecrets } from './session-provider.ts';
import type { RemoteSession } from './remote-session.ts';
import { SessionEndedError } from './session-ended-error.ts';

/** A token is replaced this long before its expiry; a short-lived one after 90 % of its time. */
const EARLY_MS = 60_000;
/** The pause after a refresh that failed without a refusal. */
const PAUSE_MS = 5_000;
/** The longest list of scopes that is kept, in characters. */
const MAX_SCOPES_LENGTH = 2_048;
/** The form of a bearer token that a header can carry. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

/** The parts of {@link RemoteTokens}. */
export interface RemoteTokensParts extends SessionSecrets {
  /** The name of the workload. */
  readonly name: string;
  readonly save: (session: RemoteSession) => Promise<void>;
  readonly log: (message: string) => void;
  readonly now?: () => number;
}

/**
 * The access token of a session. It is refreshed before its expiry and after a refusal by the
 * server, once at a time. Each rotated refresh token is stored before its answer is used.
 */
export class RemoteTokens implements UpstreamTokens {
  /** Called with the reason why there is no token, and with undefined when there is one again. */
  onChange: (reason: string | undefined) => void = () => undefined;
  /** Called with the scopes that the next sign-in will ask for. */
  onMissingScopes: (scopes: readonly string[]) => void = () => undefined;
  readonly #now: () => number;
  #pending: Promise<string> | undefined;
  #failure: { readonly error: GatehouseError; readonly until: number } | undefined;
  #freshUntil: number;

  constructor(
    private session: RemoteSession,
    private readonly parts: RemoteTokensParts,
  ) {
    this.#now = parts.now ?? Date.now;
    this.#freshUntil = this.#computeFreshUntil(this.#now());
  }

  get(): string | Promise<string> {
    const { access_token: token } = this.session;
    return token !== undefined && this.#now() < this.#freshUntil ? token : this.#renew();
  }

  reject(token: string): void {
    if (this.session.access_token !== token) return;
    const { access_token: _token, expires_at: _time, ...rest } = this.session;
    this.session = rest;
  }

  /**
   * The server has refused a request with `insufficient_scope`. The missing scopes are stored for
   * the next sign-in. Scopes that a sign-in has asked for already cause no other one.
   * @param challenge the value of WWW-Authenticate
   * @returns the message for the client
   */
  async requireScopes(challenge: string): Promise<string> {
    const { scopes: named = [] } = await readChallenge(challenge).catch(() => ({ scopes: [] }));
    const { scopes: granted = [], asked_scopes: asked = [], required_scopes: required = [] } = this.session;
    const { name } = this.parts;
    const missing = named.filter((scope) => !asked.includes(scope) && !granted.includes(scope));
    const all = [...new Set([...required, ...missing])];
    if (missing.length === 0 || all.join(' ').length > MAX_SCOPES_LENGTH) {
      const list = named.length === 0 ? '' : ` (${named.join(' ').slice(0, MAX_SCOPES_LENGTH)})`;
      return `The MCP server refuses this request for its scopes${list}, which another sign-in of ${name} does not change.`;
    }
    if (all.length > required.length) await this.#keep({ ...this.session, required_scopes: all });
    this.onMissingScopes(all);
    const scopes = missing.length === 1 ? 'scope' : 'scopes';
    return `The MCP server needs the ${scopes} ${missing.join(' ')} for this request. Sign in again with: gatehouse start ${name}`;
  }

  #computeFreshUntil(now: number): number {
    const { expires_at: end } = this.session;
    return end === undefined ? Number.POSITIVE_INFINITY : end - Math.min(EARLY_MS, Math.max(0, end - now) / 10);
  }

  #renew(): Promise<string> {
    return (this.#pending ??= this.#refresh().finally(() => {
      this.#pending = undefined;
    }));
  }

  async #refresh(): Promise<string> {
    const now = this.#now();
    if (this.#failure !== undefined && now < this.#failure.until) return this.#fallBack(this.#failure.error);
    try {
      const token = await this.#request(now);
      if (this.#failure !== undefined) this.onChange(undefined);
      this.#failure = undefined;
      return token;
    } catch (thrown) {
      const { error, isOver } = classify(thrown);
      if (this.#failure === undefined || isOver) this.onChange(error.message);
      this.#failure = { error, until: isOver ? Number.POSITIVE_INFINITY : this.#now() + PAUSE_MS };
      return this.#fallBack(error);
    }
  }

  /** A token that is about to expire is used while the server cannot be asked. */
  #fallBack(error: GatehouseError): string {
    const { access_token: token, expires_at: end } = this.session;
    if (token !== undefined && (end === undefined || this.#now() < end)) return token;
    throw error;
  }

  async #request(now: number): Promise<string> {
    const { session, parts } = this;
    const { refresh_token: refreshToken, resource } = session;
    if (refreshToken === undefined)
      throw new SessionEndedError('the access token has ended, and there is no refresh token', '');
    const tokens = await refreshTokens(createSessionProvider(session, parts), refreshToken, {
      resource,
      now,
      saveRotated: (rotated) => this.#keep({ ...this.session, refresh_token: rotated }),
    });
    if (!HEADER_TEXT.test(tokens.accessToken)) throw new ProviderUnavailableError('the new token fits no header');
    const { access_token: _old, expires_at: _end, ...rest } = this.session;
    const { accessToken: access_token, expiresAt: expires_at } = tokens;
    await this.#keep({ ...rest, access_token, ...(expires_at !== undefined && { expires_at }) });
    this.#freshUntil = this.#computeFreshUntil(now);
    return access_token;
  }

  /** A session that cannot be stored goes on in memory. */
  async #keep(session: RemoteSession): Promise<void> {
    this.session = session;
    await this.parts.save(session).catch((error: unknown) => {
      this.parts.log(`the tokens of the sign-in cannot be stored: ${getErrorMessage(error)}`);
    });
  }
}

/** A refusal ends the session; every other failure can pass. */
function classify(thrown: unknown): { error: GatehouseError; isOver: boolean } {
  if (thrown instanceof SessionEndedError) return { error: thrown, isOver: true };
  if (thrown instanceof ProviderRefusalError)
    return {
      error: new SessionEndedError(`the authorization server ended the session: ${thrown.message}`, thrown.error),
      isOver: true,
    };
  const text = `the authorization server gives no token: ${getErrorMessage(thrown)}`;
  return { error: new ProviderUnavailableError(text), isOver: false };
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderMetadata } from '@gatehouse/oauth-client/provider';

/** A request to the token or the revocation endpoint. */
interface ProviderRequest {
  readonly path: string;
  readonly form: URLSearchParams;
}

/** The answer to a refresh, in the place of new tokens. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly body: unknown;
}

/**
 * An authorization server that rotates refresh tokens: a used one is invalid, and its second use
 * ends the grant (RFC 9700, section 4.14.2). A test can hold its answers, and script them.
 */
export class TokenProvider {
  readonly requests: ProviderRequest[] = [];
  /** Access tokens that its API accepts. */
  readonly accepted = new Set<string>();
  /** Refresh tokens that can be used once. */
  readonly refreshable = new Set<string>();
  readonly revoked: string[] = [];
  /** Whether a refresh returns a new refresh token. */
  rotates = true;
  /** `expires_in` of new tokens; undefined sends none. */
  expiresIn: number | undefined = 3_600;
  /** Answers of the next refreshes. */
  readonly script: ScriptedAnswer[] = [];
  /** The next answers wait until `release`. */
  private holding: PromiseWithResolvers<undefined> | undefined;
  /** The next requests wait until `release`, and are not executed if their client is gone. */
  private delaying: PromiseWithResolvers<undefined> | undefined;
  private readonly used = new Set<string>();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<TokenProvider> {
    const provider = new TokenProvider();
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get metadata(): ProviderMetadata {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  /** Requests with a refresh token so far. */
  get refreshes(): number {
    return this.requests.filter(({ path }) => path === '/token').length;
  }

  /** Issues tokens as a sign-in does. */
  issue(): { accessToken: string; refreshToken: string } {
    const tokens = { accessToken: createToken('access'), refreshToken: createToken('refresh') };
    this.accepted.add(tokens.accessToken);
    this.refreshable.add(tokens.refreshToken);
    return tokens;
  }

  /** Makes the next answers wait, after the server has decided on them. */
  hold(): void {
    this.holding = Promise.withResolvers();
  }

  /** Makes the next requests wait, before the server has decided on them. */
  delay(): void {
    this.delaying = Promise.withResolvers();
  }

  /** Goes on with the waiting requests and answers. */
  release(): void {
    this.holding?.resolve(undefined);
    this.delaying?.resolve(undefined);
    this.delaying = undefined;
    this.holding = undefined;
  }

  async close(): Promise<void> {
    this.release();
    const closed = once(this.server.close(), 'close');
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const path = request.url ?? '';
    const form = new URLSearchParams(text);
    if (path.startsWith('/.well-known/')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.metadata));
      return;
    }
    this.requests.push({ path, form });
    await this.delaying?.promise;
    if (request.socket.destroyed) return;
    const { status = 200, body } = path === '/revoke' ? this.revoke(form) : this.refresh(form);
    await this.holding?.promise;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  private revoke(form: URLSearchParams): ScriptedAnswer {
    const token = form.get('token') ?? '';
    this.revoked.push(token);
    this.refreshable.delete(token);
    this.accepted.delete(token);
    return { body: {} };
  }

  private refresh(form: URLSearchParams): ScriptedAnswer {
    const scripted = this.script.shift();
    if (scripted !== undefined) return scripted;
    const old = form.get('refresh_token') ?? '';
    if (this.used.has(old)) this.refreshable.clear();
    if (!this.refreshable.has(old)) return { status: 400, body: { error: 'invalid_grant' } };
    const accessToken = createToken('access');
    this.accepted.add(accessToken);
    const rotated = this.rotates ? createToken('refresh') : undefined;
    if (rotated !== undefined) {
      this.refreshable.delete(old);
      this.used.add(old);
      this.refreshable.add(rotated);
    }
    return {
      body: {
        access_token: accessToken,
        token_type: 'Bearer',
        ...(this.expiresIn !== undefined && { expires_in: this.expiresIn }),
        ...(rotated !== undefined && { refresh_token: rotated }),
      },
    };
  }
}

const createToken = (kind: string): string => `canary-${kind}-${randomBytes(24).toString('base64url')}`;

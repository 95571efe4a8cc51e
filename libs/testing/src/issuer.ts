import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { randomUUID, type webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestAuthorizationServer } from './authorization-server.ts';

/**
 * The claims of a token. Each has a default; `claims` replaces any of them, also with wrong values.
 */
export interface TokenRequest {
  /** `sub`; default a random UUID. */
  subject?: string;
  /** Values of the `roles` claim; default none. */
  roles?: string[];
  /** `client_id`; default `gateway` for tokens with the role `gateway`, else left out. */
  clientId?: string;
  /** `aud`; default the issuer's `audience`. */
  audience?: string | string[];
  /** `iss`; default this issuer. */
  issuer?: string;
  /**
   * Lifetime in seconds from now, negative for an expired token. Default: a day, because a suite
   * can take long on a slow machine.
   */
  expiresIn?: number;
  /** `nbf` in seconds from now; default left out. */
  notBefore?: number;
  email?: string;
  name?: string;
  groups?: string[];
  /** Further claims; `undefined` removes one. */
  claims?: Record<string, unknown>;
  /** Further protected header fields; `kid` may be replaced. */
  header?: Record<string, unknown>;
}

/** Default `client_id` of tokens with the role `gateway`. */
export const GATEWAY_CLIENT = 'gateway';

/** An OpenID issuer for tests: discovery and key set over real HTTP, tokens on demand. */
export interface TestIssuer {
  /** Base URL, the `iss` of its tokens. */
  readonly issuer: string;
  readonly jwksUri: string;
  /** Default audience of its tokens. */
  readonly audience: string;
  /** Number of requests for the key set so far. */
  readonly jwksRequests: number;
  /** Its endpoints for sign-ins of users. */
  readonly authorization: TestAuthorizationServer;
  /** Replaces members of the discovery document; `undefined` removes one. */
  metadata: Record<string, unknown>;
  /** Signs a token with the current key (ES256). */
  token(request?: TokenRequest): Promise<string>;
  /**
   * Creates a new signing key and removes the old one from the key set unless `keepOld`. Returns
   * the new key id.
   */
  rotate(options?: { keepOld?: boolean }): Promise<string>;
  /** The public keys of the key set. */
  keys(): JWK[];
  /** Makes discovery and key set answer 503 until `startJwks`. */
  stopJwks(): void;
  startJwks(): void;
  close(): Promise<void>;
}

interface SigningKey {
  kid: string;
  privateKey: webcrypto.CryptoKey;
  publicJwk: JWK;
}

const DISCOVERY_PATHS: ReadonlySet<string> = new Set([
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
]);

/**
 * Starts an issuer on a free loopback port.
 * @param options.audience default audience of tokens, `gatehouse`
 */
export async function startIssuer(options: { audience?: string; port?: number } = {}): Promise<TestIssuer> {
  const issuer = new HttpIssuer(options.audience ?? 'gatehouse', await makeKey());
  await issuer.listen(options.port ?? 0);
  return issuer;
}

class HttpIssuer implements TestIssuer {
  readonly audience: string;
  issuer = '';
  jwksRequests = 0;
  metadata: Record<string, unknown> = {};
  readonly authorization = new TestAuthorizationServer(
    () => this.issuer,
    (request) => this.token(request),
  );
  #published: SigningKey[];
  #isStopped = false;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  constructor(audience: string, key: SigningKey) {
    this.audience = audience;
    this.#published = [key];
  }

  get jwksUri(): string {
    return `${this.issuer}/jwks`;
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async token(request: TokenRequest = {}): Promise<string> {
    const key = this.#published.at(-1)!;
    const now = Math.floor(Date.now() / 1000);
    const claims: Record<string, unknown> = {
      iss: request.issuer ?? this.issuer,
      sub: request.subject ?? randomUUID(),
      aud: request.audience ?? this.audience,
      iat: now,
      exp: now + (request.expiresIn ?? 86_400),
      jti: randomUUID(),
      nbf: request.notBefore === undefined ? undefined : now + request.notBefore,
      email: request.email,
      name: request.name,
      client_id: request.clientId ?? (request.roles?.includes('gateway') ? GATEWAY_CLIENT : undefined),
      roles: request.roles,
      groups: request.groups,
      ...request.claims,
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'at+jwt', ...request.header })
      .sign(key.privateKey);
  }

  async rotate({ keepOld = false } = {}): Promise<string> {
    const next = await makeKey();
    this.#published = keepOld ? [...this.#published, next] : [next];
    return next.kid;
  }

  keys(): JWK[] {
    return this.#published.map((key) => key.publicJwk);
  }

  stopJwks(): void {
    this.#isStopped = true;
  }

  startJwks(): void {
    this.#isStopped = false;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/jwks') this.jwksRequests += 1;
    if (this.#isStopped) send(503, { error: 'stopped' });
    else if (request.url === '/jwks') send(200, { keys: this.keys() });
    else if (DISCOVERY_PATHS.has(request.url ?? '')) send(200, this.#discoveryDocument());
    else if (!(await this.authorization.serve(request, response))) send(404, { error: 'not found' });
  }

  #discoveryDocument(): Record<string, unknown> {
    return {
      issuer: this.issuer,
      jwks_uri: this.jwksUri,
      ...this.authorization.metadata,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      ...this.metadata,
    };
  }
}

async function makeKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = randomUUID();
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

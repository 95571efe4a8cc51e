import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { randomUUID, type webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What a token shall say. Everything has a default; `claims` is written last and so can also break
 * any claim on purpose.
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
   * Lifetime in seconds from now, negative for an expired token; default a day: a suite may take
   * long on a slow machine.
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

/** Client of tokens with the role `gateway`, unless told otherwise. */
export const GATEWAY_CLIENT = 'gateway';

/** An OpenID issuer for tests: discovery and key set over real HTTP, tokens on demand. */
export interface TestIssuer {
  /** Base URL, the `iss` of its tokens. */
  readonly issuer: string;
  readonly jwksUri: string;
  /** Default audience of its tokens. */
  readonly audience: string;
  /** How often the key set was fetched so far. */
  readonly jwksRequests: number;
  /** Signs a token with the current key (ES256). */
  token(request?: TokenRequest): Promise<string>;
  /**
   * Makes a new signing key; the old one leaves the key set unless `keepOld`. Returns the new key
   * id.
   */
  rotate(options?: { keepOld?: boolean }): Promise<string>;
  /** The public keys that the key set holds now. */
  keys(): JWK[];
  /** Lets discovery and key set answer 503 until `startJwks`. */
  stopJwks(): void;
  startJwks(): void;
  close(): Promise<void>;
}

interface SigningKey {
  kid: string;
  privateKey: webcrypto.CryptoKey;
  publicJwk: JWK;
}

/**
 * Starts an issuer on a free loopback port.
 * @param options.audience default audience of tokens, `gatehouse`
 */
export async function startIssuer(options: { audience?: string; port?: number } = {}): Promise<TestIssuer> {
  const audience = options.audience ?? 'gatehouse';
  let published: SigningKey[] = [await makeKey()];
  let down = false;
  let jwksRequests = 0;
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/jwks') jwksRequests += 1;
    if (down) send(503, { error: 'stopped' });
    else if (request.url === '/jwks') send(200, { keys: published.map((key) => key.publicJwk) });
    else if (request.url === '/.well-known/openid-configuration') {
      send(200, {
        issuer,
        jwks_uri: jwksUri,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
      });
    } else send(404, { error: 'not found' });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const jwksUri = `${issuer}/jwks`;

  return {
    issuer,
    jwksUri,
    audience,
    get jwksRequests() {
      return jwksRequests;
    },
    async token(request = {}) {
      const key = published.at(-1)!;
      const now = Math.floor(Date.now() / 1000);
      const claims: Record<string, unknown> = {
        iss: request.issuer ?? issuer,
        sub: request.subject ?? randomUUID(),
        aud: request.audience ?? audience,
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
    },
    async rotate({ keepOld = false } = {}) {
      const next = await makeKey();
      published = keepOld ? [...published, next] : [next];
      return next.kid;
    },
    keys: () => published.map((key) => key.publicJwk),
    stopJwks: () => {
      down = true;
    },
    startJwks: () => {
      down = false;
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function makeKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = randomUUID();
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

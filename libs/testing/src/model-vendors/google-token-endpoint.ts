import { exportPKCS8, generateKeyPair, type JWTPayload, jwtVerify } from 'jose';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const EMAIL = 'gateway@sim-project.iam.gserviceaccount.com';
const KEY_ID = 'simulated-key-1';

/** The token endpoint of Google with one service account. */
export interface GoogleTokenEndpoint {
  /** The key file of the service account: JSON as Google writes it. */
  readonly keyFile: string;
  /** The valid access tokens, in the order of their issue. A test can remove some. */
  readonly tokens: Set<string>;
  /** The number of requests, valid or not. */
  readonly requests: number;
  /** Answers the next requests; undefined to issue tokens. */
  answer: ((response: ServerResponse) => unknown) | undefined;
  /** `expires_in` of tokens, in seconds. */
  lifetimeSeconds: number;
  close(): Promise<void>;
}

/** Starts a token endpoint. It refuses assertions that Google refuses. */
export async function startGoogleTokenEndpoint(): Promise<GoogleTokenEndpoint> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const verify = async (assertion: string, audience: string): Promise<JWTPayload> => {
    const { payload, protectedHeader } = await jwtVerify(assertion, publicKey, {
      issuer: EMAIL,
      audience,
      algorithms: ['RS256'],
      requiredClaims: ['iat', 'exp', 'scope'],
    });
    if (protectedHeader.kid !== KEY_ID) throw new Error('the key id is unknown');
    return payload;
  };
  const endpoint = {
    tokens: new Set<string>(),
    requests: 0,
    answer: undefined as GoogleTokenEndpoint['answer'],
    lifetimeSeconds: 3_599,
    keyFile: '',
  };
  const server = createServer((request, response) => {
    endpoint.requests += 1;
    if (endpoint.answer === undefined) void issue(request, response);
    else endpoint.answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;

  const issue = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = await examine(request, (assertion) => verify(assertion, url));
    if (refusal !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
      return;
    }
    const access_token = `ya29.${randomBytes(24).toString('base64url')}`;
    endpoint.tokens.add(access_token);
    const body = { access_token, expires_in: endpoint.lifetimeSeconds, token_type: 'Bearer' };
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  };

  endpoint.keyFile = JSON.stringify(
    {
      type: 'service_account',
      project_id: 'sim-project',
      private_key_id: KEY_ID,
      private_key: await exportPKCS8(privateKey),
      client_email: EMAIL,
      client_id: '100000000000000000001',
      auth_uri: 'https://accounts.google.com/o/oauth2/auth',
      token_uri: url,
      universe_domain: 'googleapis.com',
    },
    null,
    2,
  );
  return Object.assign(endpoint, {
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  });
}

/** Returns the refusal of a request; undefined if it gets a token. */
async function examine(
  request: IncomingMessage,
  verify: (assertion: string) => Promise<JWTPayload>,
): Promise<object | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/x-www-form-urlencoded')
    return { error: 'invalid_request', error_description: 'Bad Request' };
  if (form.get('grant_type') !== GRANT)
    return { error: 'unsupported_grant_type', error_description: 'Invalid grant_type' };
  try {
    const { scope, iat = 0, exp = 0 } = await verify(form.get('assertion') ?? '');
    if (scope !== SCOPE)
      return { error: 'invalid_scope', error_description: 'Invalid OAuth scope or ID token audience.' };
    if (exp - iat > 3_600)
      return { error: 'invalid_grant', error_description: 'Invalid JWT: Token must be short-lived.' };
    return undefined;
  } catch {
    return { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' };
  }
}

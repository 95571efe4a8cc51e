import { createHash, randomBytes } from 'node:crypto';
import { CLIENT_REDIRECT, decide, openConsent } from './mcp-sign-in.ts';

/** A JSON answer of the server. */
export interface Answer {
  status: number;
  body: Record<string, string>;
  headers: Headers;
}

/** Registers a client (RFC 7591). */
export async function register(origin: string, metadata: Record<string, unknown> = {}): Promise<Answer> {
  const body = { client_name: 'Raw client', redirect_uris: [CLIENT_REDIRECT], ...metadata };
  const response = await fetch(`${origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return readAnswer(response);
}

const knownClients = new Map<string, Promise<string>>();

/** The id of a client: without metadata one for all, since an address may not register many. */
export function registerClient(origin: string, metadata?: Record<string, unknown>): Promise<string> {
  const known = metadata === undefined ? knownClients.get(origin) : undefined;
  if (known !== undefined) return known;
  const created = register(origin, metadata).then(({ status, body }) => {
    if (status !== 201) throw new Error(`the registration was refused: ${JSON.stringify(body)}`);
    return body['client_id'] ?? '';
  });
  if (metadata === undefined) knownClients.set(origin, created);
  return created;
}

/** An authorization request with its code verifier. */
export interface RawAuthorization {
  url: URL;
  verifier: string;
}

/** Creates an authorization request; `undefined` removes a parameter. */
export function createAuthorization(
  origin: string,
  clientId: string,
  more: Record<string, string | undefined> = {},
): RawAuthorization {
  const verifier = randomBytes(32).toString('base64url');
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CLIENT_REDIRECT,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'state of the client',
    ...more,
  };
  const url = new URL(`${origin}/oauth/authorize`);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return { url, verifier };
}

/** Calls the token endpoint. */
export async function requestToken(origin: string, form: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return readAnswer(response);
}

/** Redeems a code. */
export const redeem = (
  origin: string,
  { clientId, code, verifier, ...more }: { clientId: string; code: string; verifier: string } & Record<string, string>,
): Promise<Answer> =>
  requestToken(origin, {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: CLIENT_REDIRECT,
    code,
    code_verifier: verifier,
    ...more,
  });

/** Refreshes tokens. */
export const refresh = (origin: string, clientId: string, refreshToken: string): Promise<Answer> =>
  requestToken(origin, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });

/** A signed-in client. */
export interface SignedInClient {
  clientId: string;
  accessToken: string;
  refreshToken: string;
}

/** Signs a new client in. */
export async function signInClient(
  origin: string,
  more: Record<string, string | undefined> = {},
): Promise<SignedInClient> {
  const clientId = await registerClient(origin);
  const { url, verifier } = createAuthorization(origin, clientId, more);
  const redirect = await decide(await openConsent(url));
  const { status, body } = await redeem(origin, { clientId, code: redirect.searchParams.get('code') ?? '', verifier });
  if (status !== 200) throw new Error(`the code was refused: ${JSON.stringify(body)}`);
  return { clientId, accessToken: body['access_token'] ?? '', refreshToken: body['refresh_token'] ?? '' };
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : { text };
  return { status: response.status, body, headers: response.headers };
}

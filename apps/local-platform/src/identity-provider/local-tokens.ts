import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IdentityProviderConfig } from './config.ts';
import { clientClaims, personClaims, isSameSecret, type Directory, type IdentityClaims } from './directory.ts';
import { readBody, sendJson } from './http.ts';
import { mintAccessToken } from './mint.ts';
import { signingKey } from './token-exchange.ts';

/** Maximum lifetime of a token of `POST /local/tokens`, in seconds. */
const MAX_TTL = 24 * 60 * 60;

/**
 * `POST /local/tokens` `{"user" | "client", "audience"?, "ttl_seconds"?}` -> `{"access_token",
 * "expires_in"}`: an access token without a sign-in. The bearer token of the request is a secret in
 * the home folder.
 */
export async function handleLocalTokenRequest(
  request: IncomingMessage,
  response: ServerResponse,
  config: IdentityProviderConfig,
  directory: Directory,
): Promise<void> {
  const [scheme, secret] = (request.headers.authorization ?? '').split(' ');
  if (scheme !== 'Bearer' || !isSameSecret(secret ?? '', config.state.local_secret)) {
    sendJson(response, 401, { error: 'the bearer token must be the local secret in the home folder of the platform' });
    return;
  }
  const parsed = parse(await readBody(request), directory);
  if ('error' in parsed) {
    sendJson(response, parsed.status, { error: parsed.error });
    return;
  }
  const accessToken = await mintAccessToken(signingKey(config), {
    issuer: config.issuer,
    audience: parsed.audience ?? config.audience,
    clientId: parsed.clientId,
    claims: parsed.claims,
    ttl: parsed.ttl,
    now: Math.floor(Date.now() / 1000),
  });
  sendJson(response, 200, { access_token: accessToken, token_type: 'Bearer', expires_in: parsed.ttl });
}

type ParsedRequest =
  { status: number; error: string } | { audience?: string; ttl: number; clientId: string; claims: IdentityClaims };

function parse(body: string, directory: Directory): ParsedRequest {
  const { user, client, audience, ttl_seconds: ttl = 600 } = parseObject(body);
  if (audience !== undefined && (typeof audience !== 'string' || audience === '')) {
    return { status: 400, error: 'audience must be a non-empty string' };
  }
  if (typeof ttl !== 'number' || !Number.isInteger(ttl) || ttl < 1 || ttl > MAX_TTL) {
    return { status: 400, error: `ttl_seconds must be a whole number from 1 to ${MAX_TTL}` };
  }
  const target = audience === undefined ? {} : { audience };
  const names = directory.names();
  if (typeof user === 'string' && client === undefined) {
    const person = directory.personNamed(user);
    if (person) return { ...target, ttl, clientId: 'gatehouse-cli', claims: personClaims(person) };
    return { status: 404, error: `there is no user ${JSON.stringify(user)}; there are: ${names.people.join(', ')}` };
  }
  if (typeof client === 'string' && user === undefined) {
    const service = directory.client(client);
    if (service) return { ...target, ttl, clientId: service.client_id, claims: clientClaims(service) };
    return {
      status: 404,
      error: `there is no client ${JSON.stringify(client)}; there are: ${names.clients.join(', ')}`,
    };
  }
  return { status: 400, error: 'give either user or client, as a string' };
}

function parseObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

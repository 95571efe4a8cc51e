import { openEgress } from '@gatehouse/egress/egress';
import type { Permission } from '@gatehouse/egress/target';
import { InvalidProviderError } from '@gatehouse/oauth-client/errors';
import { discoverProtectedResource, type ProtectedResource } from '@gatehouse/oauth-client/protected-resource';
import type { ProviderHttp } from '@gatehouse/oauth-client/provider';

/** The first message of a client without a token, to which a protected server answers 401. */
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/**
 * Reads the metadata of a connector's server (RFC 9728): at the address of its challenge, else at
 * its well-known addresses.
 * @returns undefined for a server without a document
 * @throws ProviderUnavailableError; InvalidProviderError for a challenge with a wrong document
 */
export async function findProtectedResource(
  endpoint: URL,
  permission: Permission,
  http: ProviderHttp,
): Promise<ProtectedResource | undefined> {
  const challenge = await readChallenge(endpoint, permission, http.timeoutS * 1000);
  try {
    return await discoverProtectedResource(endpoint, http, challenge);
  } catch (error) {
    if (challenge?.includes('resource_metadata') !== true && error instanceof InvalidProviderError) return undefined;
    throw error;
  }
}

/** The challenge of a request without a token; undefined if the server answers with none. */
async function readChallenge(endpoint: URL, permission: Permission, timeoutMs: number): Promise<string | undefined> {
  const egress = openEgress(permission, { limits: { maxRedirects: 0 } });
  try {
    const response = await egress.fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: PING,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return response.status === 401 ? (response.headers.get('www-authenticate') ?? undefined) : undefined;
  } catch {
    // The well-known addresses show whether the server can be reached.
    return undefined;
  } finally {
    await egress.close();
  }
}

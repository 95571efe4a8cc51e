import { ErrorCode, type RpcErrorResponse } from '../errors.ts';
import { isJsonObject, type JsonObject, type RpcResponse } from '../json-rpc.ts';
import { isLegacyRevision, isModernRevision, LATEST_LEGACY_REVISION, LATEST_MODERN_REVISION } from '../revisions.ts';
import type { KnownEra, RequestExchange } from './connection.ts';
import {
  ConnectionError,
  HttpStatusError,
  NotConnectedError,
  StreamBrokenError,
  UnexpectedResponseError,
} from './connection-errors.ts';
import type { Transport } from './transport.ts';

/** The declarations of the client to a server. */
export interface Client {
  readonly clientInfo: JsonObject;
  readonly capabilities: JsonObject;
}

type Handshake = Omit<KnownEra, 'hasSession'>;

/** Statuses that say nothing about the era: authentication, time, load. */
const INCONCLUSIVE: readonly number[] = [401, 402, 403, 407, 408, 421, 423, 425, 429];

/**
 * Finds the era of a server with `server/discover`. A server that does not know the method is a
 * legacy one (2026-07-28, transports, backward compatibility).
 * @returns the handshake of a modern server; undefined for a legacy one
 * @throws NotConnectedError when the answer says nothing about the era
 */
export async function discover(transport: Transport, exchange: RequestExchange): Promise<Handshake | undefined> {
  transport.declare({ era: 'modern', revision: LATEST_MODERN_REVISION });
  let response: RpcResponse;
  try {
    response = await transport.request('server/discover', {}, exchange);
  } catch (error) {
    const refusal = error instanceof HttpStatusError ? error.refusal : undefined;
    if (!isLegacyAnswer(error)) throw createHandshakeError('server/discover', error);
    if (refusal !== undefined) checkVersions(refusal);
    return undefined;
  }
  if ('error' in response) {
    checkVersions(response);
    return undefined;
  }
  const { supportedVersions } = response.result;
  if (!Array.isArray(supportedVersions)) return undefined;
  return hasModern(supportedVersions)
    ? { era: 'modern', revision: LATEST_MODERN_REVISION, handshake: response.result }
    : undefined;
}

/**
 * Opens the session of a legacy server.
 * @throws NotConnectedError
 */
export async function initialize(transport: Transport, client: Client, exchange: RequestExchange): Promise<Handshake> {
  const { clientInfo, capabilities } = client;
  transport.declare({ era: 'legacy', revision: undefined });
  const params = { protocolVersion: LATEST_LEGACY_REVISION, capabilities, clientInfo };
  try {
    const response = await transport.request('initialize', params, exchange);
    if ('error' in response)
      throw new NotConnectedError('The MCP server refused to initialize.', { refusal: response });
    const { protocolVersion } = response.result;
    if (typeof protocolVersion !== 'string' || !isLegacyRevision(protocolVersion))
      throw new NotConnectedError('The MCP server chose a protocol version that this client does not support.');
    transport.declare({ era: 'legacy', revision: protocolVersion });
    await transport.notify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return { era: 'legacy', revision: protocolVersion, handshake: response.result };
  } catch (error) {
    throw createHandshakeError('initialize', error);
  }
}

/** Whether the answer to `server/discover` shows a server that does not know this method. */
function isLegacyAnswer(error: unknown): boolean {
  if (error instanceof HttpStatusError)
    return error.status >= 400 && error.status < 500 && !INCONCLUSIVE.includes(error.status);
  // The server answered with a success, but not with a response.
  return error instanceof UnexpectedResponseError || (error instanceof StreamBrokenError && error.isOrderly);
}

/** @throws NotConnectedError when the server has only versions that this client does not know */
function checkVersions(refusal: RpcErrorResponse): void {
  const { code, data } = refusal.error;
  const supported = code === ErrorCode.unsupportedProtocolVersion && isJsonObject(data) ? data['supported'] : undefined;
  if (!Array.isArray(supported) || supported.some((revision) => isLegacyRevision(String(revision)))) return;
  throw new NotConnectedError('The MCP server supports no protocol version of this client.', { refusal });
}

const hasModern = (revisions: readonly unknown[]): boolean =>
  revisions.some((revision) => isModernRevision(String(revision)));

/** Creates the error of a handshake that failed. */
export function createHandshakeError(method: string, error: unknown): NotConnectedError {
  if (error instanceof NotConnectedError) return error;
  const refusal = error instanceof HttpStatusError ? error.refusal : undefined;
  const retryAfterMs = error instanceof ConnectionError ? error.retryAfterMs : undefined;
  return new NotConnectedError(`The MCP server did not answer ${method} as expected.`, {
    cause: error,
    refusal,
    retryAfterMs,
  });
}

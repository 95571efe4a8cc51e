import type { RpcRequest } from '@gatehouse/mcp/json-rpc';
import { getProgressToken } from '@gatehouse/mcp/meta';

const REQUEST_TIMEOUT_MS = 600_000;

/**
 * Returns the milliseconds until a request of a client is given up; undefined: it has no limit,
 * because it asks for progress.
 */
export function chooseTimeout({ params }: RpcRequest, configuredMs: number | undefined): number | undefined {
  if (configuredMs !== undefined) return configuredMs;
  return getProgressToken(params) === undefined ? REQUEST_TIMEOUT_MS : undefined;
}

import { listCauses, findRefusal } from '@gatehouse/egress/egress-refusal';
import { ResponseLimitError } from '@gatehouse/mcp/response-limits';
import { HttpStatusError, NotConnectedError, RequestTimeoutError } from '@gatehouse/mcp/client/connection-errors';
import { RpcError } from '@gatehouse/mcp/errors';
import type { FailureScope } from './breakers.ts';

/** Codes of the operating system, the dispatcher and the client for a failed connection. */
const TRANSPORT_CODE =
  /^(?:E[A-Z]+|EAI_[A-Z]+|UND_ERR_(?:CONNECT_TIMEOUT|SOCKET|CLOSED|DESTROYED)|ERR_(?:TLS|SSL|OSSL)_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|HOSTNAME_MISMATCH)$/;

/** Codes for a late response. */
const TIMEOUT_CODES: ReadonlySet<unknown> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/**
 * Returns the users whose requests a failure of an upstream affects. Failures of the transport and
 * HTTP 5xx affect all users. The input of one user can cause every other failure, so those
 * affect this user only.
 * @param hasInput whether the request carried input of a user. A list has none, so a late list is a
 * failure of the upstream.
 */
export function getFailureScope(error: unknown, hasInput: boolean): FailureScope {
  const causes = listCauses(error);
  const statuses = causes.map(getStatus).filter((status) => status !== undefined);
  if (statuses.length > 0) return statuses.some((status) => status >= 500) ? 'all' : 'owner';
  const refusal = findRefusal(error);
  if (refusal !== undefined) return refusal.rule === 'size' || refusal.rule === 'redirect' ? 'owner' : 'all';
  if (causes.some((cause) => isRpcAnswer(cause) || cause instanceof ResponseLimitError)) return 'owner';
  const isOpening = causes.some((cause) => cause instanceof NotConnectedError);
  return causes.some((cause) => {
    const { code, name } = cause as { code?: unknown; name?: unknown };
    if (cause instanceof RequestTimeoutError || TIMEOUT_CODES.has(code) || name === 'TimeoutError')
      return isOpening || !hasInput;
    return typeof code === 'string' && TRANSPORT_CODE.test(code);
  })
    ? 'all'
    : 'owner';
}

/** Whether the upstream answered with a JSON-RPC error: to a request, or to the handshake. */
export const isRpcAnswer = (cause: unknown): boolean =>
  cause instanceof RpcError || (cause instanceof NotConnectedError && cause.refusal !== undefined);

/** The HTTP status of a cause of a failure. */
export const getStatus = (cause: unknown): number | undefined =>
  cause instanceof HttpStatusError ? cause.status : undefined;

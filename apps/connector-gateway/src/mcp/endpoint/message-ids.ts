import { ErrorCode } from '@gatehouse/mcp/errors';
import type { RpcMessage } from '@gatehouse/mcp/json-rpc';
import { getProgressToken } from '@gatehouse/mcp/meta';
import { HttpRefusalError } from '../http/http-refusal.ts';

/**
 * Longest id and progress token in characters. The gateway repeats them in many messages and stores
 * these for the resumption of streams.
 */
const MAX_LENGTH = 1_024;

/** Checks the ids that a message contains. @throws HttpRefusalError 400 for one that is too long */
export function checkIds(message: RpcMessage): void {
  if ('id' in message) checkId(message.id, 'id', ErrorCode.invalidRequest);
  if (!('params' in message)) return;
  checkId(getProgressToken(message.params), 'params._meta.progressToken', ErrorCode.invalidParams);
  if (message.method === 'notifications/cancelled')
    checkId(message.params['requestId'], 'params.requestId', ErrorCode.invalidParams);
}

function checkId(id: unknown, field: string, code: number): void {
  if (typeof id === 'string' && id.length > MAX_LENGTH)
    throw new HttpRefusalError(400, code, `${field} must have at most ${MAX_LENGTH} characters`);
}

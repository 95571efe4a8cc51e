import { ErrorCode } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcResponse } from '@gatehouse/mcp/json-rpc';
import type { StdioConnection } from './connection.ts';

/** Sends a request of the bridge itself. Resolves with an error after `timeoutMs`. */
export function sendOwnRequest(
  connection: StdioConnection,
  method: string,
  params: JsonObject,
  timeoutMs: number,
): Promise<RpcResponse> {
  return new Promise((resolve) => {
    // A process in this program can answer during the call.
    const timer = setTimeout(() => {
      connection.cancel(call, 'No response in time.');
      resolve({
        jsonrpc: '2.0',
        id: 0,
        error: { code: ErrorCode.timeout, message: `The MCP server did not answer ${method} in time.` },
      });
    }, timeoutMs);
    const call = connection.call(
      { jsonrpc: '2.0', id: 0, method, params },
      {
        notify: () => undefined,
        settle(response) {
          clearTimeout(timer);
          resolve(response);
        },
      },
    );
  });
}

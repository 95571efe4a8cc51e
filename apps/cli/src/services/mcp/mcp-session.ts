import { connect } from '@gatehouse/mcp/client/connect';
import type { McpConnection } from '@gatehouse/mcp/client/connection';
import { ConnectionError } from '@gatehouse/mcp/client/connection-errors';
import { ErrorCode } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcNotification } from '@gatehouse/mcp/json-rpc';
import { DEFAULT_RESPONSE_LIMITS, ResponseLimitError } from '@gatehouse/mcp/response-limits';
import { Agent } from 'undici';
import { CommandFailedError } from '../../errors/cli-error.ts';

/** The settings of a session. */
interface SessionOptions {
  readonly url: URL;
  /** Maximum time of the connection, and of each request. */
  readonly timeoutMs: number;
  /** The version of the command line. */
  readonly version: string;
  /** Cancels the request that runs. */
  readonly abort: AbortSignal;
}

/** The lists of a server, and the member of the result with the items. */
export const LISTS = { tools: 'tools/list', resources: 'resources/list', prompts: 'prompts/list' } as const;

/** A session at an MCP server. */
export interface McpSession {
  /** Reads all pages of a list; empty when the server has no such list. */
  list(member: keyof typeof LISTS): Promise<JsonObject[]>;
  /**
   * Sends a request.
   * @param onNotification receives progress and log messages of this request
   * @throws CommandFailedError with the error of the server
   */
  request(method: string, params: JsonObject, onNotification?: (message: RpcNotification) => void): Promise<JsonObject>;
}

/** The maximum number of pages, against a server that repeats its cursor. */
const MAX_PAGES = 1_000;
const LIMITS = { ...DEFAULT_RESPONSE_LIMITS, receivedBytes: 64 * 1024 * 1024, parsedBytes: 32 * 1024 * 1024 };

/**
 * Opens a session, and closes it after the work.
 * @throws CommandFailedError when the server cannot be reached or refuses; the reason of the abort
 */
export async function withMcpSession<T>(
  options: SessionOptions,
  work: (session: McpSession) => Promise<T>,
): Promise<T> {
  const { url, timeoutMs, version, abort } = options;
  const dispatcher = new Agent();
  let connection: McpConnection | undefined;
  try {
    connection = await connect(
      { url, transport: url.pathname.endsWith('/sse') ? 'sse' : 'streamable-http' },
      {
        dispatcher,
        createHeaders: () => ({}),
        clientInfo: { name: 'gatehouse', version },
        capabilities: {},
        limits: LIMITS,
        timeouts: { connectMs: timeoutMs },
        signal: abort,
        onNotification: () => undefined,
      },
    );
    return await work(createSession(connection, options));
  } catch (error) {
    abort.throwIfAborted();
    throw explainError(error, url);
  } finally {
    await connection?.close().catch(() => undefined);
    await dispatcher.destroy();
  }
}

function createSession(connection: McpConnection, { timeoutMs, abort }: SessionOptions): McpSession {
  const send = async (method: string, params: JsonObject, onNotification?: (message: RpcNotification) => void) =>
    connection.request(method, params, {
      signal: abort,
      idleTimeoutMs: Infinity,
      totalTimeoutMs: timeoutMs,
      ...(onNotification && { progressToken: 1, onNotification }),
    });
  return {
    async request(method, params, onNotification) {
      const response = await send(method, params, onNotification);
      if (!('error' in response)) return response.result;
      const { code, message } = response.error;
      throw new CommandFailedError(`The server refused ${method}: ${message} (${code})`);
    },
    async list(member) {
      const items: JsonObject[] = [];
      let cursor: unknown;
      for (let page = 0; page < MAX_PAGES; page++) {
        const response = await send(LISTS[member], typeof cursor === 'string' ? { cursor } : {});
        if ('error' in response) {
          if (response.error.code === ErrorCode.methodNotFound && page === 0) return [];
          throw new CommandFailedError(`The server refused ${LISTS[member]}: ${response.error.message}`);
        }
        const { [member]: found, nextCursor } = response.result;
        if (Array.isArray(found)) items.push(...(found as JsonObject[]));
        if (typeof nextCursor !== 'string' || nextCursor === cursor) return items;
        cursor = nextCursor;
      }
      throw new CommandFailedError(`The server has more than ${MAX_PAGES} pages of ${member}`);
    },
  };
}

function explainError(error: unknown, url: URL): unknown {
  if (error instanceof ResponseLimitError) return new CommandFailedError(`${url.href} ${error.message}`, [], error);
  if (!(error instanceof ConnectionError)) return error;
  const reason = error.cause instanceof Error && error.cause.message !== '' ? ` (${error.cause.message})` : '';
  return new CommandFailedError(`${url.href}: ${error.message.replace(/\.$/, '')}${reason}`, [], error);
}

import { Agent } from 'undici';
import { connect } from '../src/client/connect.ts';
import type { ConnectionOptions, McpConnection, McpTarget, RequestExchange } from '../src/client/connection.ts';
import type { JsonObject, RpcNotification } from '../src/json-rpc.ts';
import { DEFAULT_RESPONSE_LIMITS } from '../src/response-limits.ts';

/** A connection of a test, and what it received outside requests. */
export interface TestConnection {
  connection: McpConnection;
  notifications: RpcNotification[];
  /** The reasons of `onEnd`. */
  ends: Error[];
}

const agents: Agent[] = [];
const connections: McpConnection[] = [];

/** Opens a connection with the defaults of the tests. */
export async function open(
  url: URL | string,
  options: Partial<ConnectionOptions> & { transport?: McpTarget['transport'] } = {},
): Promise<TestConnection> {
  const { transport = 'streamable-http', ...rest } = options;
  const dispatcher = new Agent();
  agents.push(dispatcher);
  const notifications: RpcNotification[] = [];
  const ends: Error[] = [];
  const connection = await connect(
    { url: new URL(url), transport },
    {
      dispatcher,
      createHeaders: () => ({}),
      clientInfo: { name: 'test', version: '1' },
      capabilities: {},
      limits: DEFAULT_RESPONSE_LIMITS,
      timeouts: { connectMs: 10_000 },
      onNotification: (message) => notifications.push(message),
      onEnd: (reason) => ends.push(reason),
      ...rest,
    },
  );
  connections.push(connection);
  return { connection, notifications, ends };
}

/** Closes everything that the tests opened. */
export async function closeAll(): Promise<void> {
  await Promise.all(connections.splice(0).map((connection) => connection.close()));
  await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
}

/** An exchange with long time limits. */
export const exchange = (parts: Partial<RequestExchange> = {}): RequestExchange => ({
  signal: new AbortController().signal,
  idleTimeoutMs: 20_000,
  totalTimeoutMs: 20_000,
  ...parts,
});

/** Calls a tool and returns its result. */
export async function callTool(
  connection: McpConnection,
  name: string,
  args: JsonObject = {},
  parts: Partial<RequestExchange> = {},
): Promise<JsonObject> {
  const response = await connection.request('tools/call', { name, arguments: args }, exchange(parts));
  if ('error' in response) throw new Error(JSON.stringify(response.error));
  return response.result;
}

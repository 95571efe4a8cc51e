import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

/** An endpoint that serves the conformance server. */
export interface Endpoint {
  url: string;
  token: string;
  /** The prefix of the names of its tools. */
  prefix: string;
}

/** The results that a client receives; a failure is its message. */
export interface Observed {
  /** Names of the tools without the prefix, in order. */
  list: string[] | string;
  /** Text of the result of a call. */
  call: string;
  progress: number[] | string;
  logging: unknown[] | string;
  /** Text of the result of a call that asks the user. */
  elicitation: string;
}

/** The observations of a client at the conformance server. */
export const EXPECTED: Omit<Observed, 'list'> = {
  call: 'This is a simple text response for testing.',
  progress: [0, 50, 100],
  logging: ['Tool execution started', 'Tool processing data', 'Tool execution completed'],
  elicitation: 'action=accept, content={"username":"ann","email":"ann@example.com"}',
};

/** The response of the user. */
export const ACCEPTED = { action: 'accept' as const, content: { username: 'ann', email: 'ann@example.com' } };

/** Operations that both major versions of the client have. */
interface Connected {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(
    call: { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> },
    onprogress?: (progress: { progress: number }) => void,
  ): Promise<unknown>;
  /** Asks for log messages, where the level belongs to the session. */
  setLevel(): Promise<unknown>;
  logs: unknown[];
  close(): Promise<void>;
}

/** Connects the client of the current major version. */
export async function connectCurrent({ url, token }: Endpoint, options: ClientOptions): Promise<Connected> {
  const client = new Client({ name: 'stock', version: '2' }, { capabilities: { elicitation: {} }, ...options });
  const logs: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params.data));
  client.setRequestHandler('elicitation/create', () => ACCEPTED);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return {
    listTools: () => client.listTools(),
    callTool: (call, onprogress) => client.callTool(call, onprogress && { onprogress }),
    setLevel: async () =>
      client.getNegotiatedProtocolVersion() === '2026-07-28'
        ? undefined
        : client.request({ method: 'logging/setLevel', params: { level: 'debug' } }),
    logs,
    close: () => client.close(),
  };
}

/** Connects the client of the previous major version. */
export async function connectPrevious({ url, token }: Endpoint): Promise<Connected> {
  const client = new OldClient({ name: 'stock', version: '1' }, { capabilities: { elicitation: {} } });
  const logs: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params.data));
  client.setRequestHandler(ElicitRequestSchema, () => ACCEPTED);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new OldTransport(new URL(url), { requestInit }));
  return {
    listTools: () => client.listTools(),
    callTool: (call, onprogress) => client.callTool(call, undefined, onprogress && { onprogress }),
    setLevel: () => client.setLoggingLevel('debug'),
    logs,
    close: () => client.close(),
  };
}

/** Uses each feature once and closes the client. */
export async function observe(client: Connected, prefix: string): Promise<Observed> {
  const call = async (name: string, args = {}) =>
    readText(await client.callTool({ name: `${prefix}${name}`, arguments: args, _meta: LOG_LEVEL }));
  const progress: number[] = [];
  const observed: Observed = {
    list: await attempt(async () => stripPrefix((await client.listTools()).tools, prefix)),
    call: await attempt(() => call('test_simple_text')),
    progress: await attempt(async () => {
      const request = { name: `${prefix}test_tool_with_progress`, arguments: {} };
      await client.callTool(request, (at) => void progress.push(at.progress));
      return progress;
    }),
    logging: await attempt(async () => {
      await client.setLevel();
      await call('test_tool_with_logging');
      return client.logs;
    }),
    elicitation: await attempt(() => call('test_elicitation', { message: 'Who are you?' })),
  };
  await client.close();
  return observed;
}

const LOG_LEVEL = { 'io.modelcontextprotocol/logLevel': 'debug' };

/** Returns the names of tools without their prefix, in order. */
export const stripPrefix = (tools: readonly { name: string }[], prefix: string): string[] =>
  tools.map(({ name }) => (name.startsWith(prefix) ? name.slice(prefix.length) : `unexpected ${name}`)).sort();

/** Returns the text of the first content. */
export const readText = (result: unknown): string =>
  String((result as { content?: { text?: string }[] }).content?.[0]?.text);

async function attempt<Value>(operation: () => Promise<Value>): Promise<Value | string> {
  try {
    return await operation();
  } catch (error) {
    return `failed: ${(error as Error).message}`;
  }
}

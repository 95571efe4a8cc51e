import { isJsonObject, type JsonObject, type RpcResponse } from '../json-rpc.ts';
import { getMeta, MetaKey } from '../meta.ts';
import type { ConnectionOptions, KnownEra, McpConnection, McpTarget, RequestExchange } from './connection.ts';
import { discover, initialize } from './handshake.ts';
import { SseTransport } from './sse-transport.ts';
import { StreamableHttp } from './streamable-http.ts';
import type { Transport } from './transport.ts';

/** The default filter of the standalone stream of a modern server. */
const ALL_LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/**
 * Opens a connection to an MCP server. It finds the era with `server/discover`, then a legacy
 * session with `initialize`. With `knownEra`, a modern server gets no request here.
 * @throws NotConnectedError; the caller should forget a known era then
 */
export async function connect(target: McpTarget, options: ConnectionOptions): Promise<McpConnection> {
  const { connectMs } = options.timeouts;
  const signals = options.signal === undefined ? [] : [options.signal];
  const exchange: RequestExchange = {
    signal: AbortSignal.any([AbortSignal.timeout(connectMs), ...signals]),
    idleTimeoutMs: Infinity,
    totalTimeoutMs: Infinity,
  };
  const isSse = target.transport === 'sse';
  const transport = isSse ? new SseTransport(target.url, options) : new StreamableHttp(target.url, options);
  try {
    await transport.open(exchange.signal);
    const { knownEra } = options;
    const isLegacy = isSse || knownEra?.era === 'legacy';
    const modern = isLegacy ? undefined : (knownEra ?? (await discover(transport, exchange)));
    const handshake = modern ?? (await initialize(transport, options, exchange));
    transport.establish(handshake);
    return new Connection(transport, { ...handshake, hasSession: transport.hasSession });
  } catch (error) {
    await transport.close();
    throw error;
  }
}

/** A connection over either transport. */
class Connection implements McpConnection {
  readonly server: McpConnection['server'];

  constructor(
    private readonly transport: Transport,
    readonly knownEra: KnownEra,
  ) {
    this.server = readServer(knownEra);
  }

  get era(): 'legacy' | 'modern' {
    return this.knownEra.era;
  }

  get revision(): string {
    return this.knownEra.revision;
  }

  get hasSession(): boolean {
    return this.knownEra.hasSession;
  }

  request(method: string, params: JsonObject | undefined, exchange: RequestExchange): Promise<RpcResponse> {
    return this.transport.request(method, params, exchange);
  }

  notify(method: string, params?: JsonObject): Promise<void> {
    return this.transport.notify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  openStandaloneStream(filter: JsonObject = ALL_LISTS): Promise<void> {
    return this.transport.openStandaloneStream(filter);
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}

/** Reads what the server says about itself. A modern server names itself in `_meta`. */
function readServer({ era, handshake }: KnownEra): McpConnection['server'] {
  const { capabilities, instructions } = handshake;
  const serverInfo = era === 'modern' ? getMeta(handshake)?.[MetaKey.serverInfo] : handshake['serverInfo'];
  return {
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    serverInfo: isJsonObject(serverInfo) ? serverInfo : undefined,
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

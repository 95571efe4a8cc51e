import { connect } from '@gatehouse/mcp/client/connect';
import type { KnownEra, McpConnection, RequestExchange } from '@gatehouse/mcp/client/connection';
import { HttpStatusError, NotConnectedError, SessionLostError } from '@gatehouse/mcp/client/connection-errors';
import { RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject, type RpcNotification } from '@gatehouse/mcp/json-rpc';
import { ResponseLimitError } from '@gatehouse/mcp/response-limits';
import type { Dispatcher } from 'undici';
import type { Limits } from '../ports/limits.ts';
import type { CredentialHeaders } from '../ports/personal-credentials.ts';
import type { Connector } from '../ports/snapshot.ts';
import { CredentialError } from '../ports/upstream-secrets.ts';
import { NO_CREDENTIAL } from './credentials.ts';
import type { EraMemory } from './era-memory.ts';
import { UpstreamSubscriptions } from './upstream-subscriptions.ts';
import { UpstreamLogLevel, type WantedLogLevel } from './upstream-log-level.ts';

/** The gateway's identity towards upstreams. */
const CLIENT_INFO = { name: 'gatehouse', version: '0.1.0' };

/** Most pages of one list. */
const MAX_PAGES = 200;

/** A kind of list of an upstream that can change. */
export type ListKind = 'tools' | 'prompts' | 'resources';

/** The id of the extension for skills (SEP-2640). */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** The lists of an upstream: the method, and whether the server announces it. */
const LISTS = {
  tools: { method: 'tools/list', isOffered: (capabilities: JsonObject) => 'tools' in capabilities },
  prompts: { method: 'prompts/list', isOffered: (capabilities: JsonObject) => 'prompts' in capabilities },
  resources: { method: 'resources/list', isOffered: (capabilities: JsonObject) => 'resources' in capabilities },
  resourceTemplates: {
    method: 'resources/templates/list',
    isOffered: (capabilities: JsonObject) => 'resources' in capabilities,
  },
  skills: {
    method: 'skills/list',
    isOffered: ({ extensions }: JsonObject) => isJsonObject(extensions) && SKILLS_EXTENSION in extensions,
  },
} as const;

/** The name of a list of an upstream. */
export type ListName = keyof typeof LISTS;

/** A list and its received bytes. */
export interface FetchedList {
  entries: readonly unknown[];
  receivedBytes: number;
}

/** Options of a connection. */
export interface UpstreamOptions {
  /** Checks the address of each new connection against the rules of the connector. */
  dispatcher: Dispatcher;
  credential: CredentialHeaders;
  limits: Limits;
  /** Capabilities of the client, as declared to the upstream. */
  capabilities: JsonObject;
  /** Remembers the era to skip the next discovery. */
  era: EraMemory;
  /** Whether the connection opens the standalone stream, where servers announce changed lists. */
  listens: boolean;
  /** Receives changes of lists. */
  onListChanged: (kind: ListKind) => void;
  /** Receives the URIs of updated resources. */
  onResourceUpdated: (uri: string) => void;
  /** Receives the new states of tasks of revision 2025-11-25. */
  onTaskUpdated: (task: JsonObject) => void;
}

/** The parts of a forwarded request besides its limits. */
export interface Forwarding extends Pick<
  RequestExchange,
  'signal' | 'progressToken' | 'onNotification' | 'onRequest' | 'onPosition' | 'headers'
> {
  logLevel?: WantedLogLevel | undefined;
  /** Longest time between two messages; default: that of calls. */
  idleTimeoutMs?: number;
}

interface Exchange extends RequestExchange {
  logLevel?: WantedLogLevel | undefined;
}

/**
 * One MCP connection to one connector. It finds the era by `server/discover`, then `initialize`. No
 * header of the caller's request is available here, so no caller token can leave.
 */
export class Upstream {
  private opening: Promise<McpConnection> | undefined;
  private closed = false;
  private readonly logLevel: UpstreamLogLevel;
  private readonly subscriptions: UpstreamSubscriptions;

  constructor(
    private readonly connector: Connector,
    private readonly options: UpstreamOptions,
  ) {
    this.logLevel = new UpstreamLogLevel(options.limits.upstreamListMs);
    this.subscriptions = new UpstreamSubscriptions(() => this.connectRenewing(), options.limits.upstreamListMs);
  }

  /** Fetches all pages of a list within the limits. @throws ResponseLimitError */
  async list(kind: ListName, signal: AbortSignal): Promise<FetchedList> {
    const { method, isOffered } = LISTS[kind];
    const entries: unknown[] = [];
    // A list that the upstream does not announce is not requested.
    if (!isOffered((await this.connectRenewing()).server.capabilities)) return { entries, receivedBytes: 0 };
    const { receivedBytes: mostBytes, listItems } = this.options.limits.response;
    const cursors = new Set<unknown>();
    let receivedBytes = 0;
    let cursor: unknown;
    do {
      if (cursors.has(cursor) || cursors.size === MAX_PAGES)
        throw new ResponseLimitError(`more than ${MAX_PAGES} pages, or with a page twice`);
      cursors.add(cursor);
      const params = cursor === undefined ? undefined : { cursor };
      const before = receivedBytes;
      const onBytes = (bytes: number) => (receivedBytes += bytes);
      const result = await this.send(method, params, { ...this.createListExchange(signal), onBytes });
      if (receivedBytes === before) receivedBytes += JSON.stringify(result).length;
      if (receivedBytes > mostBytes) throw new ResponseLimitError(`more than ${mostBytes} bytes on all pages together`);
      const page = result[kind];
      if (Array.isArray(page)) entries.push(...(page as unknown[]));
      cursor = result['nextCursor'];
    } while (typeof cursor === 'string' && entries.length < listItems);
    return { entries, receivedBytes };
  }

  /**
   * Sends a request of a client. @returns the result
   * @throws RpcError with the upstream's own error
   */
  request(method: string, params: JsonObject | undefined, forwarding: Forwarding): Promise<JsonObject> {
    const { callMs, callTotalMs } = this.options.limits;
    const onNotification = (message: RpcNotification) => {
      if (!this.noticeChange(message)) forwarding.onNotification?.(message);
    };
    return this.send(method, params, {
      idleTimeoutMs: callMs,
      ...forwarding,
      onNotification,
      totalTimeoutMs: callTotalMs,
    });
  }

  /** The era of the upstream. It opens the connection if none was open lately. */
  async getEra(): Promise<KnownEra> {
    return this.options.era.get() ?? (await this.connectRenewing()).knownEra;
  }

  /** Replaces the resources whose updates the upstream announces. */
  setSubscriptions(uris: ReadonlySet<string>): Promise<void> {
    return this.subscriptions.set(uris);
  }

  /** Opens the standalone stream, where tasks of this connection announce their states. */
  async listen(): Promise<void> {
    await (await this.connectRenewing()).openStandaloneStream();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.subscriptions.close();
    const connection = await this.opening?.catch(() => undefined);
    await connection?.close();
  }

  private createListExchange(signal: AbortSignal): RequestExchange {
    return { signal, idleTimeoutMs: Infinity, totalTimeoutMs: this.options.limits.upstreamListMs };
  }

  /**
   * Sends a request on the connection, opening it if needed. It is sent once more only if the
   * upstream did not execute it: after the loss of the session, on a new one, and after a refused
   * credential, with a newer one.
   */
  private send(method: string, params: JsonObject | undefined, exchange: Exchange): Promise<JsonObject> {
    return this.runRenewing(() =>
      this.sendOnce(method, params, exchange).catch((error: unknown) => {
        if (error instanceof SessionLostError) return this.sendOnce(method, params, exchange);
        throw error;
      }),
    );
  }

  private connectRenewing(): Promise<McpConnection> {
    return this.runRenewing(() => this.connect());
  }

  /** Runs work again with a newer credential after a refused one. @throws CredentialError */
  private async runRenewing<T>(work: () => Promise<T>): Promise<T> {
    const { credential } = this.options;
    const version = credential.getVersion?.();
    try {
      return await work();
    } catch (error) {
      await this.handleScopeChallenge(error, version);
      if (!isRefusedCredential(error) || credential === NO_CREDENTIAL) throw error;
      if (!(await credential.renew(version))) throw createRefusedCredentialError(error);
      const renewed = credential.getVersion?.();
      return work().catch(async (again: unknown) => {
        await this.handleScopeChallenge(again, renewed);
        if (!isRefusedCredential(again)) throw again;
        await credential.end?.(renewed);
        throw createRefusedCredentialError(again);
      });
    }
  }

  /** @throws CredentialError for a refusal that asks for more scopes */
  private async handleScopeChallenge(error: unknown, version: unknown): Promise<void> {
    const { status, wwwAuthenticate } = findStatusError(error) ?? {};
    if (status === 403 && wwwAuthenticate !== undefined)
      await this.options.credential.requireScopes?.(wwwAuthenticate, version);
  }

  private async sendOnce(method: string, params: JsonObject | undefined, exchange: Exchange): Promise<JsonObject> {
    const opening = this.connect();
    const connection = await opening;
    try {
      const leveled = this.logLevel.set(connection, exchange.logLevel);
      if (leveled !== undefined) await leveled;
      const response = await connection.request(method, params, exchange);
      if ('result' in response) return response.result;
      const { code, message, data } = response.error;
      throw new RpcError(code, message, data);
    } catch (error) {
      if (error instanceof SessionLostError && this.opening === opening) this.opening = undefined;
      throw error;
    }
  }

  private connect(): Promise<McpConnection> {
    if (this.closed) return Promise.reject(new NotConnectedError('The connection was closed.'));
    if (this.opening === undefined) {
      const opening = this.open();
      this.opening = opening;
      opening.catch(() => {
        if (this.opening === opening) this.opening = undefined;
      });
    }
    return this.opening;
  }

  private async open(): Promise<McpConnection> {
    const { era, limits, capabilities, dispatcher, credential, listens } = this.options;
    const { endpoint, transport } = this.connector;
    try {
      const connection = await connect(
        { url: new URL(endpoint), transport: transport === 'sse' ? 'sse' : 'streamable-http' },
        {
          dispatcher,
          createHeaders: (request) => credential.create(request),
          clientInfo: CLIENT_INFO,
          capabilities,
          knownEra: era.get(),
          limits: limits.response,
          timeouts: { connectMs: limits.upstreamListMs },
          onNotification: (message) => this.noticeChange(message),
          onEnd: () => {
            this.opening = undefined;
            this.subscriptions.restore();
          },
        },
      );
      era.set(connection.knownEra);
      if (listens) void connection.openStandaloneStream().catch(() => undefined);
      return connection;
    } catch (error) {
      era.forget();
      throw error;
    }
  }

  /** @returns whether the message announces a changed list, resource or task */
  private noticeChange({ method, params }: RpcNotification): boolean {
    if (method === 'notifications/resources/updated') {
      const uri = params?.['uri'];
      if (typeof uri === 'string') this.options.onResourceUpdated(uri);
      return true;
    }
    if (method === 'notifications/tasks/status') {
      if (params !== undefined) this.options.onTaskUpdated(params);
      return true;
    }
    const [, kind] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? [];
    if (kind !== undefined) this.options.onListChanged(kind as ListKind);
    return kind !== undefined;
  }
}

/** Whether the upstream refused the credential, and so did not execute the request. */
const isRefusedCredential = (error: unknown): boolean => findStatusError(error)?.status === 401;

/** The refusal of a request, or of the handshake before it. */
function findStatusError(error: unknown): HttpStatusError | undefined {
  const cause = error instanceof NotConnectedError ? error.cause : error;
  return cause instanceof HttpStatusError ? cause : undefined;
}

const createRefusedCredentialError = (cause: unknown): CredentialError =>
  new CredentialError('does not accept the secret that it was given', { cause });

/** A process that has been greeted, and everyone who shares it. */
import { ErrorCode, errorResponse } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcNotification, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import type { Call, CallSink, StdioConnection } from './connection.ts';

/** Severities of log messages (RFC 5424), most verbose first. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Someone who hears what a process says without being asked. */
export interface Member {
  /** Resources whose changes it wants to hear of. */
  readonly subscriptions: Set<string>;
  /** The least severe log messages it wants; undefined: what the server sends by itself. */
  level: string | undefined;
  hear(message: RpcNotification): void;
  /** A question of the server; only a member with a process of its own is asked any. */
  asked?(message: RpcRequest): void;
  /** The process has ended. */
  ended?(): void;
}

/** True when a log message is severe enough for someone who asked for `level`. */
export function severeEnough(message: RpcNotification, level: string | undefined): boolean {
  if (level === undefined) return true;
  const at = LEVELS.indexOf(String(message.params?.['level']));
  return at === -1 || at >= LEVELS.indexOf(level);
}

/** One greeted process. */
export class Backend {
  readonly era: 'legacy' | 'modern';
  /** The server's answer to `initialize`, or to `server/discover`. */
  readonly hello: JsonObject;
  readonly connection: StdioConnection;
  readonly own: boolean;
  private readonly members = new Set<Member>();
  private readonly turns = new Map<string, Promise<void>>();
  private level: string | undefined = undefined;
  /** The bridge's own open subscription, which is nobody's request. */
  background: Call | undefined = undefined;
  /** When it was last in use, on the clock of the bridge. */
  usedAt = 0;

  constructor(options: { era: 'legacy' | 'modern'; hello: JsonObject; connection: StdioConnection; own: boolean }) {
    this.era = options.era;
    this.hello = options.hello;
    this.connection = options.connection;
    this.own = options.own;
  }

  /** True when nobody shares it and nothing is being answered. */
  get idle(): boolean {
    return this.members.size === 0 && this.connection.pending === (this.background === undefined ? 0 : 1);
  }

  join(member: Member): void {
    this.members.add(member);
  }

  /** Leaves, and gives up the subscriptions that nobody else holds. */
  leave(member: Member): void {
    if (!this.members.delete(member) || this.own || !this.connection.alive) return;
    for (const uri of member.subscriptions) if (!this.wanted(uri)) this.tell('resources/unsubscribe', { uri });
  }

  /** What the process says to nobody in particular. */
  notification(message: RpcNotification): void {
    const { method } = message;
    if (this.own) for (const member of this.members) member.hear(message);
    else if (method.endsWith('/list_changed')) for (const member of this.members) member.hear(message);
    else if (method === 'notifications/resources/updated') {
      const uri = String(message.params?.['uri']);
      for (const member of this.members) if (member.subscriptions.has(uri)) member.hear(message);
    } else if (method === 'notifications/message') this.logged(message);
  }

  /** A question of the process. */
  request(message: RpcRequest): void {
    if (message.method === 'ping') {
      this.connection.send({ jsonrpc: '2.0', id: message.id, result: {} });
      return;
    }
    const [member] = this.members;
    if (this.own && member?.asked !== undefined) {
      member.asked(message);
      return;
    }
    this.connection.send(
      errorResponse(message.id, ErrorCode.methodNotFound, 'No client of this process takes requests.'),
    );
  }

  /** The process has ended. */
  ended(): void {
    for (const member of this.members) member.ended?.();
    this.members.clear();
  }

  /** Subscribes a member; only the first subscriber of a resource is the server's concern. */
  subscribe(member: Member, uri: string, request: RpcRequest, sink: CallSink): void {
    this.inTurn(uri, async () => {
      if (this.wanted(uri)) {
        member.subscriptions.add(uri);
        sink.settle({ jsonrpc: '2.0', id: request.id, result: {} });
        return;
      }
      const response = await this.ask(request);
      if ('result' in response) member.subscriptions.add(uri);
      sink.settle(response);
    });
  }

  /** The reverse; only the last one to leave is the server's concern. */
  unsubscribe(member: Member, uri: string, request: RpcRequest, sink: CallSink): void {
    this.inTurn(uri, async () => {
      member.subscriptions.delete(uri);
      sink.settle(this.wanted(uri) ? { jsonrpc: '2.0', id: request.id, result: {} } : await this.ask(request));
    });
  }

  /** Sets a member's level; the server is told the most verbose one that anybody asked for. */
  setLevel(member: Member, level: string, request: RpcRequest, sink: CallSink): void {
    if (!LEVELS.includes(level)) {
      sink.settle(errorResponse(request.id, ErrorCode.invalidParams, `A level is one of ${LEVELS.join(', ')}.`));
      return;
    }
    member.level = level;
    const asked = [...this.members].map((one) => LEVELS.indexOf(one.level ?? '')).filter((at) => at !== -1);
    const most = LEVELS[Math.min(...asked)] ?? level;
    if (most === this.level) {
      sink.settle({ jsonrpc: '2.0', id: request.id, result: {} });
      return;
    }
    this.level = most;
    this.connection.call({ ...request, params: { ...request.params, level: most } }, sink);
  }

  /** Sends a request whose answer matters to this side only. */
  ask(request: RpcRequest): Promise<RpcResponse> {
    return new Promise((resolve) => {
      this.connection.call(request, { notify: () => undefined, settle: resolve });
    });
  }

  private tell(method: string, params: JsonObject): void {
    void this.ask({ jsonrpc: '2.0', id: 0, method, params });
  }

  private wanted(uri: string): boolean {
    return [...this.members].some(({ subscriptions }) => subscriptions.has(uri));
  }

  /**
   * A log message belongs to the request that is being worked on when there is only one; otherwise
   * to everyone who shares.
   */
  private logged(message: RpcNotification): void {
    const open: Call[] = [...this.connection.open()].filter(({ wantsLog }) => this.era === 'legacy' || wantsLog);
    const [only] = open;
    if (only !== undefined && open.length === 1) only.sink.notify(message);
    else if (this.era === 'legacy') {
      for (const member of this.members) if (severeEnough(message, member.level)) member.hear(message);
    }
  }

  private inTurn(uri: string, work: () => Promise<void>): void {
    const turn = (this.turns.get(uri) ?? Promise.resolve()).then(work);
    this.turns.set(uri, turn);
    void turn.finally(() => {
      if (this.turns.get(uri) === turn) this.turns.delete(uri);
    });
  }
}

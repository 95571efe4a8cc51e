import type { McpConnection } from '@gatehouse/mcp/client/connection';
import { SessionLostError } from '@gatehouse/mcp/client/connection-errors';
import { LOG_LEVELS } from '@gatehouse/mcp/log-levels';

/** The minimum severity of log messages that a client wants from an upstream. */
export interface WantedLogLevel {
  level: string;
  /**
   * Whether the session of the upstream serves this client session alone. Otherwise other requests
   * of the user share it, and a more verbose level stays.
   */
  isExact: boolean;
}

/**
 * The log level of a legacy session at an upstream (`logging/setLevel`). Modern upstreams get it in
 * the `_meta` of each request. Upstreams without a session cannot keep one.
 */
export class UpstreamLogLevel {
  private sent: { connection: McpConnection; level: string; done: Promise<unknown> } | undefined;

  constructor(private readonly timeoutMs: number) {}

  /**
   * Tells the upstream the level, if its session does not have it yet. An upstream that refuses the
   * level still gets the call.
   * @returns undefined if the upstream needs no level; the promise is rejected with a
   * SessionLostError
   */
  set(connection: McpConnection, wanted: WantedLogLevel | undefined): Promise<unknown> | undefined {
    if (!connection.hasSession || connection.server.capabilities['logging'] === undefined) return undefined;
    if (wanted !== undefined && this.needsChange(connection, wanted)) {
      const { level } = wanted;
      this.sent = { connection, level, done: this.send(connection, level) };
    }
    return this.sent?.connection === connection ? this.sent.done : undefined;
  }

  private needsChange(connection: McpConnection, { level, isExact }: WantedLogLevel): boolean {
    const { sent } = this;
    if (sent?.connection !== connection) return true;
    return isExact ? sent.level !== level : LOG_LEVELS.indexOf(sent.level) > LOG_LEVELS.indexOf(level);
  }

  /** Does not end with one of the calls that wait for it. */
  private async send(connection: McpConnection, level: string): Promise<void> {
    const { signal } = new AbortController();
    const exchange = { signal, idleTimeoutMs: Infinity, totalTimeoutMs: this.timeoutMs };
    try {
      await connection.request('logging/setLevel', { level }, exchange);
    } catch (error) {
      if (this.sent?.connection === connection) this.sent = undefined;
      if (error instanceof SessionLostError) throw error;
    }
  }
}

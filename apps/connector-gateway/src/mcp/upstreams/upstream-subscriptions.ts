import type { McpConnection } from '@gatehouse/mcp/client/connection';
import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';

/** Pauses before another attempt to subscribe. */
const PAUSE = { firstMs: 1_000, longestMs: 30_000 };

/** The changes of lists that a modern upstream announces with the subscriptions. */
const ALL_LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/**
 * Keeps one upstream subscribed to a set of resources, over lost connections too: with
 * `resources/subscribe` at a legacy upstream, with `subscriptions/listen` at a modern one. A
 * resource that the upstream refuses is not requested again on the same connection.
 */
export class UpstreamSubscriptions {
  private wanted: ReadonlySet<string> = new Set();
  private sent: { connection: McpConnection; uris: Set<string> } | undefined;
  private isRunning = false;
  private attempted: Promise<void> | undefined;
  private readonly closing = new AbortController();

  constructor(
    private readonly connect: () => Promise<McpConnection>,
    private readonly timeoutMs: number,
  ) {}

  /** Replaces the subscribed resources. Resolves after the first attempt, which may fail. */
  async set(uris: ReadonlySet<string>): Promise<void> {
    this.wanted = uris;
    this.start();
    await this.attempted;
  }

  /** Subscribes again after the end of a connection. */
  restore(): void {
    this.sent = undefined;
    this.start();
  }

  close(): void {
    this.closing.abort();
  }

  private start(): void {
    if (this.isRunning || this.isSettled()) return;
    const { signal } = this.closing;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.attempted = promise;
    this.isRunning = true;
    retry(() => this.apply(), { backoff: new Backoff(PAUSE), signal, onFailure: () => resolve(undefined) })
      // Only the end of the upstream ends the attempts.
      .catch(() => undefined)
      .finally(() => {
        resolve(undefined);
        this.isRunning = false;
        if (!signal.aborted) this.start();
      });
  }

  private isSettled(): boolean {
    const { wanted, sent } = this;
    if (sent === undefined) return wanted.size === 0;
    return wanted.size === sent.uris.size && [...wanted].every((uri) => sent.uris.has(uri));
  }

  private async apply(): Promise<void> {
    while (!this.isSettled() && !this.closing.signal.aborted) {
      const connection = await this.connect();
      if (this.sent?.connection !== connection) this.sent = { connection, uris: new Set() };
      const { wanted, sent } = this;
      if (connection.era === 'modern') {
        const filter = wanted.size === 0 ? ALL_LISTS : { ...ALL_LISTS, resourceSubscriptions: [...wanted] };
        await connection.openStandaloneStream(filter);
        sent.uris = new Set(wanted);
      } else await this.applyDifference(connection, wanted, sent.uris);
    }
  }

  private async applyDifference(connection: McpConnection, wanted: ReadonlySet<string>, sent: Set<string>) {
    for (const uri of [...sent].filter((one) => !wanted.has(one))) {
      await this.request(connection, 'resources/unsubscribe', uri);
      sent.delete(uri);
    }
    for (const uri of [...wanted].filter((one) => !sent.has(one))) {
      await this.request(connection, 'resources/subscribe', uri);
      sent.add(uri);
    }
  }

  private request(connection: McpConnection, method: string, uri: string) {
    const { signal } = this.closing;
    return connection.request(method, { uri }, { signal, idleTimeoutMs: Infinity, totalTimeoutMs: this.timeoutMs });
  }
}

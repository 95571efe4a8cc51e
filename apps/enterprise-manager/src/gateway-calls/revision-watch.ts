import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';

const POLL_MS = 500;
const RECONNECT_MS = 1_000;

/**
 * Wakes those who wait for a change of a gateway. Postgres tells every replica at once (LISTEN); while that connection is down, and for whatever it may
 * have missed, the waiting ones are woken every half second to look for themselves.
 */
@Injectable()
export class RevisionWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly waiting = new Map<string, Set<() => void>>();
  private client: pg.Client | undefined;
  private poll: NodeJS.Timeout | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.poll = setInterval(() => this.wakeAll(), POLL_MS).unref();
    await this.listen();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.poll);
    clearTimeout(this.reconnect);
    this.wakeAll();
    await this.client?.end().catch(() => undefined);
  }

  /** Whether the service is ending: nobody should wait any more. */
  get ending(): boolean {
    return this.stopped;
  }

  /** Resolves at the next sign of a change, after `timeoutMs`, or when `signal` aborts. */
  next(gatewayId: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.waiting.get(gatewayId) ?? new Set();
      this.waiting.set(gatewayId, waiters);
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      waiters.add(done);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted || this.stopped) done();
    });
  }

  private wake(gatewayId: string): void {
    for (const done of [...(this.waiting.get(gatewayId) ?? [])]) done();
  }

  private wakeAll(): void {
    for (const gatewayId of this.waiting.keys()) this.wake(gatewayId);
  }

  private async listen(): Promise<void> {
    const { options } = this.dataSource;
    if (this.stopped || options.type !== 'postgres') return;
    const client = new pg.Client({
      connectionString: options.url,
      application_name: 'enterprise-manager-listen',
      keepAlive: true,
    });
    client.on('notification', ({ payload }) => this.wake(payload ?? ''));
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, undefined));
    this.client = client;
    try {
      await client.connect();
      await client.query('LISTEN gateway_changed');
      this.wakeAll();
    } catch (error) {
      this.lost(client, error);
    }
  }

  private lost(client: pg.Client, error: unknown): void {
    if (this.client !== client || this.stopped) return;
    this.client = undefined;
    this.log.warn({ err: error }, 'changes of gateways are not announced any more; looking for them instead');
    client.end().catch(() => undefined);
    this.reconnect = setTimeout(() => void this.listen(), RECONNECT_MS).unref();
  }
}

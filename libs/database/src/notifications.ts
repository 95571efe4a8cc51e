import pg from 'pg';
import type { DataSource } from 'typeorm';

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Interval of the checks that the connection still answers. */
const CHECK_MS = 1_000;
/** Time without an answer after which the connection counts as lost. */
const LEASE_MS = 3_000;

/** The channels of a listener, and what it does with their notifications. */
export interface NotificationOptions<Channel extends string> {
  /** Name of the connection in pg_stat_activity. */
  applicationName: string;
  channels: readonly Channel[];
  onNotification: (channel: Channel, payload: string) => void;
  /** The connection listens again. Notifications before it were lost. */
  onListening: () => void;
  /** The connection was lost; the listener connects again. */
  onLoss: (error: unknown) => void;
}

/**
 * Receives the notifications of Postgres (LISTEN) on one connection of its own, and connects again
 * after a loss. A connection without an answer for 3 s is lost, also when no error shows it. A lost
 * notification is not repeated, so the caller also polls, or reads anew unless `isListening`.
 */
export class NotificationListener<Channel extends string> {
  private client: pg.Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private readonly checks: NodeJS.Timeout;
  private answeredAt: number | undefined;
  private isChecking = false;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: NotificationOptions<Channel>,
  ) {
    this.checks = setInterval(() => void this.check(), CHECK_MS).unref();
  }

  /** Whether each notification since the last `onListening` has arrived or will arrive. */
  get isListening(): boolean {
    return this.answeredAt !== undefined && performance.now() - this.answeredAt < LEASE_MS;
  }

  /** Starts to listen. Resolves after the first attempt, whether or not it succeeded. */
  async start(): Promise<void> {
    const { options } = this.dataSource;
    if (this.isStopped || options.type !== 'postgres') return;
    const { applicationName, channels, onNotification, onListening } = this.options;
    const client = new pg.Client({
      connectionString: options.url,
      application_name: applicationName,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    client.on('notification', ({ channel, payload }) => onNotification(channel as Channel, payload ?? ''));
    client.on('error', (error) => this.handleLoss(client, error));
    client.on('end', () => this.handleLoss(client, undefined));
    this.client = client;
    try {
      await client.connect();
      await client.query(channels.map((channel) => `LISTEN ${channel}`).join('; '));
      if (this.client !== client) return;
      this.answeredAt = performance.now();
      onListening();
    } catch (error) {
      this.handleLoss(client, error);
    }
  }

  /** Closes the connection. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.answeredAt = undefined;
    clearInterval(this.checks);
    clearTimeout(this.reconnect);
    await this.client?.end().catch(() => undefined);
  }

  private async check(): Promise<void> {
    const { client } = this;
    if (client === undefined || this.answeredAt === undefined) return;
    if (!this.isListening) {
      this.handleLoss(client, new Error('the database does not answer'));
      return;
    }
    if (this.isChecking) return;
    this.isChecking = true;
    const sentAt = performance.now();
    try {
      await client.query('SELECT');
      this.renew(client, sentAt);
    } catch (error) {
      this.handleLoss(client, error);
    } finally {
      this.isChecking = false;
    }
  }

  private renew(client: pg.Client, sentAt: number): void {
    if (this.client === client && this.isListening) this.answeredAt = sentAt;
  }

  private handleLoss(client: pg.Client, error: unknown): void {
    if (this.client !== client || this.isStopped) return;
    this.client = undefined;
    this.answeredAt = undefined;
    this.options.onLoss(error);
    client.end().catch(() => undefined);
    this.reconnect = setTimeout(() => void this.start(), RECONNECT_MS).unref();
  }
}

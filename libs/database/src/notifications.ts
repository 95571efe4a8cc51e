import pg from 'pg';
import type { DataSource } from 'typeorm';

const RECONNECT_MS = 1_000;

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
 * after a loss. A lost notification is not repeated, so the caller also polls.
 */
export class NotificationListener<Channel extends string> {
  private client: pg.Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: NotificationOptions<Channel>,
  ) {}

  /** Starts to listen. Resolves after the first attempt, whether or not it succeeded. */
  async start(): Promise<void> {
    const { options } = this.dataSource;
    if (this.isStopped || options.type !== 'postgres') return;
    const { applicationName, channels, onNotification, onListening } = this.options;
    const client = new pg.Client({
      connectionString: options.url,
      application_name: applicationName,
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload }) => onNotification(channel as Channel, payload ?? ''));
    client.on('error', (error) => this.handleLoss(client, error));
    client.on('end', () => this.handleLoss(client, undefined));
    this.client = client;
    try {
      await client.connect();
      await client.query(channels.map((channel) => `LISTEN ${channel}`).join('; '));
      onListening();
    } catch (error) {
      this.handleLoss(client, error);
    }
  }

  /** Closes the connection. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.reconnect);
    await this.client?.end().catch(() => undefined);
  }

  private handleLoss(client: pg.Client, error: unknown): void {
    if (this.client !== client || this.isStopped) return;
    this.client = undefined;
    this.options.onLoss(error);
    client.end().catch(() => undefined);
    this.reconnect = setTimeout(() => void this.start(), RECONNECT_MS).unref();
  }
}

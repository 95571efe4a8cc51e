import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { type ChangeReader, Waiters } from './waiters.ts';

const POLL_MS = 500;
const RECONNECT_MS = 1_000;

/** The channels on which database triggers announce changes. */
const CHANNELS = ['gateway_changed', 'keys_changed', 'entitlements_changed', 'signing_keys_changed'] as const;
type Channel = (typeof CHANNELS)[number];

const toTopic = (channel: Channel, payload: string): string => `${channel} ${payload}`;

/** The topic of changes of a gateway's snapshot. */
export const getGatewayTopic = (gatewayId: string): string => toTopic('gateway_changed', gatewayId);

/** The topic of changes of keys, of their owners and of memberships. */
export const KEYS_TOPIC = toTopic('keys_changed', '');

/** The topic of changes of entitlements. */
export const ENTITLEMENTS_TOPIC = toTopic('entitlements_changed', '');

/** The topic of changes of signing keys. */
export const SIGNING_KEYS_TOPIC = toTopic('signing_keys_changed', '');

/**
 * Wakes requests that wait for a change. Postgres notifies all replicas at once (LISTEN, one
 * connection for all channels). All waiting requests are also woken every half second, in case a
 * notification was lost.
 */
@Injectable()
export class RevisionWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly waiters = new Waiters();
  private client: pg.Client | undefined;
  private poll: NodeJS.Timeout | undefined;
  private reconnect: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: Log,
    readiness: Readiness,
  ) {
    // Answers long polls when the shutdown begins, since the shutdown waits for them.
    readiness.shutdown.addEventListener('abort', () => this.waiters.end(), { once: true });
  }

  async onApplicationBootstrap(): Promise<void> {
    this.poll = setInterval(() => this.waiters.wakeAll(), POLL_MS).unref();
    await this.listen();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.poll);
    clearTimeout(this.reconnect);
    this.waiters.end();
    await this.client?.end().catch(() => undefined);
  }

  /** Whether the service is shutting down, so that requests must not wait. */
  get isEnding(): boolean {
    return this.waiters.isEnded;
  }

  /**
   * Resolves at the next notification of a change, after `timeoutMs`, or when `signal` aborts.
   * @param topic getGatewayTopic, KEYS_TOPIC, ENTITLEMENTS_TOPIC or SIGNING_KEYS_TOPIC
   */
  waitForChange(topic: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    return this.waiters.wait(topic, timeoutMs, signal);
  }

  /**
   * Reads a state until it has a change, at most for `waitMs`.
   * @param topic as for `waitForChange`
   * @param disconnected ends the wait when the client disconnects
   */
  readUntilChanged<T>(topic: string, waitMs: number, disconnected: AbortSignal, reader: ChangeReader<T>): Promise<T> {
    return this.waiters.readUntilChanged(topic, waitMs, disconnected, reader);
  }

  private async listen(): Promise<void> {
    const { options } = this.dataSource;
    if (this.isEnding || options.type !== 'postgres') return;
    const client = new pg.Client({
      connectionString: options.url,
      application_name: 'enterprise-manager-listen',
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload }) => this.waiters.wake(toTopic(channel as Channel, payload ?? '')));
    client.on('error', (error) => this.handleLoss(client, error));
    client.on('end', () => this.handleLoss(client, undefined));
    this.client = client;
    try {
      await client.connect();
      await client.query(CHANNELS.map((channel) => `LISTEN ${channel}`).join('; '));
      this.waiters.wakeAll();
    } catch (error) {
      this.handleLoss(client, error);
    }
  }

  private handleLoss(client: pg.Client, error: unknown): void {
    if (this.client !== client || this.isEnding) return;
    this.client = undefined;
    this.log.warn({ err: error }, 'the connection for notifications of changes was lost; polling until it is restored');
    client.end().catch(() => undefined);
    this.reconnect = setTimeout(() => void this.listen(), RECONNECT_MS).unref();
  }
}

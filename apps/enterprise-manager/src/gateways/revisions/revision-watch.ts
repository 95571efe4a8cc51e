import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Waiters } from './waiters.ts';

const POLL_MS = 500;
const RECONNECT_MS = 1_000;

/** Channels on which triggers of the database announce changes. */
const CHANNELS = ['gateway_changed', 'keys_changed', 'signing_keys_changed'] as const;
type Channel = (typeof CHANNELS)[number];

const topicOf = (channel: Channel, payload: string): string => `${channel} ${payload}`;

/** Changes of what a gateway's snapshot is made of. */
export const gatewayTopic = (gatewayId: string): string => topicOf('gateway_changed', gatewayId);

/** Changes of keys, of their owners and of memberships. */
export const KEYS_TOPIC = topicOf('keys_changed', '');

/** Changes of the keys that sign. */
export const SIGNING_KEYS_TOPIC = topicOf('signing_keys_changed', '');

/**
 * Wakes those who wait for a change. Postgres tells every replica at once (LISTEN, one connection
 * for all channels); while that connection is down, and for whatever it may have missed, the
 * waiting ones are woken every half second to look for themselves.
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
    // Long polls are answered when the shutdown begins, which otherwise waits for them.
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

  /** Whether the service is ending: nobody should wait any more. */
  get ending(): boolean {
    return this.waiters.ended;
  }

  /**
   * Resolves at the next sign of a change, after `timeoutMs`, or when `signal` aborts.
   * @param topic gatewayTopic, KEYS_TOPIC or SIGNING_KEYS_TOPIC
   */
  next(topic: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    return this.waiters.next(topic, timeoutMs, signal);
  }

  private async listen(): Promise<void> {
    const { options } = this.dataSource;
    if (this.ending || options.type !== 'postgres') return;
    const client = new pg.Client({
      connectionString: options.url,
      application_name: 'enterprise-manager-listen',
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload }) => this.waiters.wake(topicOf(channel as Channel, payload ?? '')));
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, undefined));
    this.client = client;
    try {
      await client.connect();
      await client.query(CHANNELS.map((channel) => `LISTEN ${channel}`).join('; '));
      this.waiters.wakeAll();
    } catch (error) {
      this.lost(client, error);
    }
  }

  private lost(client: pg.Client, error: unknown): void {
    if (this.client !== client || this.ending) return;
    this.client = undefined;
    this.log.warn({ err: error }, 'changes are not announced any more; looking for them instead');
    client.end().catch(() => undefined);
    this.reconnect = setTimeout(() => void this.listen(), RECONNECT_MS).unref();
  }
}

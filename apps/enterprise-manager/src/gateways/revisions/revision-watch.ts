import { NotificationListener } from '@gatehouse/database/notifications';
import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type ChangeReader, Waiters } from './waiters.ts';

const POLL_MS = 500;

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
  private readonly listener: NotificationListener<Channel>;
  private poll: NodeJS.Timeout | undefined;

  constructor(dataSource: DataSource, log: Log, readiness: Readiness) {
    this.listener = new NotificationListener<Channel>(dataSource, {
      applicationName: 'enterprise-manager-listen',
      channels: CHANNELS,
      onNotification: (channel, payload) => this.waiters.wake(toTopic(channel, payload)),
      onListening: () => this.waiters.wakeAll(),
      onLoss: (error) =>
        log.warn({ err: error }, 'the connection for notifications of changes was lost; polling until it is restored'),
    });
    // Answers long polls when the shutdown begins, since the shutdown waits for them.
    readiness.shutdown.addEventListener('abort', () => this.waiters.end(), { once: true });
  }

  async onApplicationBootstrap(): Promise<void> {
    this.poll = setInterval(() => this.waiters.wakeAll(), POLL_MS).unref();
    if (!this.isEnding) await this.listener.start();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.poll);
    this.waiters.end();
    await this.listener.stop();
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
}

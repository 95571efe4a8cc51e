import { NotificationListener } from '@gatehouse/database/notifications';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const CHANNELS = ['mcp_session_changed'] as const;

/** The receiver of the notifications between replicas. */
export interface ReplicaEventHandlers {
  /** The session ended, or its client changed its log level or subscriptions, on any replica. */
  onSessionChanged(id: string): void;
}

/**
 * Receives the notifications of all replicas through Postgres. While the connection is lost, the
 * polling of the sessions replaces them.
 */
@Injectable()
export class ReplicaEvents {
  private handlers: ReplicaEventHandlers | undefined;
  private readonly listener: NotificationListener<(typeof CHANNELS)[number]>;

  constructor(dataSource: DataSource, log: Log) {
    this.listener = new NotificationListener(dataSource, {
      applicationName: 'connector-gateway-listen',
      channels: CHANNELS,
      onNotification: (_channel, payload) => this.handlers?.onSessionChanged(payload),
      onListening: () => undefined,
      onLoss: (error) =>
        log.warn({ err: error }, 'the connection for notifications of replicas was lost; polling until it is restored'),
    });
  }

  /** Starts to listen. Resolves after the first attempt, whether or not it succeeded. */
  start(handlers: ReplicaEventHandlers): Promise<void> {
    this.handlers = handlers;
    return this.listener.start();
  }

  stop(): Promise<void> {
    return this.listener.stop();
  }
}

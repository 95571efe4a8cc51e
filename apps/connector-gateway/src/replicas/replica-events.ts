import { NotificationListener } from '@gatehouse/database/notifications';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SessionMessage } from '../mcp/ports/replicas.ts';
import { PINS_CHANNEL } from '../tool-pins/pins-channel.ts';
import { readTokensPayload, TOKENS_CHANNEL } from '../vault/tokens-channel.ts';
import type { TokenOwner } from '../vault/token-owner.ts';
import { SessionMessagesRepository } from './session-messages.repository.ts';

const CHANNELS = ['mcp_session_changed', 'mcp_session_message', TOKENS_CHANNEL, PINS_CHANNEL] as const;

/** The receiver of the notifications between replicas. */
export interface ReplicaEventHandlers {
  /** The session ended, or its client changed its log level or subscriptions, on any replica. */
  onSessionChanged(id: string): void;
  /** Whether this process serves requests of the session. */
  hasSession(id: string): boolean;
  /** Another replica received a message of the client of a session. */
  onMessage(message: SessionMessage): void;
  /**
   * A user has connected to a connector or is not connected any more, on any replica.
   * @param owner undefined if it can be any user
   */
  onConnectionChanged(owner: TokenOwner | undefined): void;
  /**
   * An administrator has decided about a tool of a connector, on any replica.
   * @param connectorId undefined if it can be any connector
   */
  onPinsChanged(connectorId: string | undefined): void;
}

/**
 * Receives the notifications of all replicas through Postgres. While the connection is lost, the
 * polling of the sessions replaces them, and messages wait in the database.
 */
@Injectable()
export class ReplicaEvents {
  private handlers: ReplicaEventHandlers | undefined;
  private readonly listener: NotificationListener<(typeof CHANNELS)[number]>;
  /** Id of the last message that was notified. */
  private lastMessage = '0';

  constructor(
    dataSource: DataSource,
    private readonly messages: SessionMessagesRepository,
    private readonly log: Log,
  ) {
    this.listener = new NotificationListener(dataSource, {
      applicationName: 'connector-gateway-listen',
      channels: CHANNELS,
      onNotification: (channel, payload) => {
        if (channel === 'mcp_session_changed') this.handlers?.onSessionChanged(payload);
        else if (channel === 'mcp_session_message') this.handleMessage(payload);
        else if (channel === PINS_CHANNEL) this.handlers?.onPinsChanged(payload);
        else this.handlers?.onConnectionChanged(readTokensPayload(payload));
      },
      // Notifications may have come while the connection was lost.
      onListening: () => {
        void this.receive(this.messages.findAfter(this.lastMessage));
        this.handlers?.onConnectionChanged(undefined);
        this.handlers?.onPinsChanged(undefined);
      },
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

  private handleMessage(payload: string): void {
    const [id = '0', sessionId = ''] = payload.split(' ');
    this.lastMessage = id;
    if (this.handlers?.hasSession(sessionId) === true) void this.receive(this.messages.find(id));
  }

  private async receive(found: Promise<readonly SessionMessage[]>): Promise<void> {
    try {
      for (const message of await found) this.handlers?.onMessage(message);
    } catch (error) {
      this.log.warn({ err: error }, 'messages of other replicas could not be read');
    }
  }
}

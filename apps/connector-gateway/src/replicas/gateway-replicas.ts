import { Inject, Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { SETTINGS, type Settings } from '../config/config.ts';
import type { ForwardedRequest, Replicas, SessionMessage } from '../mcp/ports/replicas.ts';
import { type ReplicaEventHandlers, ReplicaEvents } from './replica-events.ts';
import { ReplicaRegistry } from './replica-registry.ts';
import { RequestForwarder } from './request-forwarder.ts';
import { SessionMessagesRepository } from './session-messages.repository.ts';
import { StreamOwnersRepository } from './stream-owners.repository.ts';

/** This replica among the others: it forwards to them, and ends the streams of those that died. */
@Injectable()
export class GatewayReplicas implements Replicas {
  private readonly forwarder: RequestForwarder | undefined;

  constructor(
    @Inject(SETTINGS) { REPLICA_URL, REPLICA_KEY }: Settings,
    private readonly registry: ReplicaRegistry,
    private readonly events: ReplicaEvents,
    private readonly messages: SessionMessagesRepository,
    private readonly streams: StreamOwnersRepository,
  ) {
    if (REPLICA_URL !== undefined && REPLICA_KEY !== undefined) this.forwarder = new RequestForwarder(REPLICA_KEY);
  }

  get id(): string {
    return this.registry.id;
  }

  /** Registers this replica and starts to listen to the others. */
  async start(handlers: ReplicaEventHandlers): Promise<void> {
    await this.registry.start(() => this.streams.sweep());
    await this.events.start(handlers);
  }

  async stop(): Promise<void> {
    await this.events.stop();
    await this.registry.end();
    await this.streams.stop();
    await this.registry.remove();
    await this.forwarder?.close();
  }

  /** Deletes what no replica needs any more. */
  async prune(): Promise<void> {
    await this.streams.prune();
    await this.messages.prune();
    await this.registry.prune();
  }

  async findUrl(replicaId: string): Promise<string | undefined> {
    return this.forwarder && this.registry.findUrl(replicaId);
  }

  async forward(url: string, request: ForwardedRequest, response: ServerResponse): Promise<boolean> {
    return (await this.forwarder?.forward(url, request, response)) ?? false;
  }

  readMessages(sessionId: string): Promise<readonly SessionMessage[]> {
    return this.messages.readAll(sessionId);
  }

  send(message: SessionMessage): Promise<void> {
    return this.messages.send(message);
  }
}

import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.ts';
import { VaultModule } from '../vault/vault.module.ts';
import { AuditModule } from '../audit/audit.module.ts';
import { MeteringModule } from '../metering/metering.module.ts';
import { CallRatesRepository } from '../call-rates/call-rates.repository.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { TasksRepository } from '../tasks/tasks.repository.ts';
import { ToolPinsRepository } from '../tool-pins/tool-pins.repository.ts';
import { GatewayReplicas } from '../replicas/gateway-replicas.ts';
import { ReplicaEvents } from '../replicas/replica-events.ts';
import { ReplicaRegistry } from '../replicas/replica-registry.ts';
import { SessionMessagesRepository } from '../replicas/session-messages.repository.ts';
import { StreamOwnersRepository } from '../replicas/stream-owners.repository.ts';
import { AuthorizationServerModule } from '../authorization-server/authorization-server.module.ts';
import { DataPlane } from './data-plane.ts';

/** The MCP data plane. */
@Module({
  imports: [AuditModule, AuthorizationServerModule, MeteringModule, CredentialsModule, VaultModule],
  providers: [
    DataPlane,
    SessionsRepository,
    CallRatesRepository,
    TasksRepository,
    ToolPinsRepository,
    GatewayReplicas,
    ReplicaEvents,
    ReplicaRegistry,
    SessionMessagesRepository,
    StreamOwnersRepository,
  ],
  exports: [DataPlane],
})
export class DataPlaneModule {}

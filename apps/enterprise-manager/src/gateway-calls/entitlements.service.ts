import { Clock } from '@gatehouse/service-kit/clock';
import { etagOf } from '@gatehouse/service-kit/etag';
import { Refusal } from '@gatehouse/service-kit/refusal';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type Connection, toConnection } from '../connections/connections.dto.ts';
import { ConnectionsRepository } from '../connections/connections.repository.ts';
import { ConnectorsRepository } from '../connectors/connectors.repository.ts';
import { noSuchConnector } from '../connectors/connectors.service.ts';
import { Gateways } from '../connectors/gateways.ts';
import { GroupsRepository } from '../groups/groups.repository.ts';
import { People, type TokenPerson } from '../users/people.service.ts';
import type { UserRow } from '../users/user.entity.ts';
import { UsersRepository } from '../users/users.repository.ts';
import type { Entitlements, GatewayConnectionPath } from './gateway-calls.dto.ts';

/** What gateways ask and write about one person. */
@Injectable()
export class EntitlementsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly people: People,
    private readonly groups: GroupsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly connectors: ConnectorsRepository,
    private readonly gateways: Gateways,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal not_found */
  async ofUser(gatewayId: string, userId: string): Promise<Entitlements> {
    this.gateways.require(gatewayId);
    return this.of(gatewayId, (await this.users.find(userId)) ?? noSuchPerson());
  }

  /** The person that a token speaks of. @throws Refusal not_found */
  async ofPerson(gatewayId: string, person: TokenPerson): Promise<Entitlements> {
    this.gateways.require(gatewayId);
    return this.of(gatewayId, (await this.people.entryOfPerson(person)) ?? noSuchPerson());
  }

  /** Switches a person's connection, making it where there is none. @throws Refusal not_found */
  async setEnabled(path: GatewayConnectionPath, enabled: boolean): Promise<Connection> {
    await this.requireBoth(path);
    const now = this.clock.now().toISOString();
    const row = await this.connections.setEnabled(uuidv7(), path.user_id, path.connector_id, enabled, now);
    return toConnection(row ?? noSuchConnector());
  }

  /** Puts a person's connection back to its default. @throws Refusal not_found for an unknown person or connector */
  async clear(path: GatewayConnectionPath): Promise<void> {
    await this.requireBoth(path);
    await this.connections.removeOf(path.user_id, path.connector_id);
  }

  private async requireBoth({ gateway_id, user_id, connector_id }: GatewayConnectionPath): Promise<void> {
    this.gateways.require(gateway_id);
    const user = await this.users.find(user_id);
    if (!user?.active) noSuchPerson();
    if ((await this.connectors.find(gateway_id, connector_id)) === undefined) noSuchConnector();
  }

  /** Somebody who is not active is in no group and has no connection. */
  private async of(gatewayId: string, user: UserRow): Promise<Entitlements> {
    const groups = user.active ? await this.groups.idsHolding(user.id) : [];
    const connections = user.active ? await this.connections.ofUserAtGateway(user.id, gatewayId) : [];
    const entitlements = {
      user_id: user.id,
      issuer: user.issuer,
      ...(user.subject !== null && { subject: user.subject }),
      active: user.active,
      groups: [...groups].sort(),
      connections: connections.map(({ connector_id, enabled, tools_enabled_by_default, tools_exception_list }) => ({
        connector_id,
        enabled,
        tools_enabled_by_default,
        tools_exception_list,
      })),
    };
    return { ...entitlements, version: etagOf(entitlements).slice(1, -1) };
  }
}

function noSuchPerson(): never {
  throw new Refusal('not_found', 'there is no such person');
}

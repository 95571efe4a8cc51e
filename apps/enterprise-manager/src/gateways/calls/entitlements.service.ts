import { inTransaction } from '@gatehouse/database/transaction';
import { Clock } from '@gatehouse/service-kit/clock';
import { type Answer, etagOf, requireMatch, withETag } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Connection, toConnection } from '../../access/connections/connections.dto.ts';
import { ConnectionsRepository } from '../../access/connections/connections.repository.ts';
import { ConnectorsRepository } from '../../access/connectors/connectors.repository.ts';
import { noSuchConnector } from '../../access/connectors/connectors.service.ts';
import { Gateways } from '../settings/gateways.ts';
import { GroupsRepository } from '../../people/groups/groups.repository.ts';
import { DirectoryEntries, type GatewayVerifiedUser } from '../../people/users/directory-entries.service.ts';
import type { UserRow } from '../../people/users/user.entity.ts';
import { UsersRepository } from '../../people/users/users.repository.ts';
import type { Entitlements, GatewayConnectionPath } from './gateway-calls.dto.ts';

const RETRIES = 5;

const tagOf = (version: number): string => `"${version}"`;

/** What gateways ask and write about one person. */
@Injectable()
export class EntitlementsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly entries: DirectoryEntries,
    private readonly groups: GroupsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly connectors: ConnectorsRepository,
    private readonly gateways: Gateways,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /** @throws HttpError not_found */
  async ofUser(gatewayId: string, userId: string): Promise<Entitlements> {
    this.gateways.require(gatewayId);
    return this.of(gatewayId, (await this.users.find(userId)) ?? noSuchPerson());
  }

  /** The person that a token speaks of. @throws HttpError not_found */
  async ofPerson(gatewayId: string, person: GatewayVerifiedUser): Promise<Entitlements> {
    this.gateways.require(gatewayId);
    return this.of(gatewayId, (await this.entries.findByVerifiedUser(person)) ?? noSuchPerson());
  }

  /**
   * Switches a person's connection, making it where there is none.
   * @throws HttpError not_found, precondition_failed
   */
  async setEnabled(
    path: GatewayConnectionPath,
    enabled: boolean,
    ifMatch: string | undefined,
  ): Promise<Answer<Connection>> {
    const { user_id, connector_id } = path;
    return this.change(path, ifMatch, async (manager) => {
      const updated_at = this.clock.now().toISOString();
      const change = { id: uuidv7(), user_id, connector_id, enabled, updated_at };
      const row = (await this.connections.setEnabled(manager, change)) ?? noSuchConnector();
      return withETag(toConnection(row), tagOf(await this.connections.version(user_id, connector_id, manager)));
    });
  }

  /**
   * Puts a person's connection back to its default.
   * @throws HttpError not_found for an unknown person or connector, precondition_failed
   */
  async clear(path: GatewayConnectionPath, ifMatch: string | undefined): Promise<void> {
    await this.change(path, ifMatch, (manager) => this.connections.removeOf(path.user_id, path.connector_id, manager));
  }

  /**
   * @throws HttpError not_found, precondition_failed when `ifMatch` names another version of the
   * connection
   */
  private async change<T>(
    path: GatewayConnectionPath,
    ifMatch: string | undefined,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    await this.requireBoth(path);
    return inTransaction(
      this.dataSource,
      async (manager) => {
        if (ifMatch !== undefined) {
          const version = await this.connections.hold(manager, path.user_id, path.connector_id);
          requireMatch(ifMatch, tagOf(version), 'optional');
        }
        return work(manager);
      },
      { retries: RETRIES },
    );
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
      connections: connections.filter((connection) => connection.enabled !== null),
      cleared_connections: connections
        .filter(({ enabled }) => enabled === null)
        .map(({ connector_id, version }) => ({ connector_id, version })),
    };
    return { ...entitlements, version: etagOf(entitlements).slice(1, -1) };
  }
}

function noSuchPerson(): never {
  throw new HttpError('not_found', 'there is no such person');
}

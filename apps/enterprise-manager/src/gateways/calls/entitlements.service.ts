import { inTransaction } from '@gatehouse/database/transaction';
import { Clock } from '@gatehouse/service-kit/clock';
import { type Answer, computeETag, requireMatch, withETag } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Connection, toConnection } from '../../access/connections/connections.dto.ts';
import { ConnectionsRepository } from '../../access/connections/connections.repository.ts';
import { ConnectorsRepository } from '../../access/connectors/connectors.repository.ts';
import { throwNoSuchConnector } from '../../access/connectors/connectors.service.ts';
import { Gateways } from '../settings/gateways.ts';
import { GroupsRepository } from '../../people/groups/groups.repository.ts';
import { DirectoryEntries, type GatewayVerifiedUser } from '../../people/users/directory-entries.service.ts';
import type { UserRow } from '../../people/users/user.entity.ts';
import { UsersRepository } from '../../people/users/users.repository.ts';
import type { Entitlements, GatewayConnectionPath } from './gateway-calls.dto.ts';

/** Retries of a transaction after a serialization failure or a deadlock. */
const MAX_RETRIES = 5;

const toEtag = (version: number): string => `"${version}"`;

/** Reads and writes of gateways about one user. */
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

  /** Returns the entitlements of a user by id. @throws HttpError not_found */
  async getByUserId(gatewayId: string, userId: string): Promise<Entitlements> {
    this.gateways.require(gatewayId);
    return this.toEntitlements(gatewayId, (await this.users.find(userId)) ?? throwUserNotFound());
  }

  /** Returns the entitlements of the user of a token. @throws HttpError not_found */
  async getByVerifiedUser(gatewayId: string, user: GatewayVerifiedUser): Promise<Entitlements> {
    this.gateways.require(gatewayId);
    return this.toEntitlements(gatewayId, (await this.entries.findByVerifiedUser(user)) ?? throwUserNotFound());
  }

  /**
   * Enables or disables a connection of a user, and creates it if it does not exist.
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
      const row = (await this.connections.setEnabled(manager, change)) ?? throwNoSuchConnector();
      return withETag(toConnection(row), toEtag(await this.connections.countChanges(user_id, connector_id, manager)));
    });
  }

  /**
   * Deletes a connection of a user, so that the default applies.
   * @throws HttpError not_found for an unknown user or connector, precondition_failed
   */
  async clear(path: GatewayConnectionPath, ifMatch: string | undefined): Promise<void> {
    await this.change(path, ifMatch, (manager) =>
      this.connections.deleteOfUser(path.user_id, path.connector_id, manager),
    );
  }

  /**
   * Changes a connection in one transaction.
   * @throws HttpError not_found, precondition_failed if `ifMatch` is not the version of the
   * connection
   */
  private async change<T>(
    path: GatewayConnectionPath,
    ifMatch: string | undefined,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    await this.requireUserAndConnector(path);
    return inTransaction(
      this.dataSource,
      async (manager) => {
        if (ifMatch !== undefined) {
          const version = await this.connections.hold(manager, path.user_id, path.connector_id);
          requireMatch(ifMatch, toEtag(version), 'optional');
        }
        return work(manager);
      },
      { retries: MAX_RETRIES },
    );
  }

  private async requireUserAndConnector({ gateway_id, user_id, connector_id }: GatewayConnectionPath): Promise<void> {
    this.gateways.require(gateway_id);
    const user = await this.users.find(user_id);
    if (!user?.active) throwUserNotFound();
    if ((await this.connectors.find(gateway_id, connector_id)) === undefined) throwNoSuchConnector();
  }

  /** An inactive user has neither groups nor connections. */
  private async toEntitlements(gatewayId: string, user: UserRow): Promise<Entitlements> {
    const groups = user.active ? await this.groups.listGroupIdsOfUser(user.id) : [];
    const connections = user.active ? await this.connections.listOfUserAtGateway(user.id, gatewayId) : [];
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
    return { ...entitlements, version: computeETag(entitlements).slice(1, -1) };
  }
}

function throwUserNotFound(): never {
  throw new HttpError('not_found', 'there is no such user');
}

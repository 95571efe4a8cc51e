import { inTransaction } from '@gatehouse/database/transaction';
import type { Principal } from '@gatehouse/policy/decide';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { computeETag, requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { ConnectorPath } from '../connectors/connectors.dto.ts';
import { ConnectorsService, throwNoSuchConnector } from '../connectors/connectors.service.ts';
import { Gateways } from '../../gateways/settings/gateways.ts';
import { listByCreation } from '../../database/creation-order.ts';
import {
  type Connection,
  type ConnectionCreate,
  type ConnectionListQuery,
  type ConnectionPage,
  type OwnConnectionListQuery,
  type ObservedConnection,
  toConnection,
} from './connections.dto.ts';
import { type ConnectionSettings, ConnectionsRepository } from './connections.repository.ts';
import { readVisible } from './visible-pages.ts';
import { OwnAccess } from './own-access.ts';

/** Maximum retries of a write after a conflict with concurrent writes. */
const MAX_RETRIES = 5;

/** A connection with its ETag. */
export interface TaggedConnection {
  connection: Connection;
  etag: string;
}

const addETag = (row: ObservedConnection): TaggedConnection => {
  const connection = toConnection(row);
  return { connection, etag: computeETag({ version: row.version, connection }) };
};

/** Reads all connections for administrators, and reads and writes those of the caller. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly connectors: ConnectorsService,
    private readonly gateways: Gateways,
    private readonly access: OwnAccess,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /** Lists the connections of all users to a connector. @throws HttpError not_found */
  async listOfConnector(
    caller: Caller,
    path: ConnectorPath,
    { user_id, ...query }: ConnectionListQuery,
  ): Promise<ConnectionPage> {
    await this.connectors.get(path);
    const filter = { connector_id: path.id, user_id };
    return listByCreation(
      this.cursors,
      {
        binding: { list: 'connector-connections', filters: filter, caller },
        read: (step) => this.connections.list(filter, step),
        toItem: toConnection,
      },
      query,
    );
  }

  /** Finds a connection of any user. @throws HttpError not_found */
  async get(id: string): Promise<TaggedConnection> {
    return addETag((await this.connections.find(id)) ?? throwNoSuchConnection());
  }

  /**
   * Lists the caller's connections to connectors that the caller may use.
   * @throws HttpError forbidden without an active directory entry
   */
  async listOwn(
    caller: Caller,
    { cursor, before, limit, gateway_id }: OwnConnectionListQuery,
  ): Promise<ConnectionPage> {
    const principal = await this.access.requirePrincipal(caller);
    if (gateway_id !== undefined) this.gateways.require(gateway_id);
    const filter = { user_id: principal.userId, gateway_id, available: true as const };
    return listByCreation(
      this.cursors,
      {
        binding: { list: 'own-connections', filters: { gateway_id }, caller },
        read: (step) =>
          readVisible(
            step,
            (next) => this.connections.list(filter, next),
            (found) => this.filterUsable(principal, found),
          ),
        toItem: toConnection,
      },
      { cursor, before, limit },
    );
  }

  /** @throws HttpError forbidden, not_found */
  async getOwn(caller: Caller, id: string): Promise<TaggedConnection> {
    return addETag(await this.requireOwn(caller, id));
  }

  /**
   * @throws HttpError forbidden, not_found for a connector that the caller may not use, conflict if
   * the caller has a connection already
   */
  async createOwn(caller: Caller, create: ConnectionCreate): Promise<TaggedConnection> {
    const principal = await this.access.requirePrincipal(caller);
    this.gateways.require(create.gateway_id);
    const connector =
      (await this.access.findConnector(principal, create.gateway_id, create.connector_id)) ?? throwNoSuchConnector();
    const now = this.clock.now().toISOString();
    const row = {
      id: uuidv7(),
      connector_id: connector.id,
      user_id: principal.userId,
      enabled: create.enabled ?? true,
      tools_enabled_by_default: create.tools_enabled_by_default ?? true,
      tools_exception_list: create.tools_exception_list ?? [],
      created_at: now,
      updated_at: now,
    };
    if (!(await this.connections.insert(row))) {
      const isGone = (await this.access.findConnector(principal, create.gateway_id, create.connector_id)) === undefined;
      if (isGone) throwNoSuchConnector();
      throw new HttpError('conflict', 'connector_id: you have a connection to this connector already');
    }
    return addETag((await this.connections.find(row.id)) ?? throwNoSuchConnection());
  }

  /**
   * Changes settings of the caller's connection.
   * @throws HttpError forbidden, not_found, precondition_failed
   */
  changeOwn(
    caller: Caller,
    id: string,
    settings: Partial<ConnectionSettings>,
    ifMatch: string | undefined,
  ): Promise<TaggedConnection> {
    return this.runLocked(caller, id, ifMatch, async (manager) => {
      const now = this.clock.now().toISOString();
      return addETag((await this.connections.update(id, settings, now, manager)) ?? throwNoSuchConnection());
    });
  }

  /**
   * Deletes the caller's connection, which resets its settings.
   * @throws HttpError forbidden, not_found, precondition_failed
   */
  async deleteOwn(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    await this.runLocked(caller, id, ifMatch, async (manager) => {
      if (!(await this.connections.remove(id, manager))) throwNoSuchConnection();
    });
  }

  /**
   * Runs `work` on the caller's connection in the state that If-Match names. Locks it against other
   * writes.
   */
  private async runLocked<Result>(
    caller: Caller,
    id: string,
    ifMatch: string | undefined,
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    const { user_id, connector_id } = await this.requireOwn(caller, id);
    return inTransaction(
      this.dataSource,
      async (manager) => {
        if (ifMatch !== undefined) {
          await this.connections.hold(manager, user_id, connector_id);
          const held = (await this.connections.find(id, manager)) ?? throwNoSuchConnection();
          requireMatch(ifMatch, addETag(held).etag, 'optional');
        }
        return work(manager);
      },
      { retries: MAX_RETRIES },
    );
  }

  private async requireOwn(caller: Caller, id: string): Promise<ObservedConnection> {
    const principal = await this.access.requirePrincipal(caller);
    const row = await this.connections.find(id);
    if (row?.user_id !== principal.userId) return throwNoSuchConnection();
    const connector = await this.access.findConnector(principal, row.gateway_id, row.connector_id);
    return connector === undefined ? throwNoSuchConnection() : row;
  }

  private async filterUsable(principal: Principal, found: ObservedConnection[]): Promise<ObservedConnection[]> {
    const connectable = await this.access.filterConnectable(
      principal,
      found.map(({ connector_id }) => connector_id),
    );
    return found.filter(({ connector_id }) => connectable.has(connector_id));
  }
}

function throwNoSuchConnection(): never {
  throw new HttpError('not_found', 'there is no such connection');
}

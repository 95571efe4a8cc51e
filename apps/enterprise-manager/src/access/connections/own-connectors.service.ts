import type { Caller } from '@gatehouse/service-kit/access';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Injectable } from '@nestjs/common';
import { type Connector, type ConnectorPage, type ConnectorPath, toConnector } from '../connectors/connectors.dto.ts';
import { ConnectorsRepository } from '../connectors/connectors.repository.ts';
import { throwNoSuchConnector } from '../connectors/connectors.service.ts';
import { Gateways } from '../../gateways/settings/gateways.ts';
import { listByCreation } from '../../database/creation-order.ts';
import type { PageQuery } from '@gatehouse/database/keyset';
import { readVisible } from './visible-pages.ts';
import { OwnAccess } from './own-access.ts';

/** The connectors that the caller may use. */
@Injectable()
export class OwnConnectorsService {
  constructor(
    private readonly access: OwnAccess,
    private readonly connectors: ConnectorsRepository,
    private readonly gateways: Gateways,
    private readonly cursors: CursorCodec,
  ) {}

  /**
   * Lists the available connectors of a gateway that the caller may use. Empty without an active
   * directory entry.
   * @throws HttpError not_found
   */
  async list(caller: Caller, gatewayId: string, query: PageQuery): Promise<ConnectorPage> {
    this.gateways.require(gatewayId);
    const principal = await this.access.findPrincipal(caller);
    return listByCreation(
      this.cursors,
      {
        binding: { list: 'own-connectors', filters: { gateway_id: gatewayId }, caller },
        read: async (step) => {
          if (principal === undefined) return [];
          return readVisible(
            step,
            (next) => this.connectors.list({ gateway_id: gatewayId, status: 'available' }, next),
            async (found) => {
              const mine = await this.access.filterConnectable(
                principal,
                found.map(({ id }) => id),
              );
              return found.filter(({ id }) => mine.has(id));
            },
          );
        },
        toItem: toConnector,
      },
      query,
    );
  }

  /**
   * @throws HttpError forbidden without an active directory entry, not_found also for a connector
   * that the caller may not use
   */
  async get(caller: Caller, { gateway_id, id }: ConnectorPath): Promise<Connector> {
    const principal = await this.access.requirePrincipal(caller);
    this.gateways.require(gateway_id);
    return toConnector((await this.access.findConnector(principal, gateway_id, id)) ?? throwNoSuchConnector());
  }
}

import { AuditService } from '@gatehouse/audit/audit.service';
import type { Caller } from '@gatehouse/service-kit/access';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ConnectorsService } from '../connectors/connectors.service.ts';
import { UpstreamProviders } from '../providers/upstream-providers.ts';
import { TokenVault } from '../vault/token-vault.ts';
import { isConnectable, SealedConnectLinks } from './connect-links.ts';

/** Begins and ends the connection of a user to the upstream of a connector. */
@Injectable()
export class ConnectService {
  constructor(
    private readonly connectors: ConnectorsService,
    private readonly links: SealedConnectLinks,
    private readonly providers: UpstreamProviders,
    private readonly vault: TokenVault,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  /** @throws HttpError not_found, conflict for a connector without a sign-in */
  async begin(caller: Caller, connectorId: string): Promise<{ authorize_url: string }> {
    const connector = await this.connectors.requirePermitted(caller, connectorId);
    const link = await this.links.create(connector, caller);
    if (link === undefined) throw createNothingToConnectError();
    return { authorize_url: link };
  }

  /** @throws HttpError not_found, conflict for a connector without a sign-in */
  async end(caller: Caller, connectorId: string): Promise<void> {
    const connector = await this.connectors.requirePermitted(caller, connectorId);
    if (!isConnectable(connector)) throw createNothingToConnectError();
    const { issuer, subject } = caller;
    const hadTokens = await this.vault.disconnect({ issuer, subject, connectorId }, () =>
      this.providers.get(connector),
    );
    if (!hadTokens) return;
    await this.audit.record(this.dataSource.manager, caller, {
      operation: 'Disconnect connector',
      object_kind: 'connector',
      object_id: connectorId,
      changed_fields: ['connection_status'],
    });
  }
}

const createNothingToConnectError = (): HttpError =>
  new HttpError('conflict', 'this connector needs no sign-in of yours: there is nothing to connect');

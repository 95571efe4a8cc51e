import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { computeETag, requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v4 as uuidv4 } from 'uuid';
import { AuditService } from '@gatehouse/audit/audit.service';
import { Gateways } from '../settings/gateways.ts';
import { findContentFaults } from './content-control-faults.ts';
import { listChangedFields } from './connector-gateway-settings.ts';
import type { ConnectorGatewaySettings } from './connector-gateway-settings.dto.ts';
import { ConnectorGatewaySettingsRepository, type StoredSettings } from './connector-gateway-settings.repository.ts';

/** Retries after a serialization failure or a deadlock. */
const RETRIES = 5;

/** The settings of a gateway and their ETag. */
export interface TaggedSettings {
  settings: ConnectorGatewaySettings;
  etag: string;
}

/** Reads and writes the settings of connector gateways for administrators. */
@Injectable()
export class ConnectorGatewaySettingsService {
  constructor(
    private readonly repository: ConnectorGatewaySettingsRepository,
    private readonly gateways: Gateways,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Returns the settings, or the defaults if none were written.
   * @throws HttpError not_found for an id that is not one of a connector gateway
   */
  async get(gatewayId: string): Promise<TaggedSettings> {
    this.requireConnectorGateway(gatewayId);
    return addETag(await this.repository.find(gatewayId));
  }

  /**
   * Replaces all settings of a gateway.
   * @throws HttpError not_found; precondition_failed; unprocessable for an unknown connector, and
   * for a content control that cannot be applied
   */
  async put(
    caller: Caller,
    gatewayId: string,
    body: ConnectorGatewaySettings,
    ifMatch: string | undefined,
  ): Promise<TaggedSettings> {
    this.requireConnectorGateway(gatewayId);
    return inTransaction(
      this.dataSource,
      async (manager) => {
        // Connectors before settings: the deletion of a connector takes its locks in this order.
        const existing = await this.repository.lockConnectors(manager, gatewayId, Object.keys(body.connectors));
        await this.repository.lock(manager, gatewayId);
        const before = await this.repository.find(gatewayId, manager);
        requireMatch(ifMatch, addETag(before).etag, 'optional');
        throwIfRefused(body, existing);
        await this.write(manager, caller, gatewayId, before.settings, body);
        return addETag(await this.repository.find(gatewayId, manager));
      },
      { retries: RETRIES },
    );
  }

  private async write(
    manager: EntityManager,
    caller: Caller,
    gatewayId: string,
    before: ConnectorGatewaySettings,
    after: ConnectorGatewaySettings,
  ): Promise<void> {
    const changed = listChangedFields(before, after);
    if (changed.length === 0) return;
    await this.repository.replace(manager, gatewayId, uuidv4(), after);
    await this.audit.record(manager, caller, {
      operation: 'Put gateway settings',
      object_kind: 'gateway_settings',
      object_id: gatewayId,
      changed_fields: changed,
    });
  }

  private requireConnectorGateway(gatewayId: string): void {
    const { kind } = this.gateways.require(gatewayId);
    if (kind !== 'connector')
      throw new HttpError('not_found', `a gateway of the kind ${kind} has no settings; name a connector gateway`);
  }
}

/** Each write has a new revision, so an ETag never repeats, also not with equal content. */
const addETag = ({ settings, revision }: StoredSettings): TaggedSettings => ({
  settings,
  etag: computeETag({ revision, settings }),
});

/** Most faults in one message. */
const MAX_SHOWN = 5;

function throwIfRefused(settings: ConnectorGatewaySettings, existing: ReadonlySet<string>): void {
  const faults = [
    ...Object.keys(settings.connectors)
      .filter((id) => !existing.has(id))
      .map((id) => `connectors.${id}: this gateway has no connector ${id}`),
    ...findContentFaults(settings),
  ];
  if (faults.length === 0) return;
  const more = faults.length > MAX_SHOWN ? `; and ${faults.length - MAX_SHOWN} more` : '';
  throw new HttpError('unprocessable', faults.slice(0, MAX_SHOWN).join('; ') + more);
}

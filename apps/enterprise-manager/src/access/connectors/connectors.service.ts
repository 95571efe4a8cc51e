import type { Permission } from '@gatehouse/egress/target';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { computeETag, requireMatch } from '@gatehouse/service-kit/etag';
import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite } from '@gatehouse/audit/audited-write';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { computeChangeTime } from '../../database/change-time.ts';
import { listByCreation } from '../../database/creation-order.ts';
import type { PageQuery } from '@gatehouse/database/keyset';
import { toComparisonKey } from '../../validation/names.ts';
import { IdentityProvidersRepository } from '../identity-providers/identity-providers.repository.ts';
import { PoliciesRepository } from './policies.repository.ts';
import { type NeededSecret, type UsedSecret, UsedSecrets } from '../../secrets/references/used-secrets.ts';
import { deriveDeploymentMode, findFreeSlug, deriveSlug } from './connector.ts';
import type { ConnectorRow } from './connector.entity.ts';
import { validateAuth, type NeededProvider, addConfiguredFlags } from './auth-rules.ts';
import { parseAllowedUrl } from '../../validation/allowed-url.ts';
import { ConnectorSecrets } from './connector-secrets.ts';
import {
  type Connector,
  type ConnectorPage,
  type ConnectorPath,
  type ConnectorWrite,
  toConnector,
} from './connectors.dto.ts';
import { ConnectorsRepository, type ConnectorState } from './connectors.repository.ts';
import { checkEndpoint } from './endpoint-check.ts';
import { Gateways } from '../../gateways/settings/gateways.ts';
import { getProviderId, type SecretField } from './stored-auth.ts';

/** Columns that are derived from fields of a connector. */
const DERIVED_COLUMNS: ReadonlySet<string> = new Set(['name_key', 'identity_provider_id']);

/** A valid state, before the check of the endpoint. */
type AcceptedState = Omit<ConnectorState, 'status' | 'status_message' | 'updated_at'>;

/** A valid write with its references. */
interface AcceptedWrite {
  state: AcceptedState;
  permission: Permission;
  needed: NeededSecret<SecretField>[];
  provider: NeededProvider | undefined;
}

/**
 * Reads, writes and publishes connectors. Publication checks the endpoint before the transaction. A
 * write is refused if the connector changes during the check, so that a slow check cannot overwrite
 * a later write.
 */
@Injectable()
export class ConnectorsService {
  private readonly write: AuditedWrite;

  constructor(
    private readonly connectors: ConnectorsRepository,
    private readonly policies: PoliciesRepository,
    private readonly providers: IdentityProvidersRepository,
    private readonly references: UsedSecrets,
    private readonly secrets: ConnectorSecrets,
    private readonly gateways: Gateways,
    audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.write = createAuditedWrite(
      { dataSource, audit },
      {
        kind: 'connector',
        unique: { connectors_name_unique: 'name: another connector of this gateway has this name already' },
      },
    );
  }

  /** Lists the connectors of a gateway. @throws HttpError not_found for an unknown gateway */
  async list(caller: Caller, gatewayId: string, query: PageQuery): Promise<ConnectorPage> {
    this.gateways.require(gatewayId);
    return listByCreation(
      this.cursors,
      {
        binding: { list: 'connectors', filters: { gateway_id: gatewayId }, caller },
        read: (step) => this.connectors.list({ gateway_id: gatewayId }, step),
        toItem: toConnector,
      },
      query,
    );
  }

  /** @throws HttpError not_found */
  async get({ gateway_id, id }: ConnectorPath): Promise<Connector> {
    this.gateways.require(gateway_id);
    return toConnector((await this.connectors.find(gateway_id, id)) ?? throwNoSuchConnector());
  }

  /**
   * @param operation the name of the operation in the audit trail
   * @throws HttpError not_found, invalid, unprocessable, conflict if another connector has the name
   */
  async create(
    caller: Caller,
    gatewayId: string,
    write: ConnectorWrite,
    operation = 'Create connector',
  ): Promise<Connector> {
    this.gateways.require(gatewayId);
    const { state, permission, needed, provider } = this.accept(write);
    const used = await this.references.resolve(needed);
    await this.requireProvider(this.dataSource.manager, provider);
    const outcome = await this.checkEndpoint(write, state, permission, used);
    const now = this.clock.now().toISOString();
    return this.write(caller, operation, async (manager, recordChange) => {
      await this.requireProvider(manager, provider);
      await this.references.lock(manager, used, !write.draft);
      const slug = findFreeSlug(deriveSlug(write.name), await this.connectors.holdSlugs(manager, gatewayId));
      const row = {
        id: uuidv7(),
        gateway_id: gatewayId,
        slug,
        revision: 1,
        created_at: now,
        updated_at: now,
        ...state,
        auth: addConfiguredFlags(state.auth, used),
        ...outcome,
      };
      await this.connectors.insert(manager, row);
      await this.references.store(manager, { kind: 'connector', id: row.id }, used);
      await this.policies.insert(manager, row.id, now);
      await recordChange(row.id, Object.keys(write));
      return toConnector(row);
    });
  }

  /**
   * Replaces the state of a connector, and publishes it or makes it a draft.
   * @throws HttpError not_found, invalid, unprocessable, precondition_failed, conflict
   */
  async update(
    caller: Caller,
    { gateway_id, id }: ConnectorPath,
    write: ConnectorWrite,
    ifMatch: string | undefined,
  ): Promise<Connector> {
    this.gateways.require(gateway_id);
    const before = (await this.connectors.find(gateway_id, id)) ?? throwNoSuchConnector();
    requireMatch(ifMatch, computeETag(toConnector(before)), 'optional');
    const { state, permission, needed, provider } = this.accept(write);
    const resolved = await this.references.resolve(needed, { kind: 'connector', id });
    await this.requireProvider(this.dataSource.manager, provider);
    const outcome = await this.checkEndpoint(write, state, permission, resolved);
    return this.write(caller, 'Update connector', async (manager, recordChange) => {
      const held = (await this.connectors.hold(manager, gateway_id, id)) ?? throwNoSuchConnector();
      requireMatch(ifMatch, computeETag(toConnector(held)), 'optional');
      if (!write.draft && held.revision !== before.revision)
        throw new HttpError(
          'conflict',
          'the connector was changed while its endpoint was checked; read it and publish again',
        );
      // Omitted secrets are those that the connector has now, not before the transaction.
      const used = needed.some(({ reference }) => reference === undefined)
        ? await this.references.resolve(needed, { kind: 'connector', id }, manager)
        : resolved;
      await this.requireProvider(manager, provider);
      await this.references.lock(manager, used, !write.draft);
      const row = await this.connectors.update(manager, id, {
        ...state,
        auth: addConfiguredFlags(state.auth, used),
        ...outcome,
        updated_at: computeChangeTime(held.updated_at, this.clock.now()),
      });
      const changed = Object.keys({ ...state, ...outcome }).filter(
        (field) =>
          !DERIVED_COLUMNS.has(field) && differ(held[field as keyof ConnectorRow], row[field as keyof ConnectorRow]),
      );
      if ((await this.references.store(manager, { kind: 'connector', id }, used)) && !changed.includes('auth'))
        changed.push('auth');
      await recordChange(id, changed);
      return toConnector(row);
    });
  }

  /**
   * Deletes a connector with its policy and all connections.
   * @throws HttpError not_found, precondition_failed
   */
  async delete(caller: Caller, { gateway_id, id }: ConnectorPath, ifMatch: string | undefined): Promise<void> {
    this.gateways.require(gateway_id);
    await this.write(caller, 'Delete connector', async (manager, recordChange) => {
      const held = (await this.connectors.hold(manager, gateway_id, id)) ?? throwNoSuchConnector();
      requireMatch(ifMatch, computeETag(toConnector(held)), 'optional');
      await this.connectors.remove(manager, id);
      await recordChange(id, []);
    });
  }

  private accept(write: ConnectorWrite): AcceptedWrite {
    const allowPrivateIps = write.allow_private_ips ?? false;
    const { url, permission } = parseAllowedUrl(
      write.endpoint,
      'endpoint',
      allowPrivateIps,
      this.settings.ALLOW_LOOPBACK_UPSTREAMS,
    );
    const { auth, secrets: needed, provider } = validateAuth(write.auth, permission);
    const state: AcceptedState = {
      name: write.name,
      name_key: toComparisonKey(write.name),
      endpoint: url.href,
      transport: write.transport,
      auth,
      identity_provider_id: getProviderId(auth) ?? null,
      allow_private_ips: allowPrivateIps,
      deployment_mode: deriveDeploymentMode(url),
      origin: write.origin ?? 'manual',
      description: write.description ?? null,
      icon_url: write.icon_url ?? null,
      repository_url: write.repository_url ?? null,
      support_url: write.support_url ?? null,
      version: write.version ?? null,
      source_name: write.source_name ?? null,
      source_namespace: write.source_namespace ?? null,
    };
    return { state, permission, needed, provider };
  }

  /**
   * Locks the provider against changes until the transaction ends.
   * @throws HttpError unprocessable if it does not exist or has the wrong type
   */
  private async requireProvider(manager: EntityManager, needed: NeededProvider | undefined): Promise<void> {
    if (needed === undefined) return;
    const found = await this.providers.use(manager, needed.id);
    if (found === undefined) throw fieldError('unprocessable', needed.path, 'there is no such identity provider');
    if (needed.oidc && found.provider_type !== 'oidc')
      throw fieldError('unprocessable', needed.path, 'must be an identity provider of the type oidc');
  }

  private async checkEndpoint(
    write: ConnectorWrite,
    { auth }: Pick<AcceptedState, 'auth'>,
    permission: Permission,
    used: readonly UsedSecret<SecretField>[],
  ): Promise<Pick<ConnectorState, 'status' | 'status_message'>> {
    if (write.draft) return { status: 'draft', status_message: null };
    const credential = await this.secrets.findCredential(auth, used);
    const check = await checkEndpoint(new URL(write.endpoint), write.transport, permission, credential);
    return check.ok
      ? { status: 'available', status_message: null }
      : { status: 'failure', status_message: check.message };
  }
}

/** Throws the 404 of a connector that does not exist or is hidden from the caller. */
export function throwNoSuchConnector(): never {
  throw new HttpError('not_found', 'there is no such connector');
}

function differ(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { computeETag, requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite } from '@gatehouse/audit/audited-write';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { computeChangeTime } from '../../database/change-time.ts';
import { listByCreation } from '../../database/creation-order.ts';
import { toComparisonKey } from '../../validation/names.ts';
import { formatReferences } from '../../secrets/managed-secrets/secret-references.ts';
import { UsedSecrets } from '../../secrets/references/used-secrets.ts';
import { checkProvider } from './provider-check.ts';
import { computeProviderETag, toIdentityProvider } from './identity-provider-responses.ts';
import { validateProvider } from './identity-provider-rules.ts';
import {
  type ConnectorIdentityProvider,
  type ConnectorIdentityProviderPage,
  type ConnectorIdentityProviderQuery,
  type ConnectorIdentityProviderWrite,
} from './identity-providers.dto.ts';
import { IdentityProvidersRepository, type StoredProvider } from './identity-providers.repository.ts';

/** Types of authentication that need an ID token, which only OpenID Connect provides. */
const NEEDS_OIDC: ReadonlySet<string> = new Set(['awsSts', 'obo', 'xaa']);

/** A provider with its ETag. */
interface TaggedProvider {
  provider: ConnectorIdentityProvider;
  etag: string;
}

const addETag = (row: StoredProvider): TaggedProvider => ({
  provider: toIdentityProvider(row),
  etag: computeProviderETag(row),
});

/**
 * Reads and writes identity providers of connectors. The documents of a provider are read before
 * the transaction. A write is refused if the provider changes in that time.
 */
@Injectable()
export class IdentityProvidersService {
  private readonly write: AuditedWrite;

  constructor(
    private readonly providers: IdentityProvidersRepository,
    private readonly secrets: UsedSecrets,
    audit: AuditService,
    dataSource: DataSource,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.write = createAuditedWrite(
      { dataSource, audit },
      {
        kind: 'connector_identity_provider',
        unique: {
          connector_identity_providers_name_unique: 'name: another identity provider has this name already',
        },
      },
    );
  }

  /** Lists providers in the order of their creation. */
  async list(
    caller: Caller,
    { name, ...query }: ConnectorIdentityProviderQuery,
  ): Promise<ConnectorIdentityProviderPage> {
    return listByCreation(
      this.cursors,
      {
        binding: { list: 'connector-identity-providers', filters: { name }, caller },
        read: (step) => this.providers.list(name === undefined ? undefined : toComparisonKey(name), step),
        toItem: toIdentityProvider,
      },
      query,
    );
  }

  /** @throws HttpError not_found */
  async get(id: string): Promise<TaggedProvider> {
    return addETag((await this.providers.find(id)) ?? throwNoSuchProvider());
  }

  /**
   * @throws HttpError invalid, unprocessable also for problems of its documents, conflict if
   * another provider has the name
   */
  async create(caller: Caller, write: ConnectorIdentityProviderWrite): Promise<TaggedProvider> {
    const accepted = validateProvider(write, this.settings.ALLOW_LOOPBACK_UPSTREAMS);
    const used = await this.secrets.resolve(accepted.secrets);
    const outcome = await checkProvider(accepted);
    const now = this.clock.now().toISOString();
    const row = {
      ...accepted.state,
      ...{ id: uuidv7(), source: 'api' as const, revision: 1, created_at: now, updated_at: now },
    };
    return this.write(caller, 'Create connector identity provider', async (manager, recordChange) => {
      await this.secrets.lock(manager, used, false);
      await this.providers.insert(manager, row);
      await this.providers.setCheck(manager, row.id, { ...outcome, checked_at: now });
      await this.secrets.store(manager, { kind: 'identity_provider', id: row.id }, used);
      await recordChange(row.id, Object.keys(write));
      return this.getStored(manager, row.id);
    });
  }

  /**
   * Replaces the state of a provider. Gateways with connectors that use it are notified at once.
   * @throws HttpError not_found, invalid, unprocessable, precondition_failed, conflict
   */
  async update(
    caller: Caller,
    id: string,
    write: ConnectorIdentityProviderWrite,
    ifMatch: string | undefined,
  ): Promise<TaggedProvider> {
    const before = (await this.providers.find(id)) ?? throwNoSuchProvider();
    requireMatch(ifMatch, computeProviderETag(before), 'optional');
    const accepted = validateProvider(write, this.settings.ALLOW_LOOPBACK_UPSTREAMS);
    const used = await this.secrets.resolve(accepted.secrets);
    const outcome = await checkProvider(accepted);
    return this.write(caller, 'Update connector identity provider', async (manager, recordChange) => {
      const held = (await this.providers.hold(manager, id)) ?? throwNoSuchProvider();
      requireMatch(ifMatch, computeProviderETag(held), 'optional');
      if (held.revision !== before.revision)
        throw new HttpError(
          'conflict',
          'the identity provider was changed while it was checked; read it and write again',
        );
      if (accepted.state.provider_type !== 'oidc') await this.requireNoNeedOfOidc(manager, id);
      await this.secrets.lock(manager, used, false);
      const updated_at = computeChangeTime(held.updated_at, this.clock.now());
      await this.providers.update(manager, id, { ...accepted.state, updated_at });
      await this.providers.setCheck(manager, id, { ...outcome, checked_at: updated_at });
      await this.secrets.store(manager, { kind: 'identity_provider', id }, used);
      const now = await this.getStored(manager, id);
      const [then, after] = [toIdentityProvider(held), now.provider];
      const changed = (['name', 'provider_type', 'oidc_config', 'oauth2_config'] as const).filter(
        (field) => computeETag([then[field] ?? null]) !== computeETag([after[field] ?? null]),
      );
      await recordChange(id, changed);
      return now;
    });
  }

  /**
   * Deletes a provider that no connector uses.
   * @throws HttpError not_found, precondition_failed, conflict with the names of the connectors
   */
  async delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    await this.write(caller, 'Delete connector identity provider', async (manager, recordChange) => {
      const held = (await this.providers.hold(manager, id)) ?? throwNoSuchProvider();
      requireMatch(ifMatch, computeProviderETag(held), 'optional');
      const users = await this.providers.listConnectorsOfProvider(manager, id);
      if (users.length > 0)
        throw new HttpError(
          'conflict',
          `the identity provider is in use by ${formatReferences(users.map((user) => ({ kind: 'connector', ...user })))}`,
        );
      await this.providers.remove(manager, id);
      await recordChange(id, []);
    });
  }

  private async requireNoNeedOfOidc(manager: EntityManager, id: string): Promise<void> {
    const needingOidc = (await this.providers.listConnectorsOfProvider(manager, id)).filter(({ auth_type }) =>
      NEEDS_OIDC.has(auth_type),
    );
    if (needingOidc.length > 0)
      throw new HttpError(
        'conflict',
        `provider_type: ${formatReferences(needingOidc.map((user) => ({ kind: 'connector', ...user })))} needs a provider of the type oidc`,
      );
  }

  private async getStored(manager: EntityManager, id: string): Promise<TaggedProvider> {
    return addETag((await this.providers.find(id, manager)) ?? throwNoSuchProvider());
  }
}

/** @throws HttpError not_found */
function throwNoSuchProvider(): never {
  throw new HttpError('not_found', 'there is no such identity provider');
}

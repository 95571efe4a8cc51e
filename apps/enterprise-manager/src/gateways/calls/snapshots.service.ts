import { inTransaction } from '@gatehouse/database/transaction';
import type { ClaimMapping } from '@gatehouse/policy/claims';
import { computeETag, noneMatchNames } from '@gatehouse/service-kit/etag';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { policyClaims, SETTINGS, type Settings } from '../../config/config.ts';
import { Gateways } from '../settings/gateways.ts';
import { IdentityProvidersRepository } from '../../access/identity-providers/identity-providers.repository.ts';
import { toSnapshotProvider } from '../../access/identity-providers/snapshot-provider.ts';
import { PoliciesRepository, getDocument } from '../../access/connectors/policies.repository.ts';
import { ConnectorGatewaySettingsRepository } from '../connector-gateway-settings/connector-gateway-settings.repository.ts';
import { getGatewayTopic, RevisionWatch } from '../revisions/revision-watch.ts';
import { type GatewaySnapshot, MAX_CALLS } from './gateway-calls.dto.ts';
import { type GatewayRevision, SnapshotsRepository } from './snapshots.repository.ts';

/** Lifetime of a cached revision for requests that do not wait: half of the promised second. */
const REVISION_LIFETIME_MS = 500;

/** A snapshot with the ETag of its revision. */
export interface TaggedSnapshot {
  snapshot: GatewaySnapshot;
  etag: string;
}

/** Builds and caches the snapshots of gateways. */
@Injectable()
export class SnapshotsService {
  private readonly bindingClaims: Readonly<Record<string, string>>;
  private readonly claims: ClaimMapping;
  private readonly cache = new Map<string, TaggedSnapshot>();
  /** The last read revisions; `at` is the start of the read. */
  private readonly revisions = new Map<string, { etag: string; at: number }>();

  constructor(
    private readonly snapshots: SnapshotsRepository,
    private readonly policies: PoliciesRepository,
    private readonly providers: IdentityProvidersRepository,
    private readonly gatewaySettings: ConnectorGatewaySettingsRepository,
    private readonly gateways: Gateways,
    private readonly watch: RevisionWatch,
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.claims = policyClaims(settings);
    this.bindingClaims = Object.fromEntries(
      settings.ISSUERS.filter(({ binding }) => binding.claim !== 'sub').map(({ issuer, binding }) => [
        issuer,
        binding.claim,
      ]),
    );
  }

  /** Returns the current snapshot. @throws HttpError not_found */
  async get(gatewayId: string, ifNoneMatch: string | undefined): Promise<TaggedSnapshot> {
    this.gateways.require(gatewayId);
    return this.findUnchanged(gatewayId, ifNoneMatch) ?? this.build(gatewayId, await this.readEtag(gatewayId));
  }

  /**
   * Returns the snapshot. If the gateway has the current one, it waits for a change.
   * @param waitSeconds maximum wait; without If-None-Match there is no wait
   * @throws HttpError not_found
   */
  async waitForChange(
    gatewayId: string,
    ifNoneMatch: string | undefined,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<TaggedSnapshot> {
    this.gateways.require(gatewayId);
    const etag = await this.watch.readUntilChanged(getGatewayTopic(gatewayId), waitSeconds * 1_000, signal, {
      read: () => this.readEtag(gatewayId),
      isChanged: (current) => !noneMatchNames(ifNoneMatch, current),
    });
    return this.build(gatewayId, etag);
  }

  private async readEtag(gatewayId: string): Promise<string> {
    const at = performance.now();
    const etag = this.toEtag(await this.snapshots.findRevision(gatewayId));
    this.revisions.set(gatewayId, { etag, at });
    return etag;
  }

  /** Returns the cached snapshot if the gateway has it and a recent read found no change. */
  private findUnchanged(gatewayId: string, ifNoneMatch: string | undefined): TaggedSnapshot | undefined {
    const [revision, cached] = [this.revisions.get(gatewayId), this.cache.get(gatewayId)];
    if (
      revision === undefined ||
      cached?.etag !== revision.etag ||
      performance.now() - revision.at > REVISION_LIFETIME_MS
    )
      return undefined;
    return noneMatchNames(ifNoneMatch, revision.etag) ? cached : undefined;
  }

  private async build(gatewayId: string, etag: string): Promise<TaggedSnapshot> {
    const cached = this.cache.get(gatewayId);
    if (cached?.etag === etag) return cached;
    const fresh = await inTransaction(
      this.dataSource,
      async (manager) => {
        const revision = await this.snapshots.findRevision(gatewayId, manager);
        const connectors = await this.snapshots.listConnectors(gatewayId, manager);
        const providers = new Map(
          (await this.providers.listOfGateway(gatewayId, manager)).map((row) => [row.id, toSnapshotProvider(row)]),
        );
        const policies = await this.policies.findMany(
          connectors.map(({ id }) => id),
          manager,
        );
        const stored = await this.gatewaySettings.find(gatewayId, manager);
        return {
          etag: this.toEtag(revision),
          snapshot: {
            gateway_id: gatewayId,
            connectors: connectors.map(({ description, identity_provider_id, ...connector }) => {
              const provider = providers.get(identity_provider_id ?? '');
              return {
                ...connector,
                ...(description !== null && { description }),
                ...(provider && { identity_provider: provider }),
              };
            }),
            policies: policies
              .map((policy) => ({
                connector_id: policy.connector_id,
                version: policy.version,
                document: getDocument(policy),
              }))
              .sort((a, b) => (a.connector_id < b.connector_id ? -1 : 1)),
            claim_mapping: { ...this.claims },
            binding_claims: { ...this.bindingClaims },
            limits: { batch_calls: MAX_CALLS },
            settings: stored.settings,
          },
        };
      },
      { isolation: 'REPEATABLE READ' },
    );
    this.cache.set(gatewayId, fresh);
    return fresh;
  }

  /** The ETag covers the claim mapping and the binding claims, which are configuration. */
  private toEtag(revision: GatewayRevision | undefined): string {
    return computeETag([revision ?? null, this.claims, MAX_CALLS, this.bindingClaims]);
  }
}

import { inTransaction } from '@gatehouse/database/transaction';
import type { ClaimMapping } from '@gatehouse/policy/claims';
import { etagOf, noneMatchNames } from '@gatehouse/service-kit/etag';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { policyClaims, SETTINGS, type Settings } from '../../config/config.ts';
import { Gateways } from '../settings/gateways.ts';
import { IdentityProvidersRepository } from '../../access/identity-providers/identity-providers.repository.ts';
import { toSnapshotProvider } from '../../access/identity-providers/snapshot-provider.ts';
import { PoliciesRepository, documentOf } from '../../access/connectors/policies.repository.ts';
import { gatewayTopic, RevisionWatch } from '../revisions/revision-watch.ts';
import { type GatewaySnapshot, MAX_CALLS } from './gateway-calls.dto.ts';
import { type GatewayRevision, SnapshotsRepository } from './snapshots.repository.ts';

/**
 * How long a look at the revision is believed by gateways that only ask whether something has
 * changed, and do not wait. Half of the promised second.
 */
const BELIEVED_MS = 500;

/** A snapshot and the ETag of its revision. */
export interface TaggedSnapshot {
  snapshot: GatewaySnapshot;
  etag: string;
}

/** What gateways offer to whom. */
@Injectable()
export class SnapshotsService {
  private readonly bindingClaims: Readonly<Record<string, string>>;
  private readonly claims: ClaimMapping;
  private readonly built = new Map<string, TaggedSnapshot>();
  /** The last looks at revisions; `at` is when the look began. */
  private readonly looks = new Map<string, { etag: string; at: number }>();

  constructor(
    private readonly snapshots: SnapshotsRepository,
    private readonly policies: PoliciesRepository,
    private readonly providers: IdentityProvidersRepository,
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

  /** The snapshot as it is. @throws HttpError not_found */
  async get(gatewayId: string, ifNoneMatch: string | undefined): Promise<TaggedSnapshot> {
    this.gateways.require(gatewayId);
    return this.stillHeld(gatewayId, ifNoneMatch) ?? this.build(gatewayId, await this.currentEtag(gatewayId));
  }

  /**
   * The snapshot; when the gateway has it already, the answer waits for a change.
   * @param waitSeconds how long; without If-None-Match nothing is waited for
   * @throws HttpError not_found
   */
  async next(
    gatewayId: string,
    ifNoneMatch: string | undefined,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<TaggedSnapshot> {
    this.gateways.require(gatewayId);
    const deadline = performance.now() + waitSeconds * 1_000;
    for (;;) {
      const looked = new AbortController();
      const remaining = Math.max(0, deadline - performance.now());
      // Listening begins before the look: a change between the two is not missed.
      const change = this.watch.next(gatewayTopic(gatewayId), remaining, AbortSignal.any([signal, looked.signal]));
      try {
        const etag = await this.currentEtag(gatewayId);
        const changed = !noneMatchNames(ifNoneMatch, etag);
        if (changed || remaining === 0 || signal.aborted || this.watch.ending) return await this.build(gatewayId, etag);
        await change;
      } finally {
        looked.abort();
      }
    }
  }

  private async currentEtag(gatewayId: string): Promise<string> {
    const at = performance.now();
    const etag = this.tagOf(await this.snapshots.revision(gatewayId));
    this.looks.set(gatewayId, { etag, at });
    return etag;
  }

  /** The snapshot that the gateway has, where a look a moment ago found no other one. */
  private stillHeld(gatewayId: string, ifNoneMatch: string | undefined): TaggedSnapshot | undefined {
    const [look, kept] = [this.looks.get(gatewayId), this.built.get(gatewayId)];
    if (look === undefined || kept?.etag !== look.etag || performance.now() - look.at > BELIEVED_MS) return undefined;
    return noneMatchNames(ifNoneMatch, look.etag) ? kept : undefined;
  }

  private async build(gatewayId: string, etag: string): Promise<TaggedSnapshot> {
    const kept = this.built.get(gatewayId);
    if (kept?.etag === etag) return kept;
    const fresh = await inTransaction(
      this.dataSource,
      async (manager) => {
        const revision = await this.snapshots.revision(gatewayId, manager);
        const connectors = await this.snapshots.connectors(gatewayId, manager);
        const providers = new Map(
          (await this.providers.ofGateway(gatewayId, manager)).map((row) => [row.id, toSnapshotProvider(row)]),
        );
        const policies = await this.policies.findMany(
          connectors.map(({ id }) => id),
          manager,
        );
        return {
          etag: this.tagOf(revision),
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
                document: documentOf(policy),
              }))
              .sort((a, b) => (a.connector_id < b.connector_id ? -1 : 1)),
            claim_mapping: { ...this.claims },
            binding_claims: { ...this.bindingClaims },
            limits: { batch_calls: MAX_CALLS },
          },
        };
      },
      { isolation: 'REPEATABLE READ' },
    );
    this.built.set(gatewayId, fresh);
    return fresh;
  }

  /**
   * The claim mapping and the binding claims belong to the configuration: other ones are another
   * snapshot.
   */
  private tagOf(revision: GatewayRevision | undefined): string {
    return etagOf([revision ?? null, this.claims, MAX_CALLS, this.bindingClaims]);
  }
}

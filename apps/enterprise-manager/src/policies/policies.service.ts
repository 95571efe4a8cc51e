import { inTransaction } from '@gatehouse/database/transaction';
import { STANDARD_CLAIMS } from '@gatehouse/policy/claims';
import { checkDocument } from '@gatehouse/policy/document';
import type { Caller } from '@gatehouse/service-kit/access';
import { etagOf, requireMatch } from '@gatehouse/service-kit/etag';
import { Refusal } from '@gatehouse/service-kit/refusal';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.ts';
import { type ConnectorPolicy, toConnectorPolicy } from './policies.dto.ts';
import { PoliciesRepository, documentOf, type StoredPolicy } from './policies.repository.ts';

const RETRIES = 5;

/** A policy and the ETag of this state of it. */
export interface TaggedPolicy {
  policy: ConnectorPolicy;
  etag: string;
}

/** Who may use a connector: reads, and changes in structured mode. Every write is one transaction with its audit event. */
@Injectable()
export class PoliciesService {
  constructor(
    private readonly policies: PoliciesRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  /** @throws Refusal not_found */
  async get(connectorId: string): Promise<TaggedPolicy> {
    return tagged((await this.policies.find(connectorId)) ?? noSuchPolicy());
  }

  /**
   * Grants exactly these groups.
   * @throws Refusal not_found, precondition_required, precondition_failed, conflict in Cedar mode, unprocessable for an unknown group
   */
  async replaceGroups(
    caller: Caller,
    connectorId: string,
    groupIds: readonly string[],
    ifMatch: string | undefined,
  ): Promise<TaggedPolicy> {
    return this.write(async (manager) => {
      // Groups before the policy, as a group that is removed takes its locks: the other order could deadlock.
      const existing = await this.policies.holdGroups(manager, groupIds);
      const held = await this.holdStructured(manager, connectorId, (etag) => requireMatch(ifMatch, etag, 'required'));
      const unknown = groupIds.find((id) => !existing.has(id));
      if (unknown !== undefined) {
        const message = `there is no group ${unknown}`;
        throw new Refusal('unprocessable', `group_ids: ${message}`, { violations: [{ field: '/group_ids', message }] });
      }
      return this.grant(manager, caller, "Replace a connector policy's granted user groups", held, groupIds);
    });
  }

  /** @throws Refusal not_found when there is no such connector or the group is not granted, precondition_failed, conflict in Cedar mode */
  async revokeGroup(
    caller: Caller,
    connectorId: string,
    groupId: string,
    ifMatch: string | undefined,
  ): Promise<TaggedPolicy> {
    return this.write(async (manager) => {
      await this.policies.holdGroups(manager, [groupId]);
      const held = await this.holdStructured(manager, connectorId, (etag) => requireMatch(ifMatch, etag, 'optional'));
      const rest = held.granted.map(({ id }) => id).filter((id) => id !== groupId);
      if (rest.length === held.granted.length)
        throw new Refusal('not_found', 'the group is not granted this connector');
      return this.grant(manager, caller, "Revoke a user group's access to a connector", held, rest);
    });
  }

  private async holdStructured(
    manager: EntityManager,
    connectorId: string,
    match: (etag: string) => void,
  ): Promise<StoredPolicy> {
    const held = (await this.policies.hold(manager, connectorId)) ?? noSuchPolicy();
    match(tagged(held).etag);
    if (held.mode === 'cedar')
      throw new Refusal(
        'conflict',
        'the policy is written in Cedar; switch it back to structured mode to grant groups',
      );
    return held;
  }

  private async grant(
    manager: EntityManager,
    caller: Caller,
    operation: string,
    held: StoredPolicy,
    groupIds: readonly string[],
  ): Promise<TaggedPolicy> {
    await this.policies.replaceGrants(manager, held.connector_id, groupIds);
    const now = (await this.policies.find(held.connector_id, manager)) ?? noSuchPolicy();
    const faults = checkDocument(documentOf(now), STANDARD_CLAIMS);
    if (faults.length > 0) throw new Error(`the compiled policy does not validate: ${JSON.stringify(faults)}`);
    const before = held.granted.map(({ id }) => id);
    const changed = [
      ...before.filter((id) => !groupIds.includes(id)),
      ...groupIds.filter((id) => !before.includes(id)),
    ];
    await this.audit.record(manager, caller, {
      operation,
      object_kind: 'connector_policy',
      object_id: held.connector_id,
      changed_fields: [...new Set(changed)].sort().map((id) => `granted_user_groups/${id}`),
    });
    return tagged(now);
  }

  private write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.dataSource, work, { retries: RETRIES });
  }
}

function tagged(stored: StoredPolicy): TaggedPolicy {
  const policy = toConnectorPolicy(stored);
  return { policy, etag: etagOf({ version: stored.version, policy }) };
}

function noSuchPolicy(): never {
  throw new Refusal('not_found', 'there is no such connector');
}

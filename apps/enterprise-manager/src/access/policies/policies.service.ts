import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { computeETag, requireMatch } from '@gatehouse/service-kit/etag';
import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite, type RecordChange } from '@gatehouse/audit/audited-write';
import { lockGroups } from '../../people/groups/lock-groups.ts';
import { type ConnectorPolicy, toConnectorPolicy } from './policies.dto.ts';
import { PolicyChecks, refuseDocument } from './policy-checks.ts';
import { PoliciesRepository, getDocument, type StoredPolicy } from '../connectors/policies.repository.ts';

/** A policy with its ETag. */
export interface TaggedPolicy {
  policy: ConnectorPolicy;
  etag: string;
}

/** Reads and writes connector policies in both modes. */
@Injectable()
export class PoliciesService {
  private readonly write: AuditedWrite;

  constructor(
    private readonly policies: PoliciesRepository,
    private readonly checks: PolicyChecks,
    audit: AuditService,
    private readonly clock: Clock,
    dataSource: DataSource,
  ) {
    this.write = createAuditedWrite({ dataSource, audit }, { kind: 'connector_policy' });
  }

  /** @throws HttpError not_found */
  async get(connectorId: string): Promise<TaggedPolicy> {
    return addETag((await this.policies.find(connectorId)) ?? throwNoSuchPolicy());
  }

  /**
   * Grants exactly these groups.
   * @throws HttpError not_found, precondition_required, precondition_failed, conflict in Cedar
   * mode, unprocessable for an unknown group
   */
  async replaceGroups(
    caller: Caller,
    connectorId: string,
    groupIds: readonly string[],
    ifMatch: string | undefined,
  ): Promise<TaggedPolicy> {
    return this.write(caller, "Replace a connector policy's granted user groups", async (manager, recordChange) => {
      // Locks groups before the policy, as the deletion of a group does, to avoid deadlocks.
      const existing = await lockGroups(manager, groupIds);
      const held = await this.holdStructured(manager, connectorId, (etag) => requireMatch(ifMatch, etag, 'required'));
      const unknown = groupIds.find((id) => !existing.has(id));
      if (unknown !== undefined) throw fieldError('unprocessable', 'group_ids', `there is no group ${unknown}`);
      return this.grant(manager, recordChange, held, groupIds);
    });
  }

  /**
   * Removes a granted group.
   * @throws HttpError not_found if the connector does not exist or the group is not granted,
   * precondition_failed, conflict in Cedar mode
   */
  async revokeGroup(
    caller: Caller,
    connectorId: string,
    groupId: string,
    ifMatch: string | undefined,
  ): Promise<TaggedPolicy> {
    return this.write(caller, "Revoke a user group's access to a connector", async (manager, recordChange) => {
      await lockGroups(manager, [groupId]);
      const held = await this.holdStructured(manager, connectorId, (etag) => requireMatch(ifMatch, etag, 'optional'));
      const rest = held.granted.map(({ id }) => id).filter((id) => id !== groupId);
      if (rest.length === held.granted.length)
        throw new HttpError('not_found', 'the group is not granted this connector');
      return this.grant(manager, recordChange, held, rest);
    });
  }

  /**
   * Switches the policy to Cedar mode. The document is initially the compiled grants. A policy in
   * Cedar mode does not change.
   * @throws HttpError not_found, precondition_failed
   */
  enterCedarMode(caller: Caller, connectorId: string, ifMatch: string | undefined): Promise<TaggedPolicy> {
    return this.write(caller, 'Switch a connector policy to Cedar authoring mode', async (manager, recordChange) => {
      const held = await this.holdMatching(manager, connectorId, ifMatch);
      if (held.mode === 'cedar') return addETag(held);
      return this.rewrite(manager, recordChange, held, getDocument(held), ['document', 'mode']);
    });
  }

  /**
   * Switches the policy to structured mode with the existing groups that were granted before. The
   * Cedar document is deleted.
   * @throws HttpError not_found, precondition_failed
   */
  leaveCedarMode(caller: Caller, connectorId: string, ifMatch: string | undefined): Promise<TaggedPolicy> {
    return this.write(
      caller,
      'Switch a connector policy back to structured authoring mode',
      async (manager, recordChange) => {
        const held = await this.holdMatching(manager, connectorId, ifMatch);
        if (held.mode === 'structured') return addETag(held);
        return this.rewrite(manager, recordChange, held, undefined, ['document', 'mode']);
      },
    );
  }

  /**
   * Replaces the Cedar document. The check of the document precedes the transaction, so that it
   * delays no other write.
   * @throws HttpError not_found, precondition_failed, conflict in structured mode, unprocessable
   * with the position, unavailable
   */
  async setDocument(
    caller: Caller,
    connectorId: string,
    document: string,
    ifMatch: string | undefined,
  ): Promise<TaggedPolicy> {
    const require = (policy: StoredPolicy) => {
      requireMatch(ifMatch, addETag(policy).etag, 'optional');
      if (policy.mode === 'structured')
        throw new HttpError('conflict', 'the policy is in structured mode; switch it to Cedar mode to set a document');
    };
    require((await this.policies.find(connectorId)) ?? throwNoSuchPolicy());
    const { groups, users } = await this.checks.examine(document, connectorId);
    return this.write(caller, "Set a connector policy's Cedar document", async (manager, recordChange) => {
      const held = (await this.policies.hold(manager, connectorId)) ?? throwNoSuchPolicy();
      require(held);
      const getIds = (named: readonly { id: string }[]) => named.map(({ id }) => id);
      const [knownGroups, knownUsers] = [
        await this.policies.selectExistingGroupIds(manager, getIds(groups)),
        await this.policies.selectExistingUserIds(manager, getIds(users)),
      ];
      refuseDocument([
        ...groups
          .filter(({ id }) => !knownGroups.has(id))
          .map((at) => ({ ...at, message: `there is no group ${at.id}` })),
        ...users.filter(({ id }) => !knownUsers.has(id)).map((at) => ({ ...at, message: `there is no user ${at.id}` })),
      ]);
      if (held.cedar_document === document) return addETag(held);
      return this.rewrite(manager, recordChange, held, document, ['document']);
    });
  }

  private async holdMatching(manager: EntityManager, connectorId: string, ifMatch: string | undefined) {
    const held = (await this.policies.hold(manager, connectorId)) ?? throwNoSuchPolicy();
    requireMatch(ifMatch, addETag(held).etag, 'optional');
    return held;
  }

  private async rewrite(
    manager: EntityManager,
    recordChange: RecordChange,
    { connector_id }: StoredPolicy,
    document: string | undefined,
    changedFields: string[],
  ): Promise<TaggedPolicy> {
    await this.policies.setDocument(manager, connector_id, document, this.clock.now().toISOString());
    await recordChange(connector_id, changedFields);
    return addETag((await this.policies.find(connector_id, manager)) ?? throwNoSuchPolicy());
  }

  private async holdStructured(
    manager: EntityManager,
    connectorId: string,
    match: (etag: string) => void,
  ): Promise<StoredPolicy> {
    const held = (await this.policies.hold(manager, connectorId)) ?? throwNoSuchPolicy();
    match(addETag(held).etag);
    if (held.mode === 'cedar')
      throw new HttpError(
        'conflict',
        'the policy is in Cedar mode; switch it back to structured mode to change granted groups',
      );
    return held;
  }

  private async grant(
    manager: EntityManager,
    recordChange: RecordChange,
    held: StoredPolicy,
    groupIds: readonly string[],
  ): Promise<TaggedPolicy> {
    await this.policies.replaceGrants(manager, held.connector_id, groupIds);
    const now = (await this.policies.find(held.connector_id, manager)) ?? throwNoSuchPolicy();
    const before = held.granted.map(({ id }) => id);
    const changed = [
      ...before.filter((id) => !groupIds.includes(id)),
      ...groupIds.filter((id) => !before.includes(id)),
    ];
    const fields = [...new Set(changed)].sort().map((id) => `granted_user_groups/${id}`);
    await recordChange(held.connector_id, fields);
    return addETag(now);
  }
}

function addETag(stored: StoredPolicy): TaggedPolicy {
  const policy = toConnectorPolicy(stored);
  return { policy, etag: computeETag({ version: stored.version, policy }) };
}

/** @throws HttpError not_found */
export function throwNoSuchPolicy(): never {
  throw new HttpError('not_found', 'there is no such connector');
}

import { inTransaction, isUniqueViolation } from '@gatehouse/database/transaction';
import { Clock } from '@gatehouse/service-kit/clock';
import type { OwnCaller } from '@gatehouse/service-kit/caller-check';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../audit/audit.service.ts';
import { GroupNamesRepository } from '../../people/groups/group-names.repository.ts';
import { MembershipsRepository } from '../../people/groups/memberships.repository.ts';
import { IgnoredMembers } from '../http/ignored-members.ts';
import { ignoredOfBody, ignoredOfPatch } from '../protocol/ignored-members.ts';
import { readGroupPatch } from '../protocol/patch-group.ts';
import { readPatch } from '../protocol/patch-operations.ts';
import { ELEMENT_PARTS } from '../protocol/element-text.ts';
import { partsOf, project, readProjection } from '../protocol/projection.ts';
import { readGroup } from '../protocol/read-group.ts';
import { groupResource, listBytes, resourceText, versionTag } from '../protocol/resources.ts';
import { type GroupChange, type JsonObject, type JsonText, type Projection, ScimError } from '../protocol/types.ts';
import { type Found, noSuchResource, type WriteOptions } from '../http/scim-found.ts';
import { ScimIssuers } from '../http/scim-issuers.ts';
import { pageRequestOf } from '../http/scim-page.ts';
import { requireVersion } from '../http/scim-version.ts';
import type { ListQuery, ProjectionQuery, SearchRequest } from '../http/scim.dto.ts';
import { ScimGroupChanges } from './scim-group-changes.ts';
import { type ProvisionedGroup, ScimGroupsRepository } from './scim-groups.repository.ts';
import { ScimMembersRepository } from './scim-members.repository.ts';

/** Tries of a write that Postgres ended because of what others wrote at the same time. */
const RETRIES = 5;

/** Names of the writes, as the reference and the audit trail have them. */
type WriteName = 'SCIM: create group' | 'SCIM: replace group' | 'SCIM: patch group' | 'SCIM: delete group';

/**
 * Groups as provisioning clients see them: those that the client's issuer provisions. Every write
 * is one transaction with its audit event; one that changes nothing leaves the version as it is.
 */
@Injectable()
export class ScimGroupsService {
  constructor(
    private readonly groups: ScimGroupsRepository,
    private readonly names: GroupNamesRepository,
    private readonly members: ScimMembersRepository,
    private readonly changes: ScimGroupChanges,
    private readonly memberships: MembershipsRepository,
    private readonly issuers: ScimIssuers,
    private readonly ignored: IgnoredMembers,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** A page of groups. @throws ScimError */
  async list(caller: OwnCaller, query: ListQuery | SearchRequest): Promise<Buffer> {
    const projection = projectionOf(query);
    const { total, rows } = await this.groups.page(this.issuers.of(caller).issuer, pageRequestOf('Group', query));
    return listBytes(await this.shown(caller, rows, projection), total, query.startIndex);
  }

  /** @throws ScimError 404 */
  async get(caller: OwnCaller, id: string | undefined, query: ProjectionQuery): Promise<Found> {
    const { issuer } = this.issuers.of(caller);
    const row = (id !== undefined && (await this.groups.find(issuer, id))) || noSuchResource('group');
    return this.answer(caller, row, projectionOf(query));
  }

  /**
   * @throws ScimError 409 `uniqueness` for a name that another group of the directory has;
   * HttpError conflict for too deep a nesting
   */
  async create(caller: OwnCaller, body: JsonObject, query: ProjectionQuery): Promise<Found> {
    const projection = projectionOf(query);
    const { issuer } = this.issuers.of(caller);
    const { display_name, external_id, members } = readGroup(body);
    const id = uuidv7();
    const filling: GroupChange[] = members.length === 0 ? [] : [{ kind: 'add_members', members }];
    const row = await this.write(async (manager) => {
      await this.changes.lockGraphFor(manager, issuer, filling);
      const now = this.clock.now().toISOString();
      const names = await this.names.take(manager, id, display_name);
      await this.groups.insert(manager, issuer, id, { ...names, external_id }, now);
      const group = (await this.groups.find(issuer, id, manager)) ?? noSuchResource('group');
      const changed = await this.changes.apply(manager, issuer, group, filling);
      const named = ['displayName', ...(external_id === null ? [] : ['externalId'])];
      await this.record(manager, caller, 'SCIM: create group', id, [...named, ...changed]);
      return (await this.groups.find(issuer, id, manager)) ?? noSuchResource('group');
    });
    this.report(caller, 'POST', id, ignoredOfBody(body, 'Group'));
    return this.answer(caller, row, projection);
  }

  /** Sets all of a group. @throws ScimError 404, 409; HttpError conflict, precondition_failed */
  async replace(
    caller: OwnCaller,
    id: string | undefined,
    body: JsonObject,
    { ifMatch, query }: WriteOptions,
  ): Promise<Found> {
    const projection = projectionOf(query);
    const { display_name, external_id, members } = readGroup(body);
    const row = await this.change(caller, 'SCIM: replace group', id, ifMatch, [
      { kind: 'set_display_name', display_name },
      { kind: 'set_external_id', external_id },
      { kind: 'replace_members', members },
    ]);
    this.report(caller, 'PUT', row.id, ignoredOfBody(body, 'Group'));
    return this.answer(caller, row, projection);
  }

  /**
   * Applies the operations of a PATCH, all or none.
   * @returns without a resource when the client names no attributes that it wants to see (RFC 7644
   * §3.5.2)
   * @throws ScimError 400, 404, 409; HttpError conflict, precondition_failed
   */
  async patch(
    caller: OwnCaller,
    id: string | undefined,
    body: JsonObject,
    { ifMatch, query }: WriteOptions,
  ): Promise<Pick<Found, 'etag'> & { resource?: JsonText }> {
    const projection = projectionOf(query);
    const operations = readPatch(body);
    const row = await this.change(caller, 'SCIM: patch group', id, ifMatch, readGroupPatch(operations));
    this.report(caller, 'PATCH', row.id, ignoredOfPatch(operations, 'Group'));
    const asked = query.attributes !== undefined || query.excludedAttributes !== undefined;
    return asked ? this.answer(caller, row, projection) : { etag: versionTag(row.version) };
  }

  /** Removes a group; its members stay. @throws ScimError 404; HttpError precondition_failed */
  async delete(caller: OwnCaller, id: string | undefined, ifMatch: string | undefined): Promise<void> {
    const { issuer } = this.issuers.of(caller);
    if (id === undefined) return noSuchResource('group');
    await this.write(async (manager) => {
      await this.memberships.lockGraph(manager);
      const { version } = (await this.groups.lock(manager, issuer, id)) ?? noSuchResource('group');
      requireVersion(ifMatch, version);
      await this.groups.delete(manager, id, this.clock.now().toISOString());
      await this.record(manager, caller, 'SCIM: delete group', id, []);
    });
  }

  private async change(
    caller: OwnCaller,
    name: WriteName,
    id: string | undefined,
    ifMatch: string | undefined,
    changes: readonly GroupChange[],
  ): Promise<ProvisionedGroup> {
    const { issuer } = this.issuers.of(caller);
    if (id === undefined) return noSuchResource('group');
    return this.write(async (manager) => {
      await this.changes.lockGraphFor(manager, issuer, changes);
      const found = (await this.groups.lock(manager, issuer, id)) ?? noSuchResource('group');
      requireVersion(ifMatch, found.version);
      const changed = await this.changes.apply(manager, issuer, found, changes);
      if (changed.length === 0) return found;
      await this.record(manager, caller, name, id, changed);
      return (await this.groups.find(issuer, id, manager)) ?? noSuchResource('group');
    });
  }

  private report(
    { issuerId }: OwnCaller,
    method: 'POST' | 'PUT' | 'PATCH',
    id: string,
    names: readonly string[],
  ): void {
    this.ignored.report({ issuerId, resourceType: 'Group', method, id }, names);
  }

  private async answer(caller: OwnCaller, row: ProvisionedGroup, projection: Projection): Promise<Found> {
    const [resource = noSuchResource('group')] = await this.shown(caller, [row], projection);
    return {
      resource,
      etag: versionTag(row.version),
      location: `${this.issuers.baseUrl(caller.issuerId)}/Groups/${row.id}`,
    };
  }

  private async shown(
    { issuerId }: OwnCaller,
    rows: readonly ProvisionedGroup[],
    projection: Projection,
  ): Promise<JsonText[]> {
    const base = this.issuers.baseUrl(issuerId);
    const parts = partsOf(projection, 'members', ELEMENT_PARTS);
    const ids = rows.map(({ id }) => id);
    const members =
      parts && ids.length > 0 ? await this.members.ofGroups(ids, parts, base) : new Map<string, JsonText>();
    return rows.map((row) =>
      resourceText(
        project(groupResource(row, base), 'Group', projection),
        'members',
        parts && (members.get(row.id) ?? '[]'),
      ),
    );
  }

  private record(manager: EntityManager, caller: OwnCaller, operation: WriteName, id: string, fields: string[]) {
    const change = { operation, object_kind: 'group', object_id: id, changed_fields: fields };
    return this.audit.record(manager, caller, change);
  }

  private async write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await inTransaction(this.dataSource, work, { retries: RETRIES });
    } catch (error) {
      if (isUniqueViolation(error, 'groups_name_unique') || isUniqueViolation(error, 'groups_display_name_unique'))
        throw new ScimError(409, 'uniqueness', 'displayName: another group of the directory has this name already.');
      throw error;
    }
  }
}

const projectionOf = ({ attributes, excludedAttributes }: ProjectionQuery): Projection =>
  readProjection('Group', attributes, excludedAttributes);

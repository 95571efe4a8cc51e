import { inTransaction, isUniqueViolation } from '@gatehouse/database/transaction';
import { Clock } from '@gatehouse/service-kit/clock';
import type { OwnCaller } from '@gatehouse/service-kit/caller-check';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../audit/audit.service.ts';
import { IgnoredMembers } from '../http/ignored-members.ts';
import { ignoredOfBody, ignoredOfPatch } from '../protocol/ignored-members.ts';
import { readPatch } from '../protocol/patch-operations.ts';
import { patchUser } from '../protocol/patch-user.ts';
import { ELEMENT_PARTS } from '../protocol/element-text.ts';
import { partsOf, project, readProjection } from '../protocol/projection.ts';
import { readUser } from '../protocol/read-user.ts';
import { listBytes, managerIdOf, resourceText, userResource, versionTag } from '../protocol/resources.ts';
import { type JsonObject, type JsonText, type Projection, ScimError, type UserInput } from '../protocol/types.ts';
import type { ListQuery, ProjectionQuery, SearchRequest } from '../http/scim.dto.ts';
import { ScimIssuers } from '../http/scim-issuers.ts';
import { pageRequestOf } from '../http/scim-page.ts';
import { type Found, noSuchResource, type WriteOptions } from '../http/scim-found.ts';
import { requireVersion } from '../http/scim-version.ts';
import { refuseBindingToHolder, refuseEntryOfHolder } from './token-holders.ts';
import { changedAttributes, inputOf, writeOf } from './scim-user.ts';
import { type ProvisionedUser, ScimUsersRepository } from './scim-users.repository.ts';

/** Tries of a write that Postgres ended because of what others wrote at the same time. */
const RETRIES = 5;

/** An administrator's names of the writes, in the audit trail too. */
type WriteName = 'SCIM: create user' | 'SCIM: replace user' | 'SCIM: patch user' | 'SCIM: delete user';

/**
 * People as provisioning clients see them: everybody of the client's issuer. Whoever is written to
 * is provisioned from then on, also somebody whom the configuration or a sign-in had brought. Every
 * write is one transaction with its audit event; one that changes nothing leaves the version as it
 * is.
 */
@Injectable()
export class ScimUsersService {
  constructor(
    private readonly users: ScimUsersRepository,
    private readonly issuers: ScimIssuers,
    private readonly ignored: IgnoredMembers,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** A page of people. @throws ScimError */
  async list(caller: OwnCaller, query: ListQuery | SearchRequest): Promise<Buffer> {
    const projection = projectionOf(query);
    const { total, rows } = await this.users.page(this.issuers.of(caller).issuer, pageRequestOf('User', query));
    return listBytes(await this.shown(caller, rows, projection), total, query.startIndex);
  }

  /** @throws ScimError 404 */
  async get(caller: OwnCaller, id: string | undefined, query: ProjectionQuery): Promise<Found> {
    const { issuer } = this.issuers.of(caller);
    const row = (id !== undefined && (await this.users.find(issuer, id))) || noSuchResource('user');
    return this.answer(caller, row, projectionOf(query));
  }

  /**
   * Adds a person. Somebody who signed in or was configured under another user name, but with the
   * same binding to tokens, becomes that person.
   * @throws ScimError 409 `uniqueness` for a user name or a binding that is taken
   */
  async create(caller: OwnCaller, body: JsonObject, query: ProjectionQuery): Promise<Found> {
    const projection = projectionOf(query);
    const settings = this.issuers.of(caller);
    const input = readUser(body);
    const write = writeOf(input, settings);
    const row = await this.write(async (manager) => {
      const now = this.clock.now().toISOString();
      await this.users.lockName(manager, settings.issuer, write.user_name_key);
      const known = await this.users.lockKnownOtherwise(manager, settings.issuer, write);
      const id = known ?? uuidv7();
      if (known !== undefined) await refuseEntryOfHolder(manager, caller, known);
      await refuseBindingToHolder(manager, caller, { id, issuer: settings.issuer, write });
      if (known === undefined) await this.users.insert(manager, settings.issuer, id, write, now);
      else await this.users.update(manager, id, write, now);
      await this.record(manager, caller, 'SCIM: create user', id, changedAttributes(NOTHING, input));
      return (await this.users.find(settings.issuer, id, manager)) ?? noSuchResource('user');
    });
    this.report(caller, 'POST', row.id, ignoredOfBody(body, 'User'));
    return this.answer(caller, row, projection);
  }

  /** Sets all of a person. @throws ScimError 404, 409; HttpError precondition_failed */
  async replace(caller: OwnCaller, id: string | undefined, body: JsonObject, options: WriteOptions): Promise<Found> {
    const row = await this.change(caller, 'SCIM: replace user', id, options, (current) => readUser(body, current));
    this.report(caller, 'PUT', row.id, ignoredOfBody(body, 'User'));
    return this.answer(caller, row, projectionOf(options.query));
  }

  /**
   * Applies the operations of a PATCH, all or none.
   * @throws ScimError 400, 404, 409; HttpError precondition_failed
   */
  async patch(caller: OwnCaller, id: string | undefined, body: JsonObject, options: WriteOptions): Promise<Found> {
    const operations = readPatch(body);
    const row = await this.change(caller, 'SCIM: patch user', id, options, (current) => patchUser(current, operations));
    this.report(caller, 'PATCH', row.id, ignoredOfPatch(operations, 'User'));
    return this.answer(caller, row, projectionOf(options.query));
  }

  /** Removes a person for good. @throws ScimError 404; HttpError precondition_failed */
  async delete(caller: OwnCaller, id: string | undefined, ifMatch: string | undefined): Promise<void> {
    const { issuer } = this.issuers.of(caller);
    if (id === undefined) return noSuchResource('user');
    await this.write(async (manager) => {
      const { version } = (await this.users.lockForDelete(manager, issuer, id)) ?? noSuchResource('user');
      requireVersion(ifMatch, version);
      await refuseEntryOfHolder(manager, caller, id);
      await this.users.touchGroupsOf(manager, id, this.clock.now().toISOString());
      await this.users.delete(manager, id);
      await this.record(manager, caller, 'SCIM: delete user', id, []);
    });
  }

  private async change(
    caller: OwnCaller,
    name: WriteName,
    id: string | undefined,
    { ifMatch }: WriteOptions,
    apply: (current: UserInput) => UserInput,
  ): Promise<ProvisionedUser> {
    const settings = this.issuers.of(caller);
    if (id === undefined) return noSuchResource('user');
    return this.write(async (manager) => {
      const found = (await this.users.lock(manager, settings.issuer, id)) ?? noSuchResource('user');
      requireVersion(ifMatch, found.version);
      const before = inputOf(found);
      const after = apply(before);
      const changed = changedAttributes(before, after);
      if (changed.length === 0 && found.source === 'scim') return found;
      const write = writeOf(after, settings);
      if (after.active || write.binding_key !== writeOf(before, settings).binding_key)
        await refuseEntryOfHolder(manager, caller, id);
      await refuseBindingToHolder(manager, caller, { id, issuer: settings.issuer, write });
      if (after.user_name !== before.user_name)
        await this.users.lockName(manager, settings.issuer, write.user_name_key);
      await this.users.update(manager, id, write, this.clock.now().toISOString());
      await this.record(manager, caller, name, id, found.source === 'scim' ? changed : [...changed, 'source']);
      return (await this.users.find(settings.issuer, id, manager)) ?? noSuchResource('user');
    });
  }

  private report(
    { issuerId }: OwnCaller,
    method: 'POST' | 'PUT' | 'PATCH',
    id: string,
    names: readonly string[],
  ): void {
    this.ignored.report({ issuerId, resourceType: 'User', method, id }, names);
  }

  private async answer(caller: OwnCaller, row: ProvisionedUser, projection: Projection): Promise<Found> {
    const [resource = noSuchResource('user')] = await this.shown(caller, [row], projection);
    return {
      resource,
      etag: versionTag(row.version),
      location: `${this.issuers.baseUrl(caller.issuerId)}/Users/${row.id}`,
    };
  }

  private async shown(
    caller: OwnCaller,
    rows: readonly ProvisionedUser[],
    projection: Projection,
  ): Promise<JsonText[]> {
    const base = this.issuers.baseUrl(caller.issuerId);
    const parts = partsOf(projection, 'groups', ELEMENT_PARTS);
    const ids = rows.map(({ id }) => id);
    const groups =
      parts && ids.length > 0
        ? await this.users.groupsOf(this.issuers.of(caller).issuer, ids, parts, base)
        : new Map<string, JsonText>();
    const managerIds = rows.map(managerIdOf).filter((id) => id !== undefined);
    const managers = await this.users.among(this.issuers.of(caller).issuer, [...new Set(managerIds)]);
    return rows.map((row) =>
      resourceText(
        project(userResource(row, base, managers), 'User', projection),
        'groups',
        parts && (groups.get(row.id) ?? '[]'),
      ),
    );
  }

  private record(manager: EntityManager, caller: OwnCaller, operation: WriteName, id: string, fields: string[]) {
    const change = { operation, object_kind: 'user', object_id: id, changed_fields: fields };
    return this.audit.record(manager, caller, change);
  }

  private async write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await inTransaction(this.dataSource, work, { retries: RETRIES });
    } catch (error) {
      if (isUniqueViolation(error, 'users_user_name_unique'))
        throw new ScimError(409, 'uniqueness', 'userName: another user of this issuer has it already.');
      if (isUniqueViolation(error, 'users_binding_unique') || isUniqueViolation(error, 'users_person_unique'))
        throw new ScimError(
          409,
          'uniqueness',
          'Another user is bound to the same tokens already: the attribute that binds them must be unique.',
        );
      throw error;
    }
  }
}

const NOTHING: UserInput = { user_name: '', external_id: null, active: false, attributes: {} };

const projectionOf = ({ attributes, excludedAttributes }: ProjectionQuery): Projection =>
  readProjection('User', attributes, excludedAttributes);

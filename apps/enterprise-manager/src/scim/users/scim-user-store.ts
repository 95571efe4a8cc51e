import { isUniqueViolation } from '@gatehouse/database/transaction';
import type { IssuerSettings } from '@gatehouse/service-kit/config';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ScimIssuers } from '../http/scim-issuers.ts';
import type { Page, PageRequest } from '../http/scim-page.ts';
import type { ScimStore, ScimWrite } from '../resources/scim-store.ts';
import { ELEMENT_PARTS } from '../protocol/element-text.ts';
import { patchUser } from '../protocol/patch-user.ts';
import { selectParts, project } from '../protocol/projection.ts';
import { readUser } from '../protocol/read-user.ts';
import { readManagerId, renderResource, createUserResource } from '../protocol/resources.ts';
import {
  type JsonObject,
  type JsonText,
  type PatchOperation,
  type Projection,
  ScimError,
  type UserInput,
} from '../protocol/types.ts';
import { refuseBindingToHolder, refuseEntryOfHolder } from './scim-token-holders.ts';
import { listChangedAttributes, toUserInput, toUserWrite } from './scim-user.ts';
import { type ProvisionedUser, ScimUsersRepository } from './scim-users.repository.ts';

/** A change of a user: computes the new user from the stored one. */
type UserChange = (current: UserInput) => UserInput;

/**
 * The users of an issuer as SCIM resources. A write makes the entry a provisioned one, also an
 * entry that the configuration or a sign-in created.
 */
@Injectable()
export class ScimUserStore implements ScimStore<ProvisionedUser, UserInput, UserChange> {
  readonly resourceType = 'User';
  readonly isPatchResponseOptional = false;
  readonly readInput = (body: JsonObject): UserInput => readUser(body);

  constructor(
    private readonly users: ScimUsersRepository,
    private readonly issuers: ScimIssuers,
  ) {}

  readPage({ issuer }: IssuerSettings, request: PageRequest): Promise<Page<ProvisionedUser>> {
    return this.users.readPage(issuer, request);
  }

  find({ issuer }: IssuerSettings, id: string, manager?: EntityManager): Promise<ProvisionedUser | undefined> {
    return this.users.find(issuer, id, manager);
  }

  readReplacement(body: JsonObject): UserChange {
    return (current) => readUser(body, current);
  }

  readOperations(operations: readonly PatchOperation[]): UserChange {
    return (current) => patchUser(current, operations);
  }

  async render(
    { id: issuerId, issuer }: IssuerSettings,
    rows: readonly ProvisionedUser[],
    projection: Projection,
  ): Promise<JsonText[]> {
    const base = this.issuers.getBaseUrl(issuerId);
    const parts = selectParts(projection, 'groups', ELEMENT_PARTS);
    const ids = rows.map(({ id }) => id);
    const groups =
      parts && ids.length > 0
        ? await this.users.listGroupsOfUsers(issuer, ids, parts, base)
        : new Map<string, JsonText>();
    const managerIds = rows.map(readManagerId).filter((id) => id !== undefined);
    const managers = await this.users.filterExisting(issuer, [...new Set(managerIds)]);
    return rows.map((row) =>
      renderResource(
        project(createUserResource(row, base, managers), 'User', projection),
        'groups',
        parts && (groups.get(row.id) ?? '[]'),
      ),
    );
  }

  /**
   * Adds a user. An entry of a configuration or sign-in with the same binding and another user name
   * becomes the new user.
   */
  async create(
    { manager, caller, issuer: settings, now }: ScimWrite,
    input: UserInput,
  ): Promise<{ id: string; attributes: string[] }> {
    const { issuer } = settings;
    const write = toUserWrite(input, settings);
    await this.users.lockName(manager, issuer, write.user_name_key);
    const bound = await this.users.lockBoundEntry(manager, issuer, write);
    const id = bound ?? uuidv7();
    if (bound !== undefined) await refuseEntryOfHolder(manager, caller, bound);
    await refuseBindingToHolder(manager, caller, { id, issuer, write });
    if (bound === undefined) await this.users.insert(manager, issuer, id, write, now);
    else await this.users.update(manager, id, write, now);
    return { id, attributes: listChangedAttributes(EMPTY_USER, input) };
  }

  lock({ manager, issuer: { issuer } }: ScimWrite, id: string): Promise<ProvisionedUser | undefined> {
    return this.users.lock(manager, issuer, id);
  }

  async update(
    { manager, caller, issuer: settings, now }: ScimWrite,
    row: ProvisionedUser,
    change: UserChange,
  ): Promise<string[]> {
    const { issuer } = settings;
    const before = toUserInput(row);
    const after = change(before);
    const changed = listChangedAttributes(before, after);
    if (changed.length === 0 && row.source === 'scim') return [];
    const write = toUserWrite(after, settings);
    if (after.active || write.binding_key !== toUserWrite(before, settings).binding_key)
      await refuseEntryOfHolder(manager, caller, row.id);
    await refuseBindingToHolder(manager, caller, { id: row.id, issuer, write });
    if (after.user_name !== before.user_name) await this.users.lockName(manager, issuer, write.user_name_key);
    await this.users.update(manager, row.id, write, now);
    return row.source === 'scim' ? changed : [...changed, 'source'];
  }

  lockForDelete({ manager, issuer: { issuer } }: ScimWrite, id: string): Promise<ProvisionedUser | undefined> {
    return this.users.lockForDelete(manager, issuer, id);
  }

  async delete({ manager, caller, now }: ScimWrite, id: string): Promise<void> {
    await refuseEntryOfHolder(manager, caller, id);
    await this.users.touchGroupsOfUser(manager, id, now);
    await this.users.delete(manager, id);
  }

  toConflict(error: unknown): ScimError | undefined {
    if (isUniqueViolation(error, 'users_user_name_unique'))
      return new ScimError(409, 'uniqueness', 'userName: another user of this issuer has it already.');
    if (!isUniqueViolation(error, 'users_binding_unique') && !isUniqueViolation(error, 'users_person_unique'))
      return undefined;
    return new ScimError(
      409,
      'uniqueness',
      'Another user is bound to the same tokens already: the attribute that binds them must be unique.',
    );
  }
}

const EMPTY_USER: UserInput = { user_name: '', external_id: null, active: false, attributes: {} };

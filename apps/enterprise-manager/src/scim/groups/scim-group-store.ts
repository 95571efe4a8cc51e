import { isUniqueViolation } from '@gatehouse/database/transaction';
import type { IssuerSettings } from '@gatehouse/service-kit/config';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { GroupNamesRepository } from '../../people/groups/group-names.repository.ts';
import { MembershipsRepository } from '../../people/groups/memberships.repository.ts';
import { ScimIssuers } from '../http/scim-issuers.ts';
import type { Page, PageRequest } from '../http/scim-page.ts';
import type { ScimStore, ScimWrite } from '../resources/scim-store.ts';
import { ELEMENT_PARTS } from '../protocol/element-text.ts';
import { readGroupPatch } from '../protocol/patch-group.ts';
import { selectParts, project } from '../protocol/projection.ts';
import { readGroup } from '../protocol/read-group.ts';
import { createGroupResource, renderResource } from '../protocol/resources.ts';
import { type GroupChange, type GroupInput, type JsonText, type Projection, ScimError } from '../protocol/types.ts';
import { ScimGroupChanges } from './scim-group-changes.ts';
import { type ProvisionedGroup, ScimGroupsRepository } from './scim-groups.repository.ts';
import { ScimMembersRepository } from './scim-members.repository.ts';

/** The groups that an issuer provisions, as SCIM resources. */
@Injectable()
export class ScimGroupStore implements ScimStore<ProvisionedGroup, GroupInput, readonly GroupChange[]> {
  readonly resourceType = 'Group';
  readonly isPatchResponseOptional = true;
  readonly readInput = readGroup;
  readonly readOperations = readGroupPatch;

  constructor(
    private readonly groups: ScimGroupsRepository,
    private readonly names: GroupNamesRepository,
    private readonly members: ScimMembersRepository,
    private readonly changes: ScimGroupChanges,
    private readonly memberships: MembershipsRepository,
    private readonly issuers: ScimIssuers,
  ) {}

  readPage({ issuer }: IssuerSettings, request: PageRequest): Promise<Page<ProvisionedGroup>> {
    return this.groups.readPage(issuer, request);
  }

  find({ issuer }: IssuerSettings, id: string, manager?: EntityManager): Promise<ProvisionedGroup | undefined> {
    return this.groups.find(issuer, id, manager);
  }

  readReplacement(body: object): GroupChange[] {
    const { display_name, external_id, members } = readGroup(body);
    return [
      { kind: 'set_display_name', display_name },
      { kind: 'set_external_id', external_id },
      { kind: 'replace_members', members },
    ];
  }

  async render(
    { id: issuerId }: IssuerSettings,
    rows: readonly ProvisionedGroup[],
    projection: Projection,
  ): Promise<JsonText[]> {
    const base = this.issuers.getBaseUrl(issuerId);
    const parts = selectParts(projection, 'members', ELEMENT_PARTS);
    const ids = rows.map(({ id }) => id);
    const members =
      parts && ids.length > 0 ? await this.members.listOfGroups(ids, parts, base) : new Map<string, JsonText>();
    return rows.map((row) =>
      renderResource(
        project(createGroupResource(row, base), 'Group', projection),
        'members',
        parts && (members.get(row.id) ?? '[]'),
      ),
    );
  }

  async create(
    { manager, issuer: { issuer }, now }: ScimWrite,
    { display_name, external_id, members }: GroupInput,
  ): Promise<{ id: string; attributes: string[] }> {
    const additions: GroupChange[] = members.length === 0 ? [] : [{ kind: 'add_members', members }];
    await this.changes.lockGraphFor(manager, issuer, additions);
    const id = uuidv7();
    const names = await this.names.reserve(manager, id, display_name);
    await this.groups.insert(manager, issuer, id, { ...names, external_id }, now);
    const created = { ...names, id, external_id };
    const added = await this.changes.apply(manager, issuer, created, additions);
    return { id, attributes: ['displayName', ...(external_id === null ? [] : ['externalId']), ...added] };
  }

  async lock(
    { manager, issuer: { issuer } }: ScimWrite,
    id: string,
    changes: readonly GroupChange[],
  ): Promise<ProvisionedGroup | undefined> {
    await this.changes.lockGraphFor(manager, issuer, changes);
    return this.groups.lock(manager, issuer, id);
  }

  update(
    { manager, issuer: { issuer } }: ScimWrite,
    row: ProvisionedGroup,
    changes: readonly GroupChange[],
  ): Promise<string[]> {
    return this.changes.apply(manager, issuer, row, changes);
  }

  async lockForDelete({ manager, issuer: { issuer } }: ScimWrite, id: string): Promise<ProvisionedGroup | undefined> {
    await this.memberships.lockGraph(manager);
    return this.groups.lock(manager, issuer, id);
  }

  delete({ manager, now }: ScimWrite, id: string): Promise<void> {
    return this.groups.delete(manager, id, now);
  }

  toConflict(error: unknown): ScimError | undefined {
    if (!isUniqueViolation(error, 'groups_name_unique') && !isUniqueViolation(error, 'groups_display_name_unique'))
      return undefined;
    return new ScimError(409, 'uniqueness', 'displayName: another group of the directory has this name already.');
  }
}

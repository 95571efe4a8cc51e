import type { Principal } from '@gatehouse/policy/decide';
import type { Caller } from '@gatehouse/service-kit/access';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import type { ConnectorRow } from '../connectors/connector.entity.ts';
import { ConnectorsRepository } from '../connectors/connectors.repository.ts';
import { GroupsRepository } from '../../people/groups/groups.repository.ts';
import { PolicyDecisions } from '../policies/policy-decisions.ts';
import { DirectoryEntries } from '../../people/users/directory-entries.service.ts';

/** Decides what the caller may use. A connector that the caller may not use is hidden. */
@Injectable()
export class OwnAccess {
  constructor(
    private readonly entries: DirectoryEntries,
    private readonly groups: GroupsRepository,
    private readonly connectors: ConnectorsRepository,
    private readonly decisions: PolicyDecisions,
  ) {}

  /** Returns the caller as a principal of policies; undefined without an active directory entry. */
  async findPrincipal(caller: Caller): Promise<Principal | undefined> {
    const user = await this.entries.findByCaller(caller);
    if (!user?.active) return undefined;
    return { userId: user.id, groupIds: new Set(await this.groups.listGroupIdsOfUser(user.id)), claims: caller.claims };
  }

  /** @throws HttpError forbidden without an active entry */
  async requirePrincipal(caller: Caller): Promise<Principal> {
    const principal = await this.findPrincipal(caller);
    if (principal === undefined) throw new HttpError('forbidden', 'no active directory entry');
    return principal;
  }

  /** Finds the connector if it is available and the user may connect to it. */
  async findConnector(principal: Principal, gatewayId: string, id: string): Promise<ConnectorRow | undefined> {
    const row = await this.connectors.find(gatewayId, id);
    const connectable = await this.decisions.filterConnectable([id], principal);
    return row?.status === 'available' && connectable.has(id) ? row : undefined;
  }

  /** Returns those of the connectors that the user may connect to. */
  filterConnectable(principal: Principal, connectorIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.decisions.filterConnectable([...new Set(connectorIds)], principal);
  }
}

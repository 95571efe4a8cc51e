import { type Principal, decide, type AuthorizationRequest } from '@gatehouse/policy/decide';
import { preparePolicySet } from '@gatehouse/policy/policy-set';
import { formatSchema } from '@gatehouse/policy/schema';
import { fieldError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { policyClaims, SETTINGS, type Settings } from '../../config/config.ts';
import { GroupsRepository } from '../../people/groups/groups.repository.ts';
import { UsersRepository } from '../../people/users/users.repository.ts';
import type { PolicySchema, PolicySimulation, PolicyVerdict } from './policies.dto.ts';
import { PoliciesRepository } from '../connectors/policies.repository.ts';
import { throwNoSuchPolicy } from './policies.service.ts';
import { PolicyChecks } from './policy-checks.ts';
import { PolicyDecisions } from './policy-decisions.ts';

/** Simulates decisions as a gateway makes them. Changes and records nothing. */
@Injectable()
export class PolicySimulationsService {
  private readonly claims;

  constructor(
    private readonly policies: PoliciesRepository,
    private readonly decisions: PolicyDecisions,
    private readonly checks: PolicyChecks,
    private readonly groups: GroupsRepository,
    private readonly users: UsersRepository,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.claims = policyClaims(settings);
  }

  /** Returns the schema for the validation of policies. */
  getSchema(): PolicySchema {
    return { schema: formatSchema(this.claims), claims: { ...this.claims } };
  }

  /**
   * @throws HttpError not_found, unprocessable for unknown users and groups and for an invalid
   * document
   */
  async simulate(connectorId: string, simulation: PolicySimulation): Promise<PolicyVerdict> {
    const policy = (await this.policies.find(connectorId)) ?? throwNoSuchPolicy();
    if (simulation.document !== undefined) await this.checks.examine(simulation.document, connectorId);
    const { active, ...principal } = await this.createPrincipal(simulation);
    const group_ids = [...principal.groupIds].sort();
    if (!active) return { decision: 'deny', policies: [], errors: ['the user is not active'], group_ids };
    const set =
      simulation.document === undefined
        ? this.decisions.getPolicySet(policy)
        : preparePolicySet(connectorId, simulation.document, this.claims);
    const { allowed, reasons, errors } = decide(set, principal, createAuthorizationRequest(simulation));
    return { decision: allowed ? 'allow' : 'deny', policies: [...reasons], errors: [...errors], group_ids };
  }

  private async createPrincipal({
    user_id,
    group_ids = [],
    claims = {},
  }: PolicySimulation): Promise<Principal & { active: boolean }> {
    if (user_id !== undefined) {
      const user = await this.users.find(user_id);
      if (user === undefined) throw fieldError('unprocessable', 'user_id', `there is no user ${user_id}`);
      return {
        active: user.active,
        userId: user_id,
        groupIds: new Set(await this.groups.listGroupIdsOfUser(user_id)),
        claims,
      };
    }
    const groupIds = new Set(await this.groups.listIdsWithParents(group_ids));
    const missing = group_ids.find((id) => !groupIds.has(id));
    if (missing !== undefined) throw fieldError('unprocessable', 'group_ids', `there is no group ${missing}`);
    // No user of the directory has an id without digits.
    return { active: true, userId: 'simulated user', groupIds, claims };
  }
}

function createAuthorizationRequest({ action, resource = '' }: PolicySimulation): AuthorizationRequest {
  return action === 'connect' || action === 'list_tools' ? { action } : { action, name: resource };
}

import { listGrantedModels } from '@gatehouse/ai-policies/granted-models';
import { resolveRoles } from '@gatehouse/ai-policies/roles';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { KnownResources } from '../resources/known-resources.ts';
import { OwnPolicies } from './own-policies.ts';

/** The caller, and the policies that match the caller. */
export interface Introspection {
  readonly email?: string;
  readonly subject: string;
  /** The texts of the claim `groups`. */
  readonly groups: readonly string[];
  /** Names of the roles that match, sorted. */
  readonly roles: readonly string[];
  /** Sorted by name. */
  readonly matchedPolicies: readonly MatchedPolicy[];
  /** Granted models, sorted. */
  readonly models: readonly string[];
  readonly unrestrictedModels: boolean;
}

type MatchedPolicy = Pick<AIPolicy['metadata'], 'name'> & Pick<AIPolicy['spec'], 'description' | 'mcpPolicy'>;

/** Says who a caller is and what the policies of the gateway grant to the caller. */
@Injectable()
export class MeService {
  constructor(
    private readonly known: KnownResources,
    private readonly ownPolicies: OwnPolicies,
  ) {}

  /** Describes the caller. It shows no policy that does not match the caller. */
  describe({ claims, email, subject }: Caller): Introspection {
    this.known.requireKnownPolicies();
    const { spec } = this.known.requireGateway();
    const policies = this.ownPolicies.find(claims);
    const { models, isUnrestricted } = listGrantedModels(policies, spec);
    return {
      ...(email !== undefined && { email }),
      subject,
      groups: listTexts(claims['groups']),
      roles: resolveRoles(claims, spec.auth.authz?.roles),
      matchedPolicies: policies.map(describePolicy),
      models,
      unrestrictedModels: isUnrestricted,
    };
  }
}

const listTexts = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((value) => typeof value === 'string');

const describePolicy = ({ metadata: { name }, spec: { description, mcpPolicy } }: AIPolicy): MatchedPolicy => ({
  name,
  ...(description !== undefined && { description }),
  ...(mcpPolicy !== undefined && { mcpPolicy }),
});

import { listGrantedModels } from '@gatehouse/ai-policies/granted-models';
import { resolveRoles } from '@gatehouse/ai-policies/roles';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { KnownResources } from '../resources/known-resources.ts';
import { MatchedPolicies } from './matched-policies.ts';
import type { CallerIntrospection, MatchedPolicy } from './me.dto.ts';

/** Says who a caller is and what the policies of the gateway grant to the caller. */
@Injectable()
export class MeService {
  constructor(
    private readonly known: KnownResources,
    private readonly matchedPolicies: MatchedPolicies,
  ) {}

  /** Describes the caller. It shows no policy that does not match the caller. */
  describe({ claims, email, subject }: Caller): CallerIntrospection {
    this.known.requireKnownPolicies();
    const { spec } = this.known.requireGateway();
    const policies = this.matchedPolicies.find(claims);
    const { models, isUnrestricted } = listGrantedModels(policies, spec);
    return {
      ...(email !== undefined && { email }),
      subject,
      groups: listTexts(claims['groups']),
      roles: resolveRoles(claims, spec.auth.authz?.roles),
      matchedPolicies: policies.map(describePolicy),
      models: [...models],
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

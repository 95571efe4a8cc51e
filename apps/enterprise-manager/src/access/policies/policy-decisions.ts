import type { ClaimMapping } from '@gatehouse/policy/claims';
import type { Principal } from '@gatehouse/policy/decide';
import { DecisionCache } from '@gatehouse/policy/decision-cache';
import { type PolicySet, preparePolicySet } from '@gatehouse/policy/policy-set';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { policyClaims, SETTINGS, type Settings } from '../../config/config.ts';
import { PoliciesRepository, getDocument, type StoredPolicy } from '../connectors/policies.repository.ts';

const MAX_SETS = 2_000;

/** Decides with the policies of connectors, with the same functions as the gateways. */
@Injectable()
export class PolicyDecisions {
  private readonly sets = new LRUCache<string, { version: number; set: PolicySet }>({ max: MAX_SETS });
  private readonly decisions = new DecisionCache();
  private readonly claims: ClaimMapping;

  constructor(
    private readonly policies: PoliciesRepository,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.claims = policyClaims(settings);
  }

  /** Returns those of the connectors that the user may connect to. */
  async filterConnectable(connectorIds: readonly string[], principal: Principal): Promise<ReadonlySet<string>> {
    if (connectorIds.length === 0) return new Set();
    const policies = await this.policies.findMany(connectorIds);
    const allowed = policies.filter(
      (policy) => this.decisions.decide(this.getPolicySet(policy), principal, { action: 'connect' }).allowed,
    );
    return new Set(allowed.map(({ connector_id }) => connector_id));
  }

  /** Returns the policy, prepared for decisions. Caches it by its version: parsing takes long. */
  getPolicySet(policy: StoredPolicy): PolicySet {
    const cached = this.sets.get(policy.connector_id);
    if (cached?.version === policy.version) return cached.set;
    const set = preparePolicySet(policy.connector_id, getDocument(policy), this.claims);
    this.sets.set(policy.connector_id, { version: policy.version, set });
    return set;
  }
}

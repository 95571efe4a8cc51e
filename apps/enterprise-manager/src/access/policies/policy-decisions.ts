import type { ClaimMapping } from '@gatehouse/policy/claims';
import type { Principal } from '@gatehouse/policy/decide';
import { DecisionCache } from '@gatehouse/policy/decision-cache';
import { type PolicySet, preparePolicySet } from '@gatehouse/policy/policy-set';
import { Inject, Injectable } from '@nestjs/common';
import { policyClaims, SETTINGS, type Settings } from '../../config/config.ts';
import { PoliciesRepository, documentOf, type StoredPolicy } from '../connectors/policies.repository.ts';

const KEPT_SETS = 2_000;

/** Asks the policies of connectors, with the same function as the gateways. */
@Injectable()
export class PolicyDecisions {
  private readonly sets = new Map<string, { version: number; set: PolicySet }>();
  private readonly decisions = new DecisionCache();
  private readonly claims: ClaimMapping;

  constructor(
    private readonly policies: PoliciesRepository,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.claims = policyClaims(settings);
  }

  /** Those of the connectors that the person may connect to. */
  async connectable(connectorIds: readonly string[], principal: Principal): Promise<ReadonlySet<string>> {
    if (connectorIds.length === 0) return new Set();
    const policies = await this.policies.findMany(connectorIds);
    const allowed = policies.filter(
      (policy) => this.decisions.decide(this.setOf(policy), principal, { action: 'connect' }).allowed,
    );
    return new Set(allowed.map(({ connector_id }) => connector_id));
  }

  /**
   * The policy ready to decide. Parsing costs more than deciding: a set is kept until its policy
   * has another version or many others were asked since.
   */
  setOf(policy: StoredPolicy): PolicySet {
    const kept = this.sets.get(policy.connector_id);
    this.sets.delete(policy.connector_id);
    const entry =
      kept?.version === policy.version
        ? kept
        : { version: policy.version, set: preparePolicySet(policy.connector_id, documentOf(policy), this.claims) };
    this.sets.set(policy.connector_id, entry);
    const oldest = this.sets.keys().next().value;
    if (this.sets.size > KEPT_SETS && oldest !== undefined) this.sets.delete(oldest);
    return entry.set;
  }
}

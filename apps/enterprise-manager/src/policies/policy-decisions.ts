import { STANDARD_CLAIMS } from '@gatehouse/policy/claims';
import { type Principal, decide } from '@gatehouse/policy/decide';
import { type PolicySet, preparePolicySet } from '@gatehouse/policy/policy-set';
import { Injectable } from '@nestjs/common';
import { PoliciesRepository, documentOf, type StoredPolicy } from './policies.repository.ts';

const KEPT_SETS = 2_000;

/** Asks the policies of connectors, with the same function as the gateways. */
@Injectable()
export class PolicyDecisions {
  private readonly sets = new Map<string, { document: string; set: PolicySet }>();

  constructor(private readonly policies: PoliciesRepository) {}

  /** Those of the connectors that the person may connect to. */
  async connectable(connectorIds: readonly string[], principal: Principal): Promise<ReadonlySet<string>> {
    if (connectorIds.length === 0) return new Set();
    const policies = await this.policies.findMany(connectorIds);
    const allowed = policies.filter((policy) => decide(this.setOf(policy), principal, { action: 'connect' }).allowed);
    return new Set(allowed.map(({ connector_id }) => connector_id));
  }

  /** Parsing costs more than deciding: a set is kept until its document changes or many others were asked since. */
  private setOf(policy: StoredPolicy): PolicySet {
    const document = documentOf(policy);
    const kept = this.sets.get(policy.connector_id);
    this.sets.delete(policy.connector_id);
    const entry =
      kept?.document === document
        ? kept
        : { document, set: preparePolicySet(policy.connector_id, document, STANDARD_CLAIMS) };
    this.sets.set(policy.connector_id, entry);
    const oldest = this.sets.keys().next().value;
    if (this.sets.size > KEPT_SETS && oldest !== undefined) this.sets.delete(oldest);
    return entry.set;
  }
}

import { computePolicyStatus } from '@gatehouse/ai-policies/policy-status';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import { ResourceStoreError } from '@gatehouse/ai-resources/resource-store';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { Resources } from '../resources/resources.ts';
import { isOutdated, writeStatus } from './status-writer.ts';

/** How often another writer may be ahead of a status before it is left to the reconciler. */
const MAX_ATTEMPTS = 5;

/** Computes and writes the status of policies. */
@Injectable()
export class PolicyStatuses {
  constructor(
    private readonly resources: Resources,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** The status that a policy should have; undefined if it has it. */
  findDifference(policy: AIPolicy): AIPolicy['status'] {
    const gateway = this.resources.gateways.cache.get(policy.spec.gatewayRef.name);
    const status = computePolicyStatus(policy, gateway, this.clock.now());
    return isDeepStrictEqual(status, policy.status) ? undefined : status;
  }

  /**
   * Writes a status for one version of a policy.
   * @throws ResourceStoreError `conflict` when the policy has another version, `not_found`
   */
  write(policy: AIPolicy, status: AIPolicy['status'], signal?: AbortSignal): Promise<AIPolicy> {
    return writeStatus(this.resources.policies, policy, status, signal);
  }

  /**
   * Writes the status of a policy that was just written. A failure does not undo the write of the
   * policy: the reconciler writes the status later.
   * @returns the newest known state of the policy
   */
  async complete(policy: AIPolicy): Promise<AIPolicy> {
    let current = policy;
    try {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const status = this.findDifference(current);
        if (status === undefined) return current;
        const written = await this.writeUnlessOutdated(current, status);
        if (written !== undefined) return written;
        const newer = await this.resources.policies.store.get(current.metadata.name);
        if (newer?.metadata.uid !== current.metadata.uid) return current;
        this.resources.policies.cache.put(newer);
        current = newer;
      }
    } catch (error) {
      if (!(error instanceof ResourceStoreError)) throw error;
      this.log.warn({ err: error, policy: policy.metadata.name }, 'the status of a policy was not written yet');
    }
    return current;
  }

  /** @returns the written policy; undefined if the policy has another version or is gone */
  private async writeUnlessOutdated(policy: AIPolicy, status: AIPolicy['status']): Promise<AIPolicy | undefined> {
    try {
      return await this.write(policy, status);
    } catch (error) {
      if (isOutdated(error)) return undefined;
      throw error;
    }
  }
}

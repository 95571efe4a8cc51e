import type { ResourceChange } from '@gatehouse/ai-resources/resource-cache';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { Resources } from '../resources/resources.ts';
import { GatewayStatuses } from './gateway-statuses.ts';
import { PolicyStatuses } from './policy-statuses.ts';
import { StatusQueue } from './status-queue.ts';

/**
 * Keeps the status of policies and gateways up to date after changes from outside: of a gateway,
 * of a policy, or of the gateway that a policy names. Every replica does this. It writes only where
 * the status differs, for the version that it examined.
 */
@Injectable()
export class StatusReconciler {
  private readonly policyQueue: StatusQueue;
  private readonly gatewayQueue: StatusQueue;

  constructor(
    private readonly resources: Resources,
    private readonly policies: PolicyStatuses,
    private readonly gateways: GatewayStatuses,
    log: Log,
  ) {
    this.policyQueue = new StatusQueue('AIPolicy', (name, signal) => this.writePolicyStatus(name, signal), log);
    this.gatewayQueue = new StatusQueue('AIGateway', (name, signal) => this.writeGatewayStatus(name, signal), log);
  }

  /** Nest: begins to examine changes. */
  onModuleInit(): void {
    const { gateways, policies } = this.resources;
    policies.cache.onChange(({ name, current }) => {
      if (current !== undefined) this.policyQueue.examine([name]);
    });
    gateways.cache.onChange((change) => {
      if (change.current !== undefined) this.gatewayQueue.examine([change.name]);
      if (hasOtherSpec(change)) this.policyQueue.examine(this.listPolicies(change.name));
    });
    let isFollowing = false;
    gateways.onUpdate(() => {
      // A policy is examined only while the gateways are known.
      if (!isFollowing && this.areGatewaysKnown()) this.policyQueue.examine(this.listPolicies());
      isFollowing = this.areGatewaysKnown();
    });
  }

  /** Nest: ends the examination, before the stores are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.policyQueue.stop(), this.gatewayQueue.stop()]);
  }

  /** Names of the policies of a gateway; default: of all. */
  private listPolicies(gateway?: string): string[] {
    const policies = this.resources.policies.cache.values();
    return policies
      .filter(({ spec }) => gateway === undefined || spec.gatewayRef.name === gateway)
      .map(({ metadata }) => metadata.name);
  }

  /** Whether the gateways are known: otherwise a policy would seem to have no gateway. */
  private areGatewaysKnown(): boolean {
    const { isSynced, state } = this.resources.gateways.cache;
    return isSynced && state?.status === 'following';
  }

  private async writePolicyStatus(name: string, signal: AbortSignal): Promise<void> {
    if (!this.areGatewaysKnown()) return;
    const policy = this.resources.policies.cache.get(name);
    if (policy === undefined || policy.metadata.deletionTimestamp !== undefined) return;
    const status = this.policies.findDifference(policy);
    if (status !== undefined) await this.policies.write(policy, status, signal);
  }

  private async writeGatewayStatus(name: string, signal: AbortSignal): Promise<void> {
    const gateway = this.resources.gateways.cache.get(name);
    if (gateway === undefined || gateway.metadata.deletionTimestamp !== undefined) return;
    const status = this.gateways.findDifference(gateway);
    if (status !== undefined) await this.gateways.write(gateway, status, signal);
  }
}

/** Whether a change is more than one of the status, which no policy depends on. */
const hasOtherSpec = ({ previous, current }: ResourceChange<AIGateway>): boolean =>
  previous?.metadata.uid !== current?.metadata.uid || previous?.metadata.generation !== current?.metadata.generation;

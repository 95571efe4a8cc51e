import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { findViolations } from '@gatehouse/ai-resources/validation';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/config.ts';
import { describeProblems, explainMissingResources, type CacheState } from './cache-state.ts';
import { Resources } from './resources.ts';

/** The resources of the namespace as the caches know them, and the reasons why some are missing. */
@Injectable()
export class KnownResources {
  constructor(
    private readonly resources: Resources,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The AIGateway of this instance; undefined if there is none. */
  get gateway(): AIGateway | undefined {
    return this.resources.gateways.cache.get(this.settings.GATEWAY_NAME);
  }

  /**
   * Another AIGateway of the namespace; by default that of this instance.
   * @throws HttpError not_found
   */
  requireGateway(name: string = this.settings.GATEWAY_NAME): AIGateway {
    const gateway = this.resources.gateways.cache.get(name);
    if (gateway === undefined) throw new HttpError('not_found', `there is no AIGateway with the name ${name}`);
    return gateway;
  }

  /** @throws HttpError unavailable while the policies are not known */
  requireKnownPolicies(): void {
    const message = this.explainMissingPolicies();
    if (message !== undefined) throw new HttpError('unavailable', message, { violations: [{ field: '', message }] });
  }

  /** Why the AIGateway of this instance cannot be used, as a sentence for callers. */
  explainMissingGateway(): string | undefined {
    const { NAMESPACE, GATEWAY_NAME } = this.settings;
    const subject = `the AIGateway ${NAMESPACE}/${GATEWAY_NAME}`;
    const missing = explainMissingResources(this.gatewayCache);
    if (missing !== undefined) return `${subject} is not known: ${missing}`;
    const { gateway } = this;
    if (gateway === undefined) {
      const problems = describeProblems(this.gatewayCache);
      return `${subject} does not exist; ${problems.length > 0 ? problems.join('; ') : 'create it'}`;
    }
    const [violation] = findViolations('AIGateway', gateway);
    return violation && `${subject} cannot be used: ${violation.field} ${violation.message}`;
  }

  /** Why the policies are not known, as a sentence for callers. */
  explainMissingPolicies(): string | undefined {
    return explainMissingResources(this.policyCache);
  }

  /** Sentences about resources that stay as they were last read. */
  listProblems(): string[] {
    return [...new Set([this.gatewayCache, this.policyCache].flatMap(describeProblems))];
  }

  private get gatewayCache(): CacheState {
    const { isSynced, state } = this.resources.gateways.cache;
    return { kind: 'AIGateway', namespace: this.settings.NAMESPACE, isSynced, watch: state };
  }

  private get policyCache(): CacheState {
    const { isSynced, state } = this.resources.policies.cache;
    return { kind: 'AIPolicy', namespace: this.settings.NAMESPACE, isSynced, watch: state };
  }
}

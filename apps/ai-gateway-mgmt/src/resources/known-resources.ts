import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/config.ts';
import { Resources } from './resources.ts';

/** The resources of the namespace as the caches know them. */
@Injectable()
export class KnownResources {
  constructor(
    private readonly resources: Resources,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

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
    const message = this.resources.policies.explainMissing();
    if (message !== undefined) throw new HttpError('unavailable', message, { violations: [{ field: '', message }] });
  }
}
